"""The loss of edges against negatives, and its gradient, without a matrix of one row for each edge."""

import numba
import numpy as np

__all__ = ["link_gradient"]


@numba.njit(cache=True, fastmath={"contract", "reassoc"}, inline="always")
def _add_pair(H, i, j, sign, weight, gradient):
    """Add ``weight · ln(1 + exp(sign · h_i·h_j))`` to the gradient, and return it."""
    dot = np.float32(0.0)
    for d in range(H.shape[1]):
        dot += H[i, d] * H[j, d]
    x = sign * dot
    slope = weight * sign / (np.float32(1.0) + np.exp(-x))
    for d in range(H.shape[1]):
        gradient[i, d] += slope * H[j, d]
    for d in range(H.shape[1]):
        gradient[j, d] += slope * H[i, d]
    return np.float64(weight) * (max(np.float64(x), 0.0) + np.log1p(np.exp(-abs(np.float64(x)))))


@numba.njit(parallel=True, cache=True, fastmath={"contract", "reassoc"})
def link_gradient(H, sources, targets, negatives, weights, gradients, losses):
    """Fill in ``Σ_(i, j) w_ij [−ln σ(h_i·h_j) − Σ_k ln σ(−h_i·h_n)]`` and its gradient, a part for each block of edges.

    Parameters
    ----------
    H : float32 array of shape (N, K)
    sources, targets : int64 arrays of shape (E,)
    negatives : int64 array of shape (E, k)
        Of each source.
    weights : float32 array of shape (E,)
    gradients : float32 array of shape (blocks, N, K), changed
    losses : float64 array of shape (blocks,), changed
    """
    n_edges, n_blocks = len(sources), len(losses)
    for block in numba.prange(n_blocks):
        gradient = gradients[block]
        gradient[:] = np.float32(0.0)
        loss = 0.0
        for edge in range(n_edges * block // n_blocks, n_edges * (block + 1) // n_blocks):
            i, weight = sources[edge], weights[edge]
            loss += _add_pair(H, i, targets[edge], np.float32(-1.0), weight, gradient)
            for k in range(negatives.shape[1]):
                loss += _add_pair(H, i, negatives[edge, k], np.float32(1.0), weight, gradient)
        losses[block] = loss
