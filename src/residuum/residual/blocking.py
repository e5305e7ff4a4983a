"""Blocks of nodes that walkers treat alike, inside the groups of the null model."""

import numpy as np
from numpy.typing import NDArray

from residuum.nulls import Blocks, FittedNull
from residuum.residual.clustering import k_means, shares
from residuum.walks import WindowProbabilities

__all__ = ["blocks_to_find", "find_blocks"]

_BLOCKS, _BLOCKS_PER_GROUP = 1000, 25
_DIMENSIONS = 128
_MOST_STEPS = 5
_ROUNDS = 5
# How far apart a factor e in what the null expects, beyond the in-strength, puts two nodes; unit vectors are at most 2.
_EXPECTATION_SCALE = 0.25


def blocks_to_find(null: FittedNull, n_blocks: int | None) -> int:
    """Return how many blocks are asked for: by default 1000, or 25 for each group of the null model if that is more.

    With fewer in each group, blocks would tell groups apart and little else: on the journal graph with 120 years, 8
    blocks a year miss twice as much of the matrix as 25 do.
    """
    if n_blocks is not None or null.blocks is None:
        return n_blocks or _BLOCKS
    return max(_BLOCKS, _BLOCKS_PER_GROUP * int(null.blocks.weights.shape[1]))


def find_blocks(
    probabilities: WindowProbabilities, null: FittedNull, n_blocks: int, rng: np.random.Generator
) -> NDArray[np.int32]:
    """Return the block of each node, shape (N,), such that each block lies in one group of the null model.

    Nodes are alike if their walkers go to the same places: the rows of ``Σ_t Pᵗ D^(−1/2)``, less their common part and
    of unit length, seen through a random projection. They are clustered by k-means inside each group, which gets
    blocks in proportion to its size. Nodes that no edge leads to are a block of their own in each group.

    Parameters
    ----------
    probabilities : WindowProbabilities
    null : FittedNull
        With blocks.
    n_blocks : int
        In all; at least one for each group.
    rng : numpy Generator
    """
    blocks = null.blocks
    assert blocks is not None
    reached = probabilities.graph.in_strength > 0
    n_groups = blocks.weights.shape[1]
    wanted = shares(np.bincount(blocks.groups[reached], minlength=n_groups), n_blocks)
    labels = np.zeros(len(reached), dtype=np.int64)
    n_found = 0
    features = _features(probabilities, null, rng) if (wanted > 1).any() else np.empty((len(reached), 0), np.float32)
    for group, members in enumerate(_members(blocks, n_groups)):
        inside = members[reached[members]]
        if len(inside):
            labels[inside] = n_found + k_means(features[inside], int(wanted[group]), rng, _ROUNDS)
            n_found = int(labels[inside].max()) + 1
        outside = members[~reached[members]]
        labels[outside] = n_found
        n_found += bool(len(outside))
    return np.unique(labels, return_inverse=True)[1].astype(np.int32)


def _members(blocks: Blocks, n_groups: int) -> list[NDArray[np.int64]]:
    order = np.argsort(blocks.groups, kind="stable")
    return np.split(order, np.searchsorted(blocks.groups[order], np.arange(1, n_groups)))


def _features(probabilities: WindowProbabilities, null: FittedNull, rng: np.random.Generator) -> NDArray[np.float32]:
    """Return the projected walks, and how the null model's expectation differs from the in-strength."""
    graph = probabilities.graph
    strength = graph.out_strength + graph.in_strength
    root = np.sqrt(np.divide(1.0, strength, out=np.zeros_like(strength), where=strength > 0))
    here = rng.standard_normal((graph.n_nodes, _DIMENSIONS), dtype=np.float32) * root.astype(np.float32)[:, None]
    spare, total = np.empty_like(here), np.zeros_like(here)
    for _ in range(min(len(probabilities.window), _MOST_STEPS)):
        probabilities.mingle(here, spare)
        here, spare = spare, here
        total += here
    total -= ((strength / strength.sum()) @ total).astype(np.float32)
    total /= np.maximum(np.linalg.norm(total, axis=1, keepdims=True), np.finfo(np.float32).tiny)
    with np.errstate(divide="ignore", invalid="ignore"):
        surplus = np.log(graph.in_strength) - null.offset
    surplus = np.where(np.isfinite(surplus), surplus, 0.0)
    if np.ptp(surplus[graph.in_strength > 0]) < 1e-6:
        return total
    extra = _EXPECTATION_SCALE * (surplus - surplus.mean())
    return np.concatenate([total, extra[:, None].astype(np.float32)], axis=1)
