"""Hide some edges of a graph, so that an embedding of the rest can be asked for them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.csgraph import minimum_spanning_tree

from residuum._validation import check_real
from residuum.graph import Graph

__all__ = ["EdgeSplit", "hide_edges", "with_edges"]


@dataclass(frozen=True)
class EdgeSplit:
    """A graph with some edges taken out, and those edges.

    Attributes
    ----------
    train : Graph
        The same nodes, the edges that were kept.
    hidden : array of shape (n, 2)
        Positions of the ends of the hidden edges.
    """

    train: Graph
    hidden: NDArray[np.int64]


def hide_edges(graph: Graph, fraction: float, rng: np.random.Generator) -> EdgeSplit:
    """Hide a fraction of the edges at random, but none of a random spanning tree: the components stay whole.

    Where the tree leaves too few edges to hide, all that it leaves are hidden. A directed graph loses arcs, and
    the tree is one of the graph without directions.

    Parameters
    ----------
    graph : Graph
    fraction : float
        Share of the edges to hide, between 0 and 1.
    rng : numpy Generator
    """
    check_real("fraction", fraction, minimum=0.0, maximum=1.0)
    edges = sparse.coo_array(graph.adjacency if graph.directed else sparse.triu(graph.adjacency))
    row, column = edges.row.astype(np.int64), edges.col.astype(np.int64)
    low, high = np.minimum(row, column), np.maximum(row, column)
    pair = low * graph.n_nodes + high
    unique, first = np.unique(pair, return_index=True)
    ranks = 1.0 + rng.permutation(len(unique))
    tree = sparse.coo_array(
        minimum_spanning_tree(
            sparse.csr_array((ranks, (low[first], high[first])), shape=(graph.n_nodes, graph.n_nodes))
        )
    )
    in_tree = np.isin(pair, tree.row.astype(np.int64) * graph.n_nodes + tree.col) | (row == column)
    candidates = np.flatnonzero(~in_tree)
    n_hidden = min(round(fraction * len(pair)), len(candidates))
    hidden = np.sort(rng.choice(candidates, n_hidden, replace=False))
    keep = np.ones(len(pair), dtype=bool)
    keep[hidden] = False
    train = sparse.coo_array((edges.data[keep], (row[keep], column[keep])), shape=edges.shape)
    if not graph.directed:
        train = train + sparse.triu(train, k=1).T
    return EdgeSplit(
        Graph(train, graph.node_ids, directed=graph.directed, node_attributes=graph.node_attributes),
        np.stack([row[hidden], column[hidden]], axis=1),
    )


def with_edges(graph: Graph, pairs: NDArray[np.int64]) -> Graph:
    """Return the graph with more edges in it: negatives of a task must be pairs that no edge joins, hidden or not.

    Parameters
    ----------
    graph : Graph
    pairs : array of shape (n, 2)
        Positions of the ends.
    """
    arcs = pairs if graph.directed else np.concatenate([pairs, pairs[:, ::-1]])
    shape = (graph.n_nodes, graph.n_nodes)
    added = sparse.csr_array((np.ones(len(arcs)), (arcs[:, 0], arcs[:, 1])), shape=shape)
    return Graph(graph.adjacency + added, graph.node_ids, directed=graph.directed)
