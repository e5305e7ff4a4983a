"""Skip-gram with negative sampling: lock-free stochastic gradient descent over the node pairs of walks."""

import numba
import numpy as np

from residuum._kernels.drawing import draw_context
from residuum._kernels.random import next_uniform, stream

__all__ = ["draw_negative", "train_walks", "update_pair"]

# The loss is evaluated at one in this many positions of a walk, because it costs as much as a step.
_LOSS_STRIDE = 16


@numba.njit(cache=True, inline="always")
def draw_negative(
    state, center, groups, choice_threshold, choice_alias, nodes, borders, node_threshold, node_alias, pool
):  # fmt: skip
    """Sample a context from the pool of the center, or from ``P_0(· | center)`` if there are no pools.

    Parameters
    ----------
    state : uint64
        State of the random stream.
    center : int
        Index of the center.
    groups, ..., node_alias : arrays
        See :func:`residuum._kernels.drawing.draw_context`.
    pool : int32 array of shape (N, m), or (0, 0)
        m sampled contexts of each center.
    """
    if pool.shape[1] > 0:
        state, uniform = next_uniform(state)
        return state, np.int64(pool[center, min(np.int64(uniform * pool.shape[1]), pool.shape[1] - 1)])
    return draw_context(
        state, center, groups, choice_threshold, choice_alias, nodes, borders, node_threshold, node_alias
    )  # fmt: skip


@numba.njit(cache=True, fastmath={"contract", "reassoc"}, inline="always")
def update_pair(U, V, center, targets, rate, push, pull):
    """Take one gradient descent step on ``−ln σ(u·v_0) − Σ_k ln σ(−u·v_k)``.

    Parameters
    ----------
    U, V : float32 arrays of shape (N, K), changed
        Vectors of centers and of contexts.
    center : int
        Row of u in U.
    targets : int64 array of shape (k + 1,)
        Rows of v in V: the context first, then the negatives.
    rate : float32
        Learning rate.
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


@numba.njit(cache=True, inline="always")
def _use_visit(state, node, keep_node):
    """Return the random state and whether a visit of a node is used."""
    if len(keep_node) == 0:
        return state, True
    state, uniform = next_uniform(state)
    return state, uniform < keep_node[node]


@numba.njit(cache=True, inline="always")
def _use_pair(state, probability, context, keep_node):
    """Return the random state and whether the pair of a used center and a context is used."""
    if probability < 1.0:
        state, uniform = next_uniform(state)
        if uniform >= probability:
            return state, False
    return _use_visit(state, context, keep_node)


@numba.njit(nogil=True, fastmath={"contract", "reassoc"}, cache=True)
def train_walks(
    walks, first, total, seed, keep_step, keep_node, both_sides, n_negatives, rate, lowest_rate,
    groups, choice_threshold, choice_alias, nodes, borders, node_threshold, node_alias, pool, U, V, begin, end,
):  # fmt: skip
    """Train on every pair of nodes within the window of a range of walks.

    Return the sum and number of the evaluated losses, and the number of pairs. Several ranges may run at once and
    update shared vectors without locks; the result is deterministic if they do not.

    Parameters
    ----------
    walks : int32 array of shape (n, steps + 1)
        One walk per row; −1 for a jump, across which pairs are not used.
    first, total : int
        Number of the first walk, and of all walks in all epochs; the learning rate is linear in their ratio.
    seed : uint64
        Walk k uses the random stream ``(seed, first + k)``.
    keep_step : float array of shape (T + 1,)
        ``keep_step[t]`` is the probability of using a pair t steps apart.
    keep_node : float array of shape (N,), or (0,)
        Probability of using a visit, as center and as context; a dropped visit still counts as a step.
    both_sides : bool
        Whether contexts before the center are used, too.
    n_negatives : int
        Negatives per pair.
    rate, lowest_rate : float
        Learning rate at the first walk and after the last.
    groups, ..., pool : arrays
        See :func:`draw_negative`.
    U, V : float32 arrays of shape (N, K), changed
    begin, end : int
        Range of walks.
    """
    length = walks.shape[1]
    window = len(keep_step) - 1
    targets = np.empty(n_negatives + 1, dtype=np.int64)
    push = np.empty(n_negatives + 1, dtype=np.float32)
    pull = np.empty(U.shape[1], dtype=np.float32)
    loss, n_losses, n_pairs = 0.0, 0, 0
    for w in range(begin, end):
        state = stream(seed, first + w)
        step_rate = np.float32(rate + (lowest_rate - rate) * ((first + w) / total))
        for here in range(length):
            center = np.int64(walks[w, here])
            if center < 0:
                continue
            state, used = _use_visit(state, center, keep_node)
            if not used:
                continue
            evaluated = (here + w) % _LOSS_STRIDE == 0
            lowest = max(0, here - window) if both_sides else here + 1
            for there in range(lowest, min(length, here + window + 1)):
                if there == here:
                    continue
                context = np.int64(walks[w, there])
                if context < 0:
                    break
                state, used = _use_pair(state, keep_step[abs(there - here)], context, keep_node)
                if not used:
                    continue
                targets[0] = context
                for k in range(1, n_negatives + 1):
                    state, targets[k] = draw_negative(
                        state, center, groups, choice_threshold, choice_alias, nodes, borders, node_threshold,
                        node_alias, pool,
                    )  # fmt: skip
                if evaluated:
                    loss += _pair_loss(U, V, center, targets)
                    n_losses += 1
                update_pair(U, V, center, targets, step_rate, push, pull)
                n_pairs += 1
    return loss, n_losses, n_pairs
