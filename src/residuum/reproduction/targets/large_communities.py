"""Community detection in larger LFR graphs, sparse and dense, beyond the paper."""

from functools import lru_cache

from residuum import datasets
from residuum.graph import Graph
from residuum.reproduction.tables import mean_table, names_of
from residuum.reproduction.target import Case, Row, Settings, Target, chosen
from residuum.reproduction.targets.community_sweeps import (
    MEASURES,
    PARTITION_NOTE,
    community_methods,
    measure_communities,
)

__all__ = ["TARGET"]

_NODES, _QUICK_NODES = 10_000, 300
_DEGREES, _QUICK_DEGREES = (5, 10, 50), (10,)
_MIXINGS, _QUICK_MIXINGS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7), (0.1,)
_COMMUNITIES = (50, 1000)
_METHODS = ("residual2vec", "node2vec, q = 1", "DeepWalk", "NetMF", "Laplacian eigenmap")


def _cases(settings: Settings) -> list[Case]:
    degrees = _QUICK_DEGREES if settings.quick else _DEGREES
    mixings = _QUICK_MIXINGS if settings.quick else _MIXINGS
    names = [f"degree {degree}, μ = {mixing:g}" for degree in degrees for mixing in mixings]
    methods = community_methods(settings, list(_METHODS))
    return [Case(graph, method) for graph in chosen("graphs", names, settings.graphs) for method in methods]


def _parts(name: str) -> tuple[int, float]:
    degree, _, mixing = name.removeprefix("degree ").partition(", μ = ")
    return int(degree), float(mixing)


@lru_cache(maxsize=1)
def _graph(name: str, run: int, n_nodes: int) -> Graph:
    degree, mixing = _parts(name)
    smallest, largest = _COMMUNITIES
    return datasets.lfr(
        mixing,
        n_nodes=n_nodes,
        average_degree=degree,
        max_degree=3 * degree,
        min_community=min(smallest, n_nodes // 6),
        max_community=min(largest, n_nodes // 3),
        random_state=run,
    )


def _measure(case: Case, run: int, settings: Settings) -> dict[str, float]:
    graph = _graph(case.graph, run, _QUICK_NODES if settings.quick else _NODES)
    return measure_communities(graph, graph.node_attributes["community"], case.method, settings, run)


def _table(rows: list[Row], settings: Settings) -> str:
    n_nodes = _QUICK_NODES if settings.quick else _NODES
    smallest, largest = _COMMUNITIES
    parts = [
        f"LFR graphs with N = {n_nodes:,}, τ = 3, maximum degree three times the mean, communities of {smallest} to "
        f"{largest:,} nodes; K = {settings.n_components}. {PARTITION_NOTE}"
    ]
    ordered = sorted(rows, key=lambda row: _parts(row.graph))
    for degree in names_of(ordered, lambda row: row.graph.partition(",")[0]):
        part = [row for row in ordered if row.graph.partition(",")[0] == degree]
        short = [Row(row.graph.partition(", ")[2], row.method, row.run, row.values) for row in part]
        parts += [f"## Mean {degree}", *(mean_table(short, measure) for measure in MEASURES[:-1])]
        parts.append(mean_table(short, "seconds", lowest=True))
    return "\n\n".join(parts)


TARGET = Target("communities-large", "Community detection, N = 10,000", MEASURES, _cases, _measure, _table)
