"""The rule for edge weights, the entries that break it, columns that are probably not weights, and their spread."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

__all__ = ["WEIGHT_RULE", "effective_degrees", "invalid_weights", "narrowed", "row_ranges", "why_not_a_weight"]

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


def narrowed(weights: NDArray[Any]) -> NDArray[Any]:
    """Return weights in float32 if all of them are exact in float32 (counts, for example), else as they are.

    Parameters
    ----------
    weights : float array
        Weights of entries.

    Returns
    -------
    float32 or float64 array
        The same numbers.

    Examples
    --------
    >>> narrowed(np.array([1.0, 2.5])).dtype.name, narrowed(np.array([1.0, 0.1])).dtype.name
    ('float32', 'float64')
    """
    if weights.dtype == np.float32:
        return weights
    with np.errstate(over="ignore"):  # too large for float32 becomes infinite, which is not equal
        single = weights.astype(np.float32)
    return single if np.array_equal(single, weights) else weights


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
    with np.errstate(over="ignore"):  # an infinite step is in order, or not, like any other
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
    squares = np.zeros(matrix.shape[0])
    for begin, end in row_ranges(matrix.indptr):
        weights = matrix.data[matrix.indptr[begin] : matrix.indptr[end]]
        rows = np.repeat(np.arange(end - begin), np.diff(matrix.indptr[begin : end + 1]))
        shares = weights / np.bincount(rows, weights, end - begin)[rows]
        squares[begin:end] = np.bincount(rows, shares**2, end - begin)
    return np.asarray(np.maximum(np.divide(1.0, squares, out=np.ones_like(squares), where=squares > 0), 1.0))


def row_ranges(indptr: NDArray[np.integer], n_entries: int = 1 << 23) -> Iterator[tuple[int, int]]:
    """Yield consecutive ranges of rows with a limited number of entries, or one row with more.

    Parameters
    ----------
    indptr : int array of shape (N + 1,)
        CSR row pointers.
    n_entries : int, default 2²³
        Maximum number of entries.

    Yields
    ------
    begin, end : int
        Bounds of a range.

    Examples
    --------
    >>> list(row_ranges(np.array([0, 2, 3, 8, 8]), n_entries=3))
    [(0, 2), (2, 3), (3, 4)]
    """
    begin, n_rows = 0, len(indptr) - 1
    while begin < n_rows:
        end = int(np.searchsorted(indptr, indptr[begin] + n_entries, side="right")) - 1
        end = max(end, begin + 1)
        yield begin, end
        begin = end
