"""A fitted null model of block shape."""

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from residuum.errors import NullModelError
from residuum.nulls._draw_kernels import draw_contexts
from residuum.nulls.blocks import Blocks
from residuum.nulls.draws import DrawTables, draw_tables
from residuum.nulls.groupings import Grouping

__all__ = ["BlockNull"]


class BlockNull:
    """A fitted null model of block shape.

    Parameters
    ----------
    blocks : Blocks
    source : array of shape (N,)
        p_i, the null's distribution over centres.
    symmetric : bool
        Whether ``P_d / P_0`` is symmetric on the undirected graph it was fitted to.
    grouping : Grouping, optional
        How nodes fall into groups, if the null model has any.
    """

    def __init__(
        self,
        blocks: Blocks,
        source: NDArray[np.float64],
        *,
        symmetric: bool,
        grouping: Grouping | None = None,
    ) -> None:
        self.blocks = blocks
        self.symmetric = symmetric
        self.grouping = grouping
        self._source = source

    def row_groups_of(self, values: ArrayLike | None, edges: "sparse.csr_array[Any]") -> NDArray[np.int32]:
        """Return the row groups of nodes that were not in the graph, shape (m,).

        Parameters
        ----------
        values : array of length m, or None
            What the null model groups by, if it cannot see it in the edges.
        edges : sparse array of shape (m, N)
            Their edges to nodes of the graph.
        """
        if self.grouping is None:
            groups = np.zeros(edges.shape[0], dtype=np.int32)
        else:
            groups = self.grouping.codes_of(values, edges)
        blocks = self.blocks
        if blocks.row_groups is blocks.groups:
            return groups
        # With teleportation a group is split by τ; nodes with edges of their own are in the part of lowest τ,
        # which window_blocks numbers first.
        first = np.full(blocks.weights.shape[1], np.iinfo(np.int32).max, dtype=np.int32)
        np.minimum.at(first, blocks.groups, blocks.row_groups)
        return np.asarray(first[groups])

    @cached_property
    def source_offset(self) -> NDArray[np.float64]:
        """``ln p_i``, shape (N,)."""
        with np.errstate(divide="ignore"):
            return np.log(self._source)

    @cached_property
    def offset(self) -> NDArray[np.float64]:
        """``ln Σ_i p_i P_0(j | i)``, shape (N,)."""
        blocks = self.blocks
        mass = np.bincount(blocks.row_groups, weights=self._source, minlength=blocks.weights.shape[0])
        marginal = blocks.theta * (mass @ blocks.weights)[blocks.groups]
        if blocks.target is not None and blocks.jump is not None:
            marginal = marginal + blocks.target * (mass @ blocks.jump)
        with np.errstate(divide="ignore"):
            return np.log(marginal)

    def log_probability(self, rows: ArrayLike, columns: ArrayLike) -> NDArray[np.float64]:
        """Return ``ln P_0(columns | rows)``, broadcasting the two index arrays against each other."""
        blocks = self.blocks
        rows, columns = np.asarray(rows), np.asarray(columns)
        centre = blocks.row_groups[rows]
        probability = blocks.theta[columns] * blocks.weights[centre, blocks.groups[columns]]
        if blocks.target is not None and blocks.jump is not None:
            probability = probability + blocks.target[columns] * blocks.jump[centre]
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(probability))

    def sample(self, centers: ArrayLike, rng: np.random.Generator) -> NDArray[np.int64]:
        """Draw one context from ``P_0(· | i)`` for each centre i: group first, then node.

        A centre in a group that no edge leaves is an error, unless walkers jump from there: it expects nothing.
        """
        nodes = np.asarray(centers, dtype=np.int64)
        lost = self._leads_nowhere[self.blocks.row_groups[nodes]]
        if lost.any():
            raise NullModelError(
                f"the group of the node at position {nodes.ravel()[lost.ravel()][0]} has no edges that leave it, so "
                "that the null model leads nowhere from there: leave such nodes out of the centres, or put them into "
                "a group that has edges."
            )
        contexts = np.empty(nodes.size, dtype=np.int64)
        seed = np.uint64(rng.integers(2**63))
        draw_contexts(nodes.ravel(), seed, *self._tables, contexts)  # type: ignore[call-arg] # numba has no types
        return contexts.reshape(nodes.shape)

    @cached_property
    def _tables(self) -> DrawTables:
        return draw_tables(self.blocks)

    @cached_property
    def _leads_nowhere(self) -> NDArray[np.bool_]:
        """Whether nothing can be drawn for a centre, by its row group, shape (H,)."""
        blocks = self.blocks
        to_groups = blocks.weights @ np.bincount(blocks.groups, blocks.theta, minlength=blocks.weights.shape[1])
        return np.asarray(to_groups + (0.0 if blocks.jump is None else blocks.jump) == 0.0)
