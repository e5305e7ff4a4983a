"""Confidence intervals of a mean over runs, and paired comparisons of two methods over the same splits."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from residuum._random import as_generator
from residuum._validation import check_integer, check_real
from residuum.errors import InvalidParameterError

__all__ = ["Comparison", "Interval", "bootstrap_interval", "paired_comparison"]

_NUMBERS_AT_ONCE = 10_000_000


@dataclass(frozen=True)
class Interval:
    """A mean with a confidence interval.

    Attributes
    ----------
    mean, low, high : float
        The mean, and the ends of the interval.

    Examples
    --------
    >>> interval = bootstrap_interval([0.7, 0.8, 0.9])
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
        Two-sided p-value of the sign-flip test: the null hypothesis is that the two are exchangeable in each split.

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
    def differs(self) -> bool:
        """Whether the interval of the difference excludes 0; False for a single split, which has no interval."""
        return self.p_value < 1 and (self.difference.low > 0 or self.difference.high < 0)


def bootstrap_interval(
    values: ArrayLike,
    *,
    confidence: float = 0.9,
    n_resamples: int = 10_000,
    random_state: int | np.random.Generator | None = 0,
) -> Interval:
    """Return the mean with its percentile bootstrap interval; the defaults are the paper's.

    Parameters
    ----------
    values : array of shape (n,)
        One value per run.
    confidence : float
        Confidence level of the interval.
    n_resamples : int
        Number of resamples with replacement.
    random_state : int, Generator or None
        Seed of the resampling.

    Returns
    -------
    Interval
        The mean and its interval; for a single value both ends equal the mean.

    Examples
    --------
    >>> bootstrap_interval([1.0, 1.0, 1.0])
    Interval(mean=1.0, low=1.0, high=1.0)
    """
    from scipy.stats import bootstrap  # slow to import

    check_real("confidence", confidence, minimum=0.0, maximum=1.0)
    check_integer("n_resamples", n_resamples, minimum=1)
    x = _checked(values, "values")
    mean = float(x.mean())
    if len(x) == 1:
        return Interval(mean, mean, mean)
    interval = bootstrap(
        (x,),
        np.mean,
        confidence_level=confidence,
        n_resamples=n_resamples,
        batch=max(1, _NUMBERS_AT_ONCE // len(x)),
        method="percentile",
        rng=as_generator(random_state),
    ).confidence_interval
    return Interval(mean, float(interval.low), float(interval.high))


def paired_comparison(
    one: ArrayLike,
    other: ArrayLike,
    *,
    confidence: float = 0.9,
    n_resamples: int = 10_000,
    random_state: int | np.random.Generator | None = 0,
) -> Comparison:
    """Compare two methods over the same splits: interval of the mean difference, wins, and sign-flip test.

    Splits are resampled with both scores together, so the difficulty of a split cancels out. The test is exact if
    ``2ⁿ ≤ n_resamples``.

    Parameters
    ----------
    one, other : arrays of shape (n,)
        Scores, higher is better; entry k of both is split k.
    confidence : float
        Confidence level of the interval.
    n_resamples : int
        Number of bootstrap resamples, and of random sign flips.
    random_state : int, Generator or None
        Seed of the resampling.

    Returns
    -------
    Comparison
        Difference of ``one`` and ``other``, with the result of the test.

    Examples
    --------
    >>> paired_comparison([0.8, 0.9, 0.7], [0.7, 0.8, 0.6]).p_value
    0.25
    """
    first, second = _checked(one, "one"), _checked(other, "other")
    if len(first) != len(second):
        raise InvalidParameterError(
            f"one and other must be scores of the same splits; got {len(first)} and {len(second)} scores."
        )
    rng = as_generator(random_state)
    difference = first - second
    interval = bootstrap_interval(difference, confidence=confidence, n_resamples=n_resamples, random_state=rng)
    wins = float(np.mean((np.sign(difference) + 1) / 2))
    return Comparison(interval, wins, _sign_flip_test(difference, n_resamples, rng))


def _sign_flip_test(difference: NDArray[np.float64], n_resamples: int, rng: np.random.Generator) -> float:
    if len(difference) == 1:
        return 1.0
    from scipy.stats import permutation_test

    # Permuting a single sample of differences exchanges the two scores of a split, which flips the sign.
    test = permutation_test(
        (difference,),
        np.mean,
        permutation_type="samples",
        n_resamples=n_resamples,
        batch=max(1, _NUMBERS_AT_ONCE // len(difference)),
        rng=rng,
    )
    return float(test.pvalue)


def _checked(values: ArrayLike, name: str) -> NDArray[np.float64]:
    x = np.asarray(values, dtype=np.float64)
    if x.ndim != 1 or len(x) == 0 or not np.isfinite(x).all():
        raise InvalidParameterError(f"{name} must be a list of at least one finite number; got {values!r}.")
    return x
