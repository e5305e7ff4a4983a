"""Contexts sampled by random walks, with a low-discrepancy choice of first steps and lengths.

Functions that take arrays are called once for several walks: a call, or an inlined function, costs more than a step.
"""

import numba
import numpy as np

from residuum._kernels.alias import draw_place
from residuum._kernels.random import next_uniform, stream

__all__ = ["first_steps", "walk_contexts"]

_GOLDEN = 0.6180339887498949
# Walks that are advanced in turn, to hide memory latency.
_LANES = 16


@numba.njit(cache=True)
def _length(keep, last, level):
    """Return the last step whose share is above the level; 0 if there is none."""
    step = last[np.int64(level * len(last))]
    while step > 0 and level >= keep[step - 1]:
        step -= 1
    return step


@numba.njit(cache=True)
def first_steps(
    own, node, first_walk, n_walks, keep, last, stride, indptr, indices, threshold, alias, states, heres, levels, dues,
    lengths,
):  # fmt: skip
    """Take the first steps of up to 16 walks of a node; return the number of walks that go on."""
    state, shift = next_uniform(own)
    state, level_shift = next_uniform(state)
    state, uniform = next_uniform(state)
    phase_shift = np.int64(uniform * stride)
    begin, end = np.int64(indptr[node]), np.int64(indptr[node + 1])
    lanes = np.int64(0)
    for walk in range(first_walk, min(first_walk + _LANES, n_walks)):
        level = level_shift + walk * _GOLDEN
        level -= np.floor(level)
        phase = (walk + phase_shift) % stride
        length = _length(keep, last, level)
        if length <= phase:
            continue
        here = np.int64(indices[draw_place(begin, end, (walk + shift) / n_walks, threshold, alias)])
        if phase == 0:
            phase = stride
        if phase < length:
            states[lanes], heres[lanes], levels[lanes] = stream(own, walk), here, level
            dues[lanes], lengths[lanes] = phase, length
            lanes += 1
    return lanes


@numba.njit(cache=True)
def _other_steps(
    lanes, keep, stride, indptr, indices, threshold, alias, states, heres, levels, dues, lengths, contexts, n_contexts
):
    """Take all steps but the first of some walks, in turn; return the number of contexts."""
    step = np.int64(0)
    while lanes > 0:
        step += 1
        for lane in range(lanes - 1, -1, -1):
            here = heres[lane]
            begin = np.int64(indptr[here])
            size = np.int64(indptr[here + 1]) - begin
            ends = size == 0
            if not ends:
                state, uniform = next_uniform(states[lane])
                place = min(np.int64(uniform * size), size - 1)
                if len(threshold) > 0 and uniform * size - place >= threshold[begin + place]:
                    place = np.int64(alias[begin + place])
                here = np.int64(indices[begin + place])
                states[lane], heres[lane] = state, here
                if step == dues[lane]:
                    if levels[lane] < keep[step]:
                        contexts[n_contexts] = here
                        n_contexts += 1
                    dues[lane] += stride
                    ends = dues[lane] >= lengths[lane]
            if ends:
                # The last walk, which has taken this step, takes the place of one that ends.
                lanes -= 1
                states[lane], heres[lane], levels[lane] = states[lanes], heres[lanes], levels[lanes]
                dues[lane], lengths[lane] = dues[lanes], lengths[lanes]
    return n_contexts


@numba.njit(nogil=True, cache=True)
def walk_contexts(nodes, n_walks, keep, last, stride, seed, indptr, indices, threshold, alias, contexts, borders):
    """Sample contexts of some nodes: a share ``keep[t − 1] / stride`` of the walks records the node after t steps.

    The first steps of the walks of a node are a systematic sample of its edges, and the walks that record step t are
    spread evenly over them. The first step is not recorded: its distribution is known. A walk ends at a node without
    out-edges.

    Parameters
    ----------
    nodes : int array of shape (n,)
        Nodes to sample contexts for.
    n_walks : int array of shape (N,)
        Number of walks from each node.
    keep : array of shape (T,)
        Share of the walks that record each step, at most 1, before the stride.
    last : int array of shape (B,)
        Last step whose share is above b / B.
    stride : int
        A walk records only every ``stride``-th step, starting at a random one.
    seed : uint64
        Seed; the walks of a node depend only on it and on the node.
    indptr, indices : int arrays
        CSR arrays of the adjacency matrix.
    threshold, alias : arrays, or (0,) if all weights are equal
        Alias tables of the rows.
    contexts : int32 array, written
        Contexts of the nodes, end to end; room for T contexts per walk.
    borders : int64 array of shape (n + 1,), written
        The contexts of ``nodes[r]`` are ``contexts[borders[r]:borders[r + 1]]``.
    """
    n_contexts = np.int64(0)
    borders[0] = 0
    states, heres = np.empty(_LANES, dtype=np.uint64), np.empty(_LANES, dtype=np.int64)
    levels = np.empty(_LANES, dtype=np.float64)
    dues, lengths = np.empty(_LANES, dtype=np.int64), np.empty(_LANES, dtype=np.int64)
    for r in range(len(nodes)):
        own = stream(seed, nodes[r])
        for first_walk in range(0, n_walks[nodes[r]], _LANES):
            lanes = first_steps(
                own, nodes[r], first_walk, n_walks[nodes[r]], keep, last, stride, indptr, indices, threshold, alias,
                states, heres, levels, dues, lengths,
            )  # fmt: skip
            n_contexts = _other_steps(
                lanes, keep, stride, indptr, indices, threshold, alias, states, heres, levels, dues, lengths, contexts,
                n_contexts,
            )  # fmt: skip
        borders[r + 1] = n_contexts
