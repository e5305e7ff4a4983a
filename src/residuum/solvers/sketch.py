"""A growing sample of exact columns or rows of the residual matrix, with their Gram matrix."""

import itertools
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from residuum._memory import release_pages
from residuum._progress import Stage
from residuum._threads import even_ranges, in_threads, run_ranges
from residuum.residual import ResidualMatrix
from residuum.residual.linalg import add_product, tall_product
from residuum.residual.tiles import NARROWEST_TILE
from residuum.solvers.base import Workspace

__all__ = ["SampledColumns", "Sketch", "SketchOperator", "combined", "common_level", "leading_of_gram"]

# Gram matrices up to this size are diagonalized by LAPACK, larger ones by subspace iteration with more vectors.
_DIRECT_SIZE = 900
_BASIS_ITERATIONS, _ITERATIONS_FROM_START, _EXTRA_VECTORS = 3, 2, 1.5
# Up to this many rows, the errors of products in float32 do not average out.
_FEW_ROWS = 4096
# Rows of the Gram matrix at once: columns of this size, in multiples of the rows that a product adds up.
_GRAM_BYTES, _ALIGNED = 512 << 20, 4096
# Squared share of the largest singular value below which combinations of float32 columns are rounding errors.
_ROUNDING = 1e-8


def common_level(matrix: ResidualMatrix) -> float:
    """Return the level c at which ``c s tᵀ`` is closest to a few rows, with the scales s of rows and t of columns.

    In a large graph most pairs are at the floor, and the constant part is several orders of magnitude larger than all
    others; without it, Gram matrices keep their precision.

    Parameters
    ----------
    matrix : ResidualMatrix
        The matrix.

    Returns
    -------
    float
        Common level.
    """
    nodes, rows = matrix.sampled_rows
    down, across = matrix.row_scale[nodes].astype(np.float64), matrix.column_scale.astype(np.float64)
    sums = np.array([row.astype(np.float64) @ across for row in rows])  # one by one: rows are as long as the graph
    return float(down @ sums / ((down @ down) * (across @ across)))


class SampledColumns(ABC):
    """Exact columns ``C = (R̃ − c s tᵀ)[:, L]`` (or rows, transposed) at sampled nodes L, wherever they are stored.

    The order of the nodes is sampled once, without replacement and in proportion to the square root of their strength,
    so that a sketch grows without recomputation. The constant direction s is column 0 of all products, before the
    columns of L. Subclasses compute and store the columns.

    Parameters
    ----------
    matrix : ResidualMatrix
        Matrix to sample.
    side : "columns" or "rows"
        Which side of the matrix to sample.
    level : float
        Common level c, which is subtracted.
    rng : numpy Generator
        Source of randomness of the nodes.

    Attributes
    ----------
    nodes : int array
        All candidates in sampling order; L is the first ``size`` of them.
    size : int
        Number of columns.
    down, across : arrays of shape (N,)
        Scales s of the rows and t of the columns, in float64.
    gram : array of shape (1 + size, 1 + size)
        ``[s, C]ᵀ[s, C]`` in float64.
    """

    def __init__(
        self, matrix: ResidualMatrix, side: Literal["columns", "rows"], level: float, rng: np.random.Generator
    ) -> None:
        graph = matrix.probabilities.graph
        scales = (matrix.row_scale, matrix.column_scale)
        strength = graph.in_strength if side == "columns" else graph.out_strength
        self.side, self.level = side, level
        self.down, self.across = (scale.astype(np.float64) for scale in (scales if side == "columns" else scales[::-1]))
        candidates = np.flatnonzero(self.across > 0)
        # Sorting exponential variates with these rates is weighted sampling without replacement.
        rate = np.sqrt(strength[candidates])
        self.nodes = candidates[np.argsort(rng.standard_exponential(len(candidates)) / rate)]
        self.gram = np.full((1, 1), self.down @ self.down)
        self.size = 0

    @property
    def n_candidates(self) -> int:
        """Number of nodes that can be landmarks."""
        return len(self.nodes)

    @property
    def is_precise(self) -> bool:
        """Whether Gram matrices are computed in float64: with few rows, errors of float32 do not average out."""
        return len(self.down) <= _FEW_ROWS

    @abstractmethod
    def grow(self, size: int, stage: Stage | None) -> None:
        """Add columns until there are ``size``, or no more candidates, and extend the Gram matrix."""

    @abstractmethod
    def at(self, nodes: NDArray[np.int64], size: int) -> NDArray[np.float64]:
        """Return the rows of ``[s, C]`` at ``nodes``, restricted to the first ``size`` columns, in float64."""

    def basis(self, size: int, rank: int) -> NDArray[np.float64]:
        """Return B, shape (1 + size, up to 1 + rank), such that ``[s, C] B`` is an orthonormal basis.

        It spans the leading range of the first ``size`` columns, and the constant direction s.
        """
        gram = self.gram[: 1 + size, : 1 + size]
        values, vectors = leading_of_gram(gram[1:, 1:], rank)
        B = np.zeros((1 + size, 1 + len(values)))
        B[1:, 1:] = vectors / np.sqrt(values)
        B[:, 0] = -B @ (B.T @ gram[:, 0])
        B[0, 0] += 1.0
        rest = float(B[:, 0] @ gram @ B[:, 0])
        if rest <= _ROUNDING * gram[0, 0]:
            return B[:, 1:]
        B[:, 0] /= np.sqrt(rest)
        return B


