"""Alias tables of a null model of block shape, for draws inside kernels."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum.nulls.blocks import Blocks
from residuum.walks import alias_of

__all__ = ["DrawTables", "draw_tables", "no_tables"]

# What draw_context of the kernels takes after the centre.
DrawTables = tuple[Any, ...]

_no_table = np.empty(0, dtype=np.float32), np.empty(0, dtype=np.int32)


def no_tables(n_nodes: int) -> DrawTables:
    """Return tables of the right types from which nothing can be drawn."""
    nobody = np.empty(0, dtype=np.int32), np.zeros(1, dtype=np.int64)
    return np.zeros(n_nodes, dtype=np.int32), *_no_table, *nobody, *_no_table, *_no_table


def draw_tables(blocks: Blocks) -> DrawTables:
    """Return what the kernels draw contexts with: a group by W and J, then a node of it by θ, or by v after a jump."""
    n_groups = blocks.weights.shape[1]
    order = np.argsort(blocks.groups, kind="stable")
    order = order[blocks.theta[order] > 0]
    borders = np.searchsorted(blocks.groups[order], np.arange(n_groups + 1)).astype(np.int64)
    masses = np.bincount(blocks.groups, weights=blocks.theta, minlength=n_groups)
    target = _no_table
    jump = np.zeros(len(blocks.weights))
    if blocks.target is not None and blocks.jump is not None:
        target, jump = alias_of(np.array([0, len(blocks.target)]), blocks.target), blocks.jump
    choice = _no_table
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
    return _no_table if np.array_equal(theta, even) else alias_of(borders, theta)
