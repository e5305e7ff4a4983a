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

_TILE_COLUMNS = 256
# Horner's rule holds two blocks of a tile, a product a third one.
_BLOCKS_PER_TILE = 3


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

    def __init__(self, matrix: ResidualMatrix, memory_limit: int, progress: ProgressCallback | None = None) -> None:
        shape = (matrix.n_nodes, matrix.n_nodes)
        super().__init__(dtype=np.dtype(np.float32), shape=shape)  # type: ignore[call-arg] # the stubs miss it
        self.matrix = matrix
        self.symmetric = matrix.symmetric
        self.passes = 0
        self._progress = progress
        column_bytes = 4 * matrix.n_nodes
        width = min(_TILE_COLUMNS, matrix.n_nodes, memory_limit // (_BLOCKS_PER_TILE * column_bytes))
        if width < 1:
            raise MemoryLimitError(
                f"the exact solver needs at least {format_bytes(_BLOCKS_PER_TILE * column_bytes)} for one column of "
                f"{matrix.n_nodes} nodes, but memory_limit leaves {format_bytes(memory_limit)}. "
                "Raise memory_limit or take solver='landmark'."
            )
        self._bounds = [(begin, min(begin + width, matrix.n_nodes)) for begin in range(0, matrix.n_nodes, width)]
        budget = memory_limit - _BLOCKS_PER_TILE * width * column_bytes
        self._keep = min(len(self._bounds), budget // (width * column_bytes))
        self._kept: dict[int, NDArray[np.float32]] = {}

    @property
    def kept_share(self) -> float:
        """Share of the tiles that the memory limit allows to keep."""
        return self._keep / len(self._bounds)

    def _tiles(self) -> Iterator[tuple[slice, NDArray[np.float32]]]:
        self.passes += 1
        stage = Stage(f"residual matrix, pass {self.passes}", len(self._bounds), self._progress)
        for number, (begin, end) in enumerate(self._bounds):
            tile = self._kept.get(number)
            if tile is None:
                tile = self.matrix.columns(np.arange(begin, end))
                if number < self._keep:
                    self._kept[number] = tile
            yield slice(begin, end), tile
            stage.advance()

    def _matmat(self, X: NDArray[Any]) -> NDArray[np.float32]:
        X = np.ascontiguousarray(X, dtype=np.float32)
        if self.symmetric:
            return self._rmatmat(X)
        total = np.zeros((self.shape[0], X.shape[1]), dtype=np.float32)
        for columns, tile in self._tiles():
            total += tile @ X[columns]
        return total

    def _rmatmat(self, X: NDArray[Any]) -> NDArray[np.float32]:
        X = np.ascontiguousarray(X, dtype=np.float32)
        result = np.empty((self.shape[1], X.shape[1]), dtype=np.float32)
        for columns, tile in self._tiles():
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
        for columns, tile in self._tiles():
            inner[columns] = tile.T @ X
            outer += tile @ inner[columns]
        return np.concatenate([inner, outer], axis=1)
