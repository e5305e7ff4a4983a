"""A growing sample of exact columns or rows of the residual matrix, with their Gram matrix."""

import itertools
from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from residuum._progress import Stage
from residuum._threads import in_threads
from residuum.residual import ResidualMatrix
from residuum.residual.linalg import product, tall_product
from residuum.solvers.base import Workspace

__all__ = ["Sketch"]

_BASIS_ITERATIONS = 4


class Sketch:
    """Exact columns ``C = R̃[:, L]`` (or rows, transposed) at sampled nodes L, in tiles.

    Tiles within the budget stay in memory, the others are kept on disk. The order of the nodes is sampled once, without
    replacement and in proportion to the square root of their strength, so that a sketch grows without recomputation.

    Parameters
    ----------
    matrix : ResidualMatrix
        Matrix to sample.
    side : "columns" or "rows"
        Which side of the matrix to sample.
    work : Workspace
        Random generator for the nodes, and store for the tiles.
    budget : int
        Bytes of tiles in memory.
    width : int
        Number of columns in a tile.

    Attributes
    ----------
    nodes : int array
        All candidates in sampling order; L is the first ``size`` of them.
    size : int
        Number of columns.
    gram : array of shape (size, size)
        ``CᵀC`` in float64.
    """

    def __init__(
        self,
        matrix: ResidualMatrix,
        side: Literal["columns", "rows"],
        work: Workspace,
        budget: int,
        width: int,
    ) -> None:
        graph = matrix.probabilities.graph
        active, strength = (
            (matrix.column_scale > 0, graph.in_strength)
            if side == "columns"
            else (matrix.row_scale > 0, graph.out_strength)
        )
        candidates = np.flatnonzero(active)
        # Sorting exponential variates with these rates is weighted sampling without replacement.
        rate = np.sqrt(np.maximum(strength[candidates], strength[strength > 0].min()))
        self.nodes = candidates[np.argsort(work.rng.standard_exponential(len(candidates)) / rate)]
        self.gram = np.empty((0, 0))
        self.size = 0
        self._width = width
        self._scales = (
            (matrix.row_scale, matrix.column_scale) if side == "columns" else (matrix.column_scale, matrix.row_scale)
        )
        self._sums = np.empty(0)
        self._compute: Callable[[NDArray[np.int64]], NDArray[np.float32]] = (
            matrix.columns if side == "columns" else lambda nodes: matrix.rows(nodes).T
        )
        self._side, self._store = side, work.store
        self._fitting = max(budget // (4 * matrix.n_nodes), 0)
        self._tiles: list[NDArray[np.float32]] = []

    @property
    def n_candidates(self) -> int:
        """Number of nodes that can be landmarks."""
        return len(self.nodes)

    def grow(self, size: int, stage: Stage | None) -> None:
        """Add columns until there are ``size``."""
        for tile in in_threads(lambda begin: self._tile(begin, size), range(self.size, size, self._width)):
            self._tiles.append(tile)
            if stage is not None:
                stage.advance(tile.shape[1])
        self._extend_gram()

    def _tile(self, begin: int, size: int) -> NDArray[np.float32]:
        """Return consecutive columns, in memory if they fit the budget."""
        end = min(begin + self._width, size)
        return self._store.once(
            f"{self._side}-{begin}-{end}",
            lambda: self._compute(self.nodes[begin:end]),
            in_memory=end <= self._fitting,
        )

    def _extend_gram(self) -> None:
        """Add the products of the new tiles with all tiles to the Gram matrix."""
        bounds = np.cumsum([0] + [tile.shape[1] for tile in self._tiles])
        gram = np.empty((bounds[-1], bounds[-1]))
        gram[: self.size, : self.size] = self.gram
        slices = [slice(begin, end) for begin, end in itertools.pairwise(bounds)]
        new = [number for number, columns in enumerate(slices) if columns.start >= self.size]
        pairs = [(first, second) for second in new for first in range(second + 1)]
        products = in_threads(lambda pair: tall_product(self._tiles[pair[0]], self._tiles[pair[1]]), pairs)
        for (first, second), part in zip(pairs, products, strict=True):
            gram[slices[first], slices[second]] = part
            gram[slices[second], slices[first]] = part.T
        down = self._scales[0].astype(np.float64)
        self._sums = np.concatenate([self._sums, *(down @ self._tiles[number] for number in new)])
        self.gram, self.size = gram, int(bounds[-1])

    def basis(self, size: int, rank: int) -> NDArray[np.float64]:
        """Return B, shape (size, rank), such that ``C B`` is an orthonormal basis of the leading range of C."""
        gram = self.gram[:size, :size]
        # With a fixed start, the result depends on the landmarks only.
        subspace = np.random.default_rng(0).standard_normal((size, rank))
        for _ in range(_BASIS_ITERATIONS):
            subspace = _spread(gram @ subspace)
        values, vectors = np.linalg.eigh(subspace.T @ gram @ subspace)
        # Directions within the rounding error of float32 columns are dropped.
        safe = values > 1e-7 * values[-1]
        return np.asarray(subspace @ (vectors[:, safe] / np.sqrt(values[safe])))

    def variation(self, which: slice) -> float:
        """Return ``min_c ‖C − c s tᵀ‖²`` of consecutive columns, with the scales s of rows and t of columns.

        The common level c is excluded because, in a large graph, most pairs are at the floor and carry no information.
        """
        down, across = (scale.astype(np.float64) for scale in self._scales)
        across = across[self.nodes[: self.size][which]]
        constant = float(self._sums[which] @ across) ** 2 / float((down @ down) * (across @ across))
        return float(np.trace(self.gram[which, which])) - constant

    def at(self, nodes: NDArray[np.int64], size: int) -> NDArray[np.float64]:
        """Return the rows of C at ``nodes``, restricted to the first ``size`` columns, in float64."""
        rows = np.concatenate([tile[nodes] for tile in self._tiles], axis=1)
        return rows[:, :size].astype(np.float64)

    def combine(self, coefficients: NDArray[np.float64]) -> NDArray[np.float32]:
        """Return ``C @ coefficients``, shape (N, k)."""
        total = np.zeros((self._tiles[0].shape[0], coefficients.shape[1]), dtype=np.float32)
        begin = 0
        for tile in self._tiles:
            part = coefficients[begin : begin + tile.shape[1]].astype(np.float32)
            total += product(tile[:, : len(part)], part)
            begin += tile.shape[1]
        return total


def _spread(X: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a well-conditioned basis of the columns of X by one Cholesky-QR, which is far cheaper than QR."""
    values, vectors = np.linalg.eigh(X.T @ X)
    safe = values > 1e-14 * values[-1]
    return np.asarray(X @ (vectors[:, safe] / np.sqrt(values[safe])))
