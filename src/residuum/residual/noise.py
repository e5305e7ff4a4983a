"""Noise of singular vectors: how much of an edge they contain beyond the rows of its ends."""

import numpy as np
from numpy.typing import NDArray

from residuum.graph import Graph
from residuum.residual.linalg import Factors
from residuum.residual.matrix import ResidualMatrix
from residuum.walks import effective_degree, noise_eigenvalue

__all__ = ["leakage", "noise_steps", "remaining_energy"]


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
    squares = np.array([(row.astype(np.float64) ** 2).sum() for row in rows])
    energy = float(np.mean(squares - (captured**2).sum(axis=1)))
    share = np.count_nonzero(matrix.row_scale) / matrix.n_nodes
    return float(max(energy, 0.0) * share)


def noise_steps(graph: Graph, window: NDArray[np.float64]) -> float:
    """Return ``Σ_t t w_t λ_b^t / Σ_t w_t λ_b^t``, the mean number of steps of a walk along the noise.

    An edge is part of t steps of a walk of length t, and its ends are the ends of one: walks contain it this number of
    times as often as rows of its ends alone.

    Parameters
    ----------
    graph : Graph
        The graph.
    window : array of shape (T,)
        Weights w_t of the steps.

    Returns
    -------
    float
        At least 1, for a window of one step.

    Examples
    --------
    >>> from residuum import datasets
    >>> noise_steps(datasets.karate_club(), np.array([1.0]))
    1.0
    """
    steps = np.arange(1, len(window) + 1)
    shares = window * noise_eigenvalue(effective_degree(graph)) ** steps
    return float(steps @ shares / shares.sum())


def leakage(values: NDArray[np.float64], energy: float, steps: float = 1.0) -> NDArray[np.float64]:
    """Return ``steps · (σ_k G(σ_k) − 1)``, with G the Stieltjes transform of a semicircle of the remaining energy.

    A change a of row i of a matrix changes the coordinate ``σ_k φ_k(i)`` by ``a · φ_k`` directly, and by ``σ_k G(σ_k)``
    times as much in all, because singular vectors follow the change. This is first-order perturbation theory with the
    other singular values as in a random matrix, whose edge is ``b = 2 √(energy)``. The factor is 1 at the edge of the
    noise, and nearly 0 for a dimension far above it. Walks of several steps change other rows as well.

    Parameters
    ----------
    values : array of shape (K,)
        Singular values σ, descending.
    energy : float
        Mean squared length of a row beyond the K dimensions.
    steps : float, default 1.0
        Mean number of steps of the walks, :func:`noise_steps`.

    Returns
    -------
    array of shape (K,)
        Factors from 0 to 1.

    Examples
    --------
    >>> leakage(np.array([100.0, 2.0]), energy=1.0).round(3)
    array([0., 1.])
    """
    squares = values**2
    # Inside the bulk, the real part of G is linear.
    ratio = squares / (4.0 * energy) if energy > 0 else np.full_like(squares, np.inf)
    outside = 2.0 / (1.0 + np.sqrt(1.0 - 1.0 / np.maximum(ratio, 1.0))) - 1.0
    factors = steps * np.where(ratio >= 1.0, outside, 2.0 * ratio - 1.0)
    return np.where(squares > 0, np.clip(factors, 0.0, 1.0), 0.0)
