"""Pairs of nodes that are not joined: the negatives of link prediction."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from residuum._validation import check_integer
from residuum.errors import InvalidGraphError
from residuum.graph import Graph

__all__ = ["degree_matched_non_edges", "non_edges_at_distance", "uniform_non_edges"]

_SOURCES, _SOURCES_AT_ONCE = 1024, 64


def uniform_non_edges(graph: Graph, n_pairs: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw pairs of different nodes without an edge, every node as likely as any other; shape (n_pairs, 2)."""
    everyone = np.ones(graph.n_nodes)
    return _non_edges(graph, everyone, everyone, n_pairs, rng)


def degree_matched_non_edges(graph: Graph, n_pairs: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw pairs without an edge whose ends have the degrees that the ends of edges have; shape (n_pairs, 2).

    Ends are drawn in proportion to the number of neighbours, in a directed graph sources to the number of edges that
    leave them and targets to the number that arrive, so that a predictor that knows only degrees scores about 0.5
    (Aiyappa et al., "Implicit degree bias in the link prediction task", ICML 2025).
    """
    leaving, arriving = (np.diff(one.indptr).astype(np.float64) for one in (graph.adjacency, graph.reversed_adjacency))
    return _non_edges(graph, leaving, arriving, n_pairs, rng)


def non_edges_at_distance(graph: Graph, n_pairs: int, distance: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw pairs whose shortest path has ``distance`` edges, all such pairs alike; shape (n_pairs, 2).

    Near pairs are the hard negatives: two steps apart, and yet no edge. In graphs of more than 1,024 nodes the first
    ends are 1,024 random nodes. In a directed graph the path goes along the arcs.

    Parameters
    ----------
    graph : Graph
    n_pairs : int
    distance : int
        At least 2.
    rng : numpy Generator
    """
    check_integer("distance", distance, minimum=2)
    sources = rng.permutation(graph.n_nodes)[:_SOURCES]
    step = sparse.csr_array(graph.adjacency.astype(np.bool_))
    pairs = np.concatenate(
        [
            _pairs_at_distance(step, sources[start : start + _SOURCES_AT_ONCE], distance)
            for start in range(0, len(sources), _SOURCES_AT_ONCE)
        ]
    )
    if len(pairs) == 0:
        raise InvalidGraphError(f"the graph has no pair of nodes {distance} steps apart.")
    drawn = pairs[rng.integers(len(pairs), size=n_pairs)]
    return drawn if graph.directed else np.sort(drawn, axis=1)


def _pairs_at_distance(
    step: "sparse.csr_array[np.bool_]", sources: NDArray[np.int64], distance: int
) -> NDArray[np.int64]:
    """Search in breadth from some nodes at once: a row of ``reached`` for each, true where it has been."""
    reached = np.zeros((len(sources), step.shape[0]), dtype=np.bool_)
    reached[np.arange(len(sources)), sources] = True
    front = sparse.csr_array(reached)
    for _ in range(distance):
        arrived = sparse.coo_array(front @ step)
        new = ~reached[arrived.row, arrived.col]
        rows, columns = arrived.row[new], arrived.col[new]
        reached[rows, columns] = True
        front = sparse.csr_array((np.ones(len(rows), dtype=np.bool_), (rows, columns)), shape=reached.shape)
    return np.stack([sources[rows], columns.astype(np.int64)], axis=1)


def _non_edges(
    graph: Graph,
    source_weight: NDArray[np.float64],
    target_weight: NDArray[np.float64],
    n_pairs: int,
    rng: np.random.Generator,
) -> NDArray[np.int64]:
    n_nodes = graph.n_nodes
    entries = sparse.coo_array(graph.adjacency)
    _require_non_edge(entries, source_weight > 0, target_weight > 0)
    taken = np.sort(entries.row.astype(np.int64) * n_nodes + entries.col)
    ends = [np.cumsum(weight) for weight in (source_weight, target_weight)]
    found: list[NDArray[np.int64]] = []
    missing = n_pairs
    while missing > 0:
        draws = rng.random((2 * missing + 16, 2))
        pairs = np.stack(
            [np.searchsorted(end, draw * end[-1], side="right") for end, draw in zip(ends, draws.T, strict=True)],
            axis=1,
        )
        if not graph.directed:
            pairs.sort(axis=1)
        keys = pairs[:, 0] * n_nodes + pairs[:, 1]
        place = np.minimum(np.searchsorted(taken, keys), len(taken) - 1)
        found.append(pairs[(pairs[:, 0] != pairs[:, 1]) & (taken[place] != keys)])
        missing -= len(found[-1])
    return np.concatenate([np.empty((0, 2), dtype=np.int64), *found])[:n_pairs]


def _require_non_edge(entries: "sparse.coo_array[Any]", source: NDArray[np.bool_], target: NDArray[np.bool_]) -> None:
    """Refuse graphs in which all pairs that can be drawn, two different nodes of positive weight, are edges."""
    edges = (entries.row != entries.col) & source[entries.row] & target[entries.col]
    if int(source.sum()) * int(target.sum()) - int((source & target).sum()) > int(edges.sum()):
        return
    who = "nodes" if source.all() and target.all() else "nodes that have edges"
    raise InvalidGraphError(
        f"the graph has no pair of {who} without an edge, so that there are no negatives to draw; take a sparser graph."
    )
