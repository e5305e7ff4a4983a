"""Random walks over a range of walkers; each walk has its own random stream."""

import numba
import numpy as np

from residuum._kernels.alias import draw_place
from residuum._kernels.random import next_uniform, stream

__all__ = ["contains_sorted", "walk_from"]

# Walkers that a thread advances in turn, to hide memory latency.
_LANES = 16


@numba.njit(cache=True, inline="always")
def contains_sorted(values, begin, end, wanted):
    """Whether the sorted ``values[begin:end]`` contain ``wanted``; nothing outside the slice is read."""
    size = end - begin
    if size == 0:
        return False
    position = begin
    while size > 1:
        half = size >> 1
        position = position + half if values[position + half] <= wanted else position
        size -= half
    return values[position] == wanted


@numba.njit(cache=True, inline="always")
def _are_joined(indptr, indices, symmetric, source, target):
    """Whether there is an edge from ``source`` to ``target``; searches the shorter row of an undirected graph."""
    if symmetric and indptr[target + 1] - indptr[target] < indptr[source + 1] - indptr[source]:
        source, target = target, source
    return contains_sorted(indices, indptr[source], indptr[source + 1], target)


@numba.njit(cache=True, inline="always")
def _bias(indptr, indices, symmetric, before, there, back, outward):
    """Return the node2vec factor: ``back`` for the previous node, 1 for its neighbors, ``outward`` for other nodes."""
    if there == before:
        return back
    return 1.0 if _are_joined(indptr, indices, symmetric, before, there) else outward


@numba.njit(cache=True)
def _by_scan(indptr, indices, symmetric, begin, end, neighbors, weights, before, back, outward, uniform):
    """Sample an edge by its exact probability, in two passes over the segment."""
    total = 0.0
    for e in range(begin, end):
        weight = weights[e] if len(weights) > 0 else 1.0
        total += weight * _bias(indptr, indices, symmetric, before, neighbors[e], back, outward)
    remaining = uniform * total
    for e in range(begin, end):
        weight = weights[e] if len(weights) > 0 else 1.0
        remaining -= weight * _bias(indptr, indices, symmetric, before, neighbors[e], back, outward)
        if remaining < 0.0:
            return e
    return end - 1


@numba.njit(cache=True, inline="always")
def _accepted_edge(
    state, edge, begin, end, indptr, indices, symmetric, neighbors, weights, threshold, alias, before, back, outward
):  # fmt: skip
    """Accept the edge with probability ``bias / largest bias``, else sample until an edge is accepted."""
    largest = max(back, 1.0, outward)
    always = min(back, 1.0, outward) / largest
    n_rejected = 0
    while True:
        state, uniform = next_uniform(state)
        if uniform < always:
            return state, edge
        if uniform * largest < _bias(indptr, indices, symmetric, before, neighbors[edge], back, outward):
            return state, edge
        n_rejected += 1
        state, uniform = next_uniform(state)
        if n_rejected >= end - begin:
            edge = _by_scan(indptr, indices, symmetric, begin, end, neighbors, weights, before, back, outward, uniform)
            return state, edge
        edge = draw_place(begin, end, uniform, threshold, alias)


@numba.njit(nogil=True, cache=True)
def walk_from(
    starts, first, seed, indptr, indices, symmetric, segments, borders, neighbors, weights, threshold, alias,
    back, outward, restart_threshold, restart_alias, out, begin_walk, end_walk,
):  # fmt: skip
    """Write one walk from each start.

    A step chooses a segment of the node's edges uniformly, then an edge in it by weight. With (p, q), the edge is
    accepted with probability ``bias / largest bias``, and sampled again otherwise. After as many rejections as the
    segment has edges, it is sampled by a scan, which has the same distribution; a step costs at most O(degree).

    Parameters
    ----------
    starts : int array of shape (n,)
        First node of each walk.
    first : int
        Number of the first walk; walk k uses the random stream ``(seed, first + k)``.
    seed : uint64
        Seed of the random streams.
    indptr, indices : int arrays
        CSR arrays of the adjacency matrix, with sorted rows.
    symmetric : bool
        Whether the graph is undirected.
    segments : int array of shape (N + 1,), or (0,)
        The segments of node i are ``segments[i]:segments[i + 1]``; if empty, each row is one segment.
    borders : int array
        The edges of segment s are ``borders[s]:borders[s + 1]``.
    neighbors : int array
        Targets of the edges, sorted by segment.
    weights : float array, or (0,) if all weights are equal
        Weights of the edges, sorted by segment.
    threshold, alias : arrays, or (0,) if all weights are equal
        Alias tables of the segments.
    back, outward : float
        1/p and 1/q.
    restart_threshold, restart_alias : arrays of shape (N,), or (0,) if no node is dangling
        Alias table of the nodes where walkers continue after a dangling node.
    out : int32 array of shape (n, steps + 1), written
        Visited nodes, and −1 after a dangling node. (p, q) do not apply to the first step after −1.
    begin_walk, end_walk : int
        Range of walks.
    """
    n_nodes = np.int64(len(indptr) - 1)
    first_order = back == 1.0 and outward == 1.0
    states = np.empty(_LANES, dtype=np.uint64)
    previous = np.empty(_LANES, dtype=np.int64)
    for lowest in range(begin_walk, end_walk, _LANES):
        lanes = min(_LANES, end_walk - lowest)
        for lane in range(lanes):
            states[lane] = stream(seed, first + lowest + lane)
            previous[lane] = -1
            out[lowest + lane, 0] = starts[lowest + lane]
        for step in range(1, out.shape[1]):
            for lane in range(lanes):
                k = lowest + lane
                state, here, before = states[lane], np.int64(out[k, step - 1]), previous[lane]
                if here < 0:
                    state, uniform = next_uniform(state)
                    out[k, step] = draw_place(np.int64(0), n_nodes, uniform, restart_threshold, restart_alias)
                    states[lane] = state
                    continue
                if indptr[here] == indptr[here + 1]:
                    out[k, step] = previous[lane] = -1
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
                    state, edge = _accepted_edge(
                        state, edge, begin, end, indptr, indices, symmetric, neighbors, weights, threshold, alias,
                        before, back, outward,
                    )  # fmt: skip
                out[k, step] = neighbors[edge]
                states[lane], previous[lane] = state, here
