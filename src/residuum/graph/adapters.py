"""Anything a user may call a graph, to :class:`Graph`."""

import os
from typing import Any

import numpy as np
from scipy import sparse

from residuum.errors import InvalidGraphError, InvalidParameterError
from residuum.graph.edge_table import graph_from_table, is_table
from residuum.graph.graph import Graph, asymmetric_pair

__all__ = ["as_graph"]


def as_graph(
    data: Any,
    *,
    directed: bool | None = None,
    source: str | None = None,
    target: str | None = None,
    weight: str | None = None,
) -> Graph:
    """Return ``data`` as a :class:`Graph`; the caller's object is never changed.

    Parameters
    ----------
    data : Graph, scipy sparse matrix or array, numpy array, networkx or igraph graph, edge table, or path
        Edge tables are pandas or polars data frames and pyarrow tables with one edge a row. In an undirected
        table each row is one edge, and rows that name the same pair add up, whichever end comes first.
    directed : bool, optional
        By default a networkx or igraph graph knows, a matrix is undirected if it is symmetric, and an edge
        table is undirected; a file is what its content is.
    source, target : str, optional
        Names of the columns of an edge table.
    weight : str, optional
        Name of the weight column or edge attribute; ``"weight"`` is used if it is there.

    Examples
    --------
    >>> import numpy as np
    >>> as_graph(np.array([[0, 1], [1, 0]]))
    Graph(2 nodes, 1 edge, undirected, unweighted)
    """
    columns = {"source": source, "target": target}
    takes_columns = is_table(data) or isinstance(data, (str, os.PathLike))
    for name, value in columns.items():
        if value is not None and not takes_columns:
            raise InvalidParameterError(
                f"{name}={value!r} names a column, which only an edge table has; got {type(data).__name__}."
            )
    if isinstance(data, Graph):
        return _redirected(data, directed)
    if isinstance(data, (str, os.PathLike)):
        # The reader builds on this module for the formats that hold a matrix or a networkx graph.
        from residuum.graph.readers import read_graph

        return read_graph(data, directed=directed, source=source, target=target, weight=weight)
    if is_table(data):
        return graph_from_table(data, directed=bool(directed), source=source, target=target, weight=weight)
    if _is_networkx(data):
        return _from_networkx(data, directed, weight)
    if _is_igraph(data):
        return _from_igraph(data, directed, weight)
    if sparse.issparse(data) or isinstance(data, np.ndarray):
        return _from_matrix(data, directed)
    raise InvalidGraphError(
        f"cannot read a graph from {type(data).__name__}. Give a scipy sparse matrix, a square numpy array, "
        "a networkx or igraph graph, an edge table (pandas, polars, pyarrow), or the path of a file."
    )


def _redirected(graph: Graph, directed: bool | None) -> Graph:
    if directed is None or directed == graph.directed:
        return graph
    if directed:
        return Graph(graph.adjacency, graph.node_ids, directed=True, node_attributes=graph.node_attributes)
    return _from_arcs(graph.adjacency, graph.node_ids, graph.node_attributes)


def _from_arcs(adjacency: Any, node_ids: Any, attributes: dict[str, Any]) -> Graph:
    """Drop the direction: the weights of the two arcs of a pair add up, a self-loop counts once."""
    # float32, which is enough for the arcs, may not be for their sum.
    wide = adjacency.astype(np.float64)
    both = wide + wide.T - sparse.diags_array(wide.diagonal())
    return Graph(both, node_ids, directed=False, node_attributes=attributes)


def _from_matrix(matrix: Any, directed: bool | None) -> Graph:
    if directed is None:
        # Build it as directed first: it costs nothing, and a bad matrix is named before its symmetry is.
        graph = Graph(matrix, directed=True)
        if asymmetric_pair(graph.adjacency) is not None:
            return graph
    return Graph(matrix, directed=bool(directed))


def _is_networkx(data: Any) -> bool:
    return hasattr(data, "adjacency") and hasattr(data, "is_multigraph")


def _from_networkx(network: Any, directed: bool | None, weight: str | None) -> Graph:
    ids = list(network.nodes)
    if not ids:
        raise InvalidGraphError("the graph is empty: it has no nodes.")
    position = {identity: index for index, identity in enumerate(ids)}
    key = weight or "weight"
    edges = [(position[u], position[v], values.get(key)) for u, v, values in network.edges(data=True)]
    if weight is not None and all(value is None for *_, value in edges):
        raise InvalidGraphError(f"no edge of the networkx graph has the attribute {weight!r}.")
    attributes = _networkx_attributes(network, ids)
    return _from_edge_list(edges, ids, network.is_directed(), directed, attributes)


def _networkx_attributes(network: Any, ids: list[Any]) -> dict[str, Any]:
    """Return the attributes that every node has, as arrays in node order."""
    rows = [network.nodes[identity] for identity in ids]
    shared = [name for name in rows[0] if all(name in row for row in rows)]
    attributes = {}
    for name in shared:
        values = np.empty(len(rows), dtype=object)
        values[:] = [row[name] for row in rows]
        scalars = all(isinstance(value, (str, int, float, bool, np.generic)) for value in values)
        attributes[str(name)] = np.array(values.tolist()) if scalars else values
    return attributes


def _is_igraph(data: Any) -> bool:
    return hasattr(data, "get_edgelist") and hasattr(data, "vs")


def _from_igraph(network: Any, directed: bool | None, weight: str | None) -> Graph:
    if network.vcount() == 0:
        raise InvalidGraphError("the graph is empty: it has no nodes.")
    ids = network.vs["name"] if "name" in network.vs.attributes() else list(range(network.vcount()))
    key = weight or "weight"
    known = key in network.es.attributes()
    if weight is not None and not known:
        raise InvalidGraphError(f"no edge of the igraph graph has the attribute {weight!r}.")
    weights = network.es[key] if known else [None] * network.ecount()
    edges = [(u, v, value) for (u, v), value in zip(network.get_edgelist(), weights, strict=True)]
    attributes = {name: network.vs[name] for name in network.vs.attributes() if name != "name"}
    return _from_edge_list(edges, ids, network.is_directed(), directed, attributes)


def _from_edge_list(
    edges: list[tuple[int, int, Any]],
    ids: list[Any],
    is_directed: bool,
    directed: bool | None,
    attributes: dict[str, Any],
) -> Graph:
    if not edges:
        raise InvalidGraphError(f"the graph is empty: {len(ids)} nodes, but no edge.")
    for u, v, value in edges:
        if value is not None and not isinstance(value, (int, float, np.integer, np.floating)):
            raise InvalidGraphError(
                f"edge weights must be numbers; the edge from {ids[u]!r} to {ids[v]!r} has {value!r}."
            )
    rows, columns = np.array([edge[:2] for edge in edges], dtype=np.int64).T
    values = np.array([1.0 if value is None else float(value) for *_, value in edges])
    shape = (len(ids), len(ids))
    arcs = sparse.coo_array((values, (rows, columns)), shape=shape)
    node_ids = np.empty(len(ids), dtype=object)
    node_ids[:] = ids
    if all(type(identity) is int for identity in ids):
        node_ids = node_ids.astype(np.int64)
    as_arcs = Graph(arcs, node_ids, directed=True, node_attributes=attributes)
    wanted = is_directed if directed is None else directed
    if wanted and not is_directed:
        undirected = _from_arcs(as_arcs.adjacency, node_ids, attributes)
        return Graph(undirected.adjacency, node_ids, directed=True, node_attributes=attributes)
    return as_arcs if wanted else _from_arcs(as_arcs.adjacency, node_ids, attributes)
