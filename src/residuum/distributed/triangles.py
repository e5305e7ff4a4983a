"""Triangles of a graph on shared storage, counted in the wedges that one machine samples."""

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from residuum.distributed.cluster import Cluster
from residuum.distributed.grid import Grid
from residuum.graph.triangles import WedgeCounts, Wedges, has_entries

__all__ = ["partitioned_deficit"]

_WEDGES = "wedges"


def partitioned_deficit(cluster: Cluster, grid: Grid, entries: NDArray[np.int64]) -> float:
    """Return how many times fewer triangles an undirected graph has than its degrees explain, at least 1.

    Parameters
    ----------
    cluster : Cluster
        Workers.
    grid : Grid
        Blocks of the adjacency matrix.
    entries : int array of shape (N,)
        Number of entries of each row.

    Returns
    -------
    float
        As :func:`residuum.graph.triangle_deficit`.
    """
    wedges = Wedges.sample(entries)
    grid.stages.array(_WEDGES, lambda: np.stack([wedges.centers, wedges.first, wedges.second]))
    parts = cluster.map("wedges", neighbors_in_part, [(grid, part) for part in range(grid.n_parts)])
    i, j = (np.concatenate(side) for side in zip(*(neighbors for neighbors, _ in parts), strict=True))
    valid = (i != wedges.centers) & (j != wedges.centers)
    i, j = i[valid], j[valid]
    rows, columns = (np.searchsorted(grid.bounds, nodes, side="right") - 1 for nodes in (i, j))
    items = []
    for row, column in grid.blocks:
        inside = (rows == row) & (columns == column)
        if inside.any():
            items.append((grid, row, column, i[inside] - grid.bounds[row], j[inside] - grid.bounds[column]))
    closed = int(cluster.total("triangles", closed_in_block, items)) if items else 0
    degrees, pairs = np.sum([sums for _, sums in parts], axis=0)
    grid.stages.forget(_WEDGES)
    return WedgeCounts(len(i), closed, float(degrees), float(pairs)).deficit


def neighbors_in_part(grid: Grid, part: int) -> tuple[tuple[NDArray[np.int64], NDArray[np.int64]], tuple[float, float]]:
    """Return the two neighbors of each wedge whose center is in a part, and sums over the degrees of the part.

    Parameters
    ----------
    grid : Grid
        Partition.
    part : int
        Number of the part.

    Returns
    -------
    neighbors : pair of int arrays of shape (n,)
        Positions of the neighbors.
    sums : (float, float)
        ``Σ_i k_i`` and ``Σ_i k_i (k_i − 1)``, without self-loops.
    """
    nodes = grid.nodes(part)
    wedges = np.array(grid.stages.load(_WEDGES))
    begin, end = np.searchsorted(wedges[0], [nodes.start, nodes.stop])
    centers, places = wedges[0, begin:end] - nodes.start, wedges[1:, begin:end].copy()
    neighbors = np.full(places.shape, -1)
    degrees = np.zeros(grid.size(part))
    for column in range(grid.n_parts):
        indptr, indices, _ = grid.block(part, column)
        lengths = np.diff(indptr)
        degrees += lengths
        if column == part:
            rows = np.repeat(np.arange(len(lengths)), lengths)
            degrees[rows[indices == rows]] -= 1.0
        here = (neighbors < 0) & (places < lengths[centers])
        chosen = indices[(np.asarray(indptr)[centers] + places)[here]].astype(np.int64)
        neighbors[here] = chosen + grid.bounds[column]
        places -= lengths[centers]
    return (neighbors[0], neighbors[1]), (float(degrees.sum()), float(degrees @ (degrees - 1.0)))


def closed_in_block(grid: Grid, row: int, column: int, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> int:
    """Return how many pairs of nodes have an edge in a block.

    Parameters
    ----------
    grid : Grid
        Partition.
    row, column : int
        Parts of the rows and of the columns.
    rows, columns : int arrays of shape (n,)
        Pairs, counted from the first node of their part.

    Returns
    -------
    int
        Number of edges.
    """
    indptr, indices, weights = grid.block(row, column)
    block = sparse.csr_array((weights, indices, indptr), shape=(grid.size(row), grid.size(column)))
    return int(has_entries(block, rows, columns).sum())
