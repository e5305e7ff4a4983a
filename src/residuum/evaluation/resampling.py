"""How sure a mean over runs is, and whether two methods differ over the same splits."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from residuum._random import as_generator
from residuum._validation import check_integer, check_real
from residuum.errors import InvalidParameterError

__all__ = ["Comparison", "Interval", "bootstrap_interval", "paired_comparison"]

# All 2ⁿ signs are tried up to this n.
_EXACT = 13
_CELLS_AT_ONCE = 10_000_000


@dataclass(frozen=True)
class Interval:
    """A mean with a confidence interval.

    Attributes
    ----------
    mean, low, high : float
    """

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Comparison:
    """One method against another over the same splits.

    Attributes
    ----------
    difference : Interval
        The mean of one minus the other.
    wins : float
        The share of splits in which the one is better, ties counting half.
    p_value : float
        The chance of a mean difference as far from 0 if the two could be exchanged in each split.
    """

    difference: Interval
    wins: float
    p_value: float

    @property
    def differs(self) -> bool:
        """Whether the interval of the difference leaves out 0. One split has no interval, and never does."""
        # The only sign of one split can be flipped: its p-value is 1.
        return self.p_value < 1 and (self.difference.low > 0 or self.difference.high < 0)


def bootstrap_interval(
    values: ArrayLike,
    *,
    confidence: float = 0.9,
    n_resamples: int = 10_000,
    random_state: int | np.random.Generator | None = 0,
) -> Interval:
    """Return the mean and the quantiles of the means of resamples with replacement.

    The paper's setting is the default: 90 %, 10⁴ resamples.

    Parameters
    ----------
    values : array of shape (n,)
        One for each run.
    confidence : float
    n_resamples : int
    random_state : int, Generator or None

    Examples
    --------
    >>> bootstrap_interval([1.0, 1.0, 1.0])
    Interval(mean=1.0, low=1.0, high=1.0)
    """
    check_real("confidence", confidence, minimum=0.0, maximum=1.0)
    check_integer("n_resamples", n_resamples, minimum=1)
    x = _checked(values, "values")
    rng = as_generator(random_state)
    at_once = max(1, _CELLS_AT_ONCE // len(x))
    means = np.concatenate(
        [
            x[rng.integers(len(x), size=(min(at_once, n_resamples - done), len(x)))].mean(axis=1)
            for done in range(0, n_resamples, at_once)
        ]
    )
    low, high = np.quantile(means, [(1 - confidence) / 2, (1 + confidence) / 2])
    return Interval(float(x.mean()), float(low), float(high))


def paired_comparison(
    one: ArrayLike,
    other: ArrayLike,
    *,
    confidence: float = 0.9,
    n_resamples: int = 10_000,
    random_state: int | np.random.Generator | None = 0,
) -> Comparison:
    """Compare two methods over the same splits: the interval of the mean difference, wins, and a sign-flip test.

    The splits are resampled, not the two methods apart from each other, so that what makes a split hard for both
    cancels out. The test flips the signs of the differences: in all ways up to 13 splits, beyond in ``n_resamples``
    random ones.

    Parameters
    ----------
    one, other : arrays of shape (n,)
        Scores, higher is better; entry k of both is split k.
    confidence : float
    n_resamples : int
    random_state : int, Generator or None

    Examples
    --------
    >>> paired_comparison([0.8, 0.9, 0.7], [0.7, 0.8, 0.6]).p_value
    0.25
    """
    first, second = _checked(one, "one"), _checked(other, "other")
    if len(first) != len(second):
        raise InvalidParameterError(
            f"two methods must have scores for the same splits; got {len(first)} and {len(second)}."
        )
    rng = as_generator(random_state)
    difference = first - second
    interval = bootstrap_interval(difference, confidence=confidence, n_resamples=n_resamples, random_state=rng)
    wins = float(np.mean((np.sign(difference) + 1) / 2))
    return Comparison(interval, wins, _sign_flip_test(difference, n_resamples, rng))


def _sign_flip_test(difference: NDArray[np.float64], n_resamples: int, rng: np.random.Generator) -> float:
    n = len(difference)
    if n <= _EXACT:
        signs = 1.0 - 2.0 * ((np.arange(2**n)[:, None] >> np.arange(n)) & 1)
    else:
        signs = 1.0 - 2.0 * rng.integers(2, size=(n_resamples, n))
    flipped = np.abs(signs @ difference)
    # Rounding must not decide between equal sums.
    as_far = np.count_nonzero(flipped >= abs(difference.sum()) - 1e-12 * np.abs(difference).sum())
    # The observed signs are one of the sample, too.
    return float(as_far / len(flipped)) if n <= _EXACT else float((as_far + 1) / (len(flipped) + 1))


def _checked(values: ArrayLike, name: str) -> NDArray[np.float64]:
    x = np.asarray(values, dtype=np.float64)
    if x.ndim != 1 or len(x) == 0 or not np.isfinite(x).all():
        raise InvalidParameterError(f"{name} must be a list of at least one finite number; got {values!r}.")
    return x
