"""The block approximation of the walk on a partitioned graph: tiles of clusters, in files of one part each."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum.distributed.cluster import Cluster
from residuum.distributed.products import Walks
from residuum.solvers.block_walk import BlockWalk

__all__ = ["ArrivalTiles", "PartitionedBlockWalk"]

_TILE_WIDTH = 256


class PartitionedBlockWalk(BlockWalk):
    """Walk between clusters whose vectors are on the client, and whose columns are on shared storage.

    Parameters
    ----------
    probabilities : PartitionedWindow
        Window probabilities of the graph.
    labels : int array of shape (N,)
        Cluster of each node.
    exact_steps : int
        Number of exact steps k.
    """

    _dense = False


@dataclass(frozen=True)
class ArrivalTiles:
    """``Q``, the probability of arriving in each cluster after the first step, as tasks compute it.

    Attributes
    ----------
    walks : Walks
        Graph and window.
    exact_steps : int
        Number of exact steps k.
    n_clusters : int
        Number of clusters B.
    has_core : bool
        Whether later steps go between clusters.
    """

    walks: Walks
    exact_steps: int
    n_clusters: int
    has_core: bool

    @property
    def bounds(self) -> list[tuple[int, int]]:
        """Range of clusters of each tile."""
        width = min(_TILE_WIDTH, self.n_clusters)
        return [(first, min(first + width, self.n_clusters)) for first in range(0, self.n_clusters, width)]

    def write(self, cluster: Cluster, walk: PartitionedBlockWalk) -> None:
        """Write all tiles.

        Parameters
        ----------
        cluster : Cluster
            Workers.
        walk : PartitionedBlockWalk
            Walk between clusters.
        """
        stages = self.walks.grid.stages
        completed = walk.inverse_completed
        stages.save("cluster-labels", walk.labels)
        stages.save("cluster-core", np.empty((0, 0), dtype=np.float32) if walk.core is None else walk.core)
        stages.save("cluster-completed", np.empty(0, dtype=np.float32) if completed is None else completed)
        places = [(tile, part) for tile in range(len(self.bounds)) for part in range(self.walks.grid.n_parts)]
        for number in range(self.exact_steps):
            cluster.map("cluster-walk", walk_tile, [(self, *place, number) for place in places])
            if number:
                stages.forget(f"cluster-walk-{number - 1}-")
        cluster.map("cluster-walk", finish_tile, [(self, *place) for place in places])
        stages.forget("cluster-walk-")
        stages.forget("cluster-profile-")

    def start(self, column: int, first: int, last: int, *, profile: bool) -> NDArray[np.float32]:
        """Return ``Z core`` or ``Z`` at the nodes of a part, in the clusters of a tile.

        Parameters
        ----------
        column : int
            Number of the part.
        first, last : int
            Range of clusters.
        profile : bool
            Whether to return the membership Z.

        Returns
        -------
        float32 array of shape (n, m)
            Rows.
        """
        grid = self.walks.grid
        labels = np.array(grid.stages.load("cluster-labels")[grid.nodes(column)])
        if not profile:
            return np.asarray(grid.stages.load("cluster-core")[:, first:last][labels])
        rows = np.zeros((len(labels), last - first), dtype=np.float32)
        inside = np.flatnonzero((labels >= first) & (labels < last))
        rows[inside, labels[inside] - first] = 1.0
        return rows


def walk_tile(tiles: ArrivalTiles, tile: int, part: int, number: int) -> None:
    """Take an exact step in a tile and a part.

    Parameters
    ----------
    tiles : ArrivalTiles
        Walks.
    tile, part : int
        Numbers of the tile and of the part.
    number : int
        Number of the step, from 0.
    """
    walks, grid = tiles.walks, tiles.walks.grid
    first, last = tiles.bounds[tile]
    window, k = np.asarray(walks.window, dtype=np.float32), tiles.exact_steps

    def product(rows: Any) -> NDArray[np.float32]:
        total = np.zeros((grid.size(part), last - first), dtype=np.float32)
        for column in range(grid.n_parts):
            total += walks.multiply(part, column, False, rows(column))
        return total

    def compute() -> NDArray[np.float32]:
        if number:
            block = product(lambda column: grid.stages.load(f"cluster-walk-{number - 1}-{tile}-{column}"))
        elif tiles.has_core:
            block = product(lambda column: tiles.start(column, first, last, profile=False))
        else:
            block = np.zeros((grid.size(part), last - first), dtype=np.float32)
        # Before the step to the remaining number of exact ones, w_t P Z enters; not after the last.
        remaining = k - number
        if remaining > 1:
            profile = grid.stages.array(
                f"cluster-profile-{tile}-{part}",
                lambda: product(lambda column: tiles.start(column, first, last, profile=True)),
            )
            block = block + window[remaining - 1] * profile
        return block

    grid.stages.array(f"cluster-walk-{number}-{tile}-{part}", compute)


def finish_tile(tiles: ArrivalTiles, tile: int, part: int) -> None:
    """Write the probabilities of a tile in a part.

    Parameters
    ----------
    tiles : ArrivalTiles
        Walks.
    tile, part : int
        Numbers of the tile and of the part.
    """
    grid = tiles.walks.grid

    def compute() -> NDArray[np.float32]:
        block = np.array(grid.stages.load(f"cluster-walk-{tiles.exact_steps - 1}-{tile}-{part}"))
        completed = grid.stages.load("cluster-completed")
        return block * completed[grid.nodes(part)][:, None] if len(completed) else block

    grid.stages.array(f"arrivals-{tile}-{part}", compute)
