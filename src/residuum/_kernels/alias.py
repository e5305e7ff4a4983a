"""Alias method: constant-time sampling from many discrete distributions, stored end to end."""

import numba
import numpy as np

__all__ = ["alias_of", "alias_tables", "draw_place"]


def alias_of(borders, weights):
    """Return the alias tables of the distributions ``weights[borders[s]:borders[s + 1]]``; empty without weights."""
    threshold, alias = np.empty(len(weights), dtype=np.float32), np.empty(len(weights), dtype=np.int32)
    if len(weights) > 0:
        alias_tables(borders, weights, threshold, alias)
    return threshold, alias


@numba.njit(cache=True, inline="always")
def _shares(weights, share):
    """Write the weights relative to their mean, or 1 if they sum to zero; return the index of the largest weight."""
    total, heaviest = 0.0, 0
    for k in range(len(weights)):
        total += weights[k]
        if weights[k] > weights[heaviest]:
            heaviest = k
    for k in range(len(weights)):
        share[k] = weights[k] * len(weights) / total if total > 0.0 else 1.0
    return heaviest


@numba.njit(cache=True)
def alias_tables(borders, weights, threshold, alias):
    """Fill the alias tables of the segments ``weights[borders[s]:borders[s + 1]]``.

    Parameters
    ----------
    borders : int array of shape (S + 1,)
        Boundaries of the segments.
    weights : float array of shape (M,)
        Non-negative; the table of a segment that sums to zero is not usable.
    threshold : float32 array of shape (M,), written
        Probability of keeping entry k after choosing it uniformly.
    alias : int32 array of shape (M,), written
        Entry used otherwise, relative to the start of the segment.
    """
    widest = 0
    for s in range(len(borders) - 1):
        widest = max(widest, borders[s + 1] - borders[s])
    share = np.empty(widest, dtype=np.float64)
    poor = np.empty(widest, dtype=np.int64)
    rich = np.empty(widest, dtype=np.int64)
    for s in range(len(borders) - 1):
        begin, size = borders[s], borders[s + 1] - borders[s]
        heaviest = _shares(weights[begin : begin + size], share)
        n_poor = n_rich = 0
        for k in range(size):
            if share[k] < 1.0:
                poor[n_poor] = k
                n_poor += 1
            else:
                rich[n_rich] = k
                n_rich += 1
        while n_poor > 0 and n_rich > 0:
            n_poor -= 1
            small, large = poor[n_poor], rich[n_rich - 1]
            threshold[begin + small] = share[small]
            alias[begin + small] = large
            share[large] -= 1.0 - share[small]
            if share[large] < 1.0:
                n_rich -= 1
                poor[n_poor] = large
                n_poor += 1
        for k in range(n_rich):
            threshold[begin + rich[k]] = 1.0
            alias[begin + rich[k]] = rich[k]
        for k in range(n_poor):  # left over by rounding: a share of almost 1, or a weight of 0
            threshold[begin + poor[k]] = 1.0 if weights[begin + poor[k]] > 0.0 else 0.0
            alias[begin + poor[k]] = heaviest


@numba.njit(cache=True, inline="always")
def draw_place(begin, end, uniform, threshold, alias):
    """Return an index in [begin, end), sampled by the alias tables, or uniformly if they are empty.

    The integer part of ``uniform · size`` chooses an entry; the fractional part decides between it and its alias.
    """
    size = end - begin
    scaled = uniform * size
    k = min(np.int64(scaled), size - 1)
    if len(threshold) > 0 and scaled - k >= threshold[begin + k]:
        k = np.int64(alias[begin + k])
    return begin + k
