"""Degree-preserving edge swaps."""

import numba
import numpy as np

__all__ = ["swap_edges"]


# A hash table of edge keys with linear probing; numba's own set degrades as keys come and go.


@numba.njit(cache=True)
def _slot(table, key):
    """Return the place of a key, or the empty place where it would go."""
    mask = np.uint64(len(table) - 1)
    place = (np.uint64(key) * np.uint64(11400714819323198485) >> np.uint64(20)) & mask
    while table[place] != -1 and table[place] != key:
        place = (place + np.uint64(1)) & mask
    return place


@numba.njit(cache=True)
def _remove(table, key):
    """Take a key out, and move up those behind it that would no longer be found."""
    mask = np.uint64(len(table) - 1)
    hole = _slot(table, key)
    table[hole] = -1
    place = (hole + np.uint64(1)) & mask
    while table[place] != -1:
        moved = table[place]
        table[place] = -1
        table[_slot(table, moved)] = moved
        place = (place + np.uint64(1)) & mask


@numba.njit(cache=True)
def swap_edges(source, target, groups, directed, n_swaps, seed):
    """Swap the ends of random pairs of edges in place; return how many swaps were made.

    ``(a, b), (c, d)`` become ``(a, d), (c, b)``. A swap that would make a self-loop or a parallel edge, or change the
    weight between two groups, is not made, so that simple graphs stay simple and the mixing stays.

    Parameters
    ----------
    source, target : int64 arrays of shape (M,)
    groups : int64 array of shape (N,)
    directed : bool
        If not, an edge may be turned around before a swap.
    n_swaps : int
        Number of tries.
    seed : int
    """
    n_nodes = len(groups)
    state = np.uint64(seed) * np.uint64(2) + np.uint64(1)
    capacity = 16
    while capacity < 4 * len(source):
        capacity *= 2
    present = np.full(capacity, -1, dtype=np.int64)
    for e in range(len(source)):
        a, b = source[e], target[e]
        key = a * n_nodes + b if directed or a < b else b * n_nodes + a
        present[_slot(present, key)] = key
    made = 0
    n_edges = np.uint64(len(source))
    for _ in range(n_swaps):
        draws = np.empty(3, dtype=np.uint64)
        for k in range(3):  # xorshift64*
            state ^= state >> np.uint64(12)
            state ^= state << np.uint64(25)
            state ^= state >> np.uint64(27)
            draws[k] = (state * np.uint64(2685821657736338717)) >> np.uint64(11)
        first, second = np.int64(draws[0] % n_edges), np.int64(draws[1] % n_edges)
        if first == second:
            continue
        a, b, c, d = source[first], target[first], source[second], target[second]
        if not directed and draws[2] % np.uint64(2) == 1:
            c, d = d, c
        if a in (c, d) or b in (c, d):
            continue
        if groups[a] != groups[c] and groups[b] != groups[d]:
            continue
        one = a * n_nodes + d if directed or a < d else d * n_nodes + a
        two = c * n_nodes + b if directed or c < b else b * n_nodes + c
        if present[_slot(present, one)] == one or present[_slot(present, two)] == two:
            continue
        _remove(present, a * n_nodes + b if directed or a < b else b * n_nodes + a)
        _remove(present, c * n_nodes + d if directed or c < d else d * n_nodes + c)
        present[_slot(present, one)] = one
        present[_slot(present, two)] = two
        source[first], target[first], source[second], target[second] = a, d, c, b
        made += 1
    return made
