"""Slopes of the logistic likelihood of pairs, summed over the contexts of each node."""

import numba
import numpy as np

__all__ = ["add_pulls", "add_pushes", "pair_scores", "weigh_pushes"]

# Rational approximation of tanh on [-9, 9], accurate to single precision.
_P1, _P3, _P5, _P7 = (
    np.float32(c) for c in (4.89352455891786e-03, 6.37261928875436e-04, 1.48572235717979e-05, 5.12229709037114e-08)
)
_P9, _P11, _P13 = (np.float32(c) for c in (-8.60467152213735e-11, 2.00018790482477e-13, -2.76076847742355e-16))
_Q0, _Q2, _Q4, _Q6 = (
    np.float32(c) for c in (4.89352518554385e-03, 2.26843463243900e-03, 1.18534705686654e-04, 1.19825839466702e-06)
)
_HALF, _BOUND = np.float32(0.5), np.float32(9.0)


@numba.njit(cache=True, inline="always", fastmath={"contract"})
def _sigmoid(x):
    """Return ``1 / (1 + exp(−x))`` without an exponential, so that loops over it are vectorized."""
    half = min(max(_HALF * x, -_BOUND), _BOUND)
    q = half * half
    above = _P1 + q * (_P3 + q * (_P5 + q * (_P7 + q * (_P9 + q * (_P11 + q * _P13)))))
    below = _Q0 + q * (_Q2 + q * (_Q4 + q * _Q6))
    return _HALF + _HALF * half * above / below


@numba.njit(cache=True, inline="always", fastmath={"contract", "reassoc"})
def _score(x, y):
    total = np.float32(0.0)
    for k in range(len(x)):
        total += x[k] * y[k]
    return total


@numba.njit(cache=True, inline="always", fastmath={"contract", "reassoc"})
def _add_slopes(borders, others, weights, scale, X, Y, sign, out):
    """``out[r] += sign · scale[r] Σ_e weights[e] σ(−sign · x_r · y_e) y_e``."""
    width = X.shape[1]
    row = np.empty(width, dtype=np.float32)
    for r in range(len(borders) - 1):
        row[:] = np.float32(0.0)
        for e in range(borders[r], borders[r + 1]):
            y = Y[others[e]]
            slope = _sigmoid(-sign * _score(X[r], y))
            if len(weights) > 0:
                slope *= weights[e]
            for k in range(width):
                row[k] += slope * y[k]
        for k in range(width):
            out[r, k] += sign * scale[r] * row[k]


@numba.njit(nogil=True, cache=True, fastmath={"contract", "reassoc"})
def add_pulls(borders, others, weights, scale, X, Y, out):
    """``out[r] += scale[r] Σ_e weights[e] σ(−x_r · y_e) y_e`` over the pairs e of each row, which a walk generated.

    Parameters
    ----------
    borders : int array of shape (n + 1,)
        The pairs of row r are ``borders[r]:borders[r + 1]``.
    others : int array
        Row of Y of each pair.
    weights : float32 array of the shape of ``others``, or (0,)
        Weights of the pairs; 1 if empty.
    scale : float32 array of shape (n,)
        Factor of each row.
    X : float32 array of shape (n, K)
        Vectors of the rows.
    Y : float32 array of shape (N, K)
        Vectors of the other side.
    out : float32 array of shape (n, K), changed
    """
    _add_slopes(borders, others, weights, scale, X, Y, np.float32(1.0), out)


@numba.njit(nogil=True, cache=True, fastmath={"contract", "reassoc"})
def add_pushes(borders, others, weights, scale, X, Y, out):
    """``out[r] −= scale[r] Σ_e weights[e] σ(x_r · y_e) y_e``: as :func:`add_pulls`, for pairs of the null model."""
    _add_slopes(borders, others, weights, scale, X, Y, np.float32(-1.0), out)


@numba.njit(nogil=True, cache=True, fastmath={"contract"})
def weigh_pushes(S, groups, table, scale):
    """``S[r, c] ← σ(S[r, c]) scale[r] table[groups[r], c]``.

    Parameters
    ----------
    S : float32 array of shape (n, m), changed
        Scores on entry.
    groups : int array of shape (n,)
        Row of the table of each row of S.
    table : float32 array of shape (B, m)
        Weights of the columns for each group.
    scale : float32 array of shape (n,)
        Factors of the rows.
    """
    for r in range(S.shape[0]):
        row, factor = table[groups[r]], scale[r]
        for c in range(S.shape[1]):
            S[r, c] = _sigmoid(S[r, c]) * factor * row[c]


@numba.njit(nogil=True, cache=True, fastmath={"contract", "reassoc"})
def pair_scores(borders, others, X, Y, scores):
    """``scores[e] = x_r · y_e`` for the pairs e of each row r; see :func:`add_pulls`."""
    for r in range(len(borders) - 1):
        for e in range(borders[r], borders[r + 1]):
            scores[e] = _score(X[r], Y[others[e]])
