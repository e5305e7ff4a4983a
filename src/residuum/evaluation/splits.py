"""Splits of a graph into training edges and held-out edges."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from residuum._validation import check_real
from residuum.graph import Graph

__all__ = ["EdgeSplit", "hide_edges", "in_spanning_forest", "with_edges"]


@dataclass(frozen=True)
class EdgeSplit:
    """A training graph and the held-out edges.

    Attributes
    ----------
    train : Graph
        The graph with all nodes, without the held-out edges.
    hidden : array of shape (n, 2)
        Held-out edges, as positions of nodes.

    Examples
    --------
    >>> from residuum import datasets
    >>> split = hide_edges(datasets.karate_club(), 0.2, np.random.default_rng(0))
    >>> split.train.n_nodes, split.train.n_edges, len(split.hidden)
    (34, 62, 16)
    """

    train: Graph
    hidden: NDArray[np.int64]


def hide_edges(graph: Graph, fraction: float, rng: np.random.Generator) -> EdgeSplit:
    """Hold out a random fraction of the edges, but none of a random spanning forest.

    The connected components therefore stay the same. If too few edges are outside the forest, all of them are held out.
    Self-loops are never held out. In a directed graph arcs are held out, and the forest ignores directions.

    Parameters
    ----------
    graph : Graph
        Graph with all edges.
    fraction : float
        Fraction of the edges to hold out, between 0 and 1.
    rng : numpy Generator
        Random state of the forest and of the held-out edges.

    Returns
    -------
    EdgeSplit
        Training graph, with weights and node attributes, and held-out edges.

    Examples
    --------
    >>> from residuum import datasets
    >>> split = hide_edges(datasets.karate_club(), 0.5, np.random.default_rng(0))
    >>> split.train.n_edges, split.hidden.shape
    (39, (39, 2))
    """
    check_real("fraction", fraction, minimum=0.0, maximum=1.0)
    edges = sparse.coo_array(graph.adjacency if graph.directed else sparse.triu(graph.adjacency))
    row, column = edges.row.astype(np.int64), edges.col.astype(np.int64)
    low, high = np.minimum(row, column), np.maximum(row, column)
    must_stay = in_spanning_forest(low, high, graph.n_nodes, rng) | (row == column)
    candidates = np.flatnonzero(~must_stay)
    n_hidden = min(round(fraction * len(row)), len(candidates))
    hidden = np.sort(rng.choice(candidates, n_hidden, replace=False))
    keep = np.ones(len(row), dtype=bool)
    keep[hidden] = False
    train = sparse.coo_array((edges.data[keep], (row[keep], column[keep])), shape=edges.shape)
    if not graph.directed:
        train = train + sparse.triu(train, k=1).T
    return EdgeSplit(
        Graph(train, graph.node_ids, directed=graph.directed, node_attributes=graph.node_attributes),
        np.stack([row[hidden], column[hidden]], axis=1),
    )


def in_spanning_forest(
    low: NDArray[np.int64], high: NDArray[np.int64], n_nodes: int, rng: np.random.Generator
) -> NDArray[np.bool_]:
    """Return whether each edge joins a pair of nodes of a random spanning forest.

    Parameters
    ----------
    low, high : arrays of shape (m,)
        Positions of the two ends of each edge, ``low ≤ high``; a pair may occur more than once.
    n_nodes : int
        Number of nodes.
    rng : numpy Generator
        Random state of the forest.

    Returns
    -------
    bool array of shape (m,)
        True for all edges between the two nodes of a pair of the forest.

    Examples
    --------
    >>> in_spanning_forest(np.array([0, 1, 0]), np.array([1, 2, 2]), 3, np.random.default_rng(0)).sum()
    np.int64(2)
    """
    from scipy.sparse.csgraph import minimum_spanning_tree  # slow to import, and not needed to embed

    pair = low * n_nodes + high
    unique, first = np.unique(pair, return_index=True)
    ranks = 1.0 + rng.permutation(len(unique))
    index = sparse.get_index_dtype(maxval=max(n_nodes, len(unique)))  # csgraph of scipy up to 1.17.0 refuses int64
    ends = low[first].astype(index), high[first].astype(index)
    forest = sparse.coo_array(minimum_spanning_tree(sparse.csr_array((ranks, ends), shape=(n_nodes, n_nodes))))
    return np.isin(pair, forest.row.astype(np.int64) * n_nodes + forest.col)


def with_edges(graph: Graph, pairs: NDArray[np.int64]) -> Graph:
    """Return the graph with edges added.

    Non-edges of the training graph plus the held-out edges are valid negatives.

    Parameters
    ----------
    graph : Graph
        Training graph.
    pairs : array of shape (n, 2)
        Edges to add with weight 1, as positions of nodes.

    Returns
    -------
    Graph
        Graph with the same nodes, without node attributes.

    Examples
    --------
    >>> path = Graph([[0, 1, 0], [1, 0, 1], [0, 1, 0]])
    >>> with_edges(path, np.array([[0, 2]])).n_edges
    3
    """
    arcs = pairs if graph.directed else np.concatenate([pairs, pairs[:, ::-1]])
    shape = (graph.n_nodes, graph.n_nodes)
    added = sparse.csr_array((np.ones(len(arcs)), (arcs[:, 0], arcs[:, 1])), shape=shape)
    return Graph(graph.adjacency + added, graph.node_ids, directed=graph.directed)
