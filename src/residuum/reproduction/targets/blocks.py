"""Correlation of the walk probabilities of the block approximation with the exact ones."""

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
from residuum.solvers.block_walk import BlockWalk, choose_exact_steps
from residuum.solvers.clusters import find_clusters
from residuum.walks import WindowProbabilities

__all__ = ["TARGET", "block_correlations"]

_WINDOW, _CENTERS, _COLUMNS_AT_ONCE = 10, 500, 128
_FORMS = ("one exact step", "automatic")
_MEASURES = ("correlation", "correlation, pooled", "exact steps")
# Average over six graphs in the paper.
_PAPER = 0.85


def block_correlations(graph: Graph, n_clusters: int, seed: int) -> dict[str, dict[str, float]]:
    """Return the correlation of ``ln P_d`` of the block form with the exact one, from 500 random centers.

    "one exact step" is the form of the paper; "automatic" has the number of exact steps that the solver chooses.

    Parameters
    ----------
    graph : Graph
        Graph to walk on; with fewer than 500 nodes, all nodes are centers.
    n_clusters : int
        Number of clusters of the block form.
    seed : int
        Random seed of clusters and centers.

    Returns
    -------
    dict of str to dict of str to float
        Mean correlation over centers, correlation over all pairs, and number of exact steps, for each form.
    """
    rng = np.random.default_rng(seed)
    probabilities = WindowProbabilities(graph, _WINDOW)
    labels = find_clusters(probabilities, Configuration().fit(graph, _WINDOW), n_clusters, rng)
    connected = np.flatnonzero(graph.out_strength > 0)
    centers = rng.choice(connected, min(_CENTERS, len(connected)), replace=False)
    exact = probabilities.rows(centers)
    first = probabilities.window[0] * (graph.adjacency[centers].toarray() / graph.out_strength[centers, None])
    results = {}
    for form in _FORMS:
        steps = 1 if form == "one exact step" else choose_exact_steps(probabilities, int(labels.max()) + 1)
        chain = BlockWalk(probabilities, labels, steps)
        rows = np.concatenate(
            [
                chain.columns(start, min(start + _COLUMNS_AT_ONCE, chain.n_clusters))[centers]
                for start in range(0, chain.n_clusters, _COLUMNS_AT_ONCE)
            ],
            axis=1,
        )
        block = first + chain.share * rows[:, labels]
        results[form] = {
            "correlation": log_probability_correlation(block, exact),
            "correlation, pooled": log_probability_correlation(block, exact, pooled=True),
            "exact steps": float(steps),
        }
    return results


@lru_cache(maxsize=1)
def _correlations(name: str, n_clusters: int, seed: int) -> dict[str, dict[str, float]]:
    return block_correlations(load_graph(name), n_clusters, seed)


def _cases(settings: Settings) -> list[Case]:
    forms = chosen("methods", _FORMS, settings.methods)
    return [Case(graph, form) for graph in graphs_of(settings) for form in forms]


def _measure(case: Case, run: int, settings: Settings) -> dict[str, float]:
    return _correlations(case.graph, 50 if settings.quick else 1000, run)[case.method]


def _table(rows: list[Row], settings: Settings) -> str:
    del settings
    note = (
        f"Pearson correlation of ln P_d of the block form with the exact one, window 10: the mean over {_CENTERS} "
        "random centers (all nodes of smaller graphs), and the correlation over all of their pairs. The average in "
        f"the paper is {_PAPER}."
    )
    return "\n\n".join([note, *(mean_table(rows, measure) for measure in _MEASURES[:2])])


def _draw(rows: list[Row], settings: Settings) -> Any:
    del settings
    graphs = names_of(rows, lambda row: row.graph)
    panels = {
        form: {graph: interval for graph in graphs if (interval := interval_of(rows, "correlation", graph, form))}
        for form in names_of(rows, lambda row: row.method)
    }
    figure = dot_panels(panels, "correlation of ln P_d, block form and exact", columns=2)
    lines = [axis.axvline(_PAPER, color="black", linestyle=":", linewidth=1.2) for axis in figure.axes]
    figure.legend(lines[:1], ["average in the paper"], loc="outside lower center", fontsize=8, frameon=False)
    return figure


TARGET = Target(
    "block-approximation", "The block approximation of the walk", _MEASURES, _cases, _measure, _table, _draw
)
