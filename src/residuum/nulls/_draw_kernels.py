"""Contexts drawn from a null model of block shape, in constant time each."""

import numba
import numpy as np

from residuum.walks._alias_kernels import draw_place
from residuum.walks._random_kernels import next_uniform, stream

__all__ = ["draw_context", "draw_contexts"]

# Draws that share a stream of random numbers.
_SHARED = 4096


@numba.njit(cache=True, inline="always")
def draw_context(
    state, center, row_groups, choice_threshold, choice_alias, nodes, borders, node_threshold, node_alias,
    target_threshold, target_alias,
):  # fmt: skip
    """Draw a context from ``P_0(· | center)``: group first, then node; return the next state with it.

    Parameters
    ----------
    state : uint64
    center : int
    row_groups : int32 array of shape (N,)
    choice_threshold, choice_alias : tables of shape (H·(B + 1),), or (0,) if there is one group and no jump
        For each row group: which group, or the jump if it is the last.
    nodes : int32 array
        Node numbers in the order of their groups.
    borders : int64 array of shape (B + 1,)
        Where groups begin.
    node_threshold, node_alias : tables by θ inside each group, or (0,) if θ is the same in each
    target_threshold, target_alias : tables of shape (N,) for jumps, or (0,)
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


@numba.njit(parallel=True, cache=True)
def draw_contexts(
    centers, seed, row_groups, choice_threshold, choice_alias, nodes, borders, node_threshold, node_alias,
    target_threshold, target_alias, contexts,
):  # fmt: skip
    """Draw a context for each centre; the same seed gives the same ones on any number of threads.

    Parameters
    ----------
    centers : int64 array of shape (m,)
    seed : uint64
    row_groups, ..., target_alias : arrays
        See :func:`draw_context`.
    contexts : int64 array of shape (m,), written
    """
    n_centers = len(centers)
    for block in numba.prange((n_centers + _SHARED - 1) // _SHARED):
        state = stream(seed, block)
        for k in range(block * _SHARED, min((block + 1) * _SHARED, n_centers)):
            state, contexts[k] = draw_context(
                state, centers[k], row_groups, choice_threshold, choice_alias, nodes, borders, node_threshold,
                node_alias, target_threshold, target_alias,
            )  # fmt: skip
