"""Pairs of nodes that are not joined: the negatives of link prediction."""

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
    return _non_edges(graph, np.ones(graph.n_nodes), n_pairs, rng)


def degree_matched_non_edges(graph: Graph, n_pairs: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw pairs without an edge whose ends have the degrees that the ends of edges have; shape (n_pairs, 2).

    Ends are drawn in proportion to the number of neighbours, so that a predictor that knows only degrees scores
    about 0.5 (Aiyappa et al., "Implicit degree bias in the link prediction task", ICML 2025).
    """
    degree = np.diff(graph.adjacency.indptr) + (np.diff(graph.reversed_adjacency.indptr) if graph.directed else 0)
    return _non_edges(graph, degree.astype(np.float64), n_pairs, rng)


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


def _non_edges(graph: Graph, weight: NDArray[np.float64], n_pairs: int, rng: np.random.Generator) -> NDArray[np.int64]:
    n_nodes = graph.n_nodes
    possible = n_nodes * (n_nodes - 1) // (1 if graph.directed else 2) - graph.n_edges
    if possible < 1:
        raise InvalidGraphError("the graph has no pair of nodes without an edge.")
    entries = sparse.coo_array(graph.adjacency)
    taken = np.sort(entries.row.astype(np.int64) * n_nodes + entries.col)
    cumulative = np.cumsum(weight)
    found: list[NDArray[np.int64]] = []
    missing = n_pairs
    while missing > 0:
        draws = rng.random((2 * missing + 16, 2)) * cumulative[-1]
        pairs = np.searchsorted(cumulative, draws, side="right")
        if not graph.directed:
            pairs.sort(axis=1)
        keys = pairs[:, 0] * n_nodes + pairs[:, 1]
        place = np.minimum(np.searchsorted(taken, keys), len(taken) - 1)
        found.append(pairs[(pairs[:, 0] != pairs[:, 1]) & (taken[place] != keys)])
        missing -= len(found[-1])
    return np.concatenate([np.empty((0, 2), dtype=np.int64), *found])[:n_pairs]
