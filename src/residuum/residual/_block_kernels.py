"""Kernels of the block solver: where edges lead in terms of blocks, and what they add to the block residual."""

import math

import numba
import numpy as np

__all__ = ["add_corrections", "block_profile", "to_block_residual"]


@numba.njit(parallel=True, cache=True)
def block_profile(indptr, indices, weights, scale, labels, begin, first, chunks, out):
    """``out[r, c] = scale_i Σ_{j in block first + c} A_ij`` for the rows ``i = begin + r``.

    Parameters
    ----------
    indptr, indices, weights : CSR arrays of A
    scale : float32 array of shape (N,)
    labels : int32 array of shape (N,), the block of each node
    begin, first : int, the first row and the first block of ``out``
    chunks : int array, boundaries of the runs of rows of ``out`` that one thread does
    out : float32 array
    """
    width = out.shape[1]
    for c in numba.prange(len(chunks) - 1):
        for r in range(chunks[c], chunks[c + 1]):
            row = out[r]
            row[:] = 0.0
            i = begin + r
            for e in range(indptr[i], indptr[i + 1]):
                block = labels[indices[e]] - first
                if 0 <= block < width:
                    row[block] += weights[e] * scale[i]


@numba.njit(cache=True, inline="always")
def _levelled(h, low, high, floor):
    """Return the level of a block: h itself where the whole block is above the floor, else the chord over the kink."""
    if h + low >= floor:
        return h
    if h + high <= floor:
        return floor
    return floor - low * (h + high - floor) / (high - low)


@numba.njit(parallel=True, cache=True)
def to_block_residual(H, first, low, high, floor):
    """``H[i, c] ← level``, from ``h_ib = ln P_d(b | i) − ln P_0(b | i)``, in place.

    Parameters
    ----------
    H : float32 array of shape (n, m), the columns of blocks ``first``, …
    low, high : float32 arrays of shape (B,), the range of the deviations δ_j in each block
    floor : float32
    """
    n, m = H.shape
    for i in numba.prange(n):
        for c in range(m):
            H[i, c] = _levelled(H[i, c], low[first + c], high[first + c], floor)


@numba.njit(parallel=True, fastmath={"contract"}, cache=True)
def add_corrections(
    indptr,
    indices,
    weights,
    scale,
    backward,
    part,
    Q,
    first,
    J,
    nodes,
    groups,
    null_weights,
    null_jump,
    blocks,
    floor,
    chunks,
    C,
):
    """``C[e] += part · s_i t_j (R̃_ij − block value)`` for the edges whose target is in a block of this tile.

    Parameters
    ----------
    indptr, indices, weights : CSR arrays of A, or of Aᵀ
    scale : float32 array of shape (N,)
        ``w_1 (1 − τ_i) / d_i``: what makes a weight the probability of the first step.
    backward : bool
        Whether a CSR row is the target j of its edges, and not their centre i.
    part : float32
    Q : float32 array of shape (N, m)
        Later arrivals by edge in the blocks ``first``, …
    J : float32 array of shape (N,)
        Arrivals by jump.
    nodes : float32 array of shape (N, 6)
        θ̂_j, v_j, θ_j, δ_j, s_i, t_j.
    groups : int32 array of shape (N, 3)
        The block, the null group as a target, and the null group as a centre.
    null_weights, null_jump : float32 arrays of shapes (H, B_0) and (H,)
    blocks : float32 array of shape (B, 4)
        θ and v summed over each block, and the range of δ.
    floor : float32
    chunks : int array, boundaries of the runs of rows that one thread does
    C : float32 array of shape (nnz,)
    """
    width = Q.shape[1]
    for run in numba.prange(len(chunks) - 1):
        for r in range(chunks[run], chunks[run + 1]):
            for e in range(indptr[r], indptr[r + 1]):
                i, j = np.int64(r), np.int64(indices[e])
                if backward:
                    i, j = j, i
                b = groups[j, 0]
                c = b - first
                if c < 0 or c >= width or nodes[i, 4] == 0.0 or nodes[j, 5] == 0.0:
                    continue
                centre = groups[i, 2]
                mixing, jump = null_weights[centre, groups[j, 1]], null_jump[centre]
                later = nodes[j, 0] * Q[i, c] + nodes[j, 1] * J[i]
                observed = later + weights[e] * scale[i]
                expected = nodes[j, 2] * mixing + nodes[j, 1] * jump
                value = max(math.log(observed / expected), floor) if expected > 0.0 and observed > 0.0 else floor
                mass = Q[i, c] + blocks[b, 1] * J[i]
                usual = blocks[b, 0] * mixing + blocks[b, 1] * jump
                low, high = blocks[b, 2], blocks[b, 3]
                h = math.log(mass / usual) if mass > 0.0 and usual > 0.0 else -np.inf
                level = _levelled(h, low, high, floor)
                if low < 0.0:
                    level += min(max((level - floor) / -low, 0.0), 1.0) * nodes[j, 3]
                C[e] += part * nodes[i, 4] * nodes[j, 5] * (value - level)
