"""Sums, transposes and merges of the rows of a sparse matrix."""

import numba
import numpy as np

from residuum._kernels.random import mix

__all__ = [
    "add_between_groups",
    "add_strengths",
    "add_transposed",
    "asymmetric_entry",
    "copy_ranges",
    "count_components",
    "fill_transposed",
    "first_entries",
    "invalid_entry",
    "merge_sorted",
    "stable_order",
    "sum_of_hashes",
    "sum_of_rows",
]


@numba.njit(cache=True)
def add_strengths(first_row, lengths, columns, weights, out_strength, in_strength):
    """Add the weights of consecutive rows to both strengths; return the number of self-loops.

    Parameters
    ----------
    first_row : int
        Index of the first row.
    lengths : int array of shape (n,)
        Number of entries of each row.
    columns, weights : arrays of shape (sum(lengths),)
        Entries of the rows, end to end.
    out_strength, in_strength : float64 arrays of shape (N,), changed
    """
    loops = 0
    entry = 0
    for k in range(len(lengths)):
        row = first_row + k
        for _ in range(lengths[k]):
            column = columns[entry]
            out_strength[row] += weights[entry]
            in_strength[column] += weights[entry]
            loops += column == row
            entry += 1
    return loops


@numba.njit(cache=True)
def fill_transposed(indptr, indices, weights, first, last, place, out_rows, out_weights):
    """Write the columns ``first ≤ j < last`` of a CSR matrix end to end, sorted by row.

    ``place[j - first]`` is the output position of the next entry of column j; it is incremented per entry.
    """
    for i in range(len(indptr) - 1):
        for e in range(indptr[i], indptr[i + 1]):
            j = indices[e]
            if first <= j < last:
                position = place[j - first]
                out_rows[position] = i
                out_weights[position] = weights[e]
                place[j - first] = position + 1


@numba.njit(cache=True)
def add_transposed(first_row, rows, reverse_rows, out_columns, out_weights):
    """Write consecutive rows of ``A + Aᵀ``, with the diagonal of A; return the lengths of the rows.

    ``rows`` and ``reverse_rows`` are the same rows of A and of Aᵀ, as CSR arrays: indptr, sorted columns, weights.
    """
    starts, columns, weights = rows
    reverse_starts, reverse_columns, reverse_weights = reverse_rows
    n_rows = len(starts) - 1
    lengths = np.zeros(n_rows, dtype=np.int64)
    out = 0
    for k in range(n_rows):
        begin = out
        a, a_end = starts[k], starts[k + 1]
        b, b_end = reverse_starts[k], reverse_starts[k + 1]
        while a < a_end or b < b_end:
            if b == b_end or (a < a_end and columns[a] < reverse_columns[b]):
                out_columns[out], out_weights[out] = columns[a], weights[a]
                a += 1
            elif a == a_end or reverse_columns[b] < columns[a]:
                out_columns[out], out_weights[out] = reverse_columns[b], reverse_weights[b]
                b += 1
            else:
                out_columns[out], out_weights[out] = columns[a], weights[a]
                if columns[a] != first_row + k:
                    out_weights[out] += reverse_weights[b]
                a += 1
                b += 1
            out += 1
        lengths[k] = out - begin
    return lengths


@numba.njit(cache=True)
def count_components(indptr, indices, parent):
    """Return the number of weakly connected components, isolated nodes included, by union-find with path halving.

    ``parent`` is the array 0 … N − 1, which is changed; numba takes a second to compile ``np.arange``.
    """
    n_nodes = n_components = len(parent)
    for i in range(n_nodes):
        root = i
        while parent[root] != root:
            parent[root] = parent[parent[root]]
            root = parent[root]
        for e in range(indptr[i], indptr[i + 1]):
            neighbor_root = indices[e]
            while parent[neighbor_root] != neighbor_root:
                parent[neighbor_root] = parent[parent[neighbor_root]]
                neighbor_root = parent[neighbor_root]
            if neighbor_root < root:
                neighbor_root, root = root, neighbor_root
            if neighbor_root != root:
                parent[neighbor_root] = root
                n_components -= 1
        if n_components == 1:
            break
    return n_components


@numba.njit(cache=True)
def invalid_entry(indptr, indices, weights):
    """Return the first entry that is not in canonical form, or −1.

    The columns of a row must increase and be in [0, N), and weights must be positive and finite. ``indptr`` must not
    decrease or lead outside of the other arrays.
    """
    n_nodes = len(indptr) - 1
    for i in range(n_nodes):
        previous = -1
        for e in range(indptr[i], indptr[i + 1]):
            if not (previous < indices[e] < n_nodes and 0.0 < weights[e] < np.inf):
                return e
            previous = indices[e]
    return -1


