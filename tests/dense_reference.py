"""The formulas of DESIGN section 2, written out with dense matrices: what every fast path is held against."""

import numpy as np


def step_matrix(adjacency, teleport=None):
    """``P_ij = (1 − τ_i) A_ij / d_i + τ_i v_j``."""
    A = np.asarray(adjacency, dtype=float)
    strength = A.sum(axis=1)
    P = np.zeros_like(A)
    P[strength > 0] = A[strength > 0] / strength[strength > 0, None]
    if teleport is None:
        return P
    tau, target = teleport
    return (1 - tau)[:, None] * P + np.outer(tau, target)


def window_probability(adjacency, weights, teleport=None):
    """``Σ_t w_t Pᵗ``."""
    P = step_matrix(adjacency, teleport)
    return sum(w * np.linalg.matrix_power(P, t) for t, w in enumerate(weights, start=1))


def expected_adjacency(adjacency, kind, groups=None, exponent=1.0):
    """The mean of the null graph's adjacency matrix, up to a factor."""
    A = np.asarray(adjacency, dtype=float)
    out, into = A.sum(axis=1), A.sum(axis=0)
    if kind == "erdos-renyi":
        present = ((out > 0) | (into > 0)).astype(float)
        return np.outer(present, present)
    if kind == "configuration":
        power = [np.where(s > 0, np.where(s > 0, s, 1.0) ** exponent, 0.0) for s in (out, into)]
        return np.outer(*power)
    member = (np.asarray(groups)[:, None] == np.unique(groups)).astype(float)
    between = member.T @ A @ member
    share_out = member * out[:, None] / np.maximum(member.T @ out, 1e-300)
    share_in = member * into[:, None] / np.maximum(member.T @ into, 1e-300)
    return share_out @ between @ share_in.T


def null_probability(adjacency, kind, weights, groups=None, exponent=1.0, teleport=None):
    """The window probability of the expected null adjacency."""
    return window_of_expected(expected_adjacency(adjacency, kind, groups, exponent), weights, teleport)


def window_of_expected(expected, weights, teleport=None):
    """The window probability of an expected adjacency; nodes that it leaves dangling always jump."""
    if teleport is not None:
        tau, target = teleport
        base = tau.min()
        teleport = np.where(expected.sum(axis=1) > 0, base, 1.0), target
    return window_probability(expected, weights, teleport)


def residual(observed, expected, floor, active_rows, active_columns):
    """``max(ln P_d − ln P_0, floor)``, and 0 in rows and columns of nodes that nothing is known of."""
    with np.errstate(divide="ignore", invalid="ignore"):
        values = np.where(observed > 0, np.maximum(np.log(observed) - np.log(expected), floor), floor)
    return np.where(np.outer(active_rows, active_columns), values, 0.0)


def block_probability(adjacency, weights, labels, exact_steps=1, teleport=None):
    """``w_1 P + later steps``: k exact ones, then a chain of blocks; the last one lands by in-strength."""
    A = np.asarray(adjacency, dtype=float)
    tau, target = (np.zeros(len(A)), np.zeros(len(A))) if teleport is None else teleport
    by_edge = (1 - tau)[:, None] * step_matrix(A)
    P = by_edge + np.outer(tau, target)
    member = np.eye(max(labels) + 1)[labels]
    mass = np.where(A.sum(axis=0) @ member > 0, A.sum(axis=0)[:, None], target[:, None]) * member
    mass = np.where(mass.sum(axis=0) > 0, mass, member)
    share = mass / mass.sum(axis=0)
    edge_step, block_step = share.T @ by_edge @ member, share.T @ P @ member
    total = weights[0] * P
    for t, weight in enumerate(weights[1:], start=2):
        exact = min(t - 1, exact_steps)
        here = np.linalg.matrix_power(P, exact)
        if t <= exact_steps:
            edges, jumps = here @ by_edge @ member, here @ tau
        else:
            here = here @ member @ np.linalg.matrix_power(block_step, t - 1 - exact)
            edges, jumps = here @ edge_step, here @ share.T @ tau
        total = total + weight * (edges @ share.T + np.outer(jumps, target))
    return total


def residual_matrix(adjacency, *, directed, kind, window, floor, weighting=0.0, groups=None, tau=0.0):
    """The whole ``S max(ln P_d − ln P_0, floor) T`` of a model, in float64 and independent of its code.

    Weights are divided by their largest first, so that any unit can be given.
    """
    A = np.asarray(adjacency, dtype=float)
    A = A / A.max()
    out = A.sum(axis=1)
    weights = np.full(window, 1.0 / window)
    teleport = None
    if directed and (tau > 0 or (out == 0).any()):
        teleport = np.where(out > 0, tau, 1.0), out / out.sum()
    observed = window_probability(A, weights, teleport)
    expected = null_probability(A, kind, weights, groups, teleport=teleport)
    rows, columns = scales(A, weighting, teleport)
    return residual(observed, expected, floor, rows > 0, columns > 0) * np.outer(rows, columns), rows, columns


def scales(A, weighting, teleport):
    """``(d / mean d)^(κ/2)`` of rows and columns; nodes that only teleportation includes get the smallest scale."""
    out, into = A.sum(axis=1), A.sum(axis=0)
    both = []
    for strength in (out, into):
        relative = strength / strength[strength > 0].mean()
        both.append(np.where(strength > 0, np.where(strength > 0, relative, 1.0) ** (weighting / 2), 0.0))
    if teleport is not None:
        for scale, active in zip(both, ((out > 0) | (into > 0), (into > 0) | (teleport[1] > 0)), strict=True):
            scale[active & (scale == 0)] = scale[scale > 0].min()
    return both


def variation(matrix, row_scale, column_scale):
    """``min_c ‖R̃ − c s tᵀ‖``, the norm without the common level."""
    level = np.outer(row_scale, column_scale)
    return np.linalg.norm(matrix - level * np.sum(matrix * level) / np.sum(level**2))
