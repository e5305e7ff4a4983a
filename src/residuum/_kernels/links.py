"""Loss of edges against negatives, and its gradient, without an array that has a row per edge."""

import numba
import numpy as np

__all__ = ["link_gradient"]


@numba.njit(cache=True, fastmath={"contract", "reassoc"}, inline="always")
def _add_pair(H, i, j, sign, weight, gradient):
    """Return ``weight · ln(1 + exp(sign · h_i·h_j))``, and add its gradient to ``gradient``."""
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


@numba.njit(nogil=True, cache=True, fastmath={"contract", "reassoc"})
def link_gradient(H, sources, targets, negatives, weights, gradient, begin, end):
    """Compute ``Σ_(i, j) w_ij [−ln σ(h_i·h_j) − Σ_n ln σ(−h_i·h_n)]`` and its gradient over a range of edges.

    Parameters
    ----------
    H : float32 array of shape (N, K)
        Node vectors h.
    sources, targets : int64 arrays of shape (E,)
        Nodes i and j of the edges.
    negatives : int64 array of shape (E, k)
        Nodes n, compared with the source of the edge.
    weights : float32 array of shape (E,)
        w.
    gradient : float32 array of shape (N, K), written
    begin, end : int
        Range of edges.
    """
    gradient[:] = np.float32(0.0)
    loss = 0.0
    for edge in range(begin, end):
        i, weight = sources[edge], weights[edge]
        loss += _add_pair(H, i, targets[edge], np.float32(-1.0), weight, gradient)
        for k in range(negatives.shape[1]):
            loss += _add_pair(H, i, negatives[edge, k], np.float32(1.0), weight, gradient)
    return loss
