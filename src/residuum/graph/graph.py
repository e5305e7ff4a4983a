"""The graph class that all other modules use."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from residuum._ids import id_array, python_value
from residuum._kernels.rows import add_strengths, count_components
from residuum.errors import InvalidGraphError, UnknownNodeError
from residuum.graph.exports import GraphExports
from residuum.graph.structure import checked_coordinates
from residuum.graph.symmetry import symmetric
from residuum.graph.weights import WEIGHT_RULE, invalid_weights, narrowed

__all__ = ["Graph", "attribute_array", "check_sums"]

# Sums of in-strength and out-strength of all nodes are in the range of float64.
_LARGEST_TOTAL = float(np.finfo(np.float64).max) / 8


class Graph(GraphExports):
    """Weighted graph, directed or undirected: an adjacency matrix in CSR form with node ids.

    ``A[i, j]`` is the weight of the edge from node i to node j. The matrix of an undirected graph is symmetric, with
    each self-loop counted once, on the diagonal. Strengths are the row and column sums of A.

    Parameters
    ----------
    adjacency : sparse or dense array of shape (N, N)
        Non-negative weights. The array is copied: duplicate entries are summed, explicit zeros are removed. The copy
        is float32 if all weights are exact in float32 (counts, for example), else float64.
    node_ids : array of shape (N,), optional
        Distinct hashable ids in row order; 0, …, N−1 by default.
    directed : bool, default=False
        Whether edges have a direction; if False, the matrix must be symmetric.
    node_attributes : mapping of str to array of shape (N,), optional
        Values by attribute name: labels, coordinates, years.

    Examples
    --------
    >>> graph = Graph([[0, 2], [2, 0]], node_ids=["a", "b"])
    >>> graph
    Graph(2 nodes, 1 edge, undirected, weighted)
    >>> graph.positions(["b"])
    array([1])
    """

    def __init__(
        self,
        adjacency: Any,
        node_ids: ArrayLike | None = None,
        *,
        directed: bool = False,
        node_attributes: Mapping[str, ArrayLike] | None = None,
    ) -> None:
        matrix = _square_matrix(adjacency)
        n_nodes = matrix.shape[0]
        self.node_ids = _checked_ids(node_ids, n_nodes)
        self.adjacency = _checked_adjacency(matrix, self.node_ids)
        self.directed = bool(directed)
        if not self.directed:
            self.adjacency = symmetric(self.adjacency, self.node_ids)
        self.node_attributes = {
            name: _checked_attribute(name, values, n_nodes) for name, values in (node_attributes or {}).items()
        }

    @classmethod
    def trusted(
        cls,
        adjacency: "sparse.csr_array[Any]",
        node_ids: NDArray[Any],
        *,
        directed: bool,
        node_attributes: dict[str, NDArray[Any]],
        known: Mapping[str, Any],
    ) -> "Graph":
        """Return a graph that uses arrays directly, without checking or copying them.

        Graphs on disk are opened this way: their arrays are memory-mapped and read on first use.

        Parameters
        ----------
        adjacency : csr array of shape (N, N)
            Canonical form, positive finite weights; symmetric if the graph is undirected.
        node_ids : array of shape (N,)
            Distinct ids in row order.
        directed : bool
            Whether edges have a direction.
        node_attributes : dict of str to array of shape (N,)
            Values by attribute name.
        known : mapping of str to value
            Precomputed properties by name: ``n_edges``, ``is_weighted``, ``out_strength``, ``in_strength``,
            ``reversed_adjacency``.

        Returns
        -------
        Graph
            A graph whose properties in ``known`` are never recomputed.
        """
        graph = cls.__new__(cls)
        graph.adjacency = adjacency
        graph.directed = directed
        graph.node_ids = node_ids
        graph.node_attributes = node_attributes
        # functools.cached_property reads the instance dictionary first.
        graph.__dict__.update(known)
        return graph

    @cached_property
    def n_nodes(self) -> int:
        """Number of nodes N."""
        return int(self.adjacency.shape[0])

    @cached_property
    def n_edges(self) -> int:
        """Number of edges: ordered node pairs if directed, unordered pairs if not."""
        if self.directed:
            return int(self.adjacency.nnz)
        loops = int(np.count_nonzero(self.adjacency.diagonal()))
        return (int(self.adjacency.nnz) + loops) // 2

    @cached_property
    def n_connected_components(self) -> int:
        """Number of connected components, ignoring edge directions and counting isolated nodes."""
        # scipy.sparse.csgraph copies the adjacency and its transpose to float64.
        return int(count_components(self.adjacency.indptr, self.adjacency.indices, np.arange(self.n_nodes)))

    @cached_property
    def out_strength(self) -> NDArray[np.float64]:
        """Total weight of the outgoing edges of each node, shape (N,)."""
        return self._strengths[0]

    @cached_property
    def in_strength(self) -> NDArray[np.float64]:
        """Total weight of the incoming edges of each node, shape (N,)."""
        return self._strengths[1] if self.directed else self.out_strength

    @cached_property
    def _strengths(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Row and column sums in one pass, in the summation order of graphs on disk."""
        out_strength, in_strength = np.zeros(self.n_nodes), np.zeros(self.n_nodes)
        matrix = self.adjacency
        add_strengths(0, np.diff(matrix.indptr), matrix.indices, matrix.data, out_strength, in_strength)
        return out_strength, in_strength

    @cached_property
    def reversed_adjacency(self) -> "sparse.csr_array[Any]":
        """Transposed adjacency in CSR form; the adjacency itself if the graph is undirected."""
        return sparse.csr_array(self.adjacency.T) if self.directed else self.adjacency

    @cached_property
    def is_weighted(self) -> bool:
        """Whether any weight differs from 1."""
        return bool(np.any(self.adjacency.data != 1))

    @cached_property
    def _position_of(self) -> dict[Any, int]:
        return {identity: position for position, identity in enumerate(self.node_ids.tolist())}

    def positions(self, ids: Iterable[Any]) -> NDArray[np.int64]:
        """Return the row of each node id.

        Parameters
        ----------
        ids : iterable of m node ids
            Ids as in ``node_ids``, in any order.

        Returns
        -------
        int array of shape (m,)
            Row of each id in ``adjacency``.

        Raises
        ------
        UnknownNodeError
            If an id is not in the graph.
        """
        position_of = self._position_of
        id_list = ids.tolist() if isinstance(ids, np.ndarray) else list(ids)
        try:
            return np.array([position_of[identity] for identity in id_list], dtype=np.int64)
        except KeyError as error:
            raise UnknownNodeError(
                f"node {python_value(error.args[0])!r} is not in the graph of {self.n_nodes} nodes "
                f"(ids such as {self.node_ids.tolist()[0]!r})."
            ) from None

    def subgraph(self, keep: NDArray[np.bool_]) -> "Graph":
        """Return the subgraph induced by some of the nodes.

        Parameters
        ----------
        keep : bool array of shape (N,)
            True for the nodes to keep.

        Returns
        -------
        Graph
            The kept nodes with their ids and attributes, and the edges between them.
        """
        return Graph(
            self.adjacency[keep][:, keep],
            self.node_ids[keep],
            directed=self.directed,
            node_attributes={name: values[keep] for name, values in self.node_attributes.items()},
        )

    def __repr__(self) -> str:
        edges = "edge" if self.n_edges == 1 else "edges"
        kind = "directed" if self.directed else "undirected"
        weights = "weighted" if self.is_weighted else "unweighted"
        return f"Graph({self.n_nodes} nodes, {self.n_edges} {edges}, {kind}, {weights})"


