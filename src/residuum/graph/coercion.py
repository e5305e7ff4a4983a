"""Conversion of any supported input to :class:`Graph`."""

import os
from typing import Any

import numpy as np
from scipy import sparse

from residuum.errors import InvalidGraphError, InvalidParameterError
from residuum.graph.adapters import (
    from_adjacency_table,
    from_igraph,
    from_matrix,
    from_networkx,
    is_adjacency_table,
    is_igraph,
    is_networkx,
    redirected,
)
from residuum.graph.edge_table import graph_from_table, is_table
from residuum.graph.files.readers import read_graph
from residuum.graph.graph import Graph
from residuum.graph.pairs import (
    from_edge_index,
    from_pairs,
    is_array_of_edges,
    is_edge_index,
    is_list_of_edges,
)

__all__ = ["as_graph"]


def as_graph(
    data: Any,
    *,
    directed: bool | None = None,
    source: str | None = None,
    target: str | None = None,
    weight: str | None = None,
) -> Graph:
    """Convert a matrix, edges, a networkx or igraph graph, torch-geometric data, or a file to a :class:`Graph`.

    The input is never modified.

    Parameters
    ----------
    data : Graph, matrix, edge table, list or array of edges, networkx or igraph graph, torch-geometric data, or path
        A matrix is a scipy sparse matrix or array, a square numpy array, or a pandas data frame whose index and columns
        are the node ids. Edge tables are pandas or polars data frames or pyarrow tables with one edge per row. A list
        of edges has a tuple of source, target and optional weight for each edge; an array of edges has shape (m, 2) and
        is not square. Rows with the same pair of nodes are summed, in either order if the graph is undirected.
    directed : bool, optional
        Whether edges have a direction. By default networkx and igraph graphs keep their type, a matrix is undirected
        or an edge index is undirected if it is symmetric, and an edge table or a list of edges is undirected; for
        files see :func:`read_graph`.
    source, target : str, optional
        Names of the columns of an edge table with the node ids; detected by default.
    weight : str, optional
        Name of the weight column or edge attribute; ``"weight"`` by default, if it exists.

    Returns
    -------
    Graph
        The input itself if it is a :class:`Graph` and ``directed`` does not change it.

    Raises
    ------
    InvalidGraphError
        If the data cannot be converted, or a weight is invalid.

    Examples
    --------
    >>> import numpy as np
    >>> as_graph(np.array([[0, 1], [1, 0]]))
    Graph(2 nodes, 1 edge, undirected, unweighted)
    >>> as_graph([("ann", "bob"), ("bob", "cid")])
    Graph(3 nodes, 2 edges, undirected, unweighted)
    """
    columns = {"source": source, "target": target}
    has_columns = is_table(data) or isinstance(data, (str, os.PathLike))
    for name, value in columns.items():
        if value is not None and not has_columns:
            raise InvalidParameterError(
                f"{name}={value!r} names a column of an edge table; got data of type {type(data).__name__}. "
                f"Leave {name} out."
            )
    if isinstance(data, Graph):
        return redirected(data, directed)
    if isinstance(data, (str, os.PathLike)):
        return read_graph(data, directed=directed, source=source, target=target, weight=weight)
    if source is None and target is None and is_adjacency_table(data):
        return from_adjacency_table(data, directed)
    if is_table(data):
        return graph_from_table(data, directed=bool(directed), source=source, target=target, weight=weight)
    if is_networkx(data):
        return from_networkx(data, directed, weight)
    if is_igraph(data):
        return from_igraph(data, directed, weight)
    if is_edge_index(data):
        return from_edge_index(data, directed)
    if is_list_of_edges(data) or is_array_of_edges(data):
        return from_pairs(data, bool(directed))
    if sparse.issparse(data) or isinstance(data, np.ndarray):
        return from_matrix(data, directed)
    hint = " A list of lists may be a matrix: pass tuples, or a numpy array." if isinstance(data, list) else ""
    raise InvalidGraphError(
        f"cannot convert {type(data).__name__} to a graph.{hint} Pass a scipy sparse matrix, a square numpy array, "
        "a networkx or igraph graph, an edge table (pandas, polars, pyarrow), a list of edges as tuples, an array of "
        "edges of shape (m, 2), torch-geometric data, or a file path."
    )
