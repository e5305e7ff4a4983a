"""Contexts sampled by random walks, with a low-discrepancy choice of first steps and lengths."""

import numba
import numpy as np

from residuum._kernels.alias import draw_place
from residuum._kernels.random import next_uniform, stream

__all__ = ["walk_contexts"]

_GOLDEN = 0.6180339887498949


@numba.njit(cache=True, inline="always")
def _step(state, here, indptr, indices, threshold, alias, jump, target_threshold, target_alias):
    """Return the next state and node of a walker."""
    if len(jump) > 0 and jump[here] > 0.0:
        state, uniform = next_uniform(state)
        if uniform < jump[here]:
            state, uniform = next_uniform(state)
            n_nodes = np.int64(len(indptr) - 1)
            return state, draw_place(np.int64(0), n_nodes, uniform, target_threshold, target_alias)
    state, uniform = next_uniform(state)
    begin, end = np.int64(indptr[here]), np.int64(indptr[here + 1])
    return state, np.int64(indices[draw_place(begin, end, uniform, threshold, alias)])


@numba.njit(cache=True, inline="always")
def _length(keep, level):
    """Return the last step whose share is above the level; 0 if there is none."""
    for step in range(len(keep), 0, -1):
        if level < keep[step - 1]:
            return step
    return 0


@numba.njit(nogil=True, cache=True)
def walk_contexts(
    nodes, n_walks, keep, seed, indptr, indices, threshold, alias, jump, target_threshold, target_alias, contexts,
    borders,
):  # fmt: skip
    """Sample contexts of some nodes: a share ``keep[t - 1]`` of the walks records the node after t steps.

    The first steps of the walks of a node are a systematic sample of its edges, and the walks that record step t are
    spread evenly over them. A first step along an edge is not recorded: its distribution is known. A first step that
    is a jump is.

    Parameters
    ----------
    nodes : int array of shape (n,)
        Nodes to sample contexts for.
    n_walks : int array of shape (N,)
        Number of walks from each node.
    keep : array of shape (T,)
        Share of the walks that record each step, at most 1.
    seed : uint64
        Seed; the walks of node i use the random stream ``(seed, i)``.
    indptr, indices : int arrays
        CSR arrays of the adjacency matrix.
    threshold, alias : arrays, or (0,) if all weights are equal
        Alias tables of the rows.
    jump : float array of shape (N,), or (0,)
        Probability of a jump at each node.
    target_threshold, target_alias : arrays of shape (N,), or (0,)
        Alias table of the jump targets; uniform if empty.
    contexts : int32 array, written
        Contexts of the nodes, end to end; room for T contexts per walk.
    borders : int64 array of shape (n + 1,), written
        The contexts of ``nodes[r]`` are ``contexts[borders[r]:borders[r + 1]]``.
    """
    n_contexts = 0
    borders[0] = 0
    for r in range(len(nodes)):
        node = nodes[r]
        first, last = np.int64(indptr[node]), np.int64(indptr[node + 1])
        state = stream(seed, node)
        state, shift = next_uniform(state)
        state, level_shift = next_uniform(state)
        for walk in range(n_walks[node]):
            level = level_shift + walk * _GOLDEN
            level -= np.floor(level)
            length = _length(keep, level)
            if length == 0:
                continue
            jumped = False
            if len(jump) > 0 and jump[node] > 0.0:
                state, uniform = next_uniform(state)
                jumped = uniform < jump[node]
            if jumped:
                state, uniform = next_uniform(state)
                n_nodes = np.int64(len(indptr) - 1)
                here = draw_place(np.int64(0), n_nodes, uniform, target_threshold, target_alias)
                if level < keep[0]:
                    contexts[n_contexts] = here
                    n_contexts += 1
            else:
                place = draw_place(first, last, (walk + shift) / n_walks[node], threshold, alias)
                here = np.int64(indices[place])
            for step in range(1, length):
                state, here = _step(
                    state, here, indptr, indices, threshold, alias, jump, target_threshold, target_alias
                )
                if level < keep[step]:
                    contexts[n_contexts] = here
                    n_contexts += 1
        borders[r + 1] = n_contexts
