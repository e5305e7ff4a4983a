"""The matrix that residual2vec factorises, a few rows or columns at a time."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from residuum._threads import log_in_place
from residuum.nulls import Blocks, FittedNull
from residuum.residual._residual_kernels import divide_by_expected, floor_and_scale
from residuum.walks import WindowProbabilities

__all__ = ["ResidualMatrix", "unscaled"]


class ResidualMatrix:
    """``S max(ln P_d − ln P_0, floor) T``, where S and T are diagonal and 1 unless pairs are weighted.

    A pair that no walk within the window joins has the value ``floor``. Rows of nodes without out-edges and
    columns of nodes without in-edges are zero: nothing is known and nothing was expected of them.

    With ``weighting = κ`` the scales are ``S_i = (d_i / mean d)^(κ/2)``, so that a least-squares fit counts the pair
    (i, j) with ``(d_i d_j)^κ``; κ = 1 is how often skip-gram sees it.

    Parameters
    ----------
    probabilities : WindowProbabilities
        P_d.
    null : FittedNull
        P_0.
    floor : float
        The lowest association that is told apart.
    weighting : float, default 0
        κ.
    """

    def __init__(
        self, probabilities: WindowProbabilities, null: FittedNull, floor: float, weighting: float = 0.0
    ) -> None:
        graph = probabilities.graph
        self.probabilities = probabilities
        self.null = null
        self.floor = float(floor)
        self.n_nodes = graph.n_nodes
        self.row_scale = _scale(graph.out_strength, weighting)
        self.column_scale = _scale(graph.in_strength, weighting)
        if probabilities.teleport is not None:
            self._let_teleporting_nodes_in(weighting)
        self.symmetric = not graph.directed and null.symmetric

    def _let_teleporting_nodes_in(self, weighting: float) -> None:
        """Dangling nodes leave by a jump, and sources without in-edges are reached by one."""
        teleport = self.probabilities.teleport
        assert teleport is not None
        graph = self.probabilities.graph
        known = (graph.out_strength > 0) | (graph.in_strength > 0)
        reached = (graph.in_strength > 0) | (teleport.target > 0)
        lowest = {id(s): s[s > 0].min() for s in (self.row_scale, self.column_scale)}
        for scale, active in ((self.row_scale, known), (self.column_scale, reached)):
            scale[active & (scale == 0)] = lowest[id(scale)]

    def columns(self, columns: ArrayLike) -> NDArray[np.float32]:
        """Return the columns of the given targets, shape (N, m)."""
        targets = np.asarray(columns, dtype=np.int64)
        values = self.probabilities.columns(targets)
        everyone = np.arange(self.n_nodes)
        if self.null.blocks is None:
            expected = log_columns(self.null, targets, self.n_nodes)
            return self._subtract(values, expected, self.row_scale, self.column_scale[targets])
        centres, contexts = (
            _Side.centres(self.null.blocks, everyone),
            _Side.targets(self.null.blocks, targets),
        )
        return self._fill(
            values, centres, contexts, self.null.blocks.weights, self.row_scale, self.column_scale[targets]
        )

    def ratios(self, columns: ArrayLike) -> NDArray[np.float32]:
        """Return ``P_d / P_0`` of the given targets, shape (N, m); 0 where nothing is expected."""
        targets = np.asarray(columns, dtype=np.int64)
        values = self.probabilities.columns(targets)
        blocks = self.null.blocks
        if blocks is None:
            expected = np.exp(log_columns(self.null, targets, self.n_nodes))
            return np.divide(values, expected, out=np.zeros_like(values), where=expected > 0, casting="same_kind")
        centres, contexts = _Side.centres(blocks, np.arange(self.n_nodes)), _Side.targets(blocks, targets)
        _divide(values, centres, contexts, blocks.weights, 0.0)
        return values

    def rows(self, rows: ArrayLike) -> NDArray[np.float32]:
        """Return the rows of the given centres, shape (m, N)."""
        centers = np.asarray(rows, dtype=np.int64)
        if self.symmetric:
            return self.columns(centers).T
        everyone = np.arange(self.n_nodes)
        scales = self.column_scale, self.row_scale[centers]
        blocks = self.null.blocks
        if blocks is None:
            values = self.probabilities.rows(centers).T
            expected = log_rows(self.null, centers, self.n_nodes).T
            return self._subtract(values, expected, *scales).T
        contexts, centres = _Side.targets(blocks, everyone), _Side.centres(blocks, centers)
        if self.probabilities.graph.directed:
            values = np.ascontiguousarray(self.probabilities.rows(centers).T)
        else:
            # P_d(j | i) = P_d(i | j) d_j / d_i: take the column, and put the degrees on the side of the null.
            values = self.probabilities.columns(centers)
            strength = np.maximum(self.probabilities.graph.out_strength, np.finfo(np.float32).tiny)
            contexts.factor = (contexts.factor / strength).astype(np.float32)
            centres.factor = (centres.factor * strength[centers]).astype(np.float32)
        return self._fill(values, contexts, centres, blocks.weights.T, *scales).T

    def _fill(
        self,
        values: NDArray[np.float32],
        down: "_Side",
        across: "_Side",
        weights: NDArray[np.float64],
        down_scale: NDArray[np.float32],
        across_scale: NDArray[np.float32],
    ) -> NDArray[np.float32]:
        # A hair below, so that the floor is exact.
        _divide(values, down, across, weights, np.exp(self.floor) * (1 - 1e-6))
        log_in_place(values)
        floor_and_scale(values, down_scale, across_scale, np.float32(self.floor))
        return values

    def _subtract(
        self,
        values: NDArray[np.float32],
        expected: NDArray[np.float64],
        down_scale: NDArray[np.float32],
        across_scale: NDArray[np.float32],
    ) -> NDArray[np.float32]:
        """Do what the kernel does, for null models that have no block shape."""
        scale = np.outer(down_scale, across_scale)
        with np.errstate(divide="ignore", invalid="ignore"):
            # fmax: a pair that is neither seen nor expected is −inf + inf, and gets the floor like all unseen ones.
            residual = np.fmax(np.log(values) - expected, self.floor)
        return np.where(scale > 0, scale * residual, 0.0).astype(np.float32)


def unscaled(vectors: NDArray[np.float32], scale: NDArray[np.float32]) -> NDArray[np.float32]:
    """Undo the scales of rows; those that were left out of the matrix, with a scale of zero, stay zero."""
    return np.divide(vectors, scale[:, None], out=np.zeros_like(vectors), where=scale[:, None] > 0)


def log_columns(null: FittedNull, targets: NDArray[np.int64], n_nodes: int) -> NDArray[np.float64]:
    """Return ``ln P_0`` of whole columns, by the null model's own way if it has one; shape (N, m)."""
    if hasattr(null, "log_columns"):
        return np.asarray(null.log_columns(targets))
    return null.log_probability(np.arange(n_nodes)[:, None], targets[None, :])


