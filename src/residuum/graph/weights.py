"""The rule for edge weights, the entries that break it, and columns that are probably not weights."""

import numpy as np
from numpy.typing import NDArray

__all__ = ["WEIGHT_RULE", "invalid_weights", "why_not_a_weight"]

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
        What the numbers look like: years, dates, time stamps, row numbers or times in order.

    Examples
    --------
    >>> why_not_a_weight(np.array([1999.0, 2004.0, 1999.0])), why_not_a_weight(np.array([2.5, 1.0, 7.0]))
    ('years', None)
    """
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
