"""Pairs of nodes that are not joined: the negatives of link prediction."""

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from residuum.errors import InvalidGraphError
from residuum.graph import Graph

__all__ = ["degree_matched_non_edges", "uniform_non_edges"]


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
    return np.concatenate(found)[:n_pairs]