def log_rows(null: FittedNull, centers: NDArray[np.int64], n_nodes: int) -> NDArray[np.float64]:
    """Return ``ln P_0`` of whole rows, by the null model's own way if it has one; shape (m, N)."""
    if hasattr(null, "log_rows"):
        return np.asarray(null.log_rows(centers))
    return null.log_probability(centers[:, None], np.arange(n_nodes)[None, :])


class _Side:
    """One side of a tile: the factors, groups and jumps of its centres or of its targets."""

    def __init__(self, factor: NDArray[np.float64], groups: NDArray[np.int32], jump: NDArray[np.float64] | None):
        self.factor = factor.astype(np.float32)
        self.groups = groups
        self.jump = np.empty(0, dtype=np.float32) if jump is None else jump.astype(np.float32)

    @classmethod
    def centres(cls, blocks: Blocks, nodes: NDArray[np.int64]) -> "_Side":
        groups = blocks.row_groups[nodes]
        return cls(np.ones(len(nodes)), groups, None if blocks.jump is None else blocks.jump[groups])

    @classmethod
    def targets(cls, blocks: Blocks, nodes: NDArray[np.int64]) -> "_Side":
        jump = None if blocks.target is None else blocks.target[nodes]
        return cls(blocks.theta[nodes], blocks.groups[nodes], jump)


def _divide(
    values: NDArray[np.float32], down: _Side, across: _Side, weights: NDArray[np.float64], lowest: float
) -> None:
    divide_by_expected(
        values,
        down.factor,
        across.factor,
        np.ascontiguousarray(weights, dtype=np.float32),
        down.groups,
        across.groups,
        down.jump,
        across.jump,
        np.float32(lowest),
    )


def _scale(strength: NDArray[np.float64], weighting: float) -> NDArray[np.float32]:
    """Return ``(d / mean d)^(κ/2)``, and 0 where d is 0."""
    present = strength > 0
    relative = np.where(present, strength, 1.0) / strength[present].mean()
    return np.where(present, relative ** (weighting / 2.0), 0.0).astype(np.float32)
