"""Reweighting of singular values, and their split between u and v."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Spectrum", "reweighted"]

_HIGHEST_THRESHOLD = 0.99


@dataclass(frozen=True)
class Spectrum:
    """``u = √scale · s^alpha Φ_l`` and ``v = √scale · s^(1 − alpha) Φ_r``, with s of :func:`reweighted`.

    Attributes
    ----------
    alpha : float
        Exponent of the singular values in u.
    power, shrinkage : float
        See :func:`reweighted`.
    scale : float
        Factor of ``u_i · v_j``.

    Examples
    --------
    >>> left, right = Spectrum(alpha=0.5, scale=4.0).lengths(np.array([9.0, 1.0]))
    >>> left
    array([6., 2.])
    """

    alpha: float = 0.5
    power: float = 1.0
    shrinkage: float = 0.0
    scale: float = 1.0

    def lengths(self, values: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the factors of the columns of Φ_l and Φ_r.

        Parameters
        ----------
        values : array of shape (K,)
            Singular values σ.

        Returns
        -------
        left, right : arrays of shape (K,)
            ``√scale · s^alpha`` and ``√scale · s^(1 − alpha)``.
        """
        kept = reweighted(values, self.power, self.shrinkage)
        root = np.where(kept > 0.0, self.scale**0.5, 0.0)
        return root * kept**self.alpha, root * kept ** (1.0 - self.alpha)


def reweighted(values: NDArray[np.float64], power: float, shrinkage: float) -> NDArray[np.float64]:
    """Return ``s_k ∝ σ_k^(power − 1) max(σ_k − shrinkage · σ_K, 0)``, with the same sum as σ.

    The matrix is estimated from one graph, so a dimension contains more noise the smaller its singular value. A power
    above 1 emphasizes large singular values; shrinkage subtracts a share of the smallest positive one, σ_K, from all of
    them (soft thresholding). Above 1, it removes dimensions.

    Parameters
    ----------
    values : array of shape (K,)
        Non-negative singular values σ.
    power : float
        Exponent; 1 leaves the values unchanged.
    shrinkage : float
        Share of σ_K to subtract, at least 0, which leaves the values unchanged. The largest value always remains.

    Returns
    -------
    array of shape (K,)
        Reweighted values s.

    Examples
    --------
    >>> reweighted(np.array([6.0, 2.0]), 1.0, 0.5)
    array([6.66666667, 1.33333333])
    """
    total = values.sum()
    if (power == 1.0 and shrinkage == 0.0) or total == 0.0:
        return values
    largest, positive = values.max(), values > 0.0
    threshold = min(shrinkage * float(values[positive].min()), _HIGHEST_THRESHOLD * float(largest))
    remaining = np.maximum(1.0 - threshold / np.where(positive, values, np.inf), 0.0)
    kept = (values / largest) ** power * remaining
    return np.asarray(kept * (total / kept.sum()))
