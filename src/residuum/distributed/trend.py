"""Subtraction of the trend of erased attributes on a cluster: sums over the parts, and a map of each vector."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from residuum.distributed.attributes import store_attributes, stored_columns
from residuum.distributed.cluster import Cluster
from residuum.distributed.vectors import VectorPart
from residuum.residual import Erasure
from residuum.residual.trend import Trend, length_sums, radius_of, trend_sums

__all__ = ["DetrendedPart", "subtract_trend_of_parts"]


@dataclass(frozen=True)
class DetrendedPart(VectorPart):
    """Vectors as tasks compute them, without the trend of the attributes.

    Attributes
    ----------
    erasure : Erasure
        Attributes without their values, which are on shared storage.
    trends : tuple of Trend
        Trend of the vectors and of the context vectors.
    """

    erasure: Erasure
    trends: tuple[Trend, Trend]

    def read(self, part: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return u and v of the nodes of a part, after erasure."""
        u, v = super().read(part)
        columns = stored_columns(self.grid, self.erasure, part)
        return self.trends[0].subtract(u, columns), self.trends[1].subtract(v, columns)


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
    bare, parts = store_attributes(vectors.grid, erasure), range(vectors.grid.n_parts)
    lengths = cluster.total("vector-lengths", lengths_part, [(vectors, part) for part in parts])
    radii = radius_of(lengths[0]), radius_of(lengths[1])
    sums = cluster.total("trend", trend_part, [(vectors, bare, radii, part) for part in parts])
    of_u, of_v = (Trend.of_sums(radius, own, erasure.strength) for radius, own in zip(radii, sums, strict=True))
    return DetrendedPart(vectors.grid, vectors.names, vectors.lengths, bare, (of_u, of_v))


def lengths_part(vectors: VectorPart, part: int) -> NDArray[np.float64]:
    """Return the sums of the nodes of a part that determine the radius.

    Parameters
    ----------
    vectors : VectorPart
        Vectors as tasks compute them.
    part : int
        Number of the part.

    Returns
    -------
    array of shape (2, 2)
        Sums of :func:`residuum.residual.trend.length_sums` for vectors and context vectors.
    """
    return np.stack([length_sums(X) for X in vectors.read(part)])


def trend_part(vectors: VectorPart, erasure: Erasure, radii: tuple[float, float], part: int) -> NDArray[np.float64]:
    """Return the sums of the nodes of a part that determine the coefficients.

    Parameters
    ----------
    vectors : VectorPart
        Vectors as tasks compute them.
    erasure : Erasure
        Attributes without their values.
    radii : tuple of float
        Radius of the vectors and of the context vectors.
    part : int
        Number of the part.

    Returns
    -------
    array of shape (2, c, c + K)
        Sums of :func:`residuum.residual.trend.trend_sums` for vectors and context vectors.
    """
    columns = stored_columns(vectors.grid, erasure, part)
    return np.stack([trend_sums(X, columns, r) for X, r in zip(vectors.read(part), radii, strict=True)])
