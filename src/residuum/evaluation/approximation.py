"""Accuracy of approximate random-walk probabilities."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from residuum.errors import InvalidParameterError

__all__ = ["log_probability_correlation"]

# Logs with a range below this are constant up to rounding.
_ROUNDING = 1e-12


def log_probability_correlation(approximate: ArrayLike, exact: ArrayLike, *, pooled: bool = False) -> float:
    """Return the Pearson correlation of ``ln P̂_d(j | i)`` and ``ln P_d(j | i)`` over j, averaged over centers i.

    Contexts j with zero probability in either array are ignored. So are centers whose correlation is undefined (fewer
    than three contexts, or constant probabilities); the result is NaN if no center remains.

    Parameters
    ----------
    approximate, exact : arrays of shape (n, N)
        Probabilities, one row per center: finite and non-negative.
    pooled : bool
        Whether to compute one correlation over all pairs (i, j), as in the code of the paper, instead of the average.

    Returns
    -------
    float
        Correlation between −1 and 1, or NaN.

    Examples
    --------
    >>> exact = [[0.1, 0.2, 0.7]]
    >>> round(log_probability_correlation([[0.05, 0.1, 0.85]], exact), 3)
    0.993
    """
    approximate, exact = np.asarray(approximate, dtype=np.float64), np.asarray(exact, dtype=np.float64)
    if approximate.shape != exact.shape or approximate.ndim != 2:
        raise InvalidParameterError(
            "approximate and exact must have the same shape (centers, nodes); "
            f"got {approximate.shape} and {exact.shape}."
        )
    for name, probabilities in (("approximate", approximate), ("exact", exact)):
        invalid = np.argwhere(~(np.isfinite(probabilities) & (probabilities >= 0)))
        if len(invalid):
            row, column = invalid[0]
            raise InvalidParameterError(
                f"{name} must be finite and non-negative; entry ({row}, {column}) is {probabilities[row, column]}. "
                "Use 0 for contexts that cannot be reached."
            )
    if pooled:
        return _pearson(approximate.ravel(), exact.ravel())
    correlations = [_pearson(*rows) for rows in zip(approximate, exact, strict=True)]
    defined = [correlation for correlation in correlations if not np.isnan(correlation)]
    return float(np.mean(defined)) if defined else float("nan")


def _pearson(approximate: NDArray[np.float64], exact: NDArray[np.float64]) -> float:
    positive = (approximate > 0) & (exact > 0)
    logs = np.log(approximate[positive]), np.log(exact[positive])
    if positive.sum() < 3 or min(np.ptp(values) for values in logs) < _ROUNDING:
        return float("nan")
    return float(np.corrcoef(*logs)[0, 1])
