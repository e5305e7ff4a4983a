"""Negatives for skip-gram: contexts sampled from ``P_0(· | i)`` in a kernel."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum.errors import NullModelError
from residuum.nulls import DrawTables, FittedNull, draw_tables, no_tables

__all__ = ["Negatives"]

# For null models without a block form: total size of the pools, bounds of the pool of a node, and contexts per call of
# ``sample``.
_POOLED = 1 << 19
_SMALLEST_POOL, _LARGEST_POOL = 128, 2048
_DRAWN_AT_ONCE = 1 << 20


class Negatives:
    """``P_0(j | i) = θ_j W[g_i, g_j]`` as alias tables: sample a group by W, then a node of it by θ.

    A null model without a block form (:class:`residuum.nulls.SampledNull` or a custom one) is sampled instead: in every
    epoch, each node has a pool of 128 contexts (up to 2048 in small graphs) from which its negatives are chosen.

    Parameters
    ----------
    null : FittedNull
        Null model to sample from.
    active : bool array of shape (N,)
        Centers of pairs: nodes with out-edges.
    rng : numpy Generator
        Random generator for the pools.
    """

    def __init__(self, null: FittedNull, active: NDArray[np.bool_], rng: np.random.Generator) -> None:
        self._null = null
        self._active = np.flatnonzero(active)
        self._rng = rng
        n_nodes = len(active)
        self._pool = np.empty((0, 0), dtype=np.int32)
        if null.block_form is None:
            self._tables: DrawTables = no_tables(n_nodes)
        else:
            self._tables = draw_tables(null.block_form)

    def next_epoch(self) -> None:
        """Sample new pools, if the null model needs them."""
        if self._null.block_form is not None:
            return
        n_nodes = len(self._tables[0])
        size = int(np.clip(_POOLED // n_nodes, _SMALLEST_POOL, _LARGEST_POOL))
        pool = np.zeros((n_nodes, size), dtype=np.int32)
        nodes_at_once = _DRAWN_AT_ONCE // size
        for begin in range(0, len(self._active), nodes_at_once):
            nodes = self._active[begin : begin + nodes_at_once]
            contexts = np.asarray(self._null.sample(np.repeat(nodes, size), self._rng))
            if contexts.shape != (len(nodes) * size,) or contexts.min() < 0 or contexts.max() >= n_nodes:
                values = f"values from {contexts.min()} to {contexts.max()}" if contexts.size else "no values"
                raise NullModelError(
                    f"{type(self._null).__name__}.sample must return a node position from 0 to {n_nodes - 1} for each "
                    f"of {len(nodes) * size} centers; got shape {contexts.shape} and {values}."
                )
            pool[nodes] = contexts.reshape(len(nodes), size)
        self._pool = pool

    @property
    def arrays(self) -> tuple[Any, ...]:
        """Arguments of the kernel ``draw_negative``: alias tables and pools."""
        return (*self._tables, self._pool)
