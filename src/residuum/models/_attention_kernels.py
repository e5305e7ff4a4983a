"""Attention to the neighbours in a graph, and its gradient, without a row for each edge."""

import numba
import numpy as np

__all__ = ["attend", "attend_back"]

# Of the leaky rectifier, below zero.
_LEAK = np.float32(0.2)


@numba.njit(cache=True, inline="always")
def _leaky(z):
    return z if z > 0 else _LEAK * z


@numba.njit(parallel=True, cache=True, fastmath={"contract", "reassoc"})
def attend(indptr, indices, X, source, target, out, log_total):
    """Fill in ``y_i = Σ_j a_ij x_j`` for each head, ``a_ij ∝ exp(LeakyReLU(s_j + t_i))`` over the neighbours j of i.

    Parameters
    ----------
    indptr, indices : int arrays
        Neighbours of each node, at least one.
    X : float32 array of shape (N, H, C)
    source, target : float32 arrays of shape (N, H)
        s and t.
    out : float32 array of shape (N, H, C), written
        y.
    log_total : float32 array of shape (N, H), written
        The logarithm of what attention is divided by, ``ln Σ_j exp(…)``.
    """
    n_nodes, n_heads, width = X.shape
    for i in numba.prange(n_nodes):
        out[i] = np.float32(0.0)
        for h in range(n_heads):
            highest = source[indices[indptr[i]], h]
            for e in range(indptr[i], indptr[i + 1]):
                highest = max(highest, source[indices[e], h])
            highest = _leaky(highest + target[i, h])
            total = np.float32(0.0)
            for e in range(indptr[i], indptr[i + 1]):
                j = indices[e]
                weight = np.exp(_leaky(source[j, h] + target[i, h]) - highest)
                total += weight
                for c in range(width):
                    out[i, h, c] += weight * X[j, h, c]
            for c in range(width):
                out[i, h, c] /= total
            log_total[i, h] = highest + np.log(total)


@numba.njit(parallel=True, cache=True, fastmath={"contract", "reassoc"})
def attend_back(indptr, indices, X, source, target, out, log_total, G, X_back, source_back, target_backs):
    """Fill in the gradients of what :func:`attend` takes, from that of what it gives; neighbours must be mutual.

    The gradient of ``z_ij = s_j + t_i`` is ``a_ij (G_i · x_j − G_i · y_i)``, times the slope of the rectifier.

    Parameters
    ----------
    indptr, indices, X, source, target, out, log_total : arrays
        As given to and written by :func:`attend`.
    G : float32 array of shape (N, H, C)
        The gradient by y.
    X_back : float32 array of shape (N, H, C), written
    source_back : float32 array of shape (N, H), written
    target_backs : float32 array of shape (blocks, N, H), written
        To be summed over blocks.
    """
    n_nodes, n_heads, width = X.shape
    n_blocks = len(target_backs)
    level = np.empty((n_nodes, n_heads), dtype=np.float32)
    for i in numba.prange(n_nodes):
        for h in range(n_heads):
            dot = np.float32(0.0)
            for c in range(width):
                dot += G[i, h, c] * out[i, h, c]
            level[i, h] = dot
    for block in numba.prange(n_blocks):
        target_back = target_backs[block]
        target_back[:] = np.float32(0.0)
        for j in range(n_nodes * block // n_blocks, n_nodes * (block + 1) // n_blocks):
            X_back[j] = np.float32(0.0)
            for h in range(n_heads):
                by_source = np.float32(0.0)
                for e in range(indptr[j], indptr[j + 1]):
                    i = indices[e]
                    z = source[j, h] + target[i, h]
                    attention = np.exp(_leaky(z) - log_total[i, h])
                    dot = np.float32(0.0)
                    for c in range(width):
                        dot += G[i, h, c] * X[j, h, c]
                    for c in range(width):
                        X_back[j, h, c] += attention * G[i, h, c]
                    slope = attention * (dot - level[i, h])
                    if z <= 0:
                        slope *= _LEAK
                    by_source += slope
                    target_back[i, h] += slope
                source_back[j, h] = by_source
