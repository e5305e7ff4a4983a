"""Multi-label node classification, in the protocol of the CogDL leaderboard."""

import time

from residuum.evaluation import classify_nodes
from residuum.reproduction.graphs import graphs_of, load_graph
from residuum.reproduction.methods import METHODS, fit, methods_of
from residuum.reproduction.published import COGDL
from residuum.reproduction.tables import interval_of, markdown, names_of
from residuum.reproduction.target import Case, Row, Settings, Target

__all__ = ["TARGET"]

_GRAPHS = ("ppi", "blogcatalog", "wikipedia-pos")
_FRACTIONS = (0.1, 0.5, 0.9)
_SPLITS, _QUICK_SPLITS = 10, 2
_N_COMPONENTS = 128
_PUBLISHED_FRACTION = 0.9
# The degree has no vectors; the others concern held-out edges.
_LEFT_OUT = ("degree", "residual2vec, tuned", "residual2vec, tuned exponent", "residual2vec, skip-gram")


def _micro(fraction: float) -> str:
    return f"micro-F1, {fraction:.0%}"


def _macro(fraction: float) -> str:
    return f"macro-F1, {fraction:.0%}"


_MEASURES = (*map(_micro, _FRACTIONS), *map(_macro, _FRACTIONS), "seconds")


def _cases(settings: Settings) -> list[Case]:
    methods = methods_of(settings, [name for name in METHODS if name not in _LEFT_OUT])
    return [Case(graph, method) for graph in graphs_of(settings, _GRAPHS) for method in methods]


def _measure(case: Case, run: int, settings: Settings) -> dict[str, float]:
    graph = load_graph(case.graph)
    labels = graph.node_attributes["labels" if "labels" in graph.node_attributes else "group"]
    began = time.perf_counter()
    vectors = fit(case.method, graph, settings, run, 16 if settings.quick else _N_COMPONENTS).vectors
    values = {"seconds": time.perf_counter() - began}
    for fraction in _FRACTIONS:
        prediction = classify_nodes(
            vectors,
            labels,
            train_fraction=fraction,
            n_splits=_QUICK_SPLITS if settings.quick else _SPLITS,
            random_state=run,
        )
        values |= {_micro(fraction): float(prediction.micro_f1.mean())}
        values |= {_macro(fraction): float(prediction.macro_f1.mean())}
    return {name: values[name] for name in _MEASURES}


def _table(rows: list[Row], settings: Settings) -> str:
    n_components = 16 if settings.quick else _N_COMPONENTS
    note = (
        f"Percent. K = {n_components}, one logistic regression per class on unit vectors (C = 1), ten random splits "
        "per run with 10 %, 50 % or 90 % of the labeled nodes for training; a node with k labels gets the k of highest "
        f'score. "CogDL" are the numbers of the CogDL leaderboard, at {_PUBLISHED_FRACTION:.0%}. The Wikipedia graph '
        "here has no weights."
    )
    return "\n\n".join([note, *(_percent_table(rows, measure) for measure in _MEASURES[:-1])])


def _percent_table(rows: list[Row], measure: str) -> str:
    """Return a table of methods × graphs, with published numbers below, and the best of all in bold."""
    graphs = names_of(rows, lambda row: row.graph)
    body: dict[str, list[float | None]] = {}
    for method in names_of(rows, lambda row: row.method):
        means = (interval_of(rows, measure, graph, method) for graph in graphs)
        body[method] = [None if interval is None else 100.0 * interval.mean for interval in means]
    if measure == _micro(_PUBLISHED_FRACTION):
        body |= {f"{name}, CogDL": [scores.get(graph) for graph in graphs] for name, scores in COGDL.items()}
    best = [
        max((value for value in column if value is not None), default=None)
        for column in zip(*body.values(), strict=True)
    ]
    cells = [[name, *map(_cell, values, best)] for name, values in body.items()]
    return markdown([measure, *graphs], cells)


def _cell(value: float | None, best: float | None) -> str:
    if value is None:
        return ""
    return f"**{value:.2f}**" if value == best else f"{value:.2f}"


TARGET = Target("node-classification", "Multi-label node classification", _MEASURES, _cases, _measure, _table)
