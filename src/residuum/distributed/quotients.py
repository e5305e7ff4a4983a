"""Correlations between the ends of an edge in each dimension, from factors on shared storage."""

import numpy as np
from numpy.typing import NDArray

from residuum.distributed.factors import PartitionedFactors
from residuum.distributed.grid import Grid
from residuum.distributed.matrix import PartitionedMatrix
from residuum.distributed.pieces import pieces_of
from residuum.distributed.undirected import undirected_step
from residuum.residual import unscaled
from residuum.residual.left_out_ends import quotient

__all__ = ["edge_quotients"]

_VECTORS, _STEPPED = "quotient-vectors", "quotient-stepped"


def edge_quotients(matrix: PartitionedMatrix, factors: PartitionedFactors) -> NDArray[np.float64]:
    """Return ``uᵀAu / uᵀDu`` of each dimension, as :meth:`residuum.residual.left_out_ends.EdgeEnds.quotients`.

    Parameters
    ----------
    matrix : PartitionedMatrix
        The factorized matrix.
    factors : PartitionedFactors
        Its factors.

    Returns
    -------
    array of shape (K,)
        Quotients.
    """
    probabilities = matrix.probabilities
    graph, grid = probabilities.graph, matrix.part.grid
    factors.left.mapped(_VECTORS, unscaled_part)
    undirected_step(probabilities, pieces_of(graph.cluster, grid), _VECTORS, _STEPPED)
    strongest = float(graph.out_strength.max())
    items = [(grid, part, strongest) for part in range(grid.n_parts)]
    across, squares = graph.cluster.total("edge-quotients", products_part, items)
    for name in (_VECTORS, _STEPPED):
        grid.stages.forget(f"{name}-")
    return quotient(across, squares)


def unscaled_part(grid: Grid, part: int, rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the vectors of a part without the scales of the matrix.

    Parameters
    ----------
    grid : Grid
        Partition.
    part : int
        Number of the part.
    rows : float32 array of shape (n, K)
        Left singular vectors.

    Returns
    -------
    float32 array of shape (n, K)
        Vectors.
    """
    return unscaled(np.array(rows), np.array(grid.stages.load("row-scale")[grid.nodes(part)]))


def products_part(grid: Grid, part: int, strongest: float) -> NDArray[np.float64]:
    """Return the sums of the products across edges and of the squares in a part.

    Parameters
    ----------
    grid : Grid
        Partition.
    part : int
        Number of the part.
    strongest : float
        Strength of the strongest node, the unit of the sums.

    Returns
    -------
    array of shape (2, K)
        ``uᵀAu`` and ``uᵀDu``.
    """
    X, stepped = (grid.stages.load(f"{name}-{part}") for name in (_VECTORS, _STEPPED))
    strength = (grid.home.load(f"out-strength-{part}") / strongest)[:, None]
    return np.stack([np.sum(strength * X * other, axis=0, dtype=np.float64) for other in (stepped, X)])
