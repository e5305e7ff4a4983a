"""Residuals from probabilities, in place; numpy, whose ``log`` is vectorized, is called between the two kernels."""

import numba

__all__ = ["divide_by_expected", "floor_and_scale"]


@numba.njit(nogil=True, fastmath={"contract"}, cache=True)
def divide_by_expected(P, row_factor, column_factor, weights, row_groups, column_groups, lowest, begin, end):
    """``P[i, k] ← max(P[i, k] / (a_i b_k W[g_i, h_k]), lowest)``; ``lowest`` where the divisor is 0.

    Parameters
    ----------
    P : float32 array of shape (n, m), changed
        Observed probabilities on entry, ratios on return.
    row_factor, column_factor : float32 arrays of shapes (n,) and (m,)
        a and b: θ for contexts, 1 for centers.
    weights : float32 array
        W, indexed by row group and column group.
    row_groups, column_groups : int32 arrays of shapes (n,) and (m,)
        g and h.
    lowest : float32
        exp(floor), the minimum ratio.
    begin, end : int
        Range of rows.
    """
    m = P.shape[1]
    single = weights.shape[0] == 1 and weights.shape[1] == 1
    for i in range(begin, end):
        group, factor = row_groups[i], row_factor[i]
        if single:
            common = factor * weights[0, 0]
            for k in range(m):
                expected = common * column_factor[k]
                ratio = P[i, k] / expected if expected > 0.0 else lowest
                P[i, k] = ratio if ratio > lowest else lowest
        else:
            for k in range(m):
                expected = factor * column_factor[k] * weights[group, column_groups[k]]
                ratio = P[i, k] / expected if expected > 0.0 else lowest
                P[i, k] = ratio if ratio > lowest else lowest


@numba.njit(nogil=True, fastmath={"contract"}, cache=True)
def floor_and_scale(R, row_scale, column_scale, floor, begin, end):
    """``R[i, k] ← s_i t_k max(R[i, k], floor)``, which is 0 where a scale is zero.

    Parameters
    ----------
    R : float32 array of shape (n, m), changed
    row_scale, column_scale : float32 arrays of shapes (n,) and (m,)
        s and t; zero to clear a row or a column.
    floor : float32
        Minimum residual.
    begin, end : int
        Range of rows.
    """
    m = R.shape[1]
    for i in range(begin, end):
        scale = row_scale[i]
        for k in range(m):
            R[i, k] = scale * column_scale[k] * max(R[i, k], floor)
