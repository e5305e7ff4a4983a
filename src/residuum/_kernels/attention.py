"""Graph attention and its gradient, without an array that has a row per edge."""

import numba
import numpy as np

__all__ = ["attend", "attend_back"]

# Slope of LeakyReLU below zero.
_LEAK = np.float32(0.2)


@numba.njit(cache=True, inline="always")
def _leaky(z):
    return z if z > 0 else _LEAK * z


@numba.njit(cache=True, inline="always", fastmath={"contract", "reassoc"})
def _dot(x, y):
    dot = np.float32(0.0)
    for c in range(len(x)):
        dot += x[c] * y[c]
    return dot


@numba.njit(parallel=True, cache=True, fastmath={"contract", "reassoc"})
def attend(indptr, indices, X, source, target, out, log_total):
    """Compute ``y_i = Σ_j a_ij x_j`` per head, with ``a_ij ∝ exp(LeakyReLU(s_j + t_i))`` over the neighbors j of i.

    Parameters
    ----------
    indptr, indices : int arrays
        CSR arrays of the neighbors; each node has at least one.
    X : float32 array of shape (N, H, C)
        x, for H heads of C channels.
    source, target : float32 arrays of shape (N, H)
        s and t.
    out : float32 array of shape (N, H, C), written
        y.
    log_total : float32 array of shape (N, H), written
        Log of the normalizing constant, ``ln Σ_j exp(LeakyReLU(s_j + t_i))``.
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
    """Compute the gradients with respect to X, s and t from the gradient with respect to y.

    The gradient of ``z_ij = s_j + t_i`` is ``a_ij (G_i · x_j − G_i · y_i)``, times the slope of LeakyReLU. The graph
    must be undirected.

    Parameters
    ----------
    indptr, indices, X, source, target, out, log_total : arrays
        The arguments of :func:`attend`, after the call.
    G : float32 array of shape (N, H, C)
        Gradient with respect to y.
    X_back : float32 array of shape (N, H, C), written
        Gradient with respect to X.
    source_back : float32 array of shape (N, H), written
        Gradient with respect to s.
    target_backs : float32 array of shape (chunks, N, H), written
        Partial gradients with respect to t, to be summed over the first axis.
    """
    n_nodes, n_heads, width = X.shape
    n_chunks = len(target_backs)
    mean_dot = np.empty((n_nodes, n_heads), dtype=np.float32)
    for i in numba.prange(n_nodes):
        for h in range(n_heads):
            mean_dot[i, h] = _dot(G[i, h], out[i, h])
    for chunk in numba.prange(n_chunks):
        target_back = target_backs[chunk]
        target_back[:] = np.float32(0.0)
        for j in range(n_nodes * chunk // n_chunks, n_nodes * (chunk + 1) // n_chunks):
            X_back[j] = np.float32(0.0)
            for h in range(n_heads):
                by_source = np.float32(0.0)
                for e in range(indptr[j], indptr[j + 1]):
                    i = indices[e]
                    z = source[j, h] + target[i, h]
                    attention = np.exp(_leaky(z) - log_total[i, h])
                    slope = attention * (_dot(G[i, h], X[j, h]) - mean_dot[i, h])
                    for c in range(width):
                        X_back[j, h, c] += attention * G[i, h, c]
                    if z <= 0:
                        slope *= _LEAK
                    by_source += slope
                    target_back[i, h] += slope
                source_back[j, h] = by_source
