"""Confidence intervals of a mean over runs, and paired comparisons of two methods over the same splits."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtr, stdtrit

from residuum._validation import check_real
from residuum.errors import InvalidParameterError
from residuum.graph.attributes import as_numbers
from residuum.graph.graph import attribute_array

__all__ = ["Comparison", "Interval", "mean_interval", "paired_comparison"]

# Squares of larger numbers overflow.
_LARGEST = 1e100


@dataclass(frozen=True)
class Interval:
    """A mean with a confidence interval.

    Attributes
    ----------
    mean, low, high : float
        The mean, and the ends of the interval; NaN for a single run, which has no interval.

    Examples
    --------
    >>> interval = mean_interval([0.7, 0.8, 0.9])
    >>> round(interval.mean, 2), interval.low < interval.mean < interval.high
    (0.8, True)
    """

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Comparison:
    """Comparison of two methods over the same splits.

    Attributes
    ----------
    difference : Interval
        Mean score of the first method minus that of the second.
    wins : float
        Fraction of the splits in which the first method is better; ties count half.
    p_value : float
        Two-sided p-value of the paired t-test; NaN for a single split, which cannot be tested.

    Examples
    --------
    >>> comparison = paired_comparison([0.8, 0.9, 0.7, 0.8], [0.7, 0.8, 0.6, 0.6])
    >>> comparison.wins, comparison.differs
    (1.0, True)
    """

    difference: Interval
    wins: float
    p_value: float

    @property
    def testable(self) -> bool:
        """Whether there are enough splits for the test, at least two."""
        return not np.isnan(self.p_value)

    @property
    def differs(self) -> bool:
        """Whether the interval excludes 0, that is, the test rejects at its level; False if not testable."""
        return self.difference.low > 0 or self.difference.high < 0


def mean_interval(values: ArrayLike, *, confidence: float = 0.9) -> Interval:
    """Return the mean with its t-interval, ``x̄ ± t_{n−1} s / √n``.

    The interval covers the true mean with probability ``confidence`` for any number n ≥ 2 of normal values. A
    percentile bootstrap of five values, which has the same center, covers it too rarely: 0.78 instead of 0.90.

    Parameters
    ----------
    values : array of shape (n,)
        One value per run.
    confidence : float, default 0.9
        Confidence level of the interval.

    Returns
    -------
    Interval
        The mean and its interval; both ends are NaN for a single value.

    Examples
    --------
    >>> interval = mean_interval([1.0, 2.0, 3.0])
    >>> round(interval.low, 3), interval.mean, round(interval.high, 3)
    (0.314, 2.0, 3.686)
    """
    check_real("confidence", confidence, minimum=0.0, maximum=1.0)
    return _interval(_checked(values, "values"), confidence)


def _interval(x: NDArray[np.float64], confidence: float) -> Interval:
    mean = float(x.mean())
    if len(x) == 1:
        return Interval(mean, np.nan, np.nan)
    half = float(stdtrit(len(x) - 1, (1.0 + confidence) / 2.0)) * _standard_error(x)
    return Interval(mean, mean - half, mean + half)


def paired_comparison(one: ArrayLike, other: ArrayLike, *, confidence: float = 0.9) -> Comparison:
    """Compare two methods over the same splits: interval of the mean difference, wins, and paired t-test.

    The difference is taken in each split, so the difficulty of a split cancels out. The interval excludes 0 if and only
    if the p-value is below ``1 − confidence``. Methods of equal quality differ with probability ``1 − confidence``.

    Parameters
    ----------
    one, other : arrays of shape (n,)
        Scores, higher is better; entry k of both is split k.
    confidence : float, default 0.9
        Confidence level of the interval.

    Returns
    -------
    Comparison
        Difference of ``one`` and ``other``, with the result of the test.

    Examples
    --------
    >>> round(paired_comparison([0.8, 0.9, 0.9], [0.7, 0.8, 0.6]).p_value, 3)
    0.13
    """
    first, second = _checked(one, "one"), _checked(other, "other")
    if len(first) != len(second):
        raise InvalidParameterError(
            f"one and other must be scores of the same splits; got {len(first)} and {len(second)} scores."
        )
    check_real("confidence", confidence, minimum=0.0, maximum=1.0)
    difference = first - second
    wins = float(np.mean((np.sign(difference) + 1) / 2))
    return Comparison(_interval(difference, confidence), wins, _t_test(difference))


def _t_test(difference: NDArray[np.float64]) -> float:
    if len(difference) == 1:
        return np.nan
    mean, error = abs(float(difference.mean())), _standard_error(difference)
    if error == 0:
        return float(mean == 0)
    return float(2 * stdtr(len(difference) - 1, -mean / error))


def _standard_error(x: NDArray[np.float64]) -> float:
    return float(x.std(ddof=1) / np.sqrt(len(x)))


def _checked(values: ArrayLike, name: str) -> NDArray[np.float64]:
    x = as_numbers(attribute_array(values), name)
    if x.ndim != 1 or len(x) == 0 or not (np.abs(x) <= _LARGEST).all():
        raise InvalidParameterError(
            f"{name} must be a list of at least one number between {-_LARGEST:g} and {_LARGEST:g}; got {values!r}."
        )
    return x
