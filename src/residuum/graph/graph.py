"""The one form in which every other room sees a graph."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from residuum.errors import InvalidGraphError, UnknownNodeError
from residuum.graph._row_kernels import add_strengths, count_components

__all__ = ["Graph", "asymmetric_pair", "attribute_array"]


class Graph:
    """A weighted graph: adjacency in CSR, node ids in order, directed or not.

    ``A[i, j]`` is the weight of the edge from node i to node j; an undirected graph has a symmetric A, with a
    self-loop counted once on the diagonal. Strengths are the row and column sums of A.

    Parameters
    ----------
    adjacency : sparse or dense array of shape (N, N)
        Non-negative weights. It is copied, never changed: duplicates add up, explicit zeros go. The weights of the
        copy are float32 where that loses nothing (counts and ones), else float64.
    node_ids : array of shape (N,), optional
        One hashable id for each row; 0, …, N−1 if left out.
    directed : bool
        False asks for a symmetric matrix.
    node_attributes : mapping of str to array of shape (N,), optional
        What is known of the nodes: labels, coordinates, years.

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
        self.adjacency = _checked_adjacency(adjacency)
        self.directed = bool(directed)
        n_nodes = self.adjacency.shape[0]
        self.node_ids = _checked_ids(node_ids, n_nodes)
        if not self.directed:
            _require_symmetry(self.adjacency, self.node_ids)
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
        """Return a graph around arrays that were checked when they were made, without a look at them or a copy.

        This is how a graph is opened whose arrays are mapped from files: nothing is read until it is used.

        Parameters
        ----------
        adjacency : csr array of shape (N, N)
            In canonical form, with positive finite weights; symmetric if the graph is undirected.
        node_ids : array of shape (N,)
            All different.
        directed : bool
        node_attributes : dict of str to array of shape (N,)
        known : mapping of str to value
            What need not be computed again, by the name of the property: ``n_edges``, ``is_weighted``,
            ``out_strength``, ``in_strength``, ``reversed_adjacency``.
        """
        graph = cls.__new__(cls)
        graph.adjacency = adjacency
        graph.directed = directed
        graph.node_ids = node_ids
        graph.node_attributes = node_attributes
        # A cached property looks here first.
        graph.__dict__.update(known)
        return graph

    @property
    def n_nodes(self) -> int:
        """Number of nodes N."""
        return int(self.adjacency.shape[0])

    @cached_property
    def n_edges(self) -> int:
        """Number of node pairs joined by an edge; arcs if directed."""
        if self.directed:
            return int(self.adjacency.nnz)
        loops = int(np.count_nonzero(self.adjacency.diagonal()))
        return (int(self.adjacency.nnz) + loops) // 2

    @cached_property
    def n_components(self) -> int:
        """Number of components, directions set aside; an isolated node is one.

        scipy's answer would copy the adjacency, and its transpose, in float64.
        """
        return int(count_components(self.adjacency.indptr, self.adjacency.indices))

    @cached_property
    def out_strength(self) -> NDArray[np.float64]:
        """Sum of the weights that leave each node, shape (N,)."""
        return self._strengths[0]

    @cached_property
    def in_strength(self) -> NDArray[np.float64]:
        """Sum of the weights that reach each node, shape (N,)."""
        return self._strengths[1] if self.directed else self.out_strength

    @cached_property
    def _strengths(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Row and column sums in one pass, added up in the same order as when a graph is written to disk."""
        out_strength, in_strength = np.zeros(self.n_nodes), np.zeros(self.n_nodes)
        matrix = self.adjacency
        add_strengths(0, np.diff(matrix.indptr), matrix.indices, matrix.data, out_strength, in_strength)
        return out_strength, in_strength

    @cached_property
    def reversed_adjacency(self) -> "sparse.csr_array[Any]":
        """The transposed adjacency in CSR; the adjacency itself if the graph is undirected."""
        return sparse.csr_array(self.adjacency.T) if self.directed else self.adjacency

    @cached_property
    def is_weighted(self) -> bool:
        """Whether any weight differs from 1."""
        return bool(np.any(self.adjacency.data != 1))

    @cached_property
    def _position_of(self) -> dict[Any, int]:
        return {identity: position for position, identity in enumerate(self.node_ids.tolist())}

    def positions(self, ids: Iterable[Any]) -> NDArray[np.int64]:
        """Return the row of each node id, or raise :class:`UnknownNodeError` for the first unknown one."""
        known = self._position_of
        wanted = ids.tolist() if isinstance(ids, np.ndarray) else list(ids)
        try:
            return np.array([known[identity] for identity in wanted], dtype=np.int64)
        except KeyError as error:
            raise UnknownNodeError(
                f"node {error.args[0]!r} is not in the graph of {self.n_nodes} nodes "
                f"(ids such as {self.node_ids.tolist()[0]!r})."
            ) from None

    def subgraph(self, keep: NDArray[np.bool_]) -> "Graph":
        """Return the graph on the nodes where ``keep`` is true, with the edges between them."""
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


def _checked_adjacency(adjacency: Any) -> "sparse.csr_array[Any]":
    try:
        matrix = sparse.coo_array(adjacency)
    except (TypeError, ValueError) as error:
        raise InvalidGraphError(f"an adjacency matrix must be a square array of numbers: {error}") from error
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise InvalidGraphError(
            f"an adjacency matrix must be square; got shape {matrix.shape}. "
            "For a rectangular (bipartite) matrix B build [[0, B], [B.T, 0]]."
        )
    if matrix.shape[0] == 0:
        raise InvalidGraphError("the graph is empty: it has no nodes.")
    weights = _checked_weights(matrix)
    indices = np.int32 if matrix.shape[0] < 2**31 else np.int64
    result: sparse.csr_array[Any] = sparse.csr_array(
        (weights, (matrix.row.astype(indices), matrix.col.astype(indices))), shape=matrix.shape
    )
    result.sum_duplicates()
    result.eliminate_zeros()
    result.sort_indices()
    if result.nnz == 0:
        raise InvalidGraphError(f"the graph is empty: {matrix.shape[0]} nodes, but no edge of positive weight.")
    # Narrowed only now: float32 stops counting at 2²⁴ parallel edges.
    single = result.data.astype(np.float32)
    if np.array_equal(single, result.data):
        return sparse.csr_array((single, result.indices, result.indptr), shape=result.shape)
    return result


def _checked_weights(matrix: "sparse.coo_array[Any]") -> NDArray[np.float64]:
    if matrix.data.dtype.kind not in "biuf":
        raise InvalidGraphError(f"edge weights must be numbers; got values of type {matrix.data.dtype}.")
    weights = matrix.data.astype(np.float64)
    bad = ~np.isfinite(weights) | (weights < 0)
    if bad.any():
        first = int(np.flatnonzero(bad)[0])
        raise InvalidGraphError(
            f"edge weights must be finite and not negative; the edge from row {matrix.row[first]} to "
            f"column {matrix.col[first]} has weight {weights[first]} ({int(bad.sum())} such in all). "
            "Drop such edges, or map their weights to non-negative ones."
        )
    return weights


def asymmetric_pair(adjacency: "sparse.csr_array[Any]") -> tuple[int, int] | None:
    """Return a pair i, j with ``|A_ij − A_ji| > 10⁻⁶ max(A_ij, A_ji)``, or None if A is symmetric.

    What adding up in float64 may leave beside the largest weight is no difference.
    """
    difference = sparse.coo_array(abs(adjacency - adjacency.T))
    if difference.nnz == 0:
        return None
    rows, columns = difference.row, difference.col
    larger = np.maximum(adjacency[rows, columns], adjacency[columns, rows])
    rounding = 8 * np.finfo(np.float64).eps * float(adjacency.data.max())
    wrong = np.flatnonzero(difference.data > np.maximum(1e-6 * larger, rounding))
    return (int(rows[wrong[0]]), int(columns[wrong[0]])) if len(wrong) else None


def _require_symmetry(adjacency: "sparse.csr_array[Any]", node_ids: NDArray[Any]) -> None:
    pair = asymmetric_pair(adjacency)
    if pair is not None:
        ids = node_ids.tolist()
        i, j = pair
        raise InvalidGraphError(
            f"an undirected graph needs a symmetric matrix, but the weight from {ids[i]!r} to "
            f"{ids[j]!r} is {adjacency[i, j]:g} and back {adjacency[j, i]:g}. "
            "Say directed=True, or symmetrise it (A + A.T)."
        )


def _checked_ids(node_ids: Any, n_nodes: int) -> NDArray[Any]:
    if node_ids is None:
        return np.arange(n_nodes)
    values = node_ids.tolist() if isinstance(node_ids, np.ndarray) else list(node_ids)
    if all(isinstance(value, (int, np.integer)) and not isinstance(value, bool) for value in values):
        ids = np.asarray(node_ids)
    else:  # texts, tuples and mixtures stay what they are: one object for each node
        ids = np.empty(len(values), dtype=object)
        ids[:] = [tuple(value) if isinstance(value, list) else value for value in values]
    if ids.shape != (n_nodes,):
        raise InvalidGraphError(f"node_ids must have one id for each of the {n_nodes} nodes; got {ids.size}.")
    seen: set[Any] = set()
    for identity in ids.tolist():
        if identity in seen:
            raise InvalidGraphError(f"node ids must differ from each other; {identity!r} occurs twice.")
        seen.add(identity)
    return ids


def attribute_array(values: ArrayLike) -> NDArray[Any]:
    """Return the values of a node attribute as an array: of objects, if they are lists of different lengths."""
    try:
        return np.asarray(values)
    except ValueError:
        listed = list(values)  # type: ignore[arg-type]
        objects = np.empty(len(listed), dtype=object)
        objects[:] = listed
        return objects


def _checked_attribute(name: str, values: ArrayLike, n_nodes: int) -> NDArray[Any]:
    array = attribute_array(values)
    if array.shape[:1] != (n_nodes,):
        raise InvalidGraphError(
            f"node attribute {name!r} must have one value for each of the {n_nodes} nodes; got shape {array.shape}."
        )
    return array
