"""A growing set of exact columns or rows of the residual matrix, with their Gram matrix."""

from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from residuum._progress import Stage
from residuum._store import Store
from residuum.residual.krylov import tall_product
from residuum.residual.matrix import ResidualMatrix

__all__ = ["Sketch"]

_BASIS_ITERATIONS = 4


class Sketch:
    """Exact columns ``C = R̃[:, L]`` (or rows, transposed) at randomly chosen nodes L, in tiles.

    Tiles stay in memory as far as the budget goes; the others are on disk and are read when needed.

    Nodes are drawn once, without replacement, in proportion to the root of their strength, so that a sketch that
    grows keeps what it has.

    Parameters
    ----------
    matrix : ResidualMatrix
    side : "columns" or "rows"
    rng : numpy Generator
    store : Store
        Where tiles are saved.
    budget : int
        Bytes of tiles that may stay in memory.

    Attributes
    ----------
    nodes : int array
        L, all candidates in the order in which they join; the first ``size`` have.
    gram : array of shape (size, size)
        ``CᵀC`` in float64.
    """

    def __init__(
        self,
        matrix: ResidualMatrix,
        side: Literal["columns", "rows"],
        rng: np.random.Generator,
        store: Store,
        budget: int,
    ) -> None:
        graph = matrix.probabilities.graph
        active, strength = (
            (matrix.column_scale > 0, graph.in_strength)
            if side == "columns"
            else (matrix.row_scale > 0, graph.out_strength)
        )
        candidates = np.flatnonzero(active)
        # Exponential clocks: the order of arrival is a weighted draw without replacement.
        rate = np.sqrt(np.maximum(strength[candidates], strength[strength > 0].min()))
        self.nodes = candidates[np.argsort(rng.standard_exponential(len(candidates)) / rate)]
        self.gram = np.empty((0, 0))
        self.size = 0
        self._width = matrix.probabilities.tile_width
        self._scales = (
            (matrix.row_scale, matrix.column_scale) if side == "columns" else (matrix.column_scale, matrix.row_scale)
        )
        self._sums = np.empty(0)
        self._compute: Callable[[NDArray[np.int64]], NDArray[np.float32]] = (
            matrix.columns if side == "columns" else lambda nodes: matrix.rows(nodes).T
        )
        self._side, self._store = side, store
        self._fitting = max(budget // (4 * matrix.n_nodes), 0)
        self._tiles: list[NDArray[np.float32]] = []

    @property
    def n_candidates(self) -> int:
        """Number of nodes that can be landmarks."""
        return len(self.nodes)

    def grow(self, size: int, stage: Stage | None) -> None:
        """Compute columns until there are ``size``."""
        # All columns first, all products after: the threads of BLAS and of the kernels do not share well.
        fresh = []
        for begin in range(self.size, size, self._width):
            fresh.append(self._tile(begin, min(begin + self._width, size)))
            if stage is not None:
                stage.advance(fresh[-1].shape[1])
        for tile in fresh:
            self._join(tile)

    def _tile(self, begin: int, end: int) -> NDArray[np.float32]:
        """Return some columns, in memory if they still fit."""
        return self._store.once(
            f"{self._side}-{begin}-{end}",
            lambda: self._compute(self.nodes[begin:end]),
            in_memory=end <= self._fitting,
        )

    def _join(self, tile: NDArray[np.float32]) -> None:
        """Add the columns of a tile, and their products with all before."""
        self._tiles.append(tile)
        begin, end = self.size, self.size + tile.shape[1]
        gram = np.empty((end, end))
        gram[:begin, :begin] = self.gram
        offset = 0
        for other in self._tiles:
            across = tall_product(other, tile)
            gram[offset : offset + other.shape[1], begin:end] = across
            gram[begin:end, offset : offset + other.shape[1]] = across.T
            offset += other.shape[1]
        self.gram, self.size = gram, end
        self._sums = np.concatenate([self._sums, self._scales[0].astype(np.float64) @ tile])

    def basis(self, size: int, rank: int) -> NDArray[np.float64]:
        """Return B, shape (size, rank), such that ``C B`` is an orthonormal basis of the leading range of C."""
        gram = self.gram[:size, :size]
        # A fixed start keeps the result a function of the landmarks; the iteration forgets it.
        subspace = np.random.default_rng(0).standard_normal((size, rank))
        for _ in range(_BASIS_ITERATIONS):
            subspace = _spread(gram @ subspace)
        values, vectors = np.linalg.eigh(subspace.T @ gram @ subspace)
        # What float32 columns cannot tell from zero is left out.
        safe = values > 1e-7 * values[-1]
        return np.asarray(subspace @ (vectors[:, safe] / np.sqrt(values[safe])))

    def variation(self, which: slice) -> float:
        """Return ``min_c ‖C − c s tᵀ‖²`` for a run of columns: their norm without what is the same for all pairs.

        s and t are the scales of rows and columns. In a large graph most pairs have the floor, which says nothing.
        """
        down, across = (scale.astype(np.float64) for scale in self._scales)
        across = across[self.nodes[: self.size][which]]
        constant = float(self._sums[which] @ across) ** 2 / float((down @ down) * (across @ across))
        return float(np.trace(self.gram[which, which])) - constant

    def at(self, nodes: NDArray[np.int64], size: int) -> NDArray[np.float64]:
        """Return the rows of C at ``nodes``, first ``size`` columns, in float64."""
        rows = np.concatenate([tile[nodes] for tile in self._tiles], axis=1)
        return rows[:, :size].astype(np.float64)

    def combine(self, coefficients: NDArray[np.float64]) -> NDArray[np.float32]:
        """Return ``C @ coefficients``, shape (N, k)."""
        total = np.zeros((self._tiles[0].shape[0], coefficients.shape[1]), dtype=np.float32)
        begin = 0
        for tile in self._tiles:
            part = coefficients[begin : begin + tile.shape[1]].astype(np.float32)
            total += tile[:, : len(part)] @ part
            begin += tile.shape[1]
        return total


def _spread(X: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a well-conditioned basis of the columns of X, by one round of Cholesky-QR: far cheaper than a QR."""
    values, vectors = np.linalg.eigh(X.T @ X)
    safe = values > 1e-14 * values[-1]
    return np.asarray(X @ (vectors[:, safe] / np.sqrt(values[safe])))
