"""Triangles of a graph on shared storage, counted in the wedges that one machine samples."""

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from residuum.distributed.cluster import Cluster
from residuum.distributed.grid import Grid
from residuum.graph.triangles import Wedges, explained_share, has_entries

__all__ = ["partitioned_triangles"]

_WEDGES = "wedges"


def partitioned_triangles(cluster: Cluster, grid: Grid, entries: NDArray[np.int64]) -> float:
    """Return the share of the triangles of an undirected graph that its degrees explain.

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
        As :func:`residuum.graph.triangles_by_degree`.
    """
    wedges = Wedges.sample(entries)
    grid.stages.array(_WEDGES, lambda: np.stack([wedges.centers, wedges.first, wedges.second]))
    parts = cluster.map("wedges", neighbors_in_part, [(grid, part) for part in range(grid.n_parts)])
    i, j, degrees = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    valid = (i != wedges.centers) & (j != wedges.centers)
    i, j = i[valid], j[valid]
    closed = np.zeros(len(i), dtype=np.bool_)
    rows, columns = (np.searchsorted(grid.bounds, nodes, side="right") - 1 for nodes in (i, j))
    inside = [np.flatnonzero((rows == row) & (columns == column)) for row, column in grid.blocks]
    items = [
        (grid, row, column, i[places] - grid.bounds[row], j[places] - grid.bounds[column])
        for (row, column), places in zip(grid.blocks, inside, strict=True)
    ]
    for places, found in zip(inside, cluster.map("triangles", closed_in_block, items), strict=True):
        closed[places] = found
    grid.stages.forget(_WEDGES)
    return explained_share(degrees, i, j, closed, wedges.weights[valid])


def neighbors_in_part(grid: Grid, part: int) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Return the two neighbors of each wedge whose center is in a part, and the degrees of the part.

    Parameters
    ----------
    grid : Grid
        Partition.
    part : int
        Number of the part.

    Returns
    -------
    first, second : int arrays of shape (n,)
        Positions of the neighbors.
    degrees : array of shape (size of the part,)
        Number of neighbors of each node, without self-loops.
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
    return neighbors[0], neighbors[1], degrees


def closed_in_block(
    grid: Grid, row: int, column: int, rows: NDArray[np.int64], columns: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Return which pairs of nodes have an edge in a block.

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
    bool array of shape (n,)
        Whether there is an edge.
    """
    indptr, indices, weights = grid.block(row, column)
    block = sparse.csr_array((weights, indices, indptr), shape=(grid.size(row), grid.size(column)))
    return has_entries(block, rows, columns)
