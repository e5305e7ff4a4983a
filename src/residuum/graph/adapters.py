"""Conversion of matrices, networkx graphs and igraph graphs to :class:`Graph`."""

from typing import Any

import numpy as np
from scipy import sparse

from residuum.errors import InvalidGraphError
from residuum.graph.graph import Graph
from residuum.graph.symmetry import asymmetric_pair

__all__ = [
    "from_adjacency_table",
    "from_igraph",
    "from_matrix",
    "from_networkx",
    "is_adjacency_table",
    "is_igraph",
    "is_networkx",
    "redirected",
]


def redirected(graph: Graph, directed: bool | None) -> Graph:
    """Return a graph with or without edge directions.

    Parameters
    ----------
    graph : Graph
        Directed or undirected graph.
    directed : bool or None
        Whether the result is directed; None leaves the graph unchanged.

    Returns
    -------
    Graph
        The same object if nothing changes. Without directions, the weights of opposite edges are summed.
    """
    if directed is None or directed == graph.directed:
        return graph
    if directed:
        return Graph(graph.adjacency, graph.node_ids, directed=True, node_attributes=graph.node_attributes)
    return _from_arcs(graph.adjacency, graph.node_ids, graph.node_attributes)


def _from_arcs(adjacency: Any, node_ids: Any, attributes: dict[str, Any]) -> Graph:
    """Return an undirected graph: the weights of opposite arcs are summed, self-loops count once."""
    # The sum of two weights that are exact in float32 may need float64.
    wide = adjacency.astype(np.float64)
    both = wide + wide.T - sparse.diags_array(wide.diagonal())
    return Graph(both, node_ids, directed=False, node_attributes=attributes)


def from_matrix(matrix: Any, directed: bool | None) -> Graph:
    """Return the graph of a sparse or dense adjacency matrix.

    Parameters
    ----------
    matrix : sparse or dense array of shape (N, N)
        Non-negative weights.
    directed : bool or None
        Whether edges have a direction; None for a graph that is undirected if the matrix is symmetric.

    Returns
    -------
    Graph
        Node ids are 0, …, N − 1.
    """
    if directed is None:
        # Checked as a directed graph first, so that an invalid matrix is reported as such.
        graph = Graph(matrix, directed=True)
        if asymmetric_pair(graph.adjacency) is not None:
            return graph
    return Graph(matrix, directed=bool(directed))


def is_adjacency_table(data: Any) -> bool:
    """Return whether an object is a pandas data frame whose columns are its index, in any order: an adjacency matrix.

    Parameters
    ----------
    data : object
        Any object.

    Returns
    -------
    bool
        False for edge tables, whose columns are sources, targets and weights.
    """
    if not (hasattr(data, "index") and hasattr(data, "columns") and hasattr(data, "to_numpy")):
        return False
    return len(data.index) == len(data.columns) and set(data.index) == set(data.columns)


def from_adjacency_table(table: Any, directed: bool | None) -> Graph:
    """Return the graph of an adjacency matrix with node ids as index and columns.

    Parameters
    ----------
    table : pandas DataFrame of shape (N, N)
        Non-negative weights, from the row to the column.
    directed : bool or None
        Whether edges have a direction; None for a graph that is undirected if the matrix is symmetric.

    Returns
    -------
    Graph
        Node ids are the index.
    """
    ids = table.index.tolist()
    graph = from_matrix(table[ids].to_numpy(), directed)
    return Graph(graph.adjacency, ids, directed=graph.directed)


def is_networkx(data: Any) -> bool:
    """Return whether an object is a networkx graph, without importing networkx.

    Parameters
    ----------
    data : object
        Any object.

    Returns
    -------
    bool
        True if the object has the methods of a networkx graph.
    """
    return hasattr(data, "adjacency") and hasattr(data, "is_multigraph")


def from_networkx(network: Any, directed: bool | None, weight: str | None) -> Graph:
    """Return the graph of a networkx graph.

    Parameters
    ----------
    network : networkx graph
        Multigraphs are allowed; the weights of parallel edges are summed.
    directed : bool or None
        Whether edges have a direction; None to keep the type of ``network``.
    weight : str or None
        Edge attribute with the weights; None for ``"weight"``. Edges without the attribute count 1.

    Returns
    -------
    Graph
        Has the node attributes that all nodes have.
    """
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
    nodes = [network.nodes[identity] for identity in ids]
    shared = [name for name in nodes[0] if all(name in node for node in nodes)]
    attributes = {}
    for name in shared:
        values = np.empty(len(nodes), dtype=object)
        values[:] = [node[name] for node in nodes]
        scalars = all(isinstance(value, (str, int, float, bool, np.generic)) for value in values)
        attributes[str(name)] = np.array(values.tolist()) if scalars else values
    return attributes


def is_igraph(data: Any) -> bool:
    """Return whether an object is an igraph graph, without importing igraph.

    Parameters
    ----------
    data : object
        Any object.

    Returns
    -------
    bool
        True if the object has the methods of an igraph graph.
    """
    return hasattr(data, "get_edgelist") and hasattr(data, "vs")


def from_igraph(network: Any, directed: bool | None, weight: str | None) -> Graph:
    """Return the graph of an igraph graph.

    Parameters
    ----------
    network : igraph graph
        The weights of parallel edges are summed.
    directed : bool or None
        Whether edges have a direction; None to keep the type of ``network``.
    weight : str or None
        Edge attribute with the weights; None for ``"weight"``. Edges without weights count 1.

    Returns
    -------
    Graph
        Node ids are the vertex attribute ``name`` if it exists, else 0, …, N − 1; other vertex attributes are kept.
    """
    if network.vcount() == 0:
        raise InvalidGraphError("the graph is empty: it has no nodes.")
    ids = network.vs["name"] if "name" in network.vs.attributes() else list(range(network.vcount()))
    key = weight or "weight"
    is_weighted = key in network.es.attributes()
    if weight is not None and not is_weighted:
        raise InvalidGraphError(f"no edge of the igraph graph has the attribute {weight!r}.")
    weights = network.es[key] if is_weighted else [None] * network.ecount()
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
                f"edge weights must be numbers; the edge from {ids[u]!r} to {ids[v]!r} has weight {value!r}. "
                "Convert the weights, or name another edge attribute with the parameter weight."
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
    make_directed = is_directed if directed is None else directed
    if make_directed and not is_directed:
        undirected = _from_arcs(as_arcs.adjacency, node_ids, attributes)
        return Graph(undirected.adjacency, node_ids, directed=True, node_attributes=attributes)
    return as_arcs if make_directed else _from_arcs(as_arcs.adjacency, node_ids, attributes)
