"""Sampled pairs of nodes without an edge: the negatives of link prediction."""

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
    """Sample pairs of distinct nodes without an edge, all nodes with the same probability.

    Parameters
    ----------
    graph : Graph
        Graph with at least one pair without an edge.
    n_pairs : int
        Number of pairs; a pair can occur more than once.
    rng : numpy Generator
        Random state of the sample.

    Returns
    -------
    array of shape (n_pairs, 2)
        Positions of the nodes; rows are sorted if the graph is undirected.

    Examples
    --------
    >>> path = Graph([[0, 1, 0], [1, 0, 1], [0, 1, 0]])
    >>> uniform_non_edges(path, 2, np.random.default_rng(0))
    array([[0, 2],
           [0, 2]])
    """
    weight = np.ones(graph.n_nodes)
    return _non_edges(graph, weight, weight, n_pairs, rng)


def degree_matched_non_edges(graph: Graph, n_pairs: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Sample pairs without an edge whose ends have the degree distribution of the ends of edges.

    Nodes are sampled in proportion to their number of neighbors; in a directed graph, sources in proportion to the
    number of outgoing edges and targets to that of incoming edges. A predictor that uses only degrees then has an AUC
    of about 0.5 (Aiyappa et al., "Implicit degree bias in the link prediction task", ICML 2025).

    Parameters
    ----------
    graph : Graph
        Graph with at least one pair of non-isolated nodes without an edge.
    n_pairs : int
        Number of pairs; a pair can occur more than once.
    rng : numpy Generator
        Random state of the sample.

    Returns
    -------
    array of shape (n_pairs, 2)
        Positions of the nodes; rows are sorted if the graph is undirected.

    Examples
    --------
    >>> from residuum import datasets
    >>> graph = datasets.karate_club()
    >>> uniform, matched = (
    ...     graph.out_strength[sample(graph, 1000, np.random.default_rng(0))].mean()
    ...     for sample in (uniform_non_edges, degree_matched_non_edges)
    ... )
    >>> bool(matched > uniform)
    True
    """
    matrices = (graph.adjacency, graph.reversed_adjacency)
    out_degree, in_degree = (np.diff(matrix.indptr).astype(np.float64) for matrix in matrices)
    return _non_edges(graph, out_degree, in_degree, n_pairs, rng)


def non_edges_at_distance(graph: Graph, n_pairs: int, distance: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Sample pairs whose shortest path has ``distance`` edges, all such pairs with the same probability.

    Pairs at distance 2 are hard negatives: close, but without an edge. In graphs of more than 1,024 nodes the first
    node is one of 1,024 random nodes. In a directed graph paths follow the arcs.

    Parameters
    ----------
    graph : Graph
        Graph with at least one pair at this distance.
    n_pairs : int
        Number of pairs; a pair can occur more than once.
    distance : int
        Number of edges of the shortest path, at least 2.
    rng : numpy Generator
        Random state of the sample.

    Returns
    -------
    array of shape (n_pairs, 2)
        Positions of the nodes; rows are sorted if the graph is undirected.

    Examples
    --------
    >>> path = Graph(np.diag(np.ones(3), 1) + np.diag(np.ones(3), -1))
    >>> non_edges_at_distance(path, 1, 3, np.random.default_rng(0))
    array([[0, 3]])
    """
    check_integer("distance", distance, minimum=2)
    sources = rng.permutation(graph.n_nodes)[:_SOURCES]
    adjacency = sparse.csr_array(graph.adjacency.astype(np.bool_))
    pairs = np.concatenate(
        [
            _pairs_at_distance(adjacency, sources[start : start + _SOURCES_AT_ONCE], distance)
            for start in range(0, len(sources), _SOURCES_AT_ONCE)
        ]
    )
    if len(pairs) == 0:
        raise InvalidGraphError(f"the graph has no pair of nodes at distance {distance}; use a smaller distance.")
    sample = pairs[rng.integers(len(pairs), size=n_pairs)]
    return sample if graph.directed else np.sort(sample, axis=1)


def _pairs_at_distance(
    adjacency: "sparse.csr_array[np.bool_]", sources: NDArray[np.int64], distance: int
) -> NDArray[np.int64]:
    """Breadth-first search from several sources at once; row k of ``visited`` marks the nodes seen from source k."""
    visited = np.zeros((len(sources), adjacency.shape[0]), dtype=np.bool_)
    visited[np.arange(len(sources)), sources] = True
    frontier = sparse.csr_array(visited)
    for _ in range(distance):
        reached = sparse.coo_array(frontier @ adjacency)
        new = ~visited[reached.row, reached.col]
        rows, columns = reached.row[new], reached.col[new]
        visited[rows, columns] = True
        frontier = sparse.csr_array((np.ones(len(rows), dtype=np.bool_), (rows, columns)), shape=visited.shape)
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
    edge_keys = np.sort(entries.row.astype(np.int64) * n_nodes + entries.col)
    cumulative_weights = [np.cumsum(weight) for weight in (source_weight, target_weight)]
    batches: list[NDArray[np.int64]] = []
    missing = n_pairs
    while missing > 0:
        uniform = rng.random((2 * missing + 16, 2))
        pairs = np.stack(
            [
                np.searchsorted(cumulative, column * cumulative[-1], side="right")
                for cumulative, column in zip(cumulative_weights, uniform.T, strict=True)
            ],
            axis=1,
        )
        if not graph.directed:
            pairs.sort(axis=1)
        keys = pairs[:, 0] * n_nodes + pairs[:, 1]
        index = np.minimum(np.searchsorted(edge_keys, keys), len(edge_keys) - 1)
        batches.append(pairs[(pairs[:, 0] != pairs[:, 1]) & (edge_keys[index] != keys)])
        missing -= len(batches[-1])
    return np.concatenate([np.empty((0, 2), dtype=np.int64), *batches])[:n_pairs]


def _require_non_edge(entries: "sparse.coo_array[Any]", source: NDArray[np.bool_], target: NDArray[np.bool_]) -> None:
    """Raise an error if all pairs that can be sampled, distinct nodes of positive weight, are edges."""
    edges = (entries.row != entries.col) & source[entries.row] & target[entries.col]
    if int(source.sum()) * int(target.sum()) - int((source & target).sum()) > int(edges.sum()):
        return
    nodes = "nodes" if source.all() and target.all() else "non-isolated nodes"
    raise InvalidGraphError(
        f"every pair of {nodes} is joined by an edge, so no negatives can be sampled; use a sparser graph."
    )
