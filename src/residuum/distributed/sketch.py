"""Sampled columns of the residual matrix on shared storage, in tiles of one part each."""

import itertools
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from residuum._progress import ProgressCallback, Stage
from residuum.distributed.cluster import Cluster
from residuum.distributed.matrix import PartitionedMatrix, ResidualPart
from residuum.distributed.tall import TallMatrix
from residuum.residual.linalg import tall_product
from residuum.residual.tiles import NARROWEST_TILE
from residuum.solvers.sketch import SampledColumns, combined

__all__ = ["PartitionedSketch", "common_level", "even_tiles", "tile_width", "tiles_in_flight"]

Side = Literal["columns", "rows"]

# Widest tile; wider ones are not faster.
_WIDEST = 128
# Pieces of a tile that a task holds, and tasks on the cluster at a time for each thread of the workers.
_PIECES, _TASKS_PER_THREAD = 4, 2
# Share of the memory of a thread for the pieces of tiles.
_TILE_SHARE = 0.3


def tiles_in_flight(cluster: Cluster, n_parts: int) -> int:
    """Return the number of tiles on the cluster at a time: enough to keep all threads busy.

    Parameters
    ----------
    cluster : Cluster
        Workers.
    n_parts : int
        Number of parts, which are computed at once.

    Returns
    -------
    int
        At least 2, so that one tile fills the gaps between the rounds of another.
    """
    return max(-(-_TASKS_PER_THREAD * cluster.n_threads // n_parts), 2)


def tile_width(cluster: Cluster, n_nodes: int, n_parts: int) -> int:
    """Return the number of columns of a tile, so that the tiles in flight fit the memory of the workers.

    Parameters
    ----------
    cluster : Cluster
        Workers.
    n_nodes, n_parts : int
        Number of nodes N, and of their parts.

    Returns
    -------
    int
        Between 16 and 128.
    """
    if not cluster.thread_bytes:
        return _WIDEST
    held = 4 * _PIECES * tiles_in_flight(cluster, n_parts) * n_nodes / cluster.n_threads
    return int(np.clip(_TILE_SHARE * cluster.thread_bytes / held, NARROWEST_TILE, _WIDEST))


def even_tiles(begin: int, end: int, width: int, at_once: int) -> list[tuple[int, int]]:
    """Divide columns into tiles of almost equal width, so that all threads have as many of them.

    Parameters
    ----------
    begin, end : int
        Range of columns.
    width : int
        Largest width.
    at_once : int
        Number of tiles that are computed at the same time.

    Returns
    -------
    list of pairs of int
        Ranges of columns, in order.

    Examples
    --------
    >>> even_tiles(0, 576, 128, 2)
    [(0, 96), (96, 192), (192, 288), (288, 384), (384, 480), (480, 576)]
    """
    n_columns = max(end - begin, 0)
    n_tiles = -(-n_columns // width)
    most = max(n_columns // NARROWEST_TILE, n_tiles)
    n_tiles = min(-(-n_tiles // at_once) * at_once, most)
    bounds = [begin + n_columns * number // max(n_tiles, 1) for number in range(n_tiles + 1)]
    return list(itertools.pairwise(bounds))


class PartitionedSketch(SampledColumns):
    """Sampled columns in files on shared storage, one for each tile and part.

    The nodes are those of the local solver with the same random state.

    Parameters
    ----------
    matrix : PartitionedMatrix
        Matrix to sample.
    side : "columns" or "rows"
        Which side of the matrix to sample.
    level : float
        Common level c, which is subtracted.
    rng : numpy Generator
        Source of randomness of the nodes.
    width : int
        Maximum number of columns in a tile.
    at_once : int, default 1
        Number of tiles that are computed at the same time.
    progress : callable or None
        Called with the progress.
    """

    def __init__(
        self,
        matrix: PartitionedMatrix,
        side: Side,
        level: float,
        rng: np.random.Generator,
        width: int,
        at_once: int = 1,
        progress: ProgressCallback | None = None,
    ) -> None:
        super().__init__(matrix, side, level, rng)
        self._side: Side = side
        self._part, self._cluster = matrix.part, matrix.probabilities.graph.cluster
        self._width, self._at_once, self._progress = width, at_once, progress
        self._in_flight = tiles_in_flight(self._cluster, matrix.part.grid.n_parts)
        self._tiles: list[tuple[int, int]] = []

    @property
    def _parts(self) -> range:
        return range(self._part.grid.n_parts)

    def grow(self, size: int, stage: Stage | None) -> None:
        """Add columns until there are ``size``, or no more candidates; tiles on storage are not computed again."""
        size = min(size, self.n_candidates)
        new = even_tiles(self.size, size, self._width, self._at_once)
        if not new:
            return
        if stage is None:
            stage = Stage(f"{self.side} at {size} landmarks", size - self.size, self._progress)
        stages = self._part.grid.stages
        missing = [tile for tile in new if not stages.path(f"{self._name(tile)}.json").exists()]
        stage.advance(sum(end - begin for begin, end in new if (begin, end) not in missing))

        def done(number: int) -> None:
            begin, end = missing[number]
            stages.record(self._name(missing[number]), lambda: {"columns": end - begin})
            stage.advance(end - begin)

        graphs = [partial(self._tasks, tile) for tile in missing]
        self._cluster.compute(f"landmark {self.side}", graphs, self._in_flight, done)
        self._extend_gram(new)

    def _name(self, tile: tuple[int, int]) -> str:
        return f"{self.side}-{tile[0]}-{tile[1]}"

    def _tasks(self, tile: tuple[int, int]) -> list[Any]:
        nodes = self.nodes[tile[0] : tile[1]]
        return self._part.tile(nodes, self._side, save_tile, self.level, self._name(tile))

    def _extend_gram(self, new: list[tuple[int, int]]) -> None:
        """Add the products of the new tiles with the constant direction and with all tiles to the Gram matrix."""
        self._tiles += new
        first, last = new[0][0], new[-1][1]
        sums = self._part.grid.stages.array(f"gram-{self.side}-{first}-{last}", lambda: self._products(new))
        gram = np.empty((1 + last, 1 + last))
        gram[: 1 + first, : 1 + first] = self.gram
        gram[:, 1 + first :] = sums
        gram[1 + first :, : 1 + first] = sums[: 1 + first].T
        self.gram, self.size = gram, last

    def _products(self, new: list[tuple[int, int]]) -> NDArray[np.float64]:
        """Return ``[s, C]ᵀ C_new``: each new tile with itself and those before, and the rest by symmetry."""
        names, n_old = [self._name(tile) for tile in self._tiles], len(self._tiles) - len(new)
        groups = [
            [(self._part, part, self.side, names[: n_old + 1 + number], self.is_precise) for part in self._parts]
            for number in range(len(new))
        ]
        first, last = new[0][0], new[-1][1]
        sums = np.zeros((1 + last, last - first))
        for (begin, end), product in zip(new, self._cluster.totals("gram", gram_part, groups), strict=True):
            sums[: 1 + end, begin - first : end - first] = product
            sums[1 + begin : 1 + end, : begin - first] = product[1 + first : 1 + begin].T
        return sums

    def at(self, nodes: NDArray[np.int64], size: int) -> NDArray[np.float64]:
        """Return the rows of ``[s, C]`` at ``nodes``, restricted to the first ``size`` columns, in float64."""
        bounds = np.asarray(self._part.grid.bounds)
        home = np.searchsorted(bounds, nodes, side="right") - 1
        wanted = np.unique(home).tolist()
        names = [self._name(tile) for tile in self._tiles if tile[0] < size]
        items = [(self._part, part, names, nodes[home == part] - bounds[part]) for part in wanted]
        rows = np.empty((len(nodes), 1 + min(size, self.size)))
        rows[:, 0] = self.down[nodes]
        for part, found in zip(wanted, self._cluster.map("landmark-rows", rows_part, items), strict=True):
            rows[home == part, 1:] = found[:, :size]
        return rows

    def combine(self, coefficients: NDArray[np.float64], name: str) -> TallMatrix:
        """Return ``[s, C] @ coefficients``, shape (N, k), on shared storage.

        Parameters
        ----------
        coefficients : array of shape (1 + size, k)
            Combinations.
        name : str
            Name of the result.

        Returns
        -------
        TallMatrix
            The product.
        """
        names = [self._name(tile) for tile in self._tiles if tile[0] < len(coefficients) - 1]
        items = [(self._part, part, self.side, names, coefficients, name) for part in self._parts]
        self._cluster.map("combine", combine_part, items, Stage("factors", len(items), self._progress))
        return TallMatrix(self._cluster, self._part.grid, name, coefficients.shape[1])


def save_tile(
    matrix: ResidualPart,
    part: int,
    tile: NDArray[np.float32],
    nodes: NDArray[np.int64],
    side: Side,
    level: float,
    name: str,
) -> None:
    """Write a tile without the common level.

    Parameters
    ----------
    matrix : ResidualPart
        The matrix.
    part : int
        Part of the rows.
    tile : float32 array of shape (n, m)
        Entries of the matrix.
    nodes : int array of shape (m,)
        Nodes of the tile.
    side : {"columns", "rows"}
        Side of the sketch.
    level : float
        Common level c.
    name : str
        Name of the tile.
    """
    down, across = matrix.down(part, side).astype(np.float64), matrix.across(nodes, side)
    tile -= np.outer((level * down).astype(np.float32), across)
    matrix.grid.stages.array(f"{name}-{part}", lambda: tile)


def gram_part(matrix: ResidualPart, part: int, side: str, names: list[str], precise: bool) -> NDArray[np.float64]:
    """Return the products of a tile with the constant direction, the tiles before and itself, of the rows of a part.

    Parameters
    ----------
    matrix : ResidualPart
        The matrix.
    part : int
        Number of the part.
    side : str
        Side of the sketch.
    names : list of str
        Names of the tiles, of which the last is multiplied by all.
    precise : bool
        Whether to multiply in float64.

    Returns
    -------
    array of shape (1 + number of columns, width of the last tile)
        Products.
    """
    load = matrix.grid.stages.load
    down = matrix.down(part, side).astype(np.float64)
    last = load(f"{names[-1]}-{part}")
    products = [tall_product(load(f"{name}-{part}"), last, precise=precise) for name in names]
    return np.concatenate([(down @ last)[None, :], *products])


def rows_part(matrix: ResidualPart, part: int, names: list[str], places: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return some rows of the columns.

    Parameters
    ----------
    matrix : ResidualPart
        The matrix.
    part : int
        Number of the part.
    names : list of str
        Names of the tiles.
    places : int array of shape (k,)
        Rows, counted from the first of the part.

    Returns
    -------
    array of shape (k, m)
        Rows of all tiles, side by side.
    """
    return np.concatenate([matrix.grid.stages.load(f"{name}-{part}")[places] for name in names], axis=1)


def combine_part(
    matrix: ResidualPart, part: int, side: str, names: list[str], coefficients: NDArray[np.float64], name: str
) -> None:
    """Write ``[s, C] @ coefficients`` for the rows of a part.

    Parameters
    ----------
    matrix : ResidualPart
        The matrix.
    part : int
        Number of the part.
    side : str
        Side of the sketch.
    names : list of str
        Names of the tiles.
    coefficients : array of shape (1 + size, k)
        Combinations.
    name : str
        Name of the result.
    """
    stages = matrix.grid.stages
    down = matrix.down(part, side).astype(np.float64)
    tiles = (stages.load(f"{tile}-{part}") for tile in names)
    stages.array(f"{name}-{part}", lambda: combined(down, tiles, coefficients))


def common_level(matrix: PartitionedMatrix) -> float:
    """Return the level c at which ``c s tᵀ`` is closest to a few rows, as :func:`residuum.solvers.sketch.common_level`.

    Parameters
    ----------
    matrix : PartitionedMatrix
        The matrix.

    Returns
    -------
    float
        Common level.
    """
    nodes, cluster = matrix.sampled_nodes, matrix.probabilities.graph.cluster
    side: Side = "columns" if matrix.symmetric else "rows"
    tasks = matrix.part.tile(nodes, side, sums_of_tile)
    sums = np.sum(cluster.compute("level", [lambda: tasks])[0], axis=0)
    down, across = matrix.row_scale[nodes].astype(np.float64), matrix.column_scale.astype(np.float64)
    return float(down @ sums / ((down @ down) * (across @ across)))


def sums_of_tile(
    matrix: ResidualPart, part: int, tile: NDArray[np.float32], nodes: NDArray[np.int64], side: Side
) -> NDArray[np.float64]:
    """Return the sums of the columns of a tile, weighted by the scales of its rows.

    Parameters
    ----------
    matrix : ResidualPart
        The matrix.
    part : int
        Part of the rows.
    tile : float32 array of shape (n, m)
        Entries of the matrix.
    nodes : int array of shape (m,)
        Nodes of the tile.
    side : {"columns", "rows"}
        Side of the tile.

    Returns
    -------
    array of shape (m,)
        Sums.
    """
    del nodes
    return np.asarray(matrix.down(part, side).astype(np.float64) @ tile)
