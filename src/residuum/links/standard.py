"""Standardized features: in units of the pairs of a graph that have no edge."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Standard", "signed_log"]

# Standard deviations below this share of the mean are rounding errors of vectors in single precision.
_ROUNDING = 1e-5
# Share of the standard deviation in training that features have at least.
_LEAST_SHARE = 0.5


def signed_log(features: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return ``sign(x) ln(1 + |x|)``: counts of paths range over orders of magnitude.

    Parameters
    ----------
    features : array
        Features.

    Returns
    -------
    array of the same shape
        Logarithms.

    Examples
    --------
    >>> signed_log(np.array([-1.0, 0.0, 99.0])).round(2)
    array([-0.69,  0.  ,  4.61])
    """
    return np.asarray(np.sign(features) * np.log1p(np.abs(features)))


@dataclass(frozen=True)
class Standard:
    """Mean and standard deviation of the logarithms of features over pairs without an edge.

    A graph without its held-out edges has lower degrees, fewer paths and shorter vectors than the whole graph. In units
    of its own pairs without an edge, a pair has about the same features in both, so that a classifier trained on one
    can score the other.

    Attributes
    ----------
    mean, deviation : arrays of shape (number of features,)
        Mean and standard deviation; a deviation of 1 for a feature that does not vary.
    lowest, highest : arrays of shape (number of features,), or float
        Limits of the standardized features.

    Examples
    --------
    >>> standard = Standard.of(np.array([[0.0, 1.0], [9.0, 1.0]]))
    >>> standard(np.array([[9.0, 1.0]]))
    array([[1., 0.]])
    """

    mean: NDArray[np.float64]
    deviation: NDArray[np.float64]
    lowest: NDArray[np.float64] | float = -np.inf
    highest: NDArray[np.float64] | float = np.inf

    @classmethod
    def of(cls, features: NDArray[np.float64]) -> "Standard":
        """Return the standard of some pairs.

        Parameters
        ----------
        features : array of shape (n, number of features)
            Features of pairs without an edge.

        Returns
        -------
        Standard
            The standard, without limits.
        """
        logs = signed_log(features)
        mean, deviation = logs.mean(axis=0), logs.std(axis=0)
        varies = deviation > _ROUNDING * (1.0 + np.abs(mean))
        return cls(mean, np.where(varies, deviation, 1.0))

    def limited_by(self, deviation: NDArray[np.float64], seen: NDArray[np.float64]) -> "Standard":
        """Return the standard for a classifier that was trained on other graphs.

        A feature that hardly varies in this graph would be blown up: it is in units of at least half of the deviation
        in training. And no feature is farther beyond its range in training than this range is wide.

        Parameters
        ----------
        deviation : array of shape (number of features,)
            Standard deviations in training.
        seen : array of shape (n, number of features)
            Standardized features in training.

        Returns
        -------
        Standard
            The standard with limits.
        """
        lowest, highest = seen.min(axis=0), seen.max(axis=0)
        width = highest - lowest
        return Standard(
            self.mean, np.maximum(self.deviation, _LEAST_SHARE * deviation), lowest - width, highest + width
        )

    def __call__(self, features: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return standardized logarithms of features.

        Parameters
        ----------
        features : array of shape (n, number of features)
            Features of any pairs of the same graph.

        Returns
        -------
        array of the same shape
            Standardized logarithms.
        """
        return np.asarray(np.clip((signed_log(features) - self.mean) / self.deviation, self.lowest, self.highest))
