"""Kernels of the block solver: edge weights to clusters, cluster residuals and their corrections on edges."""

import math

import numba
import numpy as np

__all__ = ["add_corrections", "cluster_profile", "to_cluster_residual"]


@numba.njit(nogil=True, cache=True)
def cluster_profile(indptr, indices, weights, scale, labels, first_row, first, out, begin, end):
    """``out[r, c] = scale_i Σ_{j in cluster first + c} A_ij`` for the rows ``i = first_row + r``.

    Parameters
    ----------
    indptr, indices, weights : arrays
        CSR arrays of A.
    scale : float32 array of shape (N,)
        Row factors.
    labels : int32 array of shape (N,)
        Cluster of each node.
    first_row, first : int
        First row and first cluster of ``out``.
    out : float32 array of shape (n, m), written
    begin, end : int
        Range of rows of ``out``.
    """
    width = out.shape[1]
    for r in range(begin, end):
        row = out[r]
        row[:] = 0.0
        i = first_row + r
        for e in range(indptr[i], indptr[i + 1]):
            cluster = labels[indices[e]] - first
            if 0 <= cluster < width:
                row[cluster] += weights[e] * scale[i]


@numba.njit(cache=True, inline="always")
def _leveled(h, low, high, floor):
    """Return the level of a cluster: h above ``floor − low``, the floor below ``floor − high``, linear in between."""
    if h + low >= floor:
        return h
    if h + high <= floor:
        return floor
    return floor - low * (h + high - floor) / (high - low)


@numba.njit(nogil=True, cache=True)
def to_cluster_residual(H, first, low, high, floor, begin, end):
    """Replace ``h_ib = ln P_d(b | i) − ln P_0(b | i)`` by the level of the cluster, in place.

    Parameters
    ----------
    H : float32 array of shape (n, m), changed
        Columns of the m clusters from ``first`` on.
    first : int
        First cluster of H.
    low, high : float32 arrays of shape (B,)
        Range of the deviations δ_j in each cluster.
    floor : float32
        Minimum residual.
    begin, end : int
        Range of rows.
    """
    m = H.shape[1]
    for i in range(begin, end):
        for c in range(m):
            H[i, c] = _leveled(H[i, c], low[first + c], high[first + c], floor)


@numba.njit(nogil=True, fastmath={"contract"}, cache=True)
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
    clusters,
    floor,
    C,
    begin,
    end,
):
    """``C[e] += part · s_i t_j (R̃_ij − cluster value)`` for the edges whose context is in a cluster of the tile.

    Parameters
    ----------
    indptr, indices, weights : arrays
        CSR arrays of A, or of Aᵀ.
    scale : float32 array of shape (N,)
        ``w_1 (1 − τ_i) / d_i``, which turns an edge weight into the probability of the first step.
    backward : bool
        Whether the CSR rows are contexts j (Aᵀ) instead of centers i (A).
    part : float32
        Factor of the correction.
    Q : float32 array of shape (N, m)
        Probability of arriving by an edge after the first step, in the m clusters from ``first`` on.
    first : int
        First cluster of Q.
    J : float32 array of shape (N,)
        Probability of arriving by a jump.
    nodes : float32 array of shape (N, 6)
        θ̂_j, v_j, θ_j, δ_j, s_i, t_j.
    groups : int32 array of shape (N, 3)
        Cluster, group as a context, and group as a center.
    null_weights, null_jump : float32 arrays of shapes (H, B_0) and (H,)
        W and J of the null model.
    clusters : float32 array of shape (B, 4)
        Sums of θ and of v, and the minimum and maximum of δ in each cluster.
    floor : float32
        Minimum residual.
    C : float32 array of shape (nnz,), changed
    begin, end : int
        Range of CSR rows.
    """
    width = Q.shape[1]
    for r in range(begin, end):
        for e in range(indptr[r], indptr[r + 1]):
            i, j = np.int64(r), np.int64(indices[e])
            if backward:
                i, j = j, i
            b = groups[j, 0]
            c = b - first
            if c < 0 or c >= width or nodes[i, 4] == 0.0 or nodes[j, 5] == 0.0:
                continue
            center = groups[i, 2]
            mixing, jump = null_weights[center, groups[j, 1]], null_jump[center]
            later = nodes[j, 0] * Q[i, c] + nodes[j, 1] * J[i]
            observed = later + weights[e] * scale[i]
            expected = nodes[j, 2] * mixing + nodes[j, 1] * jump
            residual = max(math.log(observed / expected), floor) if expected > 0.0 and observed > 0.0 else floor
            cluster_observed = Q[i, c] + clusters[b, 1] * J[i]
            cluster_expected = clusters[b, 0] * mixing + clusters[b, 1] * jump
            low, high = clusters[b, 2], clusters[b, 3]
            h = -np.inf
            if cluster_observed > 0.0 and cluster_expected > 0.0:
                h = math.log(cluster_observed / cluster_expected)
            level = _leveled(h, low, high, floor)
            if low < 0.0:
                level += min(max((level - floor) / -low, 0.0), 1.0) * nodes[j, 3]
            C[e] += part * nodes[i, 4] * nodes[j, 5] * (residual - level)
