"""Edges of out-of-sample nodes, from a matrix or an edge table."""

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from residuum.errors import InvalidGraphError, ResiduumWarning, UnknownNodeError
from residuum.graph import Graph
from residuum.graph.edge_table import is_table, read_pairs
from residuum.graph.pairs import ends_and_weights
from residuum.graph.structure import checked_coordinates
from residuum.graph.weights import WEIGHT_RULE, invalid_weights

__all__ = ["new_edges"]


def new_edges(graph: Graph, data: Any) -> "sparse.csr_array[Any]":
    """Return the weights of the edges from out-of-sample nodes to the nodes of a graph.

    Parameters
    ----------
    graph : Graph
        The training graph.
    data : array or sparse matrix of shape (m, N), edge table, or list of edges
        Edge weights; or a table with the new node in its first (or ``source``) column, a node of the graph in its
        second (``target``), and an optional weight; or a list of tuples of these. New nodes are numbered by first
        appearance.

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
    if is_table(data):
        edges = _from_pairs(graph, *read_pairs(data))
    elif isinstance(data, list) and any(isinstance(edge, tuple) for edge in data):
        edges = _from_pairs(graph, *ends_and_weights(data))
    else:
        edges = _from_matrix(graph, data)
    n_isolated = int(np.count_nonzero(np.diff(edges.indptr) == 0))
    if n_isolated:
        warnings.warn(
            f"{n_isolated} of {edges.shape[0]} out-of-sample nodes have no edge to the graph and get zero vectors.",
            ResiduumWarning,
            stacklevel=3,
        )
    return edges


def _from_matrix(graph: Graph, data: Any) -> "sparse.csr_array[Any]":
    try:
        matrix: sparse.csr_array[Any] = sparse.csr_array(checked_coordinates(data).astype(np.float64))
    except (InvalidGraphError, TypeError, ValueError) as error:
        raise InvalidGraphError(
            "edges of out-of-sample nodes must be a matrix with one row per new node and one column per node of the "
            f"graph, an edge table, or a list of tuples (new node, node of the graph, weight); got "
            f"{type(data).__name__} ({error}). The vectors of the nodes of the graph are in embedding_; to embed "
            "another graph, use fit."
        ) from error
    if matrix.ndim != 2 or matrix.shape[1] != graph.n_nodes:
        raise InvalidGraphError(
            f"edges of out-of-sample nodes must have one column for each of the {graph.n_nodes} nodes of the graph; "
            f"got shape {matrix.shape}. Alternatively, pass an edge table: new node, node of the graph, weight."
        )
    bad = invalid_weights(matrix.data)
    if len(bad):
        row = int(np.searchsorted(matrix.indptr, bad[0], side="right")) - 1
        node = graph.node_ids.tolist()[matrix.indices[bad[0]]]
        raise InvalidGraphError(f"{WEIGHT_RULE}; the edge from row {row} to {node!r} has {matrix.data[bad[0]]}.")
    return matrix


def _from_pairs(
    graph: Graph, new_ids: list[Any], ids: list[Any], weights: NDArray[np.float64]
) -> "sparse.csr_array[Any]":
    row_of: dict[Any, int] = {}
    rows = np.array([row_of.setdefault(identity, len(row_of)) for identity in new_ids])
    try:
        columns: NDArray[np.int64] = graph.positions(ids)
    except UnknownNodeError as error:
        raise UnknownNodeError(
            f"{error} Each edge must have the new node first, the node of the graph second."
        ) from None
    return sparse.csr_array((weights, (rows, columns)), shape=(len(row_of), graph.n_nodes))
