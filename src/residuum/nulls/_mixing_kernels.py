"""The weight between groups of nodes, added up over the entries of a sparse matrix."""

import numba
import numpy as np

__all__ = ["add_by_group"]


@numba.njit(parallel=True, cache=True)
def add_by_group(indptr, indices, weights, groups, n_groups, bounds):
    """Return ``Σ_{i ∈ a, j ∈ b} A_ij`` for groups a and b, shape (B, B), in float64.

    Each run of rows has a sum of its own, and the runs are added in order, so that the number of threads is no matter.

    Parameters
    ----------
    indptr, indices, weights : CSR arrays of A
    groups : int32 array of shape (N,)
    n_groups : int
    bounds : int array
        Boundaries of the runs of rows.
    """
    n_runs = len(bounds) - 1
    parts = np.zeros((n_runs, n_groups, n_groups))
    for run in numba.prange(n_runs):
        part = parts[run]
        for i in range(bounds[run], bounds[run + 1]):
            row = part[groups[i]]
            for e in range(indptr[i], indptr[i + 1]):
                row[groups[indices[e]]] += weights[e]
    total = parts[0]
    for run in range(1, n_runs):
        total += parts[run]
    return total
