"""Degree-preserving edge swaps."""

import numba
import numpy as np

from residuum._kernels.random import next_bits, stream

__all__ = ["swap_edges"]


# Hash table of edge keys with linear probing; numba's built-in set slows down after many insertions and removals.


@numba.njit(cache=True)
def _slot(table, key):
    """Return the slot of a key, or the empty slot to insert it."""
    mask = np.uint64(len(table) - 1)
    slot = (np.uint64(key) * np.uint64(11400714819323198485) >> np.uint64(20)) & mask
    while table[slot] != -1 and table[slot] != key:
        slot = (slot + np.uint64(1)) & mask
    return slot


@numba.njit(cache=True)
def _remove(table, key):
    """Remove a key, and reinsert the keys that follow it in the same run of slots."""
    mask = np.uint64(len(table) - 1)
    slot = _slot(table, key)
    table[slot] = -1
    slot = (slot + np.uint64(1)) & mask
    while table[slot] != -1:
        moved = table[slot]
        table[slot] = -1
        table[_slot(table, moved)] = moved
        slot = (slot + np.uint64(1)) & mask


@numba.njit(cache=True)
def swap_edges(source, target, groups, directed, n_swaps, seed):
    """Swap the targets of random pairs of edges in place; return the number of swaps.

    ``(a, b), (c, d)`` become ``(a, d), (c, b)``. A swap is rejected if it would create a self-loop or a parallel edge,
    or change the number of edges between two groups: simple graphs stay simple, and the mixing of groups is preserved.

    Parameters
    ----------
    source, target : int64 arrays of shape (M,), changed
        Ends of the edges.
    groups : int64 array of shape (N,)
        Group of each node.
    directed : bool
        If False, the second edge is reversed before a swap with probability 1/2.
    n_swaps : int
        Number of attempted swaps.
    seed : int
        Seed of the random stream.
    """
    n_nodes = len(groups)
    state = stream(np.uint64(seed), 0)
    capacity = 16
    while capacity < 4 * len(source):
        capacity *= 2
    present = np.full(capacity, -1, dtype=np.int64)
    for e in range(len(source)):
        a, b = source[e], target[e]
        key = a * n_nodes + b if directed or a < b else b * n_nodes + a
        present[_slot(present, key)] = key
    swapped = 0
    n_edges = np.uint64(len(source))
    for _ in range(n_swaps):
        state, first_bits = next_bits(state)
        state, second_bits = next_bits(state)
        state, side_bits = next_bits(state)
        first, second = np.int64(first_bits % n_edges), np.int64(second_bits % n_edges)
        if first == second:
            continue
        a, b, c, d = source[first], target[first], source[second], target[second]
        if not directed and side_bits % np.uint64(2) == 1:
            c, d = d, c
        if a in (c, d) or b in (c, d):
            continue
        if groups[a] != groups[c] and groups[b] != groups[d]:
            continue
        new_first = a * n_nodes + d if directed or a < d else d * n_nodes + a
        new_second = c * n_nodes + b if directed or c < b else b * n_nodes + c
        if present[_slot(present, new_first)] == new_first or present[_slot(present, new_second)] == new_second:
            continue
        _remove(present, a * n_nodes + b if directed or a < b else b * n_nodes + a)
        _remove(present, c * n_nodes + d if directed or c < d else d * n_nodes + c)
        present[_slot(present, new_first)] = new_first
        present[_slot(present, new_second)] = new_second
        source[first], target[first], source[second], target[second] = a, d, c, b
        swapped += 1
    return swapped
