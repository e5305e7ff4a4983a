"""The residual matrix of a short window, as its floor plus a sparse matrix on the pairs within reach."""

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from residuum._kernels.products import row_chunks, walk_step
from residuum._threads import run_ranges
from residuum.graph.weights import row_ranges
from residuum.residual.matrix import ResidualMatrix
from residuum.walks import WindowProbabilities

__all__ = ["ReachablePairs", "count_walks", "sparse_product"]

# Pairs whose null probability is computed at once.
_PAIRS_AT_ONCE = 2_000_000


def count_walks(probabilities: WindowProbabilities) -> float:
    """Return the number of walks of 1 to T steps, which is at least the number of pairs that the window joins.

    Parameters
    ----------
    probabilities : WindowProbabilities
        Graph and window.

    Returns
    -------
    float
        Number of walks; infinite if there are more than pairs of nodes.

    Examples
    --------
    >>> from residuum import datasets
    >>> graph = datasets.karate_club()
    >>> count_walks(WindowProbabilities(graph, 1)), count_walks(WindowProbabilities(graph, 2))
    (156.0, inf)
    """
    graph, n_steps = probabilities.graph, len(probabilities.window)
    adjacency = graph.adjacency
    out_degree = np.diff(adjacency.indptr).astype(np.float64)
    total = out_degree.sum()
    if n_steps > 1:
        # A walk of two steps has any edge into its middle node and any edge out of it.
        total += np.diff(graph.reversed_adjacency.indptr) @ out_degree
    walks = out_degree
    for step in range(2, n_steps + 1):
        if total > float(graph.n_nodes) ** 2:
            return float("inf")
        walks = _sums_of_neighbors(adjacency, walks)
        total += float(walks.sum()) if step > 2 else 0.0
    return float(total) if total <= float(graph.n_nodes) ** 2 else float("inf")