def _square_matrix(adjacency: Any) -> "sparse.coo_array[Any]":
    if isinstance(adjacency, (list, tuple)) and any(isinstance(row, tuple) for row in adjacency):
        raise InvalidGraphError(
            "an adjacency matrix must be a square array; got a list of tuples. For a list of edges, use "
            "residuum.as_graph(edges)."
        )
    matrix = checked_coordinates(adjacency)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise InvalidGraphError(
            f"an adjacency matrix must be square; got shape {matrix.shape}. "
            "For a rectangular (bipartite) matrix B, pass [[0, B], [B.T, 0]]. For a list of edges, use "
            "residuum.as_graph(edges)."
        )
    if matrix.shape[0] == 0:
        raise InvalidGraphError("the graph is empty: it has no nodes.")
    return matrix


def _checked_adjacency(matrix: "sparse.coo_array[Any]", node_ids: NDArray[Any]) -> "sparse.csr_array[Any]":
    weights = _checked_weights(matrix, node_ids)
    indices = np.int32 if matrix.shape[0] < 2**31 else np.int64
    result: sparse.csr_array[Any] = sparse.csr_array(
        (weights, (matrix.row.astype(indices), matrix.col.astype(indices))), shape=matrix.shape
    )
    result.sum_duplicates()
    check_sums(result.data)
    result.eliminate_zeros()
    result.sort_indices()
    if result.nnz == 0:
        raise InvalidGraphError(f"the graph is empty: {matrix.shape[0]} nodes, but no edge of positive weight.")
    # Cast after summing: float32 cannot count beyond 2²⁴ parallel edges.
    return sparse.csr_array((narrowed(result.data), result.indices, result.indptr), shape=result.shape)