class Sketch(SampledColumns):
    """Sampled columns in tiles on this machine: tiles within the budget stay in memory, the others on disk.

    Parameters
    ----------
    matrix : ResidualMatrix
        Matrix to sample.
    side : "columns" or "rows"
        Which side of the matrix to sample.
    level : float
        Common level c, which is subtracted.
    work : Workspace
        Random generator for the nodes, and store for the tiles.
    budget : int
        Bytes of tiles in memory.
    width : int
        Number of columns in a tile.
    one_by_one : bool, default False
        Whether all threads compute one tile after the other, which needs less memory than a tile in each thread.
    """

    def __init__(
        self,
        matrix: ResidualMatrix,
        side: Literal["columns", "rows"],
        level: float,
        work: Workspace,
        budget: int,
        width: int,
        *,
        one_by_one: bool = False,
    ) -> None:
        super().__init__(matrix, side, level, work.rng)
        self._width = width
        self._one_by_one = one_by_one
        self._compute: Callable[[NDArray[np.int64]], NDArray[np.float32]] = (
            matrix.columns if side == "columns" else lambda nodes: matrix.rows(nodes).T
        )
        self._store = work.store
        self._adjacency = matrix.probabilities.graph.adjacency
        self._fitting = max(budget // (4 * matrix.n_nodes), 0)
        self._tiles: list[NDArray[np.float32]] = []

    def grow(self, size: int, stage: Stage | None) -> None:
        """Add columns until there are ``size``, or no more candidates."""
        size = min(size, self.n_candidates)
        apply = map if self._one_by_one else in_threads
        for tile in apply(lambda bounds: self._tile(*bounds), self._new_tiles(size)):
            self._tiles.append(tile)
            if stage is not None:
                stage.advance(tile.shape[1])
        if self._fitting < size:
            release_pages(self._adjacency.indices)
            release_pages(self._adjacency.data)
        self._extend_gram()

    def _new_tiles(self, size: int) -> list[tuple[int, int]]:
        """Return bounds of tiles of equal width, in an even number, so that two threads finish together."""
        new = size - self.size
        tiles = 2 * -(-new // (2 * self._width))
        width = min(NARROWEST_TILE * -(-new // (NARROWEST_TILE * max(tiles, 1))), self._width)
        return [(begin, min(begin + width, size)) for begin in range(self.size, size, max(width, 1))]

    def _tile(self, begin: int, end: int) -> NDArray[np.float32]:
        """Return consecutive columns, in memory if they fit the budget."""
        return self._store.once(
            f"{self.side}-{begin}-{end}", lambda: self._centered(self.nodes[begin:end]), in_memory=end <= self._fitting
        )

    def _centered(self, nodes: NDArray[np.int64]) -> NDArray[np.float32]:
        columns = self._compute(nodes)
        down, across = (self.level * self.down).astype(np.float32), self.across[nodes].astype(np.float32)

        def subtract(begin: int, end: int) -> None:
            columns[begin:end] -= np.outer(down[begin:end], across)

        run_ranges(subtract, even_ranges(len(columns), columns.size))
        return columns

    def _extend_gram(self) -> None:
        """Add the products of the new tiles with the constant direction and with all tiles to the Gram matrix."""
        bounds = np.cumsum([1] + [tile.shape[1] for tile in self._tiles])
        slices = [slice(begin, end) for begin, end in itertools.pairwise(bounds)]
        new = [number for number, columns in enumerate(slices) if columns.start > self.size]
        gram = np.zeros((bounds[-1], bounds[-1]))
        gram[: 1 + self.size, : 1 + self.size] = self.gram
        pairs = [(first, second) for second in new for first in range(second + 1)]
        # All tiles of a range of rows after each other, so that tiles on disk are read once.
        n_rows = _ALIGNED * max(_GRAM_BYTES // (4 * _ALIGNED * int(bounds[-1])), 1)
        for begin in range(0, len(self.down), n_rows):
            parts = [tile[begin : begin + n_rows] for tile in self._tiles]

            def multiply(pair: tuple[int, int], parts: list[NDArray[np.float32]] = parts) -> NDArray[np.float64]:
                return tall_product(parts[pair[0]], parts[pair[1]], precise=self.is_precise)

            for (first, second), product in zip(pairs, in_threads(multiply, pairs), strict=True):
                gram[slices[first], slices[second]] += product
                if first != second:
                    gram[slices[second], slices[first]] += product.T
            for number in new:
                sums = tall_product(self.down[begin : begin + n_rows, None], parts[number])[0]
                gram[0, slices[number]] += sums
                gram[slices[number], 0] += sums
            for tile in self._tiles:
                release_pages(tile, begin, begin + n_rows)
        self.gram, self.size = gram, int(bounds[-1]) - 1

    def at(self, nodes: NDArray[np.int64], size: int) -> NDArray[np.float64]:
        """Return the rows of ``[s, C]`` at ``nodes``, restricted to the first ``size`` columns, in float64."""
        rows = np.concatenate([self.down[nodes, None], *(_rows_of(tile, nodes) for tile in self._tiles)], axis=1)
        return rows[:, : 1 + size]

    def combine(self, coefficients: NDArray[np.float64]) -> NDArray[np.float32]:
        """Return ``[s, C] @ coefficients``, shape (N, k)."""
        return combined(self.down, self._tiles, coefficients)

    def scatter(self, X: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return ``Cᵀ X`` at the nodes of the columns, and 0 at all other nodes, shape (N, k)."""
        result = np.zeros_like(X)
        begin = 0
        for tile in self._tiles:
            result[self.nodes[begin : begin + tile.shape[1]]] = tile.T @ X
            begin += tile.shape[1]
        return result


def _rows_of(tile: NDArray[np.float32], nodes: NDArray[np.int64]) -> NDArray[np.float32]:
    rows = tile[nodes]
    release_pages(tile)
    return rows


def combined(
    down: NDArray[np.float64], tiles: Iterable[NDArray[np.float32]], coefficients: NDArray[np.float64]
) -> NDArray[np.float32]:
    """Return ``[s, C] @ coefficients`` for some rows of a sketch.

    Parameters
    ----------
    down : array of shape (n,)
        Constant direction s at these rows.
    tiles : iterable of arrays of shape (n, m)
        The rows of C, in tiles of columns.
    coefficients : array of shape (1 + size, k)
        One row for s, and one for each of the first ``size`` columns.

    Returns
    -------
    array of shape (n, k)
        The product in float32.

    Examples
    --------
    >>> combined(np.ones(2), [np.eye(2, dtype=np.float32)], np.array([[1.0], [10.0], [20.0]])).ravel()
    array([11., 21.], dtype=float32)
    """
    total = np.zeros((len(down), coefficients.shape[1]), dtype=np.float32)
    add_product(total, down[:, None], coefficients[:1])
    begin = 1
    for tile in tiles:
        part = coefficients[begin : begin + tile.shape[1]].astype(np.float32)
        add_product(total, tile[:, : len(part)], part)
        begin += tile.shape[1]
        release_pages(tile)
    return total


class SketchOperator:
    """The residual matrix as an operator, from a sketch of all its columns.

    Parameters
    ----------
    columns : Sketch
        Sketch with all candidates.
    symmetric : bool
        Whether the matrix is symmetric.
    """

    in_memory = True

    def __init__(self, columns: Sketch, symmetric: bool) -> None:
        self.symmetric = symmetric
        self._columns = columns

    def matmat(self, X: NDArray[Any]) -> NDArray[np.float32]:
        """Return ``R̃ X``."""
        columns = self._columns
        weights = X[columns.nodes[: columns.size]]
        return columns.combine(np.concatenate([columns.level * (columns.across @ X)[None, :], weights]))

    def rmatmat(self, X: NDArray[Any]) -> NDArray[np.float32]:
        """Return ``R̃ᵀ X``."""
        columns = self._columns
        constant = np.outer(columns.across, columns.level * (columns.down @ X))
        return columns.scatter(X) + constant.astype(np.float32)

    def gram(self, X: NDArray[Any]) -> NDArray[np.float32]:
        """Return ``[R̃ᵀ X, R̃ R̃ᵀ X]``."""
        inner = self.rmatmat(X)
        return np.concatenate([inner, self.matmat(inner)], axis=1)


def leading_of_gram(
    gram: NDArray[np.float64], rank: int, start: NDArray[np.float64] | None = None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the largest eigenvalues of a Gram matrix and their vectors, without directions of rounding error.

    Parameters
    ----------
    gram : array of shape (m, m)
        Positive semidefinite matrix.
    rank : int
        Maximum number of eigenvalues.
    start : array of shape (m, rank), optional
        Approximate eigenvectors, which make the computation faster.

    Returns
    -------
    values, vectors : arrays of shapes (r,) and (m, r)
        Eigenvalues, descending, and eigenvectors in columns; r is at most ``rank``.
    """
    size = len(gram)
    rank = min(rank, size)
    if start is None and size <= _DIRECT_SIZE:
        values, vectors = np.linalg.eigh(gram)
        values, vectors = values[size - rank :], vectors[:, size - rank :]
    else:
        # With a fixed start, the result depends on the matrix only.
        extra = min(int(_EXTRA_VECTORS * rank), size) - (0 if start is None else start.shape[1])
        subspace = np.random.default_rng(0).standard_normal((size, max(extra, 0)))
        if start is not None:
            subspace = np.concatenate([start, subspace * np.linalg.norm(start) / np.sqrt(start.size)], axis=1)
        for _ in range(_BASIS_ITERATIONS if start is None else _ITERATIONS_FROM_START):
            subspace = np.linalg.qr(gram @ subspace)[0]
        values, Z = np.linalg.eigh(subspace.T @ gram @ subspace)
        values, vectors = values[-rank:], subspace @ Z[:, -rank:]
    safe = values > max(_ROUNDING * values[-1], np.finfo(np.float32).tiny)
    return values[safe][::-1], vectors[:, safe][:, ::-1]