@numba.njit(cache=True)
def asymmetric_entry(indptr, indices, weights, reverse_indptr, reverse_indices, reverse_weights, relative, absolute):
    """Return the first entry of A that differs from the other matrix transposed, or −1; its length if that has more.

    Both matrices are canonical. Entries may differ by ``relative`` times the larger one, or by ``absolute``.
    """
    n_nodes = len(indptr) - 1
    place = reverse_indptr[:-1].copy()
    for i in range(n_nodes):
        for e in range(indptr[i], indptr[i + 1]):
            j = indices[e]
            end = reverse_indptr[j + 1]
            while place[j] < end and reverse_indices[place[j]] < i:
                if reverse_weights[place[j]] > absolute:
                    return e
                place[j] += 1
            reverse = 0.0
            if place[j] < end and reverse_indices[place[j]] == i:
                reverse = np.float64(reverse_weights[place[j]])
                place[j] += 1
            weight = np.float64(weights[e])
            if abs(weight - reverse) > max(relative * max(weight, reverse), absolute):
                return e
    for j in range(n_nodes):
        for e in range(place[j], reverse_indptr[j + 1]):
            if reverse_weights[e] > absolute:
                return len(indices)
    return -1


@numba.njit(nogil=True, cache=True)
def sum_of_hashes(indptr, indices, bits, key, transposed, begin_row, end_row):
    """Return the sum of keyed hashes of ``(i, j, bits of the weight)``, modulo 2⁶⁴, over some rows.

    The sum does not depend on the order of the entries: with a random key, a matrix and the transpose of another have
    the same sum with a probability of about 2⁻⁶⁴ if they differ.

    Parameters
    ----------
    indptr, indices : int arrays of shapes (n + 1,) and (nnz,)
        CSR arrays.
    bits : unsigned int array of shape (nnz,)
        Weights, viewed as integers.
    key : uint64
        Random number.
    transposed : bool
        Whether to hash ``(j, i)``.
    begin_row, end_row : int
        Range of rows.
    """
    total = np.uint64(0)
    for i in range(begin_row, end_row):
        for e in range(indptr[i], indptr[i + 1]):
            j = indices[e]
            first, second = (j, i) if transposed else (i, j)
            place = mix(mix(key + np.uint64(first)) + np.uint64(second))
            total += mix(place + np.uint64(bits[e]))
    return total


@numba.njit(cache=True)
def stable_order(keys, n_keys, order):
    """Return ``order`` stably sorted by ``keys[order]``, by a counting sort of keys in [0, n_keys)."""
    place = np.zeros(n_keys + 1, dtype=np.int64)
    for key in keys:
        place[key + 1] += 1
    for k in range(n_keys):
        place[k + 1] += place[k]
    result = np.empty_like(order)
    for entry in order:
        key = keys[entry]
        result[place[key]] = entry
        place[key] += 1
    return result


@numba.njit(cache=True)
def merge_sorted(order, rows, columns, weights, n_rows, out_columns, out_weights):
    """Merge consecutive entries of ``order`` with the same row and column, and drop sums of zero.

    Return the lengths of the rows; their entries are written end to end to ``out_columns`` and ``out_weights``.
    """
    lengths = np.zeros(n_rows, dtype=np.int64)
    out = 0
    k = 0
    while k < len(order):
        row, column = rows[order[k]], columns[order[k]]
        total = 0.0
        while k < len(order) and rows[order[k]] == row and columns[order[k]] == column:
            total += weights[order[k]]
            k += 1
        if total != 0.0:
            out_columns[out], out_weights[out] = column, total
            lengths[row] += 1
            out += 1
    return lengths


@numba.njit(nogil=True, cache=True)
def add_between_groups(indptr, indices, weights, factor, groups, members, starts, out, begin, end):
    """``out[a, b] = Σ_{i in a} factor_i Σ_{j in b} A_ij`` for a range of groups a, summed in a fixed order.

    Parameters
    ----------
    indptr, indices, weights : arrays
        CSR arrays of A.
    factor : float64 array of shape (N,)
        Row factors.
    groups : int32 array of shape (N,)
        Group of each node.
    members, starts : int arrays of shapes (N,) and (B + 1,)
        Nodes sorted by group, and the boundaries of the groups.
    out : float64 array of shape (B, B), written
    begin, end : int
        Range of groups a.
    """
    for a in range(begin, end):
        row = out[a]
        row[:] = 0.0
        for m in range(starts[a], starts[a + 1]):
            i = members[m]
            for e in range(indptr[i], indptr[i + 1]):
                row[groups[indices[e]]] += factor[i] * weights[e]


@numba.njit(nogil=True, cache=True)
def first_entries(begins, last_ends, indices, bound, out):
    """Write the first entry of each row from ``begins[i]`` on with a column of at least the bound; columns increase."""
    for i in range(len(begins)):
        entry = begins[i]
        while entry < last_ends[i] and indices[entry] < bound:
            entry += 1
        out[i] = entry


@numba.njit(nogil=True, cache=True)
def copy_ranges(begins, ends, indices, weights, offset, out_indices, out_weights):
    """Copy the entries ``begins[i] ≤ e < ends[i]`` of all rows i end to end, with the columns reduced by an offset."""
    out = 0
    for i in range(len(begins)):
        for e in range(begins[i], ends[i]):
            out_indices[out] = indices[e] - offset
            out_weights[out] = weights[e]
            out += 1


@numba.njit(nogil=True, cache=True)
def sum_of_rows(lengths, weights, out):
    """Write the sum of the weights of each row, of their squares, and their number, to ``out``, shape (n, 3)."""
    entry = 0
    for i in range(len(lengths)):
        total = squares = 0.0
        for _ in range(lengths[i]):
            weight = np.float64(weights[entry])
            total += weight
            squares += weight * weight
            entry += 1
        out[i, 0], out[i, 1], out[i, 2] = total, squares, lengths[i]
