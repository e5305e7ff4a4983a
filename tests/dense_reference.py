"""The formulas of DESIGN section 2, written out with dense matrices: what every fast path is held against."""

import numpy as np


def step_matrix(adjacency):
    """``P_ij = A_ij / d_i``, and 0 in the rows of dangling nodes, where walks end."""
    A = np.asarray(adjacency, dtype=float)
    strength = A.sum(axis=1)
    P = np.zeros_like(A)
    P[strength > 0] = A[strength > 0] / strength[strength > 0, None]
    return P


def steps_taken(adjacency, weights):
    """``Σ_t w_t Pᵗ``: how often a walker from i is at j, before its walk ends."""
    P = step_matrix(adjacency)
    return sum(w * np.linalg.matrix_power(P, t) for t, w in enumerate(weights, start=1))


def window_probability(adjacency, weights):
    """``Σ_t w_t (Pᵗ)_ij / s_i``, where s_i makes rows sum to 1: pairs of walkers whose jumps are not recorded."""
    return normalized(steps_taken(adjacency, weights))


def normalized(matrix):
    """Divide each row by its sum; rows of zeros stay."""
    total = matrix.sum(axis=1, keepdims=True)
    return np.divide(matrix, total, out=np.zeros_like(matrix), where=total > 0)


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


def null_probability(adjacency, kind, weights, groups=None, exponent=1.0):
    """The window probability of the expected null adjacency."""
    return window_probability(expected_adjacency(adjacency, kind, groups, exponent), weights)


def residual(observed, expected, floor, active_rows, active_columns):
    """``max(ln P_d − ln P_0, floor)``, and 0 in rows and columns of nodes that nothing is known of."""
    with np.errstate(divide="ignore", invalid="ignore"):
        values = np.where(observed > 0, np.maximum(np.log(observed) - np.log(expected), floor), floor)
    return np.where(np.outer(active_rows, active_columns), values, 0.0)


def block_probability(adjacency, weights, labels, exact_steps=1):
    """``w_1 P + later steps``: k exact ones, then a chain of blocks; the last one lands by in-strength."""
    A = np.asarray(adjacency, dtype=float)
    P = step_matrix(A)
    member = np.eye(max(labels) + 1)[labels]
    mass = A.sum(axis=0)[:, None] * member
    mass = np.where(mass.sum(axis=0) > 0, mass, member)
    share = mass / mass.sum(axis=0)
    block_step = share.T @ P @ member
    total = weights[0] * P
    for t, weight in enumerate(weights[1:], start=2):
        exact = min(t, exact_steps)
        blocks = np.linalg.matrix_power(P, exact) @ member @ np.linalg.matrix_power(block_step, t - exact)
        total = total + weight * blocks @ share.T
    return normalized(total)


def residual_matrix(adjacency, *, directed, kind, window, floor, weighting=0.0, groups=None):
    """The whole ``S max(ln P_d − ln P_0, floor) T`` of a model, in float64 and independent of its code.

    Weights are divided by their largest first, so that any unit can be given.
    """
    A = np.asarray(adjacency, dtype=float)
    A = A / A.max()
    weights = np.full(window, 1.0 / window)
    observed = window_probability(A, weights)
    expected = null_probability(A, kind, weights, groups)
    rows, columns = scales(A, weighting)
    return residual(observed, expected, floor, rows > 0, columns > 0) * np.outer(rows, columns), rows, columns


def scales(A, weighting):
    """``(d / mean d)^(κ/2)`` of rows and columns, 0 for nodes without out-edges or in-edges."""
    both = []
    for strength in (A.sum(axis=1), A.sum(axis=0)):
        relative = strength / strength[strength > 0].mean()
        both.append(np.where(strength > 0, np.where(strength > 0, relative, 1.0) ** (weighting / 2), 0.0))
    return both


def variation(matrix, row_scale, column_scale):
    """``min_c ‖R̃ − c s tᵀ‖``, the norm without the common level."""
    level = np.outer(row_scale, column_scale)
    return np.linalg.norm(matrix - level * np.sum(matrix * level) / np.sum(level**2))
