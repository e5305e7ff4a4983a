"""How much each singular value counts."""

import numpy as np
from numpy.typing import NDArray

__all__ = ["reweighted"]


def reweighted(values: NDArray[np.float64], power: float, shrinkage: float) -> NDArray[np.float64]:
    """Return ``s_k ∝ σ_k^(power − 1) (σ_k − shrinkage · σ_K)``, with the same sum as σ.

    The matrix is that of one graph, as it happened to be: the smaller a singular value, the more of its component is
    noise. A power above 1 trusts large ones more; shrinkage takes from all of them a share of the smallest, σ_K, as
    soft thresholding does.

    Parameters
    ----------
    values : array of shape (K,)
        σ, non-negative.
    power : float
        1 leaves values as they are.
    shrinkage : float
        Between 0, which leaves them, and below 1.

    Examples
    --------
    >>> reweighted(np.array([6.0, 2.0]), 1.0, 0.5)
    array([6.66666667, 1.33333333])
    """
    total = values.sum()
    if (power == 1.0 and shrinkage == 0.0) or total == 0.0:
        return values
    largest = values.max()
    kept = (values / largest) ** power * (1.0 - shrinkage * values.min() / np.where(values > 0.0, values, np.inf))
    return np.asarray(kept * (total / kept.sum()))
