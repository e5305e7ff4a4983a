"""A matrix in tiles of columns, as an operator: tiles within the memory limit are kept, others recomputed."""

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from residuum._progress import ProgressCallback, Stage
from residuum._threads import in_threads, n_threads
from residuum.residual.linalg import add_product

__all__ = ["NARROWEST_TILE", "TiledMatrix", "working_bytes"]

Result = TypeVar("Result")

NARROWEST_TILE = 16


def _arrays(threads: int) -> int:
    """Return the number of arrays of the size of a tile: two for Horner's rule and one result per thread, and one."""
    return 3 * threads + 1


def working_bytes(n_nodes: int, width: int, threads: int) -> int:
    """Return the memory needed to compute tiles of columns, one in each thread.

    Parameters
    ----------
    n_nodes : int
        Number of nodes N.
    width : int
        Number of columns in a tile.
    threads : int
        Number of threads.

    Returns
    -------
    int
        Bytes of the float32 arrays of shape (N, width).

    Examples
    --------
    >>> working_bytes(10_000, 16, threads=1)
    2560000
    """
    return _arrays(threads) * 4 * n_nodes * width


class TiledMatrix:
    """Products with an N × N matrix that is computed by columns, under a memory limit.

    Tiles of columns are computed when first needed. As many as fit the limit are kept; the others are recomputed for
    every product. The full matrix is in memory only if the limit allows it.

    Parameters
    ----------
    columns : callable
        Function of m positions that returns these columns, shape (N, m).
    n_nodes : int
        Number of nodes N.
    symmetric : bool
        Whether the matrix is symmetric.
    width : int
        Number of columns in a tile, if memory allows.
    memory_limit : int
        Bytes for tiles and working arrays, at least ``working_bytes(n_nodes, 16, threads)``.
    name : str
        Name of the progress stage.
    progress : callable, optional
        Called after each tile.

    Examples
    --------
    >>> from residuum import datasets
    >>> A = datasets.karate_club().adjacency.toarray().astype(np.float32)
    >>> tiles = TiledMatrix(lambda nodes: A[:, nodes], 34, symmetric=True, width=16, memory_limit=1 << 20)
    >>> tiles.matmat(np.ones((34, 1)))[:3, 0]
    array([16.,  9., 10.], dtype=float32)
    """

    def __init__(
        self,
        columns: Callable[[NDArray[np.int64]], NDArray[np.float32]],
        n_nodes: int,
        *,
        symmetric: bool,
        width: int,
        memory_limit: int,
        name: str = "residual matrix",
        progress: ProgressCallback | None = None,
    ) -> None:
        self.n_nodes = n_nodes
        self.symmetric = symmetric
        self.passes = 0
        self._columns = columns
        self._name, self._progress = name, progress
        column_bytes = 4 * n_nodes
        arrays = _arrays(n_threads())
        width = max(1, min(width, memory_limit // (arrays * column_bytes)))
        self._bounds = [(begin, min(begin + width, n_nodes)) for begin in range(0, n_nodes, width)]
        self._keep = min(max(0, memory_limit // (width * column_bytes) - arrays), len(self._bounds))
        self._kept: dict[int, NDArray[np.float32]] = {}

    @property
    def kept_share(self) -> float:
        """Share of the tiles that fit the memory limit."""
        return self._keep / len(self._bounds)

    @property
    def in_memory(self) -> bool:
        """Whether all tiles fit the memory limit."""
        return self._keep == len(self._bounds)

    def each(self, function: Callable[[slice, NDArray[np.float32]], Result]) -> Iterator[Result]:
        """Apply a function to every tile, in several threads.

        Parameters
        ----------
        function : callable
            Function of the positions of the columns, a slice, and the tile, shape (N, m).

        Yields
        ------
        result
            Results in the order of the tiles.
        """
        self.passes += 1
        stage = Stage(f"{self._name}, pass {self.passes}", len(self._bounds), self._progress)

        def apply(number: int) -> Result:
            return function(slice(*self._bounds[number]), self._tile(number))

        for result in in_threads(apply, range(len(self._bounds))):
            stage.advance()
            yield result

    def _tile(self, number: int) -> NDArray[np.float32]:
        tile = self._kept.get(number)
        if tile is None:
            tile = self._columns(np.arange(*self._bounds[number]))
            if number < self._keep:
                self._kept[number] = tile
        return tile

    def dense(self) -> NDArray[np.float32]:
        """Return the dense matrix.

        Returns
        -------
        array of shape (N, N)
            All columns.
        """
        return np.concatenate(list(self.each(lambda _, tile: tile)), axis=1)

    def matmat(self, X: NDArray[Any]) -> NDArray[np.float32]:
        """Return ``M X``.

        Parameters
        ----------
        X : array of shape (N, k)
            Vectors in columns.

        Returns
        -------
        array of shape (N, k)
            The product in float32.
        """
        X = np.ascontiguousarray(X, dtype=np.float32)
        if self.symmetric:
            return self.rmatmat(X)
        total = np.zeros((self.n_nodes, X.shape[1]), dtype=np.float32)
        for columns, tile in self.each(lambda columns, tile: (columns, tile)):
            add_product(total, tile, X[columns])
        return total

    def rmatmat(self, X: NDArray[Any]) -> NDArray[np.float32]:
        """Return ``Mᵀ X``.

        Parameters
        ----------
        X : array of shape (N, k)
            Vectors in columns.

        Returns
        -------
        array of shape (N, k)
            The product in float32.
        """
        X = np.ascontiguousarray(X, dtype=np.float32)
        result = np.empty((self.n_nodes, X.shape[1]), dtype=np.float32)

        def multiply(columns: slice, tile: NDArray[np.float32]) -> None:
            result[columns] = tile.T @ X

        for _ in self.each(multiply):
            pass
        return result

    def gram(self, X: NDArray[Any]) -> NDArray[np.float32]:
        """Return ``[Mᵀ X, M Mᵀ X]`` in one pass over the tiles.

        Parameters
        ----------
        X : array of shape (N, k)
            Vectors in columns.

        Returns
        -------
        array of shape (N, 2 k)
            Both products, side by side.
        """
        X = np.ascontiguousarray(X, dtype=np.float32)
        inner = np.empty_like(X)
        outer = np.zeros_like(X)

        def multiply(columns: slice, tile: NDArray[np.float32]) -> tuple[slice, NDArray[np.float32]]:
            inner[columns] = tile.T @ X
            return columns, tile

        for columns, tile in self.each(multiply):
            add_product(outer, tile, inner[columns])
        return np.concatenate([inner, outer], axis=1)
