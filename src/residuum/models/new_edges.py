"""Edges of out-of-sample nodes, from a matrix or an edge table."""

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from residuum.errors import InvalidGraphError, ResiduumWarning, UnknownNodeError
from residuum.graph import Graph
from residuum.graph.edge_table import is_table, read_pairs
from residuum.graph.structure import checked_coordinates

__all__ = ["new_edges"]


def new_edges(graph: Graph, data: Any) -> "sparse.csr_array[Any]":
    """Return the weights of the edges from out-of-sample nodes to the nodes of a graph.

    Parameters
    ----------
    graph : Graph
        The training graph.
    data : array or sparse matrix of shape (m, N), or edge table
        Edge weights; or a table with the new node in its first (or ``source``) column, a node of the graph in its
        second (``target``), and an optional weight. New nodes are numbered by first appearance.

    Returns
    -------
    sparse array of shape (m, N)
        Edge weights; a warning counts the rows without any edge.

    Raises
    ------
    InvalidGraphError
        If the shape does not match the graph, or a weight is negative or not finite.
    UnknownNodeError
        If a target is not in the graph.
    """
    edges = _from_table(graph, data) if is_table(data) else _from_matrix(graph, data)
    n_isolated = int(np.count_nonzero(np.diff(edges.indptr) == 0))
    if n_isolated:
        warnings.warn(
            f"{n_isolated} of {edges.shape[0]} out-of-sample nodes have no edge to the graph and get zero vectors.",
            ResiduumWarning,
            stacklevel=3,
        )
    return edges


def _from_matrix(graph: Graph, data: Any) -> "sparse.csr_array[Any]":
    matrix: sparse.csr_array[Any] = sparse.csr_array(checked_coordinates(data).astype(np.float64))
    if matrix.ndim != 2 or matrix.shape[1] != graph.n_nodes:
        raise InvalidGraphError(
            f"edges of out-of-sample nodes must have one column for each of the {graph.n_nodes} nodes of the graph; "
            f"got shape {matrix.shape}. Alternatively, pass an edge table: new node, node of the graph, weight."
        )
    bad = ~np.isfinite(matrix.data) | (matrix.data < 0)
    if bad.any():
        raise InvalidGraphError(
            f"edge weights of out-of-sample nodes must be finite and non-negative; got {matrix.data[bad][0]}."
        )
    return matrix


def _from_table(graph: Graph, table: Any) -> "sparse.csr_array[Any]":
    new_ids, ids, weights = read_pairs(table)
    row_of: dict[Any, int] = {}
    rows = np.array([row_of.setdefault(identity, len(row_of)) for identity in new_ids])
    try:
        columns: NDArray[np.int64] = graph.positions(ids)
    except UnknownNodeError as error:
        raise UnknownNodeError(
            f"{error} The edge table must have the new node in its first column, the node of the graph in its second."
        ) from None
    return sparse.csr_array((weights, (rows, columns)), shape=(len(row_of), graph.n_nodes))
