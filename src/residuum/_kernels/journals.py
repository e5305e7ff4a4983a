"""Citations of the synthetic journal graph over a range of rows; each row has its own random stream."""

import numba
import numpy as np

from residuum._kernels.random import next_uniform, stream

__all__ = ["cite"]

# A row stops after this many samples per requested target, even if it has fewer distinct targets.
_MAX_SAMPLES = 64


@numba.njit(cache=True, inline="always")
def _upper_bound(values, begin, end, x):
    """Return the first index of the sorted ``values[begin:end]`` with a value above x, or the last index."""
    last = end - 1
    while begin < last:
        middle = (begin + last) // 2
        if values[middle] > x:
            last = middle
        else:
            begin = middle + 1
    return begin


@numba.njit(cache=True, inline="always")
def _cited_group(state, u, own, t, mixing, sister, by_age):
    """Return the random state and the group of a citation outside the journal: own, a sister field, or all fields."""
    if u < mixing[0] + mixing[1]:
        return state, own
    if u < mixing[0] + mixing[1] + mixing[2]:
        state, w = next_uniform(state)
        group = sister[own, int(w * sister.shape[1])]
        if by_age[group, t, t] > 0.0:
            return state, group
    return state, len(sister)


@numba.njit(nogil=True, cache=True)
def cite(first_row, degrees, offsets, seed, nodes, mixing, groups, columns, weights, sizes, begin_row, end_row):
    """Sample citations of each row k of a range until it has ``degrees[k]`` distinct targets.

    The sorted targets of row k and their counts start at ``offsets[k]`` in ``columns`` and ``weights``.

    Parameters
    ----------
    first_row : int
        Node of the first row.
    degrees : int64 array of shape (n_rows,)
        Requested number of distinct targets.
    offsets : int64 array of shape (n_rows + 1,)
        Cumulative sums of ``degrees``, from 0.
    seed : uint64
        Seed of the random streams.
    nodes : tuple of arrays
        Journal, year (from 0) and field of each node, shape (N,), and the first node of each year, shape (Y,).
    mixing : float array of shape (3,)
        Probability of citing the same journal, the same field and a sister field; other citations go to any node.
    groups : tuple of arrays
        sister, shape (F, s): the sister fields of each field;
        by_age, shape (F + 1, Y, Y): cumulative attractiveness of the cited years by field (the last entry is for all
        fields) and citing year;
        own_age, shape (Y,): attractiveness by age, for citations of the same journal;
        members, pull, shape (2 N,): nodes of each field and year, and their cumulative attractiveness within it;
        start, shape (F + 1, Y + 1): position of the first member of each field and year.
    columns : int32 array of shape (sum(degrees),), written
        Targets.
    weights : float32 array of shape (sum(degrees),), written
        Number of citations of each target.
    sizes : int64 array of shape (n_rows,), written
        Number of targets of each row.
    begin_row, end_row : int
        Range of rows.
    """
    journal, year, field, first_of_year = nodes
    sister, by_age, own_age, members, pull, start = groups
    n_nodes, n_years = len(journal), len(first_of_year)
    count = np.zeros(n_nodes, dtype=np.int32)
    cumulative = np.empty(n_years, dtype=np.float64)
    for k in range(begin_row, end_row):
        row = first_row + k
        state = stream(seed, row)
        t, own = year[row], field[row]
        total = 0.0
        for s in range(t + 1):
            alive = s == n_years - 1 or journal[row] < first_of_year[s + 1] - first_of_year[s]
            total += own_age[t - s] if alive else 0.0
            cumulative[s] = total
        begin = offsets[k]
        size = 0
        for _ in range(_MAX_SAMPLES * degrees[k]):
            if size == degrees[k]:
                break
            state, u = next_uniform(state)
            state, v = next_uniform(state)
            if u < mixing[0]:
                s = _upper_bound(cumulative, 0, t + 1, v * total)
                target = first_of_year[s] + journal[row]
            else:
                state, group = _cited_group(state, u, own, t, mixing, sister, by_age)
                s = _upper_bound(by_age[group, t], 0, t + 1, v * by_age[group, t, t])
                state, w = next_uniform(state)
                low, high = start[group, s], start[group, s + 1]
                target = members[_upper_bound(pull, low, high, w * pull[high - 1])]
            if count[target] == 0:
                columns[begin + size] = target
                size += 1
            count[target] += 1
        columns[begin : begin + size].sort()
        for e in range(begin, begin + size):
            weights[e] = count[columns[e]]
            count[columns[e]] = 0
        sizes[k] = size
