"""Short paths between the two nodes of a pair."""

import numba

__all__ = ["count_paths"]


@numba.njit(nogil=True, cache=True)
def count_paths(rows, reverse, degrees, sources, targets, mark, out, begin, end):
    """Count paths of two and three edges, plain and with each inner node divided by its degree.

    Parameters
    ----------
    rows, reverse : tuples of int arrays
        CSR pointers and columns of the adjacency matrix and of its transpose.
    degrees : float64 array of shape (N,)
        Positive numbers that weigh the inner nodes.
    sources, targets : int64 arrays of shape (n,)
        Pairs; fastest if equal targets follow each other.
    mark : int64 array of shape (N,), changed
        Work array that holds no number of a pair, such as −1.
    out : float64 array of shape (n, 4), written
        ``Σ_k 1``, ``Σ_k 1/d_k`` over common neighbors k, ``Σ_kl 1``, ``Σ_kl 1/(d_k d_l)`` over edges between neighbors.
    begin, end : int
        Range of pairs.
    """
    indptr, indices = rows
    reverse_indptr, reverse_indices = reverse
    marked = -1
    for p in range(begin, end):
        i, j = sources[p], targets[p]
        if p == begin or targets[p - 1] != j:
            marked = p
            for e in range(reverse_indptr[j], reverse_indptr[j + 1]):
                mark[reverse_indices[e]] = p
        two = two_weighted = three = three_weighted = 0.0
        for e in range(indptr[i], indptr[i + 1]):
            k = indices[e]
            if mark[k] == marked:
                two += 1.0
                two_weighted += 1.0 / degrees[k]
            found = weighted = 0.0
            for f in range(indptr[k], indptr[k + 1]):
                last = indices[f]
                if mark[last] == marked:
                    found += 1.0
                    weighted += 1.0 / degrees[last]
            three += found
            three_weighted += weighted / degrees[k]
        out[p, 0], out[p, 1], out[p, 2], out[p, 3] = two, two_weighted, three, three_weighted
