"""Random graphs with the same degrees, by edge swaps."""

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from residuum.graph import Graph
from residuum.nulls._rewire_kernels import swap_edges

__all__ = ["rewired"]

# Tries for each edge: enough that further swaps no longer change the mean of what is measured.
_TRIES_PER_EDGE = 20


def rewired(graph: Graph, seed: int, groups: NDArray[np.int32] | None = None) -> Graph:
    """Return a graph with the same degrees, its edges swapped at random; with ``groups``, the same mixing too.

    A simple graph stays simple. Weights move with their edges, so that degrees are kept exactly and strengths on
    average. Self-loops stay where they are.

    Parameters
    ----------
    graph : Graph
    seed : int
    groups : int array of shape (N,), optional
    """
    half = graph.adjacency if graph.directed else sparse.triu(graph.adjacency)
    edges = sparse.coo_array(half)
    loops = edges.row == edges.col
    source, target = (axis[~loops].astype(np.int64) for axis in (edges.row, edges.col))
    codes = np.zeros(graph.n_nodes, dtype=np.int64) if groups is None else groups.astype(np.int64)
    swap_edges(source, target, codes, graph.directed, _TRIES_PER_EDGE * len(source), seed)
    rows = np.concatenate([source, edges.row[loops]])
    columns = np.concatenate([target, edges.col[loops]])
    weights = np.concatenate([edges.data[~loops], edges.data[loops]])
    matrix = sparse.coo_array((weights, (rows, columns)), shape=graph.adjacency.shape)
    if not graph.directed:
        matrix = matrix + matrix.T - sparse.diags_array(matrix.diagonal())
    return Graph(matrix, graph.node_ids, directed=graph.directed)
