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
    nodes,
    groups,
    null_weights,
    clusters,
    floor,
    C,
    begin,
    end,
):
    """``C[e] += part · S_i T_j (R̃_ij − cluster value)`` for the edges whose context is in a cluster of the tile.

    Parameters
    ----------
    indptr, indices, weights : arrays
        CSR arrays of A, or of Aᵀ.
    scale : float32 array of shape (N,)
        ``w_1 / (d_i s_i)``, which turns an edge weight into the probability of the first step.
    backward : bool
        Whether the CSR rows are contexts j (Aᵀ) instead of centers i (A).
    part : float32
        Factor of the correction.
    Q : float32 array of shape (N, m)
        Probability of arriving after the first step, in the m clusters from ``first`` on.
    first : int
        First cluster of Q.
    nodes : float32 array of shape (N, 5)
        θ̂_j, θ_j, δ_j, and the scales of i and j.
    groups : int32 array of shape (N, 2)
        Cluster and group of the null model.
    null_weights : float32 array of shape (B_0, B_0)
        W of the null model.
    clusters : float32 array of shape (B, 3)
        Sum of θ, and the minimum and maximum of δ in each cluster.
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
            if c < 0 or c >= width or nodes[i, 3] == 0.0 or nodes[j, 4] == 0.0:
                continue
            mixing = null_weights[groups[i, 1], groups[j, 1]]
            observed = nodes[j, 0] * Q[i, c] + weights[e] * scale[i]
            expected = nodes[j, 1] * mixing
            residual = max(math.log(observed / expected), floor) if expected > 0.0 and observed > 0.0 else floor
            cluster_expected = clusters[b, 0] * mixing
            low, high = clusters[b, 1], clusters[b, 2]
            h = -np.inf
            if Q[i, c] > 0.0 and cluster_expected > 0.0:
                h = math.log(Q[i, c] / cluster_expected)
            level = _leveled(h, low, high, floor)
            if low < 0.0:
                level += min(max((level - floor) / -low, 0.0), 1.0) * nodes[j, 2]
            C[e] += part * nodes[i, 3] * nodes[j, 4] * (residual - level)
