"""Symmetry of the matrix of an undirected graph, up to rounding errors."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from residuum.errors import InvalidGraphError

__all__ = ["asymmetric_pair", "symmetric", "symmetry_tolerance"]


def symmetric(adjacency: "sparse.csr_array[Any]", node_ids: NDArray[Any]) -> "sparse.csr_array[Any]":
    """Return the matrix of an undirected graph; opposite weights that differ by rounding errors become their mean.

    Parameters
    ----------
    adjacency : csr array of shape (N, N)
        Non-negative weights.
    node_ids : array of shape (N,)
        Ids of the nodes, for the error message.

    Returns
    -------
    csr array of shape (N, N)
        The same array if it is symmetric.

    Raises
    ------
    InvalidGraphError
        If opposite weights differ by more than rounding errors.

    Examples
    --------
    >>> matrix = sparse.csr_array([[0.0, 3.0, 1e-17], [3.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    >>> symmetric(matrix, np.arange(3))[2, 0]
    np.float64(5e-18)
    """
    reverse = sparse.csr_array(adjacency.T)
    difference = _difference(adjacency, reverse)
    if difference.nnz == 0:
        return adjacency
    pair = _beyond_rounding(adjacency, difference)
    if pair is not None:
        ids = node_ids.tolist()
        i, j = pair
        raise InvalidGraphError(
            f"an undirected graph needs a symmetric matrix, but the weight from {ids[i]!r} to {ids[j]!r} is "
            f"{adjacency[i, j]:g} and the weight from {ids[j]!r} to {ids[i]!r} is {adjacency[j, i]:g}. "
            "Pass directed=True, or symmetrize the matrix (A + A.T)."
        )
    mean = sparse.csr_array((adjacency * 0.5 + reverse * 0.5).astype(adjacency.dtype))
    mean.eliminate_zeros()
    return mean


def asymmetric_pair(adjacency: "sparse.csr_array[Any]") -> tuple[int, int] | None:
    """Return a pair (i, j) with ``|A_ij − A_ji| > 10⁻⁶ max(A_ij, A_ji)``, or None if A is symmetric.

    Differences within the float64 rounding error of the largest weight are ignored.

    Parameters
    ----------
    adjacency : csr array of shape (N, N)
        Non-negative weights.

    Returns
    -------
    tuple of two ints, or None
        Row and column of the first asymmetric entry.

    Examples
    --------
    >>> asymmetric_pair(sparse.csr_array([[0.0, 3.0], [2.0, 0.0]]))
    (0, 1)
    """
    return _beyond_rounding(adjacency, _difference(adjacency, sparse.csr_array(adjacency.T)))


def symmetry_tolerance(adjacency: "sparse.csr_array[Any]") -> tuple[float, float]:
    """Return by how much opposite weights of an undirected graph may differ.

    Parameters
    ----------
    adjacency : csr array of shape (N, N)
        Non-negative weights, at least one.

    Returns
    -------
    relative : float
        Part of the larger weight.
    absolute : float
        Rounding error of the largest weight in float64.

    Examples
    --------
    >>> symmetry_tolerance(sparse.csr_array([[1.0]]))[0]
    1e-06
    """
    return 1e-6, 8 * float(np.finfo(np.float64).eps) * float(adjacency.data.max())


def _difference(adjacency: "sparse.csr_array[Any]", reverse: "sparse.csr_array[Any]") -> "sparse.coo_array[Any]":
    return sparse.coo_array(abs(adjacency - reverse))


def _beyond_rounding(adjacency: "sparse.csr_array[Any]", difference: "sparse.coo_array[Any]") -> tuple[int, int] | None:
    if difference.nnz == 0:
        return None
    rows, columns = difference.row, difference.col
    larger = np.maximum(adjacency[rows, columns], adjacency[columns, rows])
    relative, absolute = symmetry_tolerance(adjacency)
    wrong = np.flatnonzero(difference.data > np.maximum(relative * larger, absolute))
    return (int(rows[wrong[0]]), int(columns[wrong[0]])) if len(wrong) else None