def _checked_weights(matrix: "sparse.coo_array[Any]", node_ids: NDArray[Any]) -> NDArray[np.float64]:
    if matrix.data.dtype.kind not in "biuf":
        raise InvalidGraphError(f"edge weights must be numbers; got values of type {matrix.data.dtype}.")
    weights = matrix.data.astype(np.float64)
    bad = invalid_weights(weights)
    if len(bad):
        first = int(bad[0])
        source, target = node_ids[[matrix.row[first], matrix.col[first]]].tolist()
        raise InvalidGraphError(
            f"{WEIGHT_RULE}; the edge from {source!r} to {target!r} has weight {weights[first]} (invalid weights in "
            f"total: {len(bad)}). Remove these edges, or map their weights to non-negative values."
        )
    return weights


def check_sums(weights: NDArray[np.float64], total_before: float = 0.0) -> float:
    """Raise an error if a sum of the weights of parallel edges, or the total, is beyond the range of float64.

    Parameters
    ----------
    weights : float array of shape (m,)
        Sums of finite weights.
    total_before : float, default 0
        Total of the weights that were checked before.

    Returns
    -------
    float
        Total with these weights.
    """
    if not np.isfinite(weights).all():
        raise InvalidGraphError(
            "the sum of the weights of parallel edges exceeds the range of float64. Divide all weights by a constant."
        )
    with np.errstate(over="ignore"):
        total = total_before + float(weights.sum())
    if not total <= _LARGEST_TOTAL:
        raise InvalidGraphError(
            "the sum of the edge weights overflows float64; divide all weights by a constant, which changes no result."
        )
    return total


def _checked_ids(node_ids: Any, n_nodes: int) -> NDArray[Any]:
    if node_ids is None:
        return np.arange(n_nodes)
    ids = id_array(node_ids)
    if ids.shape != (n_nodes,):
        raise InvalidGraphError(f"node_ids must have one id for each of the {n_nodes} nodes; got {ids.size}.")
    seen: set[Any] = set()
    for identity in ids.tolist():
        if identity in seen:
            raise InvalidGraphError(f"node ids must be distinct; {identity!r} occurs more than once.")
        seen.add(identity)
    return ids


def attribute_array(values: ArrayLike) -> NDArray[Any]:
    """Return the values of a node attribute as an array, with dtype object for lists of different lengths.

    Parameters
    ----------
    values : array-like of length N
        One value per node.

    Returns
    -------
    array of shape (N, ...)
        The values, in the same order.
    """
    try:
        return np.asarray(values)
    except ValueError:
        value_list = list(values)  # type: ignore[arg-type]
        objects = np.empty(len(value_list), dtype=object)
        objects[:] = value_list
        return objects


def _checked_attribute(name: str, values: ArrayLike, n_nodes: int) -> NDArray[Any]:
    array = attribute_array(values)
    if array.shape[:1] != (n_nodes,):
        raise InvalidGraphError(
            f"node attribute {name!r} must have one value for each of the {n_nodes} nodes; got shape {array.shape}."
        )
    return array
