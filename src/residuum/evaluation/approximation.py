"""How close approximate walk probabilities are to exact ones."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from residuum.errors import InvalidParameterError

__all__ = ["log_probability_correlation"]

# Logs that differ by less are alike.
_ROUNDING = 1e-12


def log_probability_correlation(approximate: ArrayLike, exact: ArrayLike, *, pooled: bool = False) -> float:
    """Return the mean over centres i of Pearson's correlation between ``ln P̂_d(j | i)`` and ``ln P_d(j | i)`` over j.

    Targets j that either gives no chance are left out. So are centres for which the correlation is not defined (fewer
    than three targets, or all alike); if there are no others, the result is NaN.

    Parameters
    ----------
    approximate, exact : arrays of shape (n, N)
        Probabilities, a row for each centre: finite and not negative.
    pooled : bool
        One correlation over all pairs (i, j), as in the code of the paper, instead.

    Examples
    --------
    >>> exact = [[0.1, 0.2, 0.7]]
    >>> round(log_probability_correlation([[0.05, 0.1, 0.85]], exact), 3)
    0.993
    """
    one, other = np.asarray(approximate, dtype=np.float64), np.asarray(exact, dtype=np.float64)
    if one.shape != other.shape or one.ndim != 2:
        raise InvalidParameterError(
            f"probabilities must be two arrays of the same shape (centres, nodes); got {one.shape} and {other.shape}."
        )
    for name, given in (("approximate", one), ("exact", other)):
        wrong = np.argwhere(~(np.isfinite(given) & (given >= 0)))
        if len(wrong):
            row, column = wrong[0]
            raise InvalidParameterError(
                f"{name} must be finite numbers of at least 0; entry ({row}, {column}) is {given[row, column]}. "
                "Take 0 where a target cannot be reached."
            )
    if pooled:
        return _pearson(one.ravel(), other.ravel())
    found = [_pearson(*rows) for rows in zip(one, other, strict=True)]
    defined = [value for value in found if not np.isnan(value)]
    return float(np.mean(defined)) if defined else float("nan")


def _pearson(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    both = (one > 0) & (other > 0)
    logs = np.log(one[both]), np.log(other[both])
    if both.sum() < 3 or min(np.ptp(values) for values in logs) < _ROUNDING:
        return float("nan")
    return float(np.corrcoef(*logs)[0, 1])