def _sums_of_neighbors(adjacency: "sparse.csr_array[Any]", values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the sum of the values of the neighbors of each node."""
    indptr, sums = adjacency.indptr, np.zeros(len(values))
    for begin, end in row_ranges(indptr):
        terms = np.append(values[adjacency.indices[indptr[begin] : indptr[end]]], 0.0)
        sums[begin:end] = np.add.reduceat(terms, indptr[begin:end] - indptr[begin])
    sums[np.diff(indptr) == 0] = 0.0
    return sums


def sparse_product(matrix: Any, values: NDArray[np.float32], X: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the product of a sparse and a dense matrix, computed in several threads.

    Parameters
    ----------
    matrix : csr array of shape (N, N)
        Positions of the entries.
    values : float32 array
        Values of the entries, in the order of ``matrix``.
    X : float32 array of shape (N, k)
        Dense matrix.

    Returns
    -------
    float32 array of shape (N, k)
        The product.

    Examples
    --------
    >>> matrix = sparse.csr_array(np.array([[0.0, 2.0], [1.0, 0.0]]))
    >>> sparse_product(matrix, matrix.data.astype(np.float32), np.array([[3.0], [5.0]], dtype=np.float32)).ravel()
    array([10.,  3.], dtype=float32)
    """
    out = np.empty_like(X)
    scale, filled = np.ones(len(X), dtype=np.float32), np.empty(0, dtype=np.bool_)
    step = partial(walk_step, matrix.indptr, matrix.indices, values, scale, X, filled, out)
    run_ranges(step, row_chunks(matrix.indptr, X.shape[1]))
    return out


class ReachablePairs:
    """``R̃ = floor · s tᵀ + C`` as an operator, with C on the pairs that a walk within the window joins.

    All other pairs are at the floor, so that this is the whole matrix: little for a short window in a sparse graph.

    Parameters
    ----------
    matrix : ResidualMatrix
        Matrix of the graph.

    Examples
    --------
    >>> from residuum import datasets
    >>> from residuum.nulls import Configuration
    >>> graph = datasets.karate_club()
    >>> matrix = ResidualMatrix(WindowProbabilities(graph, 1), Configuration().fit(graph, 1), floor=-1.0)
    >>> product = ReachablePairs(matrix).matmat(np.eye(34))
    >>> bool(np.allclose(product, matrix.columns(np.arange(34)), atol=1e-5))
    True
    """

    in_memory = True

    def __init__(self, matrix: ResidualMatrix) -> None:
        self.symmetric = matrix.symmetric
        self._down = matrix.row_scale.astype(np.float64)
        self._across = matrix.column_scale.astype(np.float64)
        self._level = matrix.floor
        self._forward = _excess(matrix)
        self._backward = self._forward if self.symmetric else sparse.csr_array(self._forward.T)

    @property
    def n_pairs(self) -> int:
        """Number of pairs above the floor."""
        return int(self._forward.nnz)

    def matmat(self, X: NDArray[Any]) -> NDArray[np.float32]:
        """Return ``R̃ X``.

        Parameters
        ----------
        X : array of shape (N, k)
            Vectors in columns.

        Returns
        -------
        float32 array of shape (N, k)
            The product.
        """
        return self._multiply(self._forward, self._down, self._across, X)

    def rmatmat(self, X: NDArray[Any]) -> NDArray[np.float32]:
        """Return ``R̃ᵀ X``.

        Parameters
        ----------
        X : array of shape (N, k)
            Vectors in columns.

        Returns
        -------
        float32 array of shape (N, k)
            The product.
        """
        return self._multiply(self._backward, self._across, self._down, X)

    def gram(self, X: NDArray[Any]) -> NDArray[np.float32]:
        """Return ``[R̃ᵀ X, R̃ R̃ᵀ X]``.

        Parameters
        ----------
        X : array of shape (N, k)
            Vectors in columns.

        Returns
        -------
        float32 array of shape (N, 2 k)
            Both products, side by side.
        """
        inner = self.rmatmat(X)
        return np.concatenate([inner, self.matmat(inner)], axis=1)

    def _multiply(
        self,
        excess: "sparse.csr_array[Any]",
        down: NDArray[np.float64],
        across: NDArray[np.float64],
        X: NDArray[Any],
    ) -> NDArray[np.float32]:
        product = sparse_product(excess, excess.data, np.ascontiguousarray(X, dtype=np.float32))
        product += np.outer(down, self._level * (across @ X)).astype(np.float32)
        return product


def _excess(matrix: ResidualMatrix) -> "sparse.csr_array[Any]":
    """Return ``s_i t_j (max(ln P_d − ln P_0, floor) − floor)`` on the pairs within reach, without zeros."""
    probabilities = _window_sum(matrix.probabilities)
    values = np.empty(probabilities.nnz, dtype=np.float32)
    for begin, end in row_ranges(probabilities.indptr, _PAIRS_AT_ONCE):
        entries = slice(int(probabilities.indptr[begin]), int(probabilities.indptr[end]))
        centers = np.repeat(np.arange(begin, end), np.diff(probabilities.indptr[begin : end + 1]))
        contexts = probabilities.indices[entries]
        with np.errstate(divide="ignore"):
            expected = matrix.null.log_probability(centers, contexts)
            excess = np.log(probabilities.data[entries]) - expected - matrix.floor
        excess[~np.isfinite(expected)] = 0.0
        scale = matrix.row_scale[centers] * matrix.column_scale[contexts]
        values[entries] = np.maximum(excess, 0.0) * scale
    result = sparse.csr_array((values, probabilities.indices, probabilities.indptr), shape=probabilities.shape)
    result.eliminate_zeros()
    return result


def _window_sum(probabilities: WindowProbabilities) -> "sparse.csr_array[Any]":
    """Return ``S⁻¹ Σ_t w_t Pᵗ`` as a sparse matrix, by Horner's rule."""
    graph = probabilities.graph
    strength = graph.out_strength
    inverse = np.divide(1.0, strength, out=np.zeros_like(strength), where=strength > 0)
    step = sparse.csr_array(sparse.diags_array(inverse) @ graph.adjacency)
    total = probabilities.window[-1] * step
    for weight in probabilities.window[-2::-1]:
        total = weight * step + step @ total
    if probabilities.inverse_completed is not None:
        total = sparse.diags_array(probabilities.inverse_completed.astype(np.float64)) @ total
    return sparse.csr_array(total)
