"""Slopes of the likelihood, in place; numpy, whose ``exp`` is vectorized, is called between the two kernels."""

import numba
import numpy as np

__all__ = ["negate_and_clip", "slopes"]


@numba.njit(nogil=True, fastmath={"contract"}, cache=True)
def negate_and_clip(S, largest, begin, end):
    """``S[i, j] ← −S[i, j]``, clipped to [−largest, largest], in the rows from ``begin`` to ``end``."""
    m = S.shape[1]
    for i in range(begin, end):
        for j in range(m):
            S[i, j] = max(-largest, min(largest, -S[i, j]))


@numba.njit(nogil=True, fastmath={"contract"}, cache=True)
def slopes(E, A, weights, begin, end):
    """``E[i, j] ← w_i (A[i, j] E[i, j] − 1) / (1 + E[i, j])``.

    Parameters
    ----------
    E : float32 array of shape (n, m), changed
        ``exp(−s)`` on entry, ``w (A (1 − σ(s)) − σ(s))`` on return.
    A : float32 array of shape (n, m)
        Ratios ``P_d / P_0``.
    weights : float32 array of shape (n,)
        w, one weight per row.
    begin, end : int
        Range of rows.
    """
    m = E.shape[1]
    one = np.float32(1.0)
    for i in range(begin, end):
        for j in range(m):
            E[i, j] = weights[i] * (A[i, j] * E[i, j] - one) / (one + E[i, j])
