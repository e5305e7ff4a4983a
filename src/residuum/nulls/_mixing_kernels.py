"""The weight between groups of nodes, added up over the entries of a sparse matrix."""

import numba

__all__ = ["add_between_groups"]


@numba.njit(parallel=True, cache=True)
def add_between_groups(indptr, indices, weights, factor, groups, members, starts, out):
    """``out[a, b] = Σ_{i in a} factor_i Σ_{j in b} A_ij``: one group of centres a thread, summed in order.

    Parameters
    ----------
    indptr, indices, weights : CSR arrays of A
    factor : float64 array of shape (N,)
    groups : int32 array of shape (N,)
    members, starts : int arrays
        The nodes in order of their groups, and where each group begins, shape (B + 1,).
    out : float64 array of shape (B, B)
    """
    for a in numba.prange(len(starts) - 1):
        row = out[a]
        row[:] = 0.0
        for m in range(starts[a], starts[a + 1]):
            i = members[m]
            for e in range(indptr[i], indptr[i + 1]):
                row[groups[indices[e]]] += factor[i] * weights[e]
