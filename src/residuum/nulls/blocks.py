"""The shape that every analytic null model has: ``P_0(j | i) = θ_j W[g_i, g_j]``."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from residuum.graph import Teleport

__all__ = ["Blocks", "window_blocks"]


@dataclass(frozen=True)
class Blocks:
    """``P_0(j | i) = θ_j W[h_i, g_j] + v_j J[h_i]``; the second term is there only if walkers teleport.

    Attributes
    ----------
    groups : int array of shape (N,)
        g_j, the group of j as a target.
    row_groups : int array of shape (N,)
        h_i, the group of i as a centre: ``groups`` itself, or finer where dangling nodes teleport.
    theta : array of shape (N,)
        θ_j, summing to 1 within each group that has any.
    weights : array of shape (H, B)
        W.
    target, jump : arrays of shape (N,) and (H,), or None
        v and J.
    """

    groups: NDArray[np.int32]
    row_groups: NDArray[np.int32]
    theta: NDArray[np.float64]
    weights: NDArray[np.float64]
    target: NDArray[np.float64] | None = None
    jump: NDArray[np.float64] | None = None


def window_blocks(
    groups: NDArray[np.int32],
    theta: NDArray[np.float64],
    mixing: NDArray[np.float64],
    window: NDArray[np.float64],
    teleport: Teleport | None,
) -> Blocks:
    """Return the window probabilities of the null chain, lumped into groups.

    A null walker in group g goes to group g' with probability ``mixing[g, g']`` and there to j with ``θ_j``.
    Without teleportation ``W = Σ_t w_t mixingᵗ``. With it the chain is lumped by (group, τ_i): from class h
    an edge leads to group g' with ``(1 − τ_h) mixing[g_h, g']`` and a jump, with τ_h, to j with ``v_j``.

    Parameters
    ----------
    groups, theta : arrays of shape (N,)
    mixing : array of shape (B, B)
        Rows sum to 1, or to 0 for groups that only jump.
    window : array of shape (T,)
        Weights of the steps.
    teleport : Teleport or None
    """
    if teleport is None:
        return Blocks(groups, groups, theta, _power_sum(mixing, window) @ mixing)
    keys, inverse = np.unique(
        np.stack([groups.astype(np.float64), teleport.probability], axis=1), axis=0, return_inverse=True
    )
    row_groups = inverse.ravel().astype(np.int32)
    tau = keys[:, 1]
    by_edge = (1.0 - tau)[:, None] * mixing[keys[:, 0].astype(np.int64)]
    arrive = np.zeros((mixing.shape[0], len(keys)))
    np.add.at(arrive, (groups, row_groups), theta)
    land = np.bincount(row_groups, weights=teleport.target, minlength=len(keys))
    powers = _power_sum(by_edge @ arrive + np.outer(tau, land), window)
    return Blocks(groups, row_groups, theta, powers @ by_edge, teleport.target, powers @ tau)


def _power_sum(step: NDArray[np.float64], window: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return ``Σ_t w_t stepᵗ⁻¹`` by Horner's rule."""
    identity = np.eye(step.shape[0])
    total = window[-1] * identity
    for weight in window[-2::-1]:
        total = step @ total + weight * identity
    return np.asarray(total)
