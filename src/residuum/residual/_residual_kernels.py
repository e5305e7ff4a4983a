"""From probabilities to residuals, in place."""

import math

import numba
import numpy as np

__all__ = ["blocks_to_residual"]


@numba.njit(parallel=True, fastmath={"contract"}, cache=True)
def blocks_to_residual(
    P,
    row_factor,
    column_factor,
    weights,
    row_groups,
    column_groups,
    row_jump,
    column_jump,
    row_scale,
    column_scale,
    floor,
):
    """``P[i, k] ← s_i t_k max(ln P[i, k] − ln(a_i b_k W[g_i, h_k] + c_i d_k), floor)``.

    Parameters
    ----------
    P : float32 array of shape (n, m)
        Observed probabilities on entry, scaled residuals on return.
    row_factor, column_factor : float32 arrays of shapes (n,) and (m,)
        a and b: θ on the side of the targets, 1 on the side of the centres.
    weights : float32 array
        W, indexed by the groups of rows and columns.
    row_groups, column_groups : int32 arrays of shapes (n,) and (m,)
    row_jump, column_jump : float32 arrays of shapes (n,) and (m,), or of shape (0,) if no walker jumps
        c and d.
    row_scale, column_scale : float32 arrays of shapes (n,) and (m,)
        s and t; zero where a row or a column is to be left out.
    floor : float
    """
    n, m = P.shape
    lowest = np.float32(floor)
    ratio_at_floor = np.float32(math.exp(floor))
    jumps = len(row_jump) > 0
    for i in numba.prange(n):
        group, factor, scale = row_groups[i], row_factor[i], row_scale[i]
        for k in range(m):
            if scale == 0.0 or column_scale[k] == 0.0:
                P[i, k] = 0.0
                continue
            expected = factor * column_factor[k] * weights[group, column_groups[k]]
            if jumps:
                expected += row_jump[i] * column_jump[k]
            value = lowest
            if P[i, k] > expected * ratio_at_floor:
                value = math.log(P[i, k] / expected)
            P[i, k] = scale * column_scale[k] * value
