"""The block approximation of the residual matrix on shared storage: levels of clusters, corrections on the edges."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from residuum._kernels.clusters import add_corrections
from residuum.distributed.block_walk import ArrivalTiles, PartitionedBlockWalk
from residuum.distributed.cluster import Cluster
from residuum.distributed.grid import Grid
from residuum.distributed.matrix import PartitionedMatrix, ResidualPart
from residuum.distributed.tall import TallMatrix
from residuum.nulls import BlockForm
from residuum.residual.linalg import product, tall_product
from residuum.solvers.cluster_sums import ClusterSums

__all__ = ["BlockPart", "PartitionedBlockOperator"]


@dataclass(frozen=True)
class BlockPart:
    """The block approximation as tasks see it; see :class:`residuum.solvers.block_operator.BlockOperator`.

    Attributes
    ----------
    tiles : ArrivalTiles
        Tiles of clusters.
    sums : ClusterSums
        Null model summed over clusters, without δ, which is on shared storage.
    floor : float
        Minimum association.
    symmetric : bool
        Whether the matrix is symmetric.
    """

    tiles: ArrivalTiles
    sums: ClusterSums
    floor: float
    symmetric: bool

    @property
    def grid(self) -> Grid:
        """Partition of the nodes."""
        return self.tiles.walks.grid

    def vector(self, name: str, part: int) -> NDArray[Any]:
        """Return a vector at the nodes of a part.

        Parameters
        ----------
        name : str
            Name of the vector.
        part : int
            Number of the part.

        Returns
        -------
        array
            Entries, in memory.
        """
        return np.array(self.grid.stages.load(name)[self.grid.nodes(part)])

    def levels(self, part: int) -> Any:
        """Yield the tiles of H̃ in a part, with the slopes of their clusters.

        Parameters
        ----------
        part : int
            Number of the part.

        Yields
        ------
        columns : slice
            Clusters.
        tile : float32 array of shape (n, m)
            Levels.
        slope : float32 array of shape (n, m), or None
            Slopes; None if δ is zero.
        """
        for number, bounds in enumerate(self.tiles.bounds):
            columns, tile = slice(*bounds), self.grid.stages.load(f"levels-{number}-{part}")
            yield columns, tile, None if self.sums.is_even else self.sums.slope(tile, columns, self.floor)

    def corrections(self, row: int, column: int, backward: bool) -> NDArray[np.float32]:
        """Return the corrections on the edges of a block.

        Parameters
        ----------
        row, column : int
            Parts of the rows and of the columns.
        backward : bool
            Whether the block is one of the transposed matrix, with contexts as rows.

        Returns
        -------
        float32 array
            Corrections in the order of the entries.
        """
        indptr, indices, weights = self.grid.block(row, column, reverse=backward)
        sides = (row, column)
        nodes, groups, first_step = (
            np.concatenate([stack(part) for part in sides]) for stack in (self._nodes, self._groups, self._first_steps)
        )
        others = (indices + self.grid.size(row)).astype(np.int32)
        values = np.zeros(len(indices), dtype=np.float32)
        null_weights = np.array(self.grid.stages.load("group-weights")).astype(np.float32)
        share = np.float32(0.5 if self.symmetric else 1.0)
        directions = (False, True) if self.symmetric else (backward,)
        for number, (first, _) in enumerate(self.tiles.bounds):
            Q = np.concatenate([self.grid.stages.load(f"arrivals-{number}-{part}") for part in sides])
            for is_back in directions:
                add_corrections(
                    indptr, others, self.tiles.walks.in_unit(weights), first_step, is_back, share, Q, first, nodes,
                    groups, null_weights, self.sums.per_cluster, np.float32(self.floor), values, 0, len(indptr) - 1,
                )  # fmt: skip
        return values

    def _nodes(self, part: int) -> NDArray[np.float32]:
        names = ("cluster-share", "theta", "cluster-delta", "row-scale", "column-scale")
        return np.stack([self.vector(name, part).astype(np.float32) for name in names], axis=1)

    def _groups(self, part: int) -> NDArray[np.int32]:
        return np.stack([self.vector(name, part).astype(np.int32) for name in ("cluster-labels", "groups")], axis=1)

    def _first_steps(self, part: int) -> NDArray[np.float32]:
        return self.vector("cluster-first-step", part)


@dataclass(frozen=True)
class PartitionedBlockOperator:
    """Products with the block approximation, for tall matrices on shared storage.

    Attributes
    ----------
    cluster : Cluster
        Workers.
    part : BlockPart
        The approximation as tasks see it.
    """

    cluster: Cluster
    part: BlockPart

    @property
    def grid(self) -> Grid:
        """Partition of the nodes."""
        return self.part.grid

    @classmethod
    def of(cls, matrix: PartitionedMatrix, walk: PartitionedBlockWalk) -> "PartitionedBlockOperator":
        """Write levels and corrections, and return the operator.

        Parameters
        ----------
        matrix : PartitionedMatrix
            Matrix with a null model in block form.
        walk : PartitionedBlockWalk
            Block approximation of P_d.

        Returns
        -------
        PartitionedBlockOperator
            The operator.
        """
        cluster, grid = matrix.probabilities.graph.cluster, matrix.part.grid
        sums = ClusterSums.of(matrix, walk)
        first = matrix.probabilities.leaving * np.float32(matrix.probabilities.window[0])
        vectors: dict[str, NDArray[Any]] = {
            "cluster-share": walk.share,
            "cluster-delta": sums.delta,
            "cluster-first-step": first if walk.inverse_completed is None else first * walk.inverse_completed,
        }
        for name, vector in vectors.items():
            grid.stages.save(name, vector)
        tiles = ArrivalTiles(matrix.part.walks, walk.exact_steps, walk.n_clusters, walk.core is not None)
        part = BlockPart(tiles, replace(sums, delta=sums.delta[:0]), matrix.floor, matrix.symmetric)
        operator = cls(cluster, part)
        grid.stages.record("block-operator", lambda: operator._write(walk))
        return operator

    def _write(self, walk: PartitionedBlockWalk) -> dict[str, Any]:
        self.part.tiles.write(self.cluster, walk)
        places = [(tile, part) for tile in range(len(self.part.tiles.bounds)) for part in range(self.grid.n_parts)]
        self.cluster.map("cluster-levels", save_levels, [(self.part, *place) for place in places])
        sides = (False,) if self.part.symmetric else (False, True)
        blocks = [(self.part, *block, backward) for backward in sides for block in self.grid.blocks]
        self.cluster.map("edge-corrections", save_corrections, blocks)
        self.grid.stages.forget("arrivals-")
        return {"tiles": len(self.part.tiles.bounds)}

    def matmat(self, X: TallMatrix, name: str, *, transposed: bool = False) -> TallMatrix:
        """Return ``R̃ X``, or ``R̃ᵀ X``.

        Parameters
        ----------
        X : TallMatrix
            Vectors in columns.
        name : str
            Name of the product.
        transposed : bool, default False
            Whether to multiply by the transpose.

        Returns
        -------
        TallMatrix
            The product.
        """
        parts = range(self.grid.n_parts)
        sums = self.cluster.total("cluster-sums", sums_part, [(self.part, part, X.name) for part in parts])
        items = [(self.part, part, X.name, sums, transposed, name) for part in parts]
        self.cluster.map("block-product", product_part, items)
        return TallMatrix(self.cluster, self.grid, name, X.width)


def save_levels(block: BlockPart, tile: int, part: int) -> None:
    """Write the levels of a tile in a part.

    Parameters
    ----------
    block : BlockPart
        The approximation.
    tile, part : int
        Numbers of the tile and of the part.
    """
    stages = block.grid.stages

    def compute() -> NDArray[np.float32]:
        rows = np.array(stages.load(f"arrivals-{tile}-{part}"))
        form = BlockForm(
            block.vector("groups", part), block.vector("theta", part), np.array(stages.load("group-weights"))
        )
        block.sums.to_levels(rows, block.tiles.bounds[tile][0], form, block.floor)
        return rows

    stages.array(f"levels-{tile}-{part}", compute)


def save_corrections(block: BlockPart, row: int, column: int, backward: bool) -> None:
    """Write the corrections of a block.

    Parameters
    ----------
    block : BlockPart
        The approximation.
    row, column : int
        Parts of the rows and of the columns.
    backward : bool
        Whether the block is one of the transposed matrix.
    """
    name = _corrections(row, column, backward)
    block.grid.stages.array(name, lambda: block.corrections(row, column, backward))


def _corrections(row: int, column: int, backward: bool) -> str:
    return f"corrections-{'back' if backward else 'ahead'}-{row}-{column}"


def sums_part(block: BlockPart, part: int, name: str) -> NDArray[np.float64]:
    """Return what a product needs of a part, summed by cluster.

    Parameters
    ----------
    block : BlockPart
        The approximation.
    part : int
        Number of the part.
    name : str
        Name of X.

    Returns
    -------
    array of shape (4, B, k)
        ``Zᵀ T X``, ``Zᵀ δ T X``, ``H̃ᵀ S X`` and ``Uᵀ S X``.
    """
    X = np.array(block.grid.stages.load(f"{name}-{part}"))
    labels, n_nodes = block.vector("cluster-labels", part), len(X)
    member = sparse.csr_array((np.ones(n_nodes), (labels, np.arange(n_nodes))), shape=(block.tiles.n_clusters, n_nodes))
    scaled = (block.vector("column-scale", part)[:, None] * X).astype(np.float64)
    back = block.vector("row-scale", part)[:, None] * X
    sums = np.zeros((4, block.tiles.n_clusters, X.shape[1]))
    sums[0], sums[1] = member @ scaled, member @ (block.vector("cluster-delta", part)[:, None] * scaled)
    for columns, tile, slope in block.levels(part):
        sums[2, columns] = tall_product(tile, back)
        if slope is not None:
            sums[3, columns] = tall_product(slope, back)
    return sums


def product_part(
    block: BlockPart, part: int, name: str, sums: NDArray[np.float64], transposed: bool, target: str
) -> None:
    """Write the product at the nodes of a part.

    Parameters
    ----------
    block : BlockPart
        The approximation.
    part : int
        Number of the part.
    name : str
        Name of X.
    sums : array of shape (4, B, k)
        Result of :func:`sums_part`, of all parts.
    transposed : bool
        Whether to multiply by the transpose.
    target : str
        Name of the product.
    """
    stages = block.grid.stages
    small = sums.astype(np.float32)

    def compute() -> NDArray[np.float32]:
        result = np.zeros((block.grid.size(part), small.shape[2]), dtype=np.float32)
        if block.symmetric or not transposed:
            for columns, tile, slope in block.levels(part):
                result += product(tile, small[0, columns])
                if slope is not None:
                    result += product(slope, small[1, columns])
            result *= block.vector("row-scale", part)[:, None]
        if block.symmetric or transposed:
            labels, delta = block.vector("cluster-labels", part), block.vector("cluster-delta", part)[:, None]
            result += block.vector("column-scale", part)[:, None] * (small[2][labels] + delta * small[3][labels])
        if block.symmetric:
            result *= np.float32(0.5)
        backward = transposed and not block.symmetric
        for column in range(block.grid.n_parts):
            indptr, indices, _ = block.grid.block(part, column, reverse=backward)
            values = stages.load(_corrections(part, column, backward))
            shape = (block.grid.size(part), block.grid.size(column))
            result += sparse.csr_array((values, indices, indptr), shape=shape) @ stages.load(f"{name}-{column}")
        return result

    stages.array(f"{target}-{part}", compute)


def missed_sums(
    matrix: ResidualPart, part: int, tile: NDArray[np.float32], nodes: NDArray[np.int64], side: str, name: str
) -> NDArray[np.float64]:
    """Return sums over the entries of exact columns in a part, and of their approximation.

    Parameters
    ----------
    matrix : ResidualPart
        The matrix.
    part : int
        Number of the part.
    tile : float32 array of shape (n, m)
        Exact columns.
    nodes : int array of shape (m,)
        Contexts.
    side : {"columns"}
        Side of the tile.
    name : str
        Name of the approximation.

    Returns
    -------
    array of shape (4,)
        Sums of ``R²``, ``R L``, ``L²`` and ``(R − approximation)²``, with the common level L.
    """
    exact = tile.astype(np.float64)
    level = np.outer(matrix.down(part, side).astype(np.float64), matrix.across(nodes, side))
    missed = exact - matrix.grid.stages.load(f"{name}-{part}")
    return np.array([np.sum(exact**2), np.sum(exact * level), np.sum(level**2), np.sum(missed**2)])
