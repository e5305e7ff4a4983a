"""Contexts sampled from a null model in block form, in constant time per sample."""

import numba
import numpy as np

from residuum._kernels.alias import draw_place
from residuum._kernels.random import next_uniform, stream

__all__ = ["SAMPLES_PER_STREAM", "draw_context", "draw_contexts"]

SAMPLES_PER_STREAM = 4096


@numba.njit(cache=True, inline="always")
def draw_context(
    state, center, row_groups, choice_threshold, choice_alias, nodes, borders, node_threshold, node_alias,
    target_threshold, target_alias,
):  # fmt: skip
    """Sample a context from ``P_0(· | center)``, group first and then node; return the next state and the context.

    Parameters
    ----------
    state : uint64
        State of the random stream.
    center : int
        Index of the center.
    row_groups : int32 array of shape (N,)
        Group of each node as a center.
    choice_threshold, choice_alias : arrays of shape (H·(B + 1),), or (0,) if there is one group and no jump
        Alias tables over the B groups and, as the last entry, a jump; one table per row group.
    nodes : int32 array
        Nodes sorted by group.
    borders : int64 array of shape (B + 1,)
        Boundaries of the groups in ``nodes``.
    node_threshold, node_alias : arrays of the length of ``nodes``, or (0,) if θ is constant within groups
        Alias tables of θ within each group.
    target_threshold, target_alias : arrays of shape (N,), or (0,)
        Alias table of the jump targets; uniform if empty.
    """
    n_groups = np.int64(len(borders) - 1)
    group = np.int64(0)
    if len(choice_threshold) > 0:
        begin = np.int64(row_groups[center]) * (n_groups + 1)
        state, uniform = next_uniform(state)
        group = draw_place(begin, begin + n_groups + 1, uniform, choice_threshold, choice_alias) - begin
    state, uniform = next_uniform(state)
    if group == n_groups:
        return state, draw_place(np.int64(0), np.int64(len(row_groups)), uniform, target_threshold, target_alias)
    return state, np.int64(nodes[draw_place(borders[group], borders[group + 1], uniform, node_threshold, node_alias)])


@numba.njit(nogil=True, cache=True)
def draw_contexts(
    centers, seed, row_groups, choice_threshold, choice_alias, nodes, borders, node_threshold, node_alias,
    target_threshold, target_alias, contexts, begin, end,
):  # fmt: skip
    """Sample a context for each center of a range of streams, 4096 centers per stream.

    Parameters
    ----------
    centers : int64 array of shape (m,)
        Indices of the centers.
    seed : uint64
        Seed of the random streams.
    row_groups, ..., target_alias : arrays
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
                state, centers[k], row_groups, choice_threshold, choice_alias, nodes, borders, node_threshold,
                node_alias, target_threshold, target_alias,
            )  # fmt: skip
