"""The block approximation: how close its walk probabilities are to the exact ones."""

from functools import lru_cache
from typing import Any

import numpy as np

from residuum.evaluation import log_probability_correlation
from residuum.graph import Graph
from residuum.nulls import Configuration
from residuum.reproduction.figures import dot_panels
from residuum.reproduction.graphs import graphs_of, load_graph
from residuum.reproduction.tables import interval_of, mean_table, names_of
from residuum.reproduction.target import Case, Row, Settings, Target, chosen
from residuum.residual.block_chain import BlockChain, choose_exact_steps
from residuum.residual.blocking import find_blocks
from residuum.walks import WindowProbabilities

__all__ = ["TARGET", "block_correlations"]

_WINDOW, _CENTRES, _COLUMNS_AT_ONCE = 10, 500, 128
_FORMS = ("one exact step", "automatic")
_MEASURES = ("correlation", "correlation, pooled", "exact steps")
# The average over its six graphs that the paper reports.
_PAPER = 0.85


def block_correlations(graph: Graph, n_blocks: int, seed: int) -> dict[str, dict[str, float]]:
    """Return how ``ln P_d`` of the block form correlates with the exact one, from 500 random centres or all.

    "one exact step" is the paper's form; "automatic" has as many exact steps as the solver takes.

    Parameters
    ----------
    graph : Graph
    n_blocks : int
    seed : int
    """
    rng = np.random.default_rng(seed)
    probabilities = WindowProbabilities(graph, _WINDOW)
    labels = find_blocks(probabilities, Configuration().fit(graph, _WINDOW), n_blocks, rng)
    known = np.flatnonzero(graph.out_strength > 0)
    centres = rng.choice(known, min(_CENTRES, len(known)), replace=False)
    exact = probabilities.rows(centres)
    first = probabilities.window[0] * (graph.adjacency[centres].toarray() / graph.out_strength[centres, None])
    found = {}
    for form in _FORMS:
        steps = 1 if form == "one exact step" else choose_exact_steps(probabilities, int(labels.max()) + 1)
        chain = BlockChain(probabilities, labels, steps)
        rows = np.concatenate(
            [
                chain.columns(start, min(start + _COLUMNS_AT_ONCE, chain.n_blocks))[centres]
                for start in range(0, chain.n_blocks, _COLUMNS_AT_ONCE)
            ],
            axis=1,
        )
        block = first + chain.share * rows[:, labels]
        found[form] = {
            "correlation": log_probability_correlation(block, exact),
            "correlation, pooled": log_probability_correlation(block, exact, pooled=True),
            "exact steps": float(steps),
        }
    return found


@lru_cache(maxsize=1)
def _correlations(name: str, n_blocks: int, seed: int) -> dict[str, dict[str, float]]:
    return block_correlations(load_graph(name), n_blocks, seed)


def _cases(settings: Settings) -> list[Case]:
    forms = chosen("methods", _FORMS, settings.methods)
    return [Case(graph, form) for graph in graphs_of(settings) for form in forms]


def _measure(case: Case, run: int, settings: Settings) -> dict[str, float]:
    return _correlations(case.graph, 50 if settings.quick else 1000, run)[case.method]


def _table(rows: list[Row], settings: Settings) -> str:
    del settings
    note = (
        f"Pearson's correlation of ln P_d of the block form with the exact one, window 10: the mean over {_CENTRES} "
        "random centres (all nodes of a graph that has fewer), and over all of their pairs at once. The paper's "
        f"average is {_PAPER}."
    )
    return "\n\n".join([note, *(mean_table(rows, measure) for measure in _MEASURES[:2])])


def _draw(rows: list[Row], settings: Settings) -> Any:
    del settings
    graphs = names_of(rows, lambda row: row.graph)
    panels = {
        form: {graph: found for graph in graphs if (found := interval_of(rows, "correlation", graph, form))}
        for form in names_of(rows, lambda row: row.method)
    }
    figure = dot_panels(panels, "correlation of ln P_d, block form and exact", columns=2)
    lines = [axis.axvline(_PAPER, color="black", linestyle=":", linewidth=1.2) for axis in figure.axes]
    figure.legend(lines[:1], ["average of the paper"], loc="outside lower center", fontsize=8, frameon=False)
    return figure


TARGET = Target(
    "block-approximation", "The block approximation of the walk", _MEASURES, _cases, _measure, _table, _draw
)
