"""Which dimensions are structure, which are noise, and the share of the singular values in u that follows."""

from typing import Any

import numpy as np

from residuum.residual.left_out_ends import EdgeEnds
from residuum.residual.spectrum import Spectrum
from residuum.walks import neighbor_degree, noise_eigenvalue

__all__ = ["read_alpha"]


def read_alpha(ends: EdgeEnds, spectrum: Spectrum) -> tuple[float, dict[str, Any]]:
    """Return α = 1/2 + half the share of the dimensions that are noise.

    A dimension is noise if both ends of an edge agree in it no more than they would in a random graph of the same
    degrees, ``|uᵀAu / uᵀDu| ≤ 2 √(q − 1) / q`` with q the mean degree that a walker meets; this is also where groups
    cease to be detectable. Noise dimensions have smaller singular values than the others, so a larger α makes them
    shorter in u, which similarity, clustering and classification use. ``u · v`` stays the same.

    Parameters
    ----------
    ends : EdgeEnds
        Access to the graph and the factors of a symmetric matrix.
    spectrum : Spectrum
        Dimensions whose length it sets to zero do not count.

    Returns
    -------
    alpha : float
        From 1/2 to 1; 1/2 if walkers meet fewer than two neighbors on average, where the limit is unknown.
    details : dict of str to int
        Number of dimensions that are not noise.

    Examples
    --------
    >>> from residuum import Residual2Vec, datasets
    >>> four_groups = datasets.planted_groups(1000, 4, mixing=0.3, degree_exponent=None, random_state=0)
    >>> model = Residual2Vec(64, random_state=0).fit(four_groups)
    >>> model.solver_details_["signal_dimensions"], round(model.alpha_, 2)
    (4, 0.97)
    """
    limit = noise_eigenvalue(neighbor_degree(ends.matrix.probabilities.graph))
    is_kept = spectrum.lengths(ends.values)[0] > 0
    n_kept = int(np.count_nonzero(is_kept))
    if limit >= 1.0 or not n_kept:
        return 0.5, {}
    n_signal = int(np.count_nonzero(np.abs(ends.quotients()[is_kept]) > limit))
    return 1.0 - 0.5 * n_signal / n_kept, {"signal_dimensions": n_signal}
