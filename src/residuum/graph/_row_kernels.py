"""Rows of a sparse matrix that is larger than memory: sums, transposes and merges of runs of rows."""

import numba
import numpy as np

__all__ = ["add_strengths", "add_transposed", "count_components", "fill_transposed", "merge_sorted", "stable_order"]


@numba.njit(cache=True)
def add_strengths(first_row, lengths, columns, weights, out_strength, in_strength):
    """Add the weights of a run of rows to both strengths; return how many entries are on the diagonal."""
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
    """Write the entries of the columns ``first ≤ j < last``, column by column, rows in rising order.

    ``place[j - first]`` is where the next entry of column j goes; it moves on.
    """
    for i in range(len(indptr) - 1):
        for e in range(indptr[i], indptr[i + 1]):
            j = indices[e]
            if first <= j < last:
                at = place[j - first]
                out_rows[at] = i
                out_weights[at] = weights[e]
                place[j - first] = at + 1


@numba.njit(cache=True)
def add_transposed(first_row, rows, reverse_rows, out_columns, out_weights):
    """Write ``A + Aᵀ`` for a run of rows, the diagonal counted once; return the lengths of the rows.

    ``rows`` and ``reverse_rows`` are rows of A and of Aᵀ: starts, columns in rising order, weights.
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
def count_components(indptr, indices):
    """Return how many weak components there are, isolated nodes among them: union-find with halved paths."""
    n_nodes = len(indptr) - 1
    parent = np.arange(n_nodes)
    components = n_nodes
    for i in range(n_nodes):
        root = i
        while parent[root] != root:
            parent[root] = parent[parent[root]]
            root = parent[root]
        for e in range(indptr[i], indptr[i + 1]):
            other = indices[e]
            while parent[other] != other:
                parent[other] = parent[parent[other]]
                other = parent[other]
            if other < root:
                other, root = root, other
            if other != root:
                parent[other] = root
                components -= 1
        if components == 1:
            break
    return components


@numba.njit(cache=True)
def stable_order(keys, n_keys, order):
    """Return ``order`` rearranged by rising ``keys[order]``, equal keys as they stood."""
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
    """Add up neighbours in ``order`` with the same row and column and leave out what is zero.

    Return the lengths of the rows; their entries are at the beginning of ``out_columns`` and ``out_weights``.
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
