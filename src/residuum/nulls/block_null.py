"""Fitted null models in block form."""

from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from residuum._kernels.drawing import SAMPLES_PER_STREAM, draw_contexts
from residuum._threads import even_ranges, run_ranges
from residuum.errors import NullModelError
from residuum.nulls.base import FittedNull
from residuum.nulls.block_form import BlockForm
from residuum.nulls.draws import DrawTables, draw_tables
from residuum.nulls.grouping import Grouping

__all__ = ["BlockNull"]

# A sample takes about as long as this many simple operations.
_DRAW_OPERATIONS = 10


class BlockNull(FittedNull):
    """``P_0(j | i) = θ_j W[g_i, g_j]``, a fitted null model in block form.

    Parameters
    ----------
    block_form : BlockForm
        Factors of ``P_0``.
    source : array of shape (N,)
        Distribution p of the centers.
    symmetric : bool
        Whether ``P_d / P_0`` is symmetric on the undirected graph that the null model is fitted to.
    grouping : Grouping, optional
        Rule that assigns out-of-sample nodes to groups; by default all nodes are in one group.

    Examples
    --------
    >>> import numpy as np
    >>> from residuum.datasets import karate_club
    >>> from residuum.nulls import DegreeCorrectedSBM
    >>> null = DegreeCorrectedSBM("club").fit(karate_club(), window=10)
    >>> np.exp(null.log_probability(0, [1, 32])).round(3)
    array([0.071, 0.058])
    """

    block_form: BlockForm

    def __init__(
        self,
        block_form: BlockForm,
        source: NDArray[np.float64],
        *,
        symmetric: bool,
        grouping: Grouping | None = None,
    ) -> None:
        self.block_form = block_form
        self.symmetric = symmetric
        self.grouping = grouping
        self.source = source

    def groups_of(self, values: ArrayLike | None, edges: "sparse.csr_array[Any]") -> NDArray[np.int32]:
        """Return the groups of out-of-sample nodes.

        Parameters
        ----------
        values : array of length m or None
            Attribute values that determine the groups; None if the groups follow from the edges.
        edges : sparse array of shape (m, N)
            Weights of the edges to nodes of the graph.

        Returns
        -------
        int array of shape (m,)
            Indices of rows of ``block_form.weights``.
        """
        if self.grouping is None:
            return np.zeros(edges.shape[0], dtype=np.int32)
        return self.grouping.codes_of(values, edges)

    @cached_property
    def source_offset(self) -> NDArray[np.float64]:  # type: ignore[override] # computed once
        """``ln p_i``, shape (N,)."""
        with np.errstate(divide="ignore"):
            return np.log(self.source)

    @cached_property
    def offset(self) -> NDArray[np.float64]:  # type: ignore[override] # computed once
        """``ln Σ_i p_i P_0(j | i)``, shape (N,)."""
        with np.errstate(divide="ignore"):
            return np.log(self.block_form.marginal(self.source))

    def log_probability(self, rows: ArrayLike, columns: ArrayLike) -> NDArray[np.float64]:
        """Return ``ln P_0(j | i)`` for pairs of nodes."""
        with np.errstate(divide="ignore"):
            return np.log(self.block_form.probability(self.block_form.groups[np.asarray(rows)], columns))

    def divide_columns(self, values: NDArray[np.float32], contexts: NDArray[np.int64], lowest: float) -> None:
        """Compute ``max(P_d / P_0, lowest)`` in place for some contexts, with one kernel."""
        form = self.block_form
        form.centers().divide(values, form.contexts(contexts), form.weights, lowest)

    def divide_rows(self, values: NDArray[np.float32], centers: NDArray[np.int64], lowest: float) -> None:
        """Compute ``max(P_d / P_0, lowest)`` in place for some centers, transposed, with one kernel."""
        form = self.block_form
        form.contexts().divide(values, form.centers(centers), form.weights.T, lowest)

    def sample(self, centers: ArrayLike, rng: np.random.Generator) -> NDArray[np.int64]:
        """Sample one context from ``P_0(· | i)`` for each center i: first a group, then a node.

        Raises
        ------
        NullModelError
            If the group of a center has no out-edges.
        """
        nodes = np.asarray(centers, dtype=np.int64)
        empty = self._has_no_contexts[self.block_form.groups[nodes]]
        if empty.any():
            raise NullModelError(
                f"cannot sample a context for the node at position {nodes.ravel()[empty.ravel()][0]}: its group has no "
                "out-edges. Leave such nodes out, or merge their group with a group that has edges."
            )
        contexts = np.empty(nodes.size, dtype=np.int64)
        seed = np.uint64(rng.integers(2**63))
        draw = partial(draw_contexts, nodes.ravel(), seed, *self._tables, contexts)
        run_ranges(draw, even_ranges(-(-nodes.size // SAMPLES_PER_STREAM), _DRAW_OPERATIONS * nodes.size))
        return contexts.reshape(nodes.shape)

    @cached_property
    def _tables(self) -> DrawTables:
        return draw_tables(self.block_form)

    @cached_property
    def _has_no_contexts(self) -> NDArray[np.bool_]:
        """Whether ``P_0(· | i)`` is 0 for the centers of a group, shape (B,)."""
        form = self.block_form
        return np.asarray(form.weights @ np.bincount(form.groups, form.theta, minlength=form.n_groups) == 0.0)
