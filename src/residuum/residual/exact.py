"""The residual matrix as an operator: tiles that fit the memory limit are kept, the others computed anew."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.linalg import LinearOperator

from residuum._memory import format_bytes
from residuum._progress import ProgressCallback, Stage
from residuum.errors import MemoryLimitError
from residuum.residual.matrix import ResidualMatrix

__all__ = ["ExactResidual"]

# Horner's rule holds two blocks of a tile, a product a third one.
_BLOCKS_PER_TILE = 3
_TILES_AT_ONCE = 8


class ExactResidual(LinearOperator):
    """``R̃`` as an operator with block products, exact, under a memory limit.

    Column tiles are computed by Horner's rule when first needed. As many as fit ``memory_limit`` are kept; the rest
    are computed again at every product. No N × N array exists unless the limit allows it.

    Parameters
    ----------
    matrix : ResidualMatrix
    memory_limit : int
        Bytes that tiles and their working blocks may take.
    progress : callable, optional
        Told of each tile of each product.

    Raises
    ------
    MemoryLimitError
        If not even one narrow tile fits.
    """

    _NAME = "residual matrix"

    def __init__(self, matrix: ResidualMatrix, memory_limit: int, progress: ProgressCallback | None = None) -> None:
        shape = (matrix.n_nodes, matrix.n_nodes)
        super().__init__(dtype=np.dtype(np.float32), shape=shape)  # type: ignore[call-arg] # the stubs miss it
        self.matrix = matrix
        self.symmetric = matrix.symmetric
        self.passes = 0
        self._progress = progress
        column_bytes = 4 * matrix.n_nodes
        width = min(matrix.probabilities.tile_width, memory_limit // (_BLOCKS_PER_TILE * column_bytes))
        if width < 1:
            raise MemoryLimitError(
                f"the exact solver needs at least {format_bytes(_BLOCKS_PER_TILE * column_bytes)} for one column of "
                f"{matrix.n_nodes} nodes, but memory_limit leaves {format_bytes(memory_limit)}. "
                "Raise memory_limit or take solver='landmark'."
            )
        self._bounds = [(begin, min(begin + width, matrix.n_nodes)) for begin in range(0, matrix.n_nodes, width)]
        # Tiles that are not kept are made a few at a time: threads of BLAS that wait for more work would get in the
        # way of the kernels if products and tiles took turns.
        fits = memory_limit // (width * column_bytes) - _BLOCKS_PER_TILE
        self._group = max(1, min(_TILES_AT_ONCE, fits // 4))
        self._keep = len(self._bounds) if fits >= len(self._bounds) else max(0, fits - self._group + 1)
        self._kept: dict[int, NDArray[np.float32]] = {}

    @property
    def kept_share(self) -> float:
        """Share of the tiles that the memory limit allows to keep."""
        return self._keep / len(self._bounds)

    @property
    def at_hand(self) -> bool:
        """Whether all tiles can be kept."""
        return self._keep == len(self._bounds)

    def tiles(self) -> Iterator[tuple[slice, NDArray[np.float32]]]:
        """Go through the columns, a tile at a time."""
        self.passes += 1
        stage = Stage(f"{self._NAME}, pass {self.passes}", len(self._bounds), self._progress)
        group = len(self._bounds) if self.at_hand else self._group
        for first in range(0, len(self._bounds), group):
            numbers = range(first, min(first + group, len(self._bounds)))
            tiles = {number: self._tile(number, stage) for number in numbers}
            for number in numbers:
                yield slice(*self._bounds[number]), tiles.pop(number)

    def _tile(self, number: int, stage: Stage) -> NDArray[np.float32]:
        tile = self._kept.get(number)
        if tile is None:
            tile = self._columns(np.arange(*self._bounds[number]))
            if number < self._keep:
                self._kept[number] = tile
        stage.advance()
        return tile

    def _columns(self, columns: NDArray[np.int64]) -> NDArray[np.float32]:
        return self.matrix.columns(columns)

    def _matmat(self, X: NDArray[Any]) -> NDArray[np.float32]:
        X = np.ascontiguousarray(X, dtype=np.float32)
        if self.symmetric:
            return self._rmatmat(X)
        total = np.zeros((self.shape[0], X.shape[1]), dtype=np.float32)
        for columns, tile in self.tiles():
            total += tile @ X[columns]
        return total

    def _rmatmat(self, X: NDArray[Any]) -> NDArray[np.float32]:
        X = np.ascontiguousarray(X, dtype=np.float32)
        result = np.empty((self.shape[1], X.shape[1]), dtype=np.float32)
        for columns, tile in self.tiles():
            result[columns] = tile.T @ X
        return result

    def _matvec(self, x: NDArray[Any]) -> NDArray[np.float32]:
        return self._matmat(x.reshape(-1, 1))

    def _rmatvec(self, x: NDArray[Any]) -> NDArray[np.float32]:
        return self._rmatmat(x.reshape(-1, 1))

    def gram(self, X: NDArray[Any]) -> NDArray[np.float32]:
        """Return ``(R̃ᵀ X, R̃ R̃ᵀ X)`` in one pass over the tiles, as one array side by side."""
        X = np.ascontiguousarray(X, dtype=np.float32)
        inner = np.empty_like(X)
        outer = np.zeros_like(X)
        for columns, tile in self.tiles():
            inner[columns] = tile.T @ X
            outer += tile @ inner[columns]
        return np.concatenate([inner, outer], axis=1)
