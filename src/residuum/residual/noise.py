"""Noise of singular vectors: how much of an edge they contain beyond the rows of its ends."""

import numpy as np
from numpy.typing import NDArray

from residuum.residual.linalg import Factors
from residuum.residual.matrix import ResidualMatrix

__all__ = ["leakage", "remaining_energy"]


def remaining_energy(matrix: ResidualMatrix, factors: Factors) -> float:
    """Return ``(‖R̃‖² − Σ_k σ_k²) / N``, the mean squared length of a row beyond the factors, from sampled rows.

    Parameters
    ----------
    matrix : ResidualMatrix
        The factorized matrix.
    factors : Factors
        Its leading factors.

    Returns
    -------
    float
        Energy per node; 0 with erasure, where rows of the factorized matrix are not at hand.

    Examples
    --------
    >>> from residuum import datasets
    >>> from residuum.nulls import Configuration
    >>> from residuum.solvers import Exact, Workspace
    >>> from residuum.walks import WindowProbabilities
    >>> graph = datasets.planted_groups(200, 4, random_state=0)
    >>> matrix = ResidualMatrix(WindowProbabilities(graph, 3), Configuration().fit(graph, 3), floor=-3.0)
    >>> solve = lambda rank: Exact().solve(matrix, rank, Workspace(1 << 30, np.random.default_rng(0))).factors
    >>> bool(remaining_energy(matrix, solve(8)) > remaining_energy(matrix, solve(32)) > 0)
    True
    """
    if matrix.erasure is not None:
        return 0.0
    nodes, rows = matrix.sampled_rows
    captured = (factors.left[nodes] * factors.values).astype(np.float64)
    energy = float(np.mean((rows.astype(np.float64) ** 2).sum(axis=1) - (captured**2).sum(axis=1)))
    share = np.count_nonzero(matrix.row_scale) / matrix.n_nodes
    return max(energy, 0.0) * share


def leakage(values: NDArray[np.float64], energy: float, n_nodes: int) -> NDArray[np.float64]:
    """Return ``σ_k G_k(σ_k) − 1``, with G_k the Stieltjes transform of a semicircle of the energy below dimension k.

    A change a of row i of a matrix changes the coordinate ``σ_k φ_k(i)`` by ``a · φ_k`` directly, and by
    ``σ_k G_k(σ_k)`` times as much in all, because singular vectors follow the change. This is first-order perturbation
    theory with the other singular values as in a random matrix, whose edge is ``b = 2 √(energy)``. The factor is 1 at
    the edge of the noise, and nearly 0 for a dimension far above it.

    Parameters
    ----------
    values : array of shape (K,)
        Singular values σ, descending.
    energy : float
        Mean squared length of a row beyond the K dimensions.
    n_nodes : int
        Number of rows.

    Returns
    -------
    array of shape (K,)
        Factors from 0 to 1.

    Examples
    --------
    >>> leakage(np.array([100.0, 2.0]), energy=1.0, n_nodes=10_000).round(3)
    array([0., 1.])
    """
    squares = values**2
    below = energy + (np.cumsum(squares[::-1])[::-1] - squares) / n_nodes
    # Below the edge, the real part of G is linear: the same formula with a square root of zero.
    ratio = np.divide(squares, 4.0 * below, out=np.full_like(squares, np.inf), where=below > 0)
    outside = 2.0 / (1.0 + np.sqrt(1.0 - 1.0 / np.maximum(ratio, 1.0))) - 1.0
    inside = 2.0 * ratio - 1.0
    return np.where(squares > 0, np.clip(np.where(ratio >= 1.0, outside, inside), 0.0, 1.0), 0.0)
