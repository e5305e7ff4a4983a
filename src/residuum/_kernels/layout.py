"""Layout of a nearest-neighbor graph in the plane, by the gradient of UMAP's loss."""

import numba
import numpy as np

from residuum._kernels.random import next_bits, stream

__all__ = ["improve_layout"]

# Largest step along one axis.
_LIMIT = 4.0


@numba.njit(cache=True, inline="always")
def _clipped(step):
    return min(max(step, -_LIMIT), _LIMIT)


@numba.njit(nogil=True, cache=True)
def improve_layout(positions, neighbors, weights, n_negatives, rates, seed):
    """Move neighbors toward each other and random pairs apart, one pass over all nodes per rate.

    The similarity of two points at distance r is ``1 / (1 + r²)``. A pass takes each pair of neighbors with the
    probability of its weight, and as many random nodes as negatives for it. Nodes move one after another, so the result
    does not depend on threads.

    Parameters
    ----------
    positions : float64 array of shape (N, 2), written
        Points.
    neighbors : int64 array of shape (N, k)
        Neighbors of each node; −1 for none.
    weights : float64 array of shape (N, k)
        Probability, from 0 to 1, with which a pair is taken in a pass.
    n_negatives : int
        Number of negatives per pair.
    rates : float64 array of shape (passes,)
        Step size of each pass.
    seed : uint64
        Seed of the random stream.
    """
    n_nodes, k = neighbors.shape
    scale = 1.0 / 18446744073709551616.0
    state = stream(seed, 0)
    for rate in rates:
        for i in range(n_nodes):
            for slot in range(k):
                j = neighbors[i, slot]
                state, bits = next_bits(state)
                if j < 0 or np.float64(bits) * scale >= weights[i, slot]:
                    continue
                dx, dy = positions[i, 0] - positions[j, 0], positions[i, 1] - positions[j, 1]
                pull = -2.0 / (1.0 + dx * dx + dy * dy)
                step_x, step_y = rate * _clipped(pull * dx), rate * _clipped(pull * dy)
                positions[i, 0] += step_x
                positions[i, 1] += step_y
                positions[j, 0] -= step_x
                positions[j, 1] -= step_y
                for _ in range(n_negatives):
                    state, bits = next_bits(state)
                    other = np.int64(bits % np.uint64(n_nodes))
                    if other == i:
                        continue
                    dx, dy = positions[i, 0] - positions[other, 0], positions[i, 1] - positions[other, 1]
                    squared = dx * dx + dy * dy
                    push = 2.0 / ((0.001 + squared) * (1.0 + squared))
                    positions[i, 0] += rate * _clipped(push * dx)
                    positions[i, 1] += rate * _clipped(push * dy)
