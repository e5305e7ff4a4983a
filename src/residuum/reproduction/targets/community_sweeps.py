"""Community detection in LFR graphs with heterogeneous and homogeneous degrees, and in planted groups."""

import time
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum import datasets
from residuum.evaluation import (
    Interval,
    community_auc,
    community_recovery,
    detectability_limit,
    partition_recovery,
)
from residuum.graph import Graph
from residuum.reproduction.figures import sweep_panels
from residuum.reproduction.methods import METHODS, fit, methods_of
from residuum.reproduction.partitions import PARTITIONS, installed
from residuum.reproduction.tables import comparison_table, interval_of, mean_table, names_of
from residuum.reproduction.target import Case, Row, Settings, Target, chosen

__all__ = ["MEASURES", "PARTITION_NOTE", "TARGET", "community_methods", "measure_communities"]

MEASURES = (
    "AUC",
    "mutual information",
    "element-centric similarity",
    "adjusted element-centric similarity",
    "seconds",
)
PARTITION_NOTE = (
    "AUC of the cosine similarity of 10,000 random pairs, same community against different communities; k-means with "
    "the true number of communities. Infomap and Leiden find the number of clusters themselves; their AUC is that of "
    "being in the same cluster. Element-centric similarity is also adjusted for chance: 0 for random clusters of the "
    "same sizes. Means over runs with 90 % t-intervals."
)
_MIXINGS = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
_QUICK_MIXINGS = (0.1, 0.5, 0.9)
_LFR = {"LFR, τ = 3": 3.0, "LFR, τ = 6": 6.0}
_PLANTED = "planted groups"
_GROUPS, _DEGREE, _NODES = 4, 20.0, 1000
# The degree has no vectors; the others concern held-out edges and the solver.
_LEFT_OUT = ("degree", "residual2vec, tuned", "residual2vec, tuned exponent", "residual2vec, skip-gram")


def _name(sweep: str, mixing: float) -> str:
    return f"{sweep}, μ = {mixing:g}"


def _parts(name: str) -> tuple[str, float]:
    sweep, _, mixing = name.rpartition(", μ = ")
    return sweep, float(mixing)


def community_methods(settings: Settings, methods: list[str]) -> list[str]:
    """Return embedding methods, and those that find communities directly, as far as they are installed.

    Parameters
    ----------
    settings : Settings
        Its ``methods`` selects among them.
    methods : list of str
        Embedding methods of the target.

    Returns
    -------
    list of str
        Names that :func:`measure_communities` accepts.
    """
    return installed(methods_of(settings, [*methods, *PARTITIONS]))


def _cases(settings: Settings) -> list[Case]:
    mixings = _QUICK_MIXINGS if settings.quick else _MIXINGS
    names = [_name(sweep, mixing) for sweep in (*_LFR, _PLANTED) for mixing in mixings]
    graphs = chosen("graphs", names, settings.graphs)
    methods = community_methods(settings, [name for name in METHODS if name not in _LEFT_OUT])
    return [Case(graph, method) for graph in graphs for method in methods]


@lru_cache(maxsize=1)
def _graph(name: str, run: int, n_nodes: int) -> tuple[Graph, str]:
    sweep, mixing = _parts(name)
    if sweep == _PLANTED:
        graph = datasets.planted_groups(
            n_nodes, _GROUPS, mixing=mixing, average_degree=_DEGREE, degree_exponent=None, random_state=run
        )
        return graph, "group"
    return datasets.lfr(mixing, n_nodes=n_nodes, degree_exponent=_LFR[sweep], random_state=run), "community"


def measure_communities(
    graph: Graph, communities: NDArray[Any], method: str, settings: Settings, run: int
) -> dict[str, float]:
    """Embed a graph, or partition it, and compare the result with the planted communities.

    Parameters
    ----------
    graph : Graph
        Graph with planted communities.
    communities : array of shape (N,)
        Community of each node.
    method : str
        Name that :func:`community_methods` returned.
    settings : Settings
        Quick or full training.
    run : int
        Random seed.

    Returns
    -------
    dict of str to float
        Value of each of :data:`MEASURES`.
    """
    began = time.perf_counter()
    if method in PARTITIONS:
        recovery = partition_recovery(PARTITIONS[method](graph, run), communities)
        seconds = time.perf_counter() - began
        vectors = np.eye(recovery.clusters.max() + 1, dtype=np.float32)[recovery.clusters]
    else:
        vectors = fit(method, graph, settings, run).vectors
        seconds = time.perf_counter() - began
        recovery = community_recovery(vectors, communities, random_state=run)
    values = (
        community_auc(vectors, communities, random_state=run),
        recovery.mutual_information,
        recovery.element_centric,
        recovery.adjusted_element_centric,
        seconds,
    )
    return dict(zip(MEASURES, values, strict=True))


def _measure(case: Case, run: int, settings: Settings) -> dict[str, float]:
    graph, attribute = _graph(case.graph, run, 300 if settings.quick else _NODES)
    return measure_communities(graph, graph.node_attributes[attribute], case.method, settings, run)


def _of_sweep(rows: list[Row], sweep: str) -> list[Row]:
    """Return the rows of a sweep in order of mixing, with the mixing as the name of the graph."""
    by_mixing = [(_parts(row.graph)[1], row) for row in rows if _parts(row.graph)[0] == sweep]
    ordered = sorted(by_mixing, key=lambda pair: pair[0])
    return [Row(f"μ = {mixing:g}", row.method, row.run, row.values) for mixing, row in ordered]


def _sweeps(rows: list[Row]) -> list[str]:
    return names_of(rows, lambda row: _parts(row.graph)[0])


def _table(rows: list[Row], settings: Settings) -> str:
    n_nodes = 300 if settings.quick else _NODES
    note = (
        f"N = {n_nodes:,}, K = {settings.n_components}. {PARTITION_NOTE} "
        f"The detectability limit of the planted groups is μ = {_limit():.3f}."
    )
    parts = [note]
    for sweep in _sweeps(rows):
        sweep_rows = _of_sweep(rows, sweep)
        parts += [f"## {sweep}", *(mean_table(sweep_rows, measure) for measure in MEASURES[:-1])]
        parts.append(comparison_table(sweep_rows, "AUC", "residual2vec"))
    return "\n\n".join(parts)


def _limit() -> float:
    return detectability_limit(_GROUPS, _DEGREE)


def _draw(rows: list[Row], settings: Settings) -> Any:
    del settings
    panels: dict[str, dict[str, dict[float, Interval]]] = {}
    for sweep in _sweeps(rows):
        for row in _of_sweep(rows, sweep):
            line = panels.setdefault(sweep, {}).setdefault(row.method, {})
            mixing = float(row.graph.removeprefix("μ = "))
            interval = interval_of(rows, "AUC", _name(sweep, mixing), row.method)
            if mixing not in line and interval is not None:
                line[mixing] = interval
    return sweep_panels(panels, "mixing μ", "AUC-ROC of the cosine similarity", limits={_PLANTED: _limit()})


TARGET = Target("communities", "Figure 3, G: community detection", MEASURES, _cases, _measure, _table, _draw)
