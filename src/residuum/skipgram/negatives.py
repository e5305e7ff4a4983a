"""Negatives: contexts drawn from ``P_0(· | i)`` inside a kernel."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum.errors import NullModelError
from residuum.nulls import Blocks, FittedNull
from residuum.walks import alias_of

__all__ = ["Negatives"]

# Where a null model can only be asked for samples: negatives kept in all, within bounds for each node, and how many
# are drawn at once.
_POOLED = 1 << 19
_SMALLEST_POOL, _LARGEST_POOL = 128, 2048
_DRAWN_AT_ONCE = 1 << 20

_no_tables = np.empty(0, dtype=np.float32), np.empty(0, dtype=np.int32)


class Negatives:
    """``P_0(j | i) = θ_j W[h_i, g_j] + v_j J[h_i]`` as alias tables: a group by W, then a node of it by θ.

    A null model without such blocks (:class:`residuum.nulls.SampledNull`, or one of your own) is asked for a pool of
    contexts of each node instead (128, in small graphs up to 2048), anew in every epoch; negatives are drawn from it.

    Parameters
    ----------
    null : FittedNull
    active : bool array of shape (N,)
        The nodes that walkers visit.
    rng : numpy Generator
        For the pools.
    """

    def __init__(self, null: FittedNull, active: NDArray[np.bool_], rng: np.random.Generator) -> None:
        self._null = null
        self._active = np.flatnonzero(active)
        self._rng = rng
        n_nodes = len(active)
        self._pool = np.empty((0, 0), dtype=np.int32)
        if null.blocks is None:
            nobody = np.empty(0, dtype=np.int32), np.zeros(1, dtype=np.int64)
            nothing = *_no_tables, *nobody, *_no_tables, *_no_tables
            self._tables: tuple[Any, ...] = (np.zeros(n_nodes, dtype=np.int32), *nothing)
        else:
            self._tables = _block_tables(null.blocks)

    def next_epoch(self) -> None:
        """Draw new pools, if the null model needs them."""
        if self._null.blocks is not None:
            return
        n_nodes = len(self._tables[0])
        size = int(np.clip(_POOLED // n_nodes, _SMALLEST_POOL, _LARGEST_POOL))
        pool = np.zeros((n_nodes, size), dtype=np.int32)
        nodes_at_once = _DRAWN_AT_ONCE // size
        for begin in range(0, len(self._active), nodes_at_once):
            nodes = self._active[begin : begin + nodes_at_once]
            drawn = np.asarray(self._null.sample(np.repeat(nodes, size), self._rng))
            if drawn.shape != (len(nodes) * size,) or drawn.min() < 0 or drawn.max() >= n_nodes:
                raise NullModelError(
                    f"sample must return one node number below {n_nodes} for each of {len(nodes) * size} centres; "
                    f"{type(self._null).__name__} gave shape {drawn.shape}."
                )
            pool[nodes] = drawn.reshape(len(nodes), size)
        self._pool = pool

    @property
    def arrays(self) -> tuple[Any, ...]:
        """What the kernel's ``draw_negative`` takes."""
        return (*self._tables, self._pool)


def _block_tables(blocks: Blocks) -> tuple[Any, ...]:
    n_groups = blocks.weights.shape[1]
    order = np.argsort(blocks.groups, kind="stable")
    order = order[blocks.theta[order] > 0]
    borders = np.searchsorted(blocks.groups[order], np.arange(n_groups + 1)).astype(np.int64)
    masses = np.bincount(blocks.groups, weights=blocks.theta, minlength=n_groups)
    target = _no_tables
    jump = np.zeros(len(blocks.weights))
    if blocks.target is not None and blocks.jump is not None:
        target, jump = alias_of(np.array([0, len(blocks.target)]), blocks.target), blocks.jump
    choice = _no_tables
    if n_groups > 1 or jump.any():
        weights = np.concatenate([blocks.weights * masses, jump[:, None]], axis=1)
        # Nobody walks from a group without any probability, but its table must be one.
        weights[weights.sum(axis=1) == 0] = np.append(masses, 0.0)
        choice = alias_of(np.arange(len(weights) + 1) * (n_groups + 1), weights.ravel())
    members = order.astype(np.int32), borders
    return blocks.row_groups, *choice, *members, *_member_tables(blocks, order, borders), *target


def _member_tables(blocks: Blocks, order: NDArray[np.int64], borders: NDArray[np.int64]) -> Any:
    theta = blocks.theta[order]
    even = np.repeat(theta[np.minimum(borders[:-1], len(theta) - 1)], np.diff(borders))
    return _no_tables if np.array_equal(theta, even) else alias_of(borders, theta)
