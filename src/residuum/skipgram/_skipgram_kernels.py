"""Skip-gram with negative sampling: stochastic gradient steps over the pairs of walks, without locks."""

import numba
import numpy as np

from residuum.nulls._draw_kernels import draw_context
from residuum.walks._random_kernels import next_uniform, stream

__all__ = ["draw_negative", "train_walks", "update_pair"]

# The loss is looked at in one of so many positions of a walk: it costs as much as a step.
_LOSS_STRIDE = 16


@numba.njit(cache=True, inline="always")
def draw_negative(
    state, center, row_groups, choice_threshold, choice_alias, nodes, borders, node_threshold, node_alias,
    target_threshold, target_alias, pool,
):  # fmt: skip
    """Draw a context from the centre's pool, or from ``P_0(· | center)`` where there are no pools.

    Parameters
    ----------
    state : uint64
    center : int
    row_groups, ..., target_alias : arrays
        See :func:`residuum.nulls._draw_kernels.draw_context`.
    pool : int32 array of shape (N, m), or (0, 0)
    """
    if pool.shape[1] > 0:
        state, uniform = next_uniform(state)
        return state, np.int64(pool[center, min(np.int64(uniform * pool.shape[1]), pool.shape[1] - 1)])
    return draw_context(
        state, center, row_groups, choice_threshold, choice_alias, nodes, borders, node_threshold, node_alias,
        target_threshold, target_alias,
    )  # fmt: skip


@numba.njit(cache=True, fastmath={"contract", "reassoc"}, inline="always")
def update_pair(U, V, center, targets, rate, push, pull):
    """Take one step down the gradient of ``−ln σ(u·v_0) − Σ_k ln σ(−u·v_k)``.

    Parameters
    ----------
    U, V : float32 arrays of shape (N, K), changed
    center : int
        The row u of U.
    targets : int64 array of shape (k + 1,)
        The rows of V: the context first, then the negatives.
    rate : float32
    push : float32 array of shape (k + 1,), scratch
    pull : float32 array of shape (K,), scratch
    """
    width = U.shape[1]
    for k in range(len(targets)):
        target = targets[k]
        dot = np.float32(0.0)
        for d in range(width):
            dot += U[center, d] * V[target, d]
        push[k] = dot
    for k in range(len(targets)):
        push[k] = -rate / (np.float32(1.0) + np.exp(-push[k]))
    push[0] += rate
    for d in range(width):
        pull[d] = np.float32(0.0)
    for k in range(len(targets)):
        target, g = targets[k], push[k]
        for d in range(width):
            v = V[target, d]
            pull[d] += g * v
            V[target, d] = v + g * U[center, d]
    for d in range(width):
        U[center, d] += pull[d]


@numba.njit(cache=True)
def _pair_loss(U, V, center, targets):
    """Return ``−ln σ(u·v_0) − Σ_k ln σ(−u·v_k)``, in float64."""
    loss = 0.0
    for k in range(len(targets)):
        dot = 0.0
        for d in range(U.shape[1]):
            dot += np.float64(U[center, d]) * np.float64(V[targets[k], d])
        x = dot if k == 0 else -dot
        loss += max(-x, 0.0) + np.log1p(np.exp(-abs(x)))
    return loss


@numba.njit(parallel=True, fastmath={"contract", "reassoc"}, cache=True)
def train_walks(
    walks, first, total, seed, n_blocks, keep_step, keep_node, both_sides, n_negatives, rate, lowest_rate,
    row_groups, choice_threshold, choice_alias, nodes, borders, node_threshold, node_alias, target_threshold,
    target_alias, pool, U, V, loss, n_losses, n_pairs,
):  # fmt: skip
    """Train on every pair of nodes within the window of each walk.

    The walks are cut into ``n_blocks`` runs; blocks run at the same time and change the same vectors without locks.
    With one block the result is the same bits every time.

    Parameters
    ----------
    walks : int32 array of shape (n, steps + 1)
    first, total : int
        Number of the first walk, and of all walks in all epochs: the learning rate falls with their ratio.
    seed : uint64
        Walk k draws its negatives from the stream ``(seed, first + k)``.
    n_blocks : int
    keep_step : float array of shape (T + 1,)
        The chance that a pair t steps apart is used.
    keep_node : float array of shape (N,), or (0,)
        The chance that a visit counts, as centre and as context; it keeps its place in the walk.
    both_sides : bool
        Whether contexts before the centre count too.
    n_negatives : int
    rate, lowest_rate : float
        At the first and after the last walk.
    row_groups, …, pool
        See :func:`draw_negative`.
    U, V : float32 arrays of shape (N, K), changed
    loss, n_losses, n_pairs : arrays of shape (n_blocks,), written
        Sum of the losses looked at, their number, and the number of pairs.
    """
    n_walks, length = walks.shape
    window = len(keep_step) - 1
    for block in numba.prange(n_blocks):
        targets = np.empty(n_negatives + 1, dtype=np.int64)
        push = np.empty(n_negatives + 1, dtype=np.float32)
        pull = np.empty(U.shape[1], dtype=np.float32)
        block_loss, block_losses, block_pairs = 0.0, 0, 0
        for w in range(block * n_walks // n_blocks, (block + 1) * n_walks // n_blocks):
            state = stream(seed, first + w)
            step_rate = np.float32(rate + (lowest_rate - rate) * ((first + w) / total))
            for here in range(length):
                center = np.int64(walks[w, here])
                if len(keep_node) > 0:
                    state, uniform = next_uniform(state)
                    if uniform >= keep_node[center]:
                        continue
                watched = (here + w) % _LOSS_STRIDE == 0
                lowest = max(0, here - window) if both_sides else here + 1
                for there in range(lowest, min(length, here + window + 1)):
                    if there == here:
                        continue
                    chance = keep_step[abs(there - here)]
                    if chance < 1.0:
                        state, uniform = next_uniform(state)
                        if uniform >= chance:
                            continue
                    context = np.int64(walks[w, there])
                    if len(keep_node) > 0:
                        state, uniform = next_uniform(state)
                        if uniform >= keep_node[context]:
                            continue
                    targets[0] = context
                    for k in range(1, n_negatives + 1):
                        state, targets[k] = draw_negative(
                            state, center, row_groups, choice_threshold, choice_alias, nodes, borders, node_threshold,
                            node_alias, target_threshold, target_alias, pool,
                        )  # fmt: skip
                    if watched:
                        block_loss += _pair_loss(U, V, center, targets)
                        block_losses += 1
                    update_pair(U, V, center, targets, step_rate, push, pull)
                    block_pairs += 1
        loss[block], n_losses[block], n_pairs[block] = block_loss, block_losses, block_pairs
