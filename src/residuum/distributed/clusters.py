"""Clusters of the nodes of a partitioned graph: k-means on a sample, and the nearest center for all others."""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from residuum._random import random_rows
from residuum.distributed.cluster import Cluster
from residuum.distributed.grid import Grid
from residuum.distributed.left_out import some_rows
from residuum.distributed.matrix import PartitionedMatrix
from residuum.distributed.pieces import Piece, by_pieces, pieces_of
from residuum.distributed.undirected import undirected_step
from residuum.solvers.clusters import (
    DIMENSIONS,
    MOST_STEPS,
    k_means,
    labels_by_group,
    relative_strength,
    surplus_of,
    unit_features,
)

__all__ = ["find_clusters"]

_FEATURES, _ROOT, _SURPLUS = "features", "feature-root", "feature-surplus"
# Nodes of a group on the client, whose features have about 50 MB.
_SAMPLE = 100_000


def find_clusters(matrix: PartitionedMatrix, n_clusters: int, rng: np.random.Generator) -> NDArray[np.int32]:
    """Return the cluster of each node, as :func:`residuum.solvers.clusters.find_clusters`.

    Groups of the null model with up to 100,000 nodes have the clusters of one machine. In larger ones, k-means runs on
    a sample of that size.

    Parameters
    ----------
    matrix : PartitionedMatrix
        Graph, window and null model in block form.
    n_clusters : int
        Total number of clusters; each group has at least one.
    rng : numpy Generator
        Source of the random projection and of the seeds of k-means.

    Returns
    -------
    int array of shape (N,)
        Cluster of each node, numbered from 0 without gaps.
    """
    form, graph = matrix.null.block_form, matrix.probabilities.graph
    assert form is not None
    labels_of = partial(_labels_of, graph.cluster, matrix.part.grid, rng)
    labels = labels_by_group(
        form, graph.in_strength > 0, n_clusters, lambda: _write_features(matrix, int(rng.integers(2**63))), labels_of
    )
    matrix.part.grid.stages.forget(f"{_FEATURES}-")
    return labels


def _write_features(matrix: PartitionedMatrix, seed: int) -> None:
    """Write projected walks, centered and normalized."""
    probabilities, grid = matrix.probabilities, matrix.part.grid
    cluster, stages = probabilities.graph.cluster, grid.stages
    strength, root = relative_strength(probabilities.graph)
    stages.save(_ROOT, root)
    stages.save(_SURPLUS, surplus_of(probabilities.graph, matrix.null))
    stages.save("feature-shares", strength / strength.sum())
    pieces = pieces_of(cluster, grid)
    by_pieces(cluster, grid, pieces, "random-vectors", "walked-0", projection_piece, grid, seed)
    n_steps = min(len(probabilities.window), MOST_STEPS)
    for number in range(n_steps):
        undirected_step(probabilities, pieces, f"walked-{number}", f"walked-{number + 1}")
    parts = range(grid.n_parts)
    mean = cluster.total("features", mean_part, [(grid, part, n_steps) for part in parts])
    cluster.map("features", features_part, [(grid, part, n_steps, mean) for part in parts])
    stages.forget("walked-")


def _labels_of(
    cluster: Cluster, grid: Grid, rng: np.random.Generator, nodes: NDArray[np.int64], count: int
) -> NDArray[np.int64]:
    """Return the clusters of the nodes of a group."""
    chosen = nodes
    if len(nodes) > _SAMPLE:
        chosen = np.sort(np.random.default_rng(0).choice(nodes, _SAMPLE, replace=False))
    bounds = np.asarray(grid.bounds)
    home = np.searchsorted(bounds, chosen, side="right") - 1
    parts = range(grid.n_parts)
    items = [(grid, part, _FEATURES, chosen[home == part] - bounds[part]) for part in parts]
    labels, centers = k_means(np.concatenate(cluster.map("feature-rows", some_rows, items)), count, rng)
    if len(chosen) == len(nodes):
        return labels
    home = np.searchsorted(bounds, nodes, side="right") - 1
    items = [(grid, part, nodes[home == part] - bounds[part], centers) for part in parts]
    return np.concatenate(cluster.map("nearest-centers", nearest_centers, items))


def projection_piece(piece: Piece, grid: Grid, seed: int) -> NDArray[np.float32]:
    """Return random rows, scaled.

    Parameters
    ----------
    piece : Piece
        Rows.
    grid : Grid
        Partition.
    seed : int
        Seed.

    Returns
    -------
    float32 array of shape (n, 128)
        Rows.
    """
    root = np.array(grid.stages.load(_ROOT)[piece.begin : piece.end])
    return np.asarray(random_rows(seed, piece.begin, piece.end, DIMENSIONS) * root[:, None])


def _total(grid: Grid, part: int, n_steps: int) -> NDArray[np.float32]:
    total = np.zeros((grid.size(part), DIMENSIONS), dtype=np.float32)
    for number in range(1, n_steps + 1):
        total += grid.stages.load(f"walked-{number}-{part}")
    return total


def mean_part(grid: Grid, part: int, n_steps: int) -> NDArray[np.float64]:
    """Return the share of a part in the mean of the walks.

    Parameters
    ----------
    grid : Grid
        Partition.
    part : int
        Number of the part.
    n_steps : int
        Number of steps.

    Returns
    -------
    array of shape (128,)
        Weighted sum.
    """
    return np.asarray(grid.stages.load("feature-shares")[grid.nodes(part)] @ _total(grid, part, n_steps))


def features_part(grid: Grid, part: int, n_steps: int, mean: NDArray[np.float64]) -> None:
    """Write the features of a part.

    Parameters
    ----------
    grid : Grid
        Partition.
    part : int
        Number of the part.
    n_steps : int
        Number of steps.
    mean : array of shape (128,)
        Mean of the walks.
    """
    surplus = grid.stages.load(_SURPLUS)
    own = np.array(surplus[grid.nodes(part)] if len(surplus) else surplus)
    grid.stages.array(f"{_FEATURES}-{part}", lambda: unit_features(_total(grid, part, n_steps), mean, own))


def nearest_centers(
    grid: Grid, part: int, places: NDArray[np.int64], centers: NDArray[np.float32]
) -> NDArray[np.int64]:
    """Return the nearest center of some nodes of a part.

    Parameters
    ----------
    grid : Grid
        Partition.
    part : int
        Number of the part.
    places : int array of shape (k,)
        Nodes, counted from the first of the part.
    centers : float32 array of shape (n_clusters, d)
        Centers.

    Returns
    -------
    int array of shape (k,)
        Numbers of the centers.
    """
    from sklearn.metrics import pairwise_distances_argmin

    if not len(places):
        return np.empty(0, dtype=np.int64)
    rows = np.array(grid.stages.load(f"{_FEATURES}-{part}")[places])
    return np.asarray(pairwise_distances_argmin(rows, centers), dtype=np.int64)
