"""Graphs from lists of edges, arrays of edges, and the edge indices of torch-geometric."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from residuum.errors import InvalidGraphError
from residuum.graph.adapters import from_matrix, redirected
from residuum.graph.edge_table import both_directions
from residuum.graph.graph import Graph

__all__ = [
    "ends_and_weights",
    "from_edge_index",
    "from_pairs",
    "is_array_of_edges",
    "is_edge_index",
    "is_list_of_edges",
]


def is_list_of_edges(data: Any) -> bool:
    """Return whether an object is a list of edges, each a tuple of two ends and an optional weight.

    Parameters
    ----------
    data : object
        Any object.

    Returns
    -------
    bool
        True for a list of tuples, and for a list of lists that cannot be a square matrix.
    """
    if not isinstance(data, (list, tuple)) or not data or not all(isinstance(edge, (list, tuple)) for edge in data):
        return False
    return any(isinstance(edge, tuple) for edge in data) or any(len(edge) != len(data) for edge in data)


def is_array_of_edges(data: Any) -> bool:
    """Return whether an object is a numpy array with one edge per row.

    Parameters
    ----------
    data : object
        Any object.

    Returns
    -------
    bool
        True for arrays of integers, strings or objects of shape (m, 2), unless they are square.
    """
    if not isinstance(data, np.ndarray) or data.ndim != 2 or data.dtype.kind not in "iuUO":
        return False
    return bool(data.shape[1] == 2 and data.shape[0] != 2)


def ends_and_weights(edges: Any) -> tuple[list[Any], list[Any], NDArray[np.float64]]:
    """Return the sources, targets and weights of a list of edges.

    Parameters
    ----------
    edges : list of tuples, or array of shape (m, 2)
        Source, target and an optional weight of each edge.

    Returns
    -------
    sources, targets : lists of m node ids
        The ends of each edge.
    weights : float array of shape (m,)
        Weight of each edge; 1 if it has none.
    """
    rows = edges.tolist() if isinstance(edges, np.ndarray) else edges
    for number, edge in enumerate(rows):
        if len(edge) not in (2, 3):
            raise InvalidGraphError(
                f"an edge must have a source, a target and an optional weight; edge {number} is {edge!r}."
            )
        if any(end is None or end != end or end == "" for end in edge[:2]):
            raise InvalidGraphError(f"edge {number}, {edge!r}, has no source or no target; drop it.")
    weights = [edge[2] if len(edge) == 3 else 1.0 for edge in rows]
    if not all(isinstance(weight, (int, float, np.number)) for weight in weights):
        number = next(k for k, weight in enumerate(weights) if not isinstance(weight, (int, float, np.number)))
        raise InvalidGraphError(f"edge weights must be numbers; edge {number} is {rows[number]!r}.")
    return [edge[0] for edge in rows], [edge[1] for edge in rows], np.array(weights, dtype=np.float64)


def from_pairs(edges: Any, directed: bool) -> Graph:
    """Return the graph of a list of edges.

    Parameters
    ----------
    edges : list of tuples, or array of shape (m, 2)
        Source, target and an optional weight of each edge; repeated edges are summed.
    directed : bool
        Whether each edge leads from source to target only.

    Returns
    -------
    Graph
        Integer ids are in ascending order, other ids in order of first appearance.

    Examples
    --------
    >>> from_pairs([("ann", "bob"), ("bob", "cid", 2.0)], directed=False)
    Graph(3 nodes, 2 edges, undirected, weighted)
    """
    sources, targets, weights = ends_and_weights(edges)
    ends = [end for pair in zip(sources, targets, strict=True) for end in pair]
    try:
        ids = list(dict.fromkeys(ends))
    except TypeError as error:
        raise InvalidGraphError(f"node ids must be hashable: {error}. Use integers, strings or tuples.") from error
    if all(isinstance(identity, (int, np.integer)) and not isinstance(identity, bool) for identity in ids):
        ids.sort()
    number_of = {identity: number for number, identity in enumerate(ids)}
    numbers = np.array([number_of[end] for end in ends], dtype=np.int32).reshape(-1, 2)
    rows, columns, values = numbers[:, 0], numbers[:, 1], weights
    if not directed:
        rows, columns, values = both_directions(rows, columns, values)
    return Graph(sparse.coo_array((values, (rows, columns)), shape=(len(ids), len(ids))), ids, directed=directed)


def is_edge_index(data: Any) -> bool:
    """Return whether an object is torch-geometric data or an edge index, without importing torch.

    Parameters
    ----------
    data : object
        Any object.

    Returns
    -------
    bool
        True for objects with an ``edge_index``, and for tensors of shape (2, E).
    """
    if getattr(data, "edge_index", None) is not None:
        return True
    return hasattr(data, "detach") and data.ndim == 2 and data.shape[0] == 2


def from_edge_index(data: Any, directed: bool | None) -> Graph:
    """Return the graph of torch-geometric data or of an edge index.

    Parameters
    ----------
    data : torch_geometric Data, or integer tensor of shape (2, E)
        ``edge_weight`` of the data are the weights, ``y`` becomes a node attribute if it has one value per node.
    directed : bool or None
        Whether edges have a direction; None for a graph that is undirected if each edge occurs in both directions.

    Returns
    -------
    Graph
        Node ids are 0, …, N − 1.
    """
    index = getattr(data, "edge_index", data)
    rows, columns = (_array(index[end]) for end in (0, 1))
    if rows.dtype.kind not in "iu" or not len(rows) or min(rows.min(), columns.min()) < 0:
        raise InvalidGraphError("an edge index must have shape (2, E) and contain node numbers from 0; got none.")
    n_nodes = getattr(data, "num_nodes", None) or 0
    n_nodes = max(int(n_nodes), int(rows.max()) + 1, int(columns.max()) + 1)
    weight = getattr(data, "edge_weight", None)
    values = np.ones(len(rows)) if weight is None else _array(weight).astype(np.float64)
    graph = from_matrix(sparse.coo_array((values, (rows, columns)), shape=(n_nodes, n_nodes)), None)
    label = getattr(data, "y", None)
    if label is not None and _array(label).shape == (n_nodes,):
        graph = Graph(graph.adjacency, directed=graph.directed, node_attributes={"y": _array(label)})
    return redirected(graph, directed)


def _array(tensor: Any) -> NDArray[Any]:
    return np.asarray(tensor.detach().cpu().numpy())
