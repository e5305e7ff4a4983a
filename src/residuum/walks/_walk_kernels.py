"""Random walks, parallel over walkers; each has a stream of random numbers of its own."""

import numba
import numpy as np

from residuum.walks._alias_kernels import draw_place
from residuum.walks._random_kernels import next_uniform, stream

__all__ = ["contains_sorted", "walk_from"]

# Walkers of one thread that take their steps in turn: while one waits for memory, the others go on.
_LANES = 16


@numba.njit(cache=True, inline="always")
def contains_sorted(values, begin, end, wanted):
    """Whether ``wanted`` is among ``values[begin:end]``, which are in rising order; reads nothing outside of it."""
    size = end - begin
    if size == 0:
        return False
    place = begin
    while size > 1:
        half = size >> 1
        place = place + half if values[place + half] <= wanted else place
        size -= half
    return values[place] == wanted


@numba.njit(cache=True, inline="always")
def _are_joined(indptr, indices, symmetric, source, target):
    """Whether there is an edge from ``source`` to ``target``; in a symmetric graph the shorter row is searched."""
    if symmetric and indptr[target + 1] - indptr[target] < indptr[source + 1] - indptr[source]:
        source, target = target, source
    return contains_sorted(indices, indptr[source], indptr[source + 1], target)


@numba.njit(cache=True, inline="always")
def _bias(indptr, indices, symmetric, before, there, back, outward):
    """Return the factor of node2vec: ``back`` to where we were, 1 to its neighbours, ``outward`` to others."""
    if there == before:
        return back
    return 1.0 if _are_joined(indptr, indices, symmetric, before, there) else outward


@numba.njit(cache=True)
def _by_scan(indptr, indices, symmetric, begin, end, neighbors, weights, before, back, outward, uniform):
    """Return an edge drawn by its exact probability: one pass for the total, one for the place."""
    total = 0.0
    for e in range(begin, end):
        weight = weights[e] if len(weights) > 0 else 1.0
        total += weight * _bias(indptr, indices, symmetric, before, neighbors[e], back, outward)
    left = uniform * total
    for e in range(begin, end):
        weight = weights[e] if len(weights) > 0 else 1.0
        left -= weight * _bias(indptr, indices, symmetric, before, neighbors[e], back, outward)
        if left < 0.0:
            return e
    return end - 1


@numba.njit(cache=True, inline="always")
def _kept_edge(
    state, edge, begin, end, indptr, indices, symmetric, neighbors, weights, threshold, alias, before, back, outward
):  # fmt: skip
    """Keep the edge with probability ``bias / largest bias``, or draw until one is kept."""
    largest = max(back, 1.0, outward)
    sure = min(back, 1.0, outward) / largest
    refused = 0
    while True:
        state, uniform = next_uniform(state)
        if uniform < sure:
            return state, edge
        if uniform * largest < _bias(indptr, indices, symmetric, before, neighbors[edge], back, outward):
            return state, edge
        refused += 1
        state, uniform = next_uniform(state)
        if refused >= end - begin:
            edge = _by_scan(indptr, indices, symmetric, begin, end, neighbors, weights, before, back, outward, uniform)
            return state, edge
        edge = draw_place(begin, end, uniform, threshold, alias)


@numba.njit(parallel=True, cache=True)
def walk_from(
    starts, first, seed, indptr, indices, symmetric, segments, borders, neighbors, weights, threshold, alias,
    back, outward, jump, target_threshold, target_alias, out,
):  # fmt: skip
    """Write one walk from each start.

    A step chooses a segment of the node's edges uniformly, then an edge of it by weight. With (p, q) the edge is kept
    with probability ``bias / largest bias``, else drawn again; after as many refusals as the segment has edges it is
    drawn by a scan, so that a step costs O(degree) at most and the law is the same.

    Parameters
    ----------
    starts : int array of shape (n,)
    first : int
        Number of the first walk; walk k draws from the stream ``(seed, first + k)``.
    seed : uint64
    indptr, indices : CSR arrays with sorted rows
    symmetric : bool
        Whether the graph is undirected.
    segments : int array of shape (N + 1,), or (0,)
        The segments of node i are ``segments[i]:segments[i + 1]``; with (0,) each row is one.
    borders : int array
        The edges of segment s are ``borders[s]:borders[s + 1]``.
    neighbors : int array
        Targets of the edges in the order of the segments.
    weights : float array, or (0,) if all are the same
    threshold, alias : tables of the edges, or (0,)
    back, outward : float
        1/p and 1/q.
    jump : float array of shape (N,), or (0,)
        The chance of a jump at each node. A walker that jumped has no past.
    target_threshold, target_alias : tables of shape (N,), or (0,)
        Where jumps lead.
    out : int32 array of shape (n, steps + 1), written
    """
    n_nodes = np.int64(len(indptr) - 1)
    first_order = back == 1.0 and outward == 1.0
    for block in numba.prange((len(starts) + _LANES - 1) // _LANES):
        lowest = block * _LANES
        lanes = min(_LANES, len(starts) - lowest)
        states = np.empty(_LANES, dtype=np.uint64)
        previous = np.empty(_LANES, dtype=np.int64)
        for lane in range(lanes):
            states[lane] = stream(seed, first + lowest + lane)
            previous[lane] = -1
            out[lowest + lane, 0] = starts[lowest + lane]
        for step in range(1, out.shape[1]):
            for lane in range(lanes):
                k = lowest + lane
                state, here, before = states[lane], np.int64(out[k, step - 1]), previous[lane]
                if len(jump) > 0 and jump[here] > 0.0:
                    state, uniform = next_uniform(state)
                    if uniform < jump[here]:
                        state, uniform = next_uniform(state)
                        out[k, step] = draw_place(np.int64(0), n_nodes, uniform, target_threshold, target_alias)
                        states[lane], previous[lane] = state, -1
                        continue
                segment = here
                if len(segments) > 0:
                    state, uniform = next_uniform(state)
                    segment = draw_place(
                        np.int64(segments[here]), np.int64(segments[here + 1]), uniform, threshold[:0], alias
                    )
                begin, end = np.int64(borders[segment]), np.int64(borders[segment + 1])
                state, uniform = next_uniform(state)
                edge = draw_place(begin, end, uniform, threshold, alias)
                if not first_order and before >= 0:
                    state, edge = _kept_edge(
                        state, edge, begin, end, indptr, indices, symmetric, neighbors, weights, threshold, alias,
                        before, back, outward,
                    )  # fmt: skip
                out[k, step] = neighbors[edge]
                states[lane], previous[lane] = state, here
