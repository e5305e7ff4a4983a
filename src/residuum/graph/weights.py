"""The rule for edge weights, the entries that break it, columns that are probably not weights, and their spread."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

__all__ = ["WEIGHT_RULE", "effective_degrees", "invalid_weights", "why_not_a_weight"]

WEIGHT_RULE = "edge weights must be finite and non-negative"


def invalid_weights(weights: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the positions of weights that are negative, infinite or NaN.

    Parameters
    ----------
    weights : array of shape (m,)
        Numbers of any type.

    Returns
    -------
    int array
        Positions in increasing order; empty if all weights are valid.

    Examples
    --------
    >>> invalid_weights(np.array([1.0, -1.0, np.nan, 0.0]))
    array([1, 2])
    """
    return np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))


def why_not_a_weight(numbers: NDArray[np.float64]) -> str | None:
    """Return why a column without a name is probably not the weight of the edges, or None if it may be.

    Parameters
    ----------
    numbers : array of shape (m,)
        First numbers of the column.

    Returns
    -------
    str or None
        What the numbers look like: years, dates, time stamps, row numbers or times in order; None if a number is not
        finite.

    Examples
    --------
    >>> why_not_a_weight(np.array([1999.0, 2004.0, 1999.0])), why_not_a_weight(np.array([2.5, 1.0, 7.0]))
    ('years', None)
    """
    if not np.isfinite(numbers).all():
        return None
    if not len(numbers) or (numbers != np.floor(numbers)).any():
        return "time stamps" if len(numbers) and numbers.min() >= 1e8 else None
    low, high = numbers.min(), numbers.max()
    steps = np.diff(numbers)
    if low >= 1800 and high <= 2100:
        return "years"
    if low >= 18000101 and high <= 21001231 and ((numbers // 100 % 100 - 1) < 12).all():
        return "dates"
    if low >= 1e8:
        return "time stamps"
    if len(numbers) >= 3 and (steps == 1).all():
        return "row numbers"
    if len(numbers) >= 10 and (steps >= 0).all() and len(np.unique(numbers)) > len(numbers) / 2:
        return "times in order"
    return None


def effective_degrees(matrix: "sparse.csr_array[Any]") -> NDArray[np.float64]:
    """Return ``(Σ_j A_ij)² / Σ_j A_ij²``, the degree if all weights of a row are equal, and less otherwise.

    Parameters
    ----------
    matrix : csr array of shape (N, N)
        Adjacency matrix.

    Returns
    -------
    array of shape (N,)
        At least 1.

    Examples
    --------
    >>> effective_degrees(sparse.csr_array([[0.0, 2.0, 2.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]]))
    array([2., 1., 1.])
    """
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    sums = np.bincount(rows, matrix.data, matrix.shape[0])
    shares = matrix.data / sums[rows]
    squares = np.bincount(rows, shares**2, matrix.shape[0])
    return np.asarray(np.maximum(np.divide(1.0, squares, out=np.ones_like(squares), where=squares > 0), 1.0))
