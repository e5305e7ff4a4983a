"""The scale of the features of a graph: that of its pairs without an edge."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Standard", "signed_log"]

# Standard deviations below this share of the mean are rounding errors.
_ROUNDING = 1e-9


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
    of its own pairs without an edge, a pair has about the same features in both, and a classifier of the one applies to
    the other.

    Attributes
    ----------
    mean, deviation : arrays of shape (number of features,)
        Mean and standard deviation; a deviation of 1 for a feature that does not vary.

    Examples
    --------
    >>> standard = Standard.of(np.array([[0.0, 1.0], [9.0, 1.0]]))
    >>> standard(np.array([[9.0, 1.0]]))
    array([[1., 0.]])
    """

    mean: NDArray[np.float64]
    deviation: NDArray[np.float64]

    @classmethod
    def of(cls, features: NDArray[np.float64]) -> "Standard":
        """Return the scale of some pairs.

        Parameters
        ----------
        features : array of shape (n, number of features)
            Features of pairs without an edge.

        Returns
        -------
        Standard
            The scale.
        """
        logs = signed_log(features)
        mean, deviation = logs.mean(axis=0), logs.std(axis=0)
        varies = deviation > _ROUNDING * (1.0 + np.abs(mean))
        return cls(mean, np.where(varies, deviation, 1.0))

    def __call__(self, features: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the logarithms of features in this scale.

        Parameters
        ----------
        features : array of shape (n, number of features)
            Features of any pairs of the same graph.

        Returns
        -------
        array of the same shape
            Standardized logarithms.
        """
        return (signed_log(features) - self.mean) / self.deviation
