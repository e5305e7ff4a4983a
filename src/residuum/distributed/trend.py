"""Subtraction of the trend of erased attributes on a cluster: sums over the parts, and a map of each vector."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from residuum.distributed.attributes import store_attributes, stored_columns
from residuum.distributed.cluster import Cluster
from residuum.distributed.vectors import VectorPart
from residuum.residual import Erasure
from residuum.residual.trend import detrended, trend_coefficients, trend_sums

__all__ = ["DetrendedPart", "subtract_trend_of_parts"]


@dataclass(frozen=True)
class DetrendedPart(VectorPart):
    """Vectors as tasks compute them, without the trend of the attributes: ``x_i − |x_i|⁴ z_i C``.

    Attributes
    ----------
    erasure : Erasure
        Attributes without their values, which are on shared storage.
    coefficients : tuple of arrays of shape (c, K)
        C of the vectors and of the context vectors.
    """

    erasure: Erasure
    coefficients: tuple[NDArray[np.float64], NDArray[np.float64]]

    def read(self, part: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return u and v of the nodes of a part, after erasure."""
        u, v = super().read(part)
        columns = stored_columns(self.grid, self.erasure, part)
        return detrended(u, columns, self.coefficients[0]), detrended(v, columns, self.coefficients[1])


def subtract_trend_of_parts(cluster: Cluster, vectors: VectorPart, erasure: Erasure) -> DetrendedPart:
    """Subtract the trend of attributes from vectors, as :func:`residuum.residual.subtract_trend`.

    Parameters
    ----------
    cluster : Cluster
        Workers.
    vectors : VectorPart
        Vectors as tasks compute them.
    erasure : Erasure
        Attributes and strength.

    Returns
    -------
    DetrendedPart
        Vectors after erasure.
    """
    grid, bare = vectors.grid, store_attributes(vectors.grid, erasure)
    sums = cluster.total("trend", trend_part, [(vectors, bare, part) for part in range(grid.n_parts)])
    of_u, of_v = (trend_coefficients(of_side, erasure.strength) for of_side in sums)
    return DetrendedPart(grid, vectors.names, vectors.lengths, bare, (of_u, of_v))


def trend_part(vectors: VectorPart, erasure: Erasure, part: int) -> NDArray[np.float64]:
    """Return the sums of the nodes of a part that determine the trend.

    Parameters
    ----------
    vectors : VectorPart
        Vectors as tasks compute them.
    erasure : Erasure
        Attributes without their values.
    part : int
        Number of the part.

    Returns
    -------
    array of shape (2, c, c + K)
        Sums of :func:`residuum.residual.trend.trend_sums` for vectors and context vectors.
    """
    columns = stored_columns(vectors.grid, erasure, part)
    return np.stack([trend_sums(X, columns) for X in vectors.read(part)])
