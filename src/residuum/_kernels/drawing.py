"""Contexts sampled from a null model in block form, in constant time per sample."""

import numba
import numpy as np

from residuum._kernels.alias import draw_place
from residuum._kernels.random import next_uniform, stream

__all__ = ["SAMPLES_PER_STREAM", "draw_context", "draw_contexts"]

SAMPLES_PER_STREAM = 4096


@numba.njit(cache=True, inline="always")
def draw_context(
    state, center, groups, choice_threshold, choice_alias, nodes, borders, node_threshold, node_alias
):  # fmt: skip
    """Sample a context from ``P_0(· | center)``, group first and then node; return the next state and the context.

    Parameters
    ----------
    state : uint64
        State of the random stream.
    center : int
        Index of the center.
    groups : int32 array of shape (N,)
        Group of each node.
    choice_threshold, choice_alias : arrays of shape (B²,), or (0,) if there is one group
        Alias tables over the B groups, one table per group of the center.
    nodes : int32 array
        Nodes sorted by group.
    borders : int64 array of shape (B + 1,)
        Boundaries of the groups in ``nodes``.
    node_threshold, node_alias : arrays of the length of ``nodes``, or (0,) if θ is constant within groups
        Alias tables of θ within each group.
    """
    n_groups = np.int64(len(borders) - 1)
    group = np.int64(0)
    if len(choice_threshold) > 0:
        begin = np.int64(groups[center]) * n_groups
        state, uniform = next_uniform(state)
        group = draw_place(begin, begin + n_groups, uniform, choice_threshold, choice_alias) - begin
    state, uniform = next_uniform(state)
    return state, np.int64(nodes[draw_place(borders[group], borders[group + 1], uniform, node_threshold, node_alias)])


@numba.njit(nogil=True, cache=True)
def draw_contexts(
    centers, seed, groups, choice_threshold, choice_alias, nodes, borders, node_threshold, node_alias,
    contexts, begin, end,
):  # fmt: skip
    """Sample a context for each center of a range of streams, 4096 centers per stream.

    Parameters
    ----------
    centers : int64 array of shape (m,)
        Indices of the centers.
    seed : uint64
        Seed of the random streams.
    groups, ..., node_alias : arrays
        See :func:`draw_context`.
    contexts : int64 array of shape (m,), written
    begin, end : int
        Range of streams.
    """
    n_centers = len(centers)
    for chunk in range(begin, end):
        state = stream(seed, chunk)
        for k in range(chunk * SAMPLES_PER_STREAM, min((chunk + 1) * SAMPLES_PER_STREAM, n_centers)):
            state, contexts[k] = draw_context(
                state, centers[k], groups, choice_threshold, choice_alias, nodes, borders, node_threshold, node_alias
            )  # fmt: skip
