"""Negatives: contexts drawn from ``P_0(· | i)`` inside a kernel."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum.errors import NullModelError
from residuum.nulls import DrawTables, FittedNull, draw_tables, no_tables

__all__ = ["Negatives"]

# Where a null model can only be asked for samples: negatives kept in all, within bounds for each node, and how many
# are drawn at once.
_POOLED = 1 << 19
_SMALLEST_POOL, _LARGEST_POOL = 128, 2048
_DRAWN_AT_ONCE = 1 << 20


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
            self._tables: DrawTables = no_tables(n_nodes)
        else:
            self._tables = draw_tables(null.blocks)

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
