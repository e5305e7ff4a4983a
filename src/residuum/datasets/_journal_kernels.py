"""Draws the citations of a run of rows, parallel over rows; each row has a seed of its own."""

import numba
import numpy as np

__all__ = ["cite"]

# Draws for each cited node after which a row gives up looking for further ones.
_MOST_DRAWS = 64


@numba.njit(cache=True, inline="always")
def _mixed(state):
    """Scramble a state: the output function of splitmix64."""
    z = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@numba.njit(cache=True, inline="always")
def _uniform(state):
    """Return a number in [0, 1) and the next state; states move on by the golden ratio."""
    state += np.uint64(0x9E3779B97F4A7C15)
    return np.float64(_mixed(state) >> np.uint64(11)) * 2.0**-53, state


@numba.njit(cache=True, inline="always")
def _upper_bound(values, begin, end, x):
    """Return the first place in the rising ``values[begin:end]`` with a value above x, or the last place."""
    last = end - 1
    while begin < last:
        middle = (begin + last) // 2
        if values[middle] > x:
            last = middle
        else:
            begin = middle + 1
    return begin


@numba.njit(parallel=True, cache=True)
def cite(first_row, degrees, seed, nodes, mixing, groups, columns, weights):
    """Draw citations for each row until it has ``degrees[k]`` distinct targets; return how many it got.

    Targets and counts of row k go to ``columns`` and ``weights`` from ``sum(degrees[:k])`` on, in rising order.

    Parameters
    ----------
    first_row : int
    degrees : int64 array of shape (number of rows,)
    seed : uint64
    nodes : tuple of arrays of shape (N,): journal, year counted from 0, field; and first node of each year
    mixing : float array of shape (3,)
        Probability of citing the journal itself, a journal of its field, and one of a sister field; the rest is anyone.
    groups : tuple of
        sister : int array of shape (F, s), the sister fields of each field
        by_age : float array of shape (F + 1, Y, Y), for each field (the last: all) and citing year the cumulative pull
            of the years 0, …, Y−1
        own_age : float array of shape (Y,), the pull of each age
        members, pull : arrays of shape (2 N,), nodes of each group and their cumulative attractiveness within it
        start : int array of shape (F + 1, Y + 1), where the members of a field and year begin
    """
    journal, year, field, first_of_year = nodes
    sister, by_age, own_age, members, pull, start = groups
    n_nodes, n_fields, n_years = len(journal), len(sister), len(first_of_year)
    n_rows = len(degrees)
    offsets = np.zeros(n_rows + 1, dtype=np.int64)
    offsets[1:] = np.cumsum(degrees)
    found = np.zeros(n_rows, dtype=np.int64)
    n_strips = min(n_rows, 64)
    for strip in numba.prange(n_strips):
        count = np.zeros(n_nodes, dtype=np.int32)
        cumulative = np.empty(n_years, dtype=np.float64)
        for k in range(strip * n_rows // n_strips, (strip + 1) * n_rows // n_strips):
            row = first_row + k
            state = _mixed(np.uint64(seed) ^ _mixed(np.uint64(row + 1)))
            t, own = year[row], field[row]
            total = 0.0
            for s in range(t + 1):
                alive = s == n_years - 1 or journal[row] < first_of_year[s + 1] - first_of_year[s]
                total += own_age[t - s] if alive else 0.0
                cumulative[s] = total
            begin = offsets[k]
            size = 0
            for _ in range(_MOST_DRAWS * degrees[k]):
                if size == degrees[k]:
                    break
                u, state = _uniform(state)
                v, state = _uniform(state)
                if u < mixing[0]:
                    s = _upper_bound(cumulative, 0, t + 1, v * total)
                    target = first_of_year[s] + journal[row]
                else:
                    group = n_fields
                    if u < mixing[0] + mixing[1]:
                        group = own
                    elif u < mixing[0] + mixing[1] + mixing[2]:
                        w, state = _uniform(state)
                        group = sister[own, int(w * sister.shape[1])]
                        if by_age[group, t, t] <= 0.0:
                            group = n_fields
                    s = _upper_bound(by_age[group, t], 0, t + 1, v * by_age[group, t, t])
                    w, state = _uniform(state)
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
            found[k] = size
    return found
