"""Vectors of nodes that were not in the graph, from their edges to nodes that were."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from residuum.errors import NullModelError
from residuum.nulls import Blocks, FittedNull
from residuum.walks import WindowProbabilities

__all__ = ["vectors_of_newcomers"]

_NEWTON_STEPS = 50
_SETTLED = 1e-5
# Keeps vectors finite in directions that only negatives speak of.
_RIDGE = 1e-5


def vectors_of_newcomers(
    edges: "sparse.csr_array[Any]",
    row_groups: NDArray[np.int32],
    window: WindowProbabilities,
    null: FittedNull,
    context_vectors: NDArray[np.float32],
    n_negatives: int,
) -> NDArray[np.float32]:
    """Return ``argmin_u −Σ_j P_d(j) ln σ(u·v_j) − k Σ_j P_0(j) ln σ(−u·v_j)`` for each newcomer, by Newton's method.

    This is the loss that skip-gram samples, for a centre whose walkers make their first step along its own edges.

    Parameters
    ----------
    edges : sparse array of shape (m, N)
        Weights of the edges from newcomers to known nodes; a newcomer without any gets a zero vector.
    row_groups : int array of shape (m,)
        The group of each newcomer in the null model's blocks.
    window : WindowProbabilities
        Of the known graph.
    null : FittedNull
    context_vectors : array of shape (N, K)
    n_negatives : int
        k.
    """
    if null.blocks is None:
        raise NullModelError("new nodes need a null model with groups or degrees (a block shape); this one is sampled.")
    strength = np.asarray(edges.sum(axis=1)).ravel()
    first = edges.toarray().astype(np.float64) / np.where(strength > 0, strength, 1.0)[:, None]
    observed = window.continue_from(first.astype(np.float32)).astype(np.float64)
    V = context_vectors.astype(np.float64)
    vectors = np.zeros((len(strength), V.shape[1]))
    for row in np.flatnonzero(strength > 0):
        expected = _expected_row(null.blocks, int(row_groups[row]))
        vectors[row] = _minimise(V, observed[row], n_negatives * expected)
    return vectors.astype(np.float32)


def _expected_row(blocks: Blocks, row_group: int) -> NDArray[np.float64]:
    """Return ``P_0(· | i)`` for a centre of a row group, shape (N,)."""
    expected = blocks.theta * blocks.weights[row_group][blocks.groups]
    if blocks.target is not None and blocks.jump is not None:
        expected = expected + blocks.jump[row_group] * blocks.target
    return np.asarray(expected)


def _minimise(V: NDArray[np.float64], pull: NDArray[np.float64], push: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the minimum of ``−Σ pull ln σ(V u) − Σ push ln σ(−V u) + ridge |u|²/2``, which is convex."""

    def value(x: NDArray[np.float64], at: NDArray[np.float64]) -> float:
        return float(pull @ np.logaddexp(0.0, -x) + push @ np.logaddexp(0.0, x) + _RIDGE * (at @ at) / 2)

    u = np.zeros(V.shape[1])
    for _ in range(_NEWTON_STEPS):
        x = V @ u
        sigma = 1.0 / (1.0 + np.exp(-x))
        gradient = V.T @ ((pull + push) * sigma - pull) + _RIDGE * u
        curvature = (V * ((pull + push) * sigma * (1.0 - sigma))[:, None]).T @ V + _RIDGE * np.eye(len(u))
        step = np.linalg.solve(curvature, gradient)
        before, share = value(x, u), 1.0
        while share > 1e-6 and value(V @ (u - share * step), u - share * step) > before:
            share /= 2.0
        u = u - share * step
        if np.abs(step).max() < _SETTLED:
            break
    return u
