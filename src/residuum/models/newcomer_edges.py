"""Edges of new nodes, in whatever form they come."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from residuum.errors import InvalidGraphError, UnknownNodeError
from residuum.graph import Graph
from residuum.graph.edge_table import is_table, read_pairs

__all__ = ["edges_of_newcomers"]


def edges_of_newcomers(graph: Graph, data: Any) -> "sparse.csr_array[Any]":
    """Return the weights of the edges from new nodes to known ones, shape (m, N).

    Parameters
    ----------
    graph : Graph
        The known graph.
    data : array or sparse matrix of shape (m, N), or an edge table
        A table has the new node in its first (or ``source``) column and a known node in its second (``target``);
        new nodes are numbered in order of first appearance.
    """
    if is_table(data):
        return _from_table(graph, data)
    matrix = sparse.csr_array(data, dtype=np.float64)
    if matrix.ndim != 2 or matrix.shape[1] != graph.n_nodes:
        raise InvalidGraphError(
            f"edges of new nodes must have one column for each of the {graph.n_nodes} known nodes; "
            f"got shape {matrix.shape}. Or give an edge table: new node, known node, weight."
        )
    bad = ~np.isfinite(matrix.data) | (matrix.data < 0)
    if bad.any():
        raise InvalidGraphError(
            f"edge weights must be finite and not negative; got {matrix.data[bad][0]} in the edges of new nodes."
        )
    return matrix


def _from_table(graph: Graph, table: Any) -> "sparse.csr_array[Any]":
    newcomers, known, weights = read_pairs(table)
    names: dict[Any, int] = {}
    rows = np.array([names.setdefault(identity, len(names)) for identity in newcomers])
    try:
        columns: NDArray[np.int64] = graph.positions(known)
    except UnknownNodeError as error:
        raise UnknownNodeError(
            f"{error} The table of new edges has the new node in its first column, the known one in its second."
        ) from None
    return sparse.csr_array((weights, (rows, columns)), shape=(len(names), graph.n_nodes))
