"""Erasure on a cluster: the projection of the local solvers, with the columns of the attribute in parts."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from residuum.distributed.attributes import store_attributes, stored_columns
from residuum.distributed.cluster import Cluster
from residuum.distributed.grid import Grid
from residuum.distributed.matrix import PartitionedMatrix
from residuum.distributed.tall import TallMatrix
from residuum.residual import Erasure
from residuum.residual.projector import erased_basis

__all__ = ["PartitionedProjector", "PartitionedSide"]


class PartitionedProjector:
    """Erasure on both sides of a partitioned matrix, as :class:`residuum.residual.Projector`.

    Parameters
    ----------
    matrix : PartitionedMatrix
        Matrix with an erasure.
    """

    def __init__(self, matrix: PartitionedMatrix) -> None:
        self.left = PartitionedSide.of(matrix, "row-scale")
        self.right = self.left if matrix.symmetric else PartitionedSide.of(matrix, "column-scale")


@dataclass(frozen=True)
class ErasedPart:
    """Columns of the attribute at the nodes of one part, as tasks compute them.

    Attributes
    ----------
    grid : Grid
        Partition of the nodes.
    erasure : Erasure
        Attributes without their values, which are on shared storage.
    scale : str
        Name of the scale of this side of the matrix.
    basis : array of shape (c, c')
        ``Q = Z basis`` is orthonormal.
    """

    grid: Grid
    erasure: Erasure
    scale: str
    basis: NDArray[np.float64]

    def columns(self, part: int) -> NDArray[np.float64]:
        """Return Z, zero for nodes that the matrix leaves out.

        Parameters
        ----------
        part : int
            Number of the part.

        Returns
        -------
        array of shape (n, c)
            Columns.
        """
        return np.asarray(stored_columns(self.grid, self.erasure, part) * (self.down(part) > 0)[:, None])

    def down(self, part: int) -> NDArray[np.float32]:
        """Return the scale of the rows.

        Parameters
        ----------
        part : int
            Number of the part.

        Returns
        -------
        array of shape (n,)
            Scale; zero for nodes that the matrix leaves out.
        """
        return np.array(self.grid.stages.load(self.scale)[self.grid.nodes(part)])

    def lowered(self, part: int) -> NDArray[np.float64]:
        """Return ``S⁻¹ Q``.

        Parameters
        ----------
        part : int
            Number of the part.

        Returns
        -------
        array of shape (n, c')
            Rows of the part.
        """
        scale = self.down(part).astype(np.float64)
        inverse = np.divide(1.0, scale, out=np.zeros_like(scale), where=scale > 0)
        return np.asarray(self.columns(part) @ self.basis * inverse[:, None])

    def raised(self, part: int) -> NDArray[np.float64]:
        """Return ``s S Q``.

        Parameters
        ----------
        part : int
            Number of the part.

        Returns
        -------
        array of shape (n, c')
            Rows of the part.
        """
        scale = self.down(part).astype(np.float64)
        return np.asarray(self.erasure.strength * (self.columns(part) @ self.basis) * scale[:, None])


@dataclass(frozen=True)
class PartitionedSide:
    """``E = I − raised loweredᵀ`` on one side of a partitioned matrix.

    Attributes
    ----------
    cluster : Cluster
        Workers.
    part : ErasedPart
        Columns of the attribute, as tasks compute them.
    """

    cluster: Cluster
    part: ErasedPart

    @classmethod
    def of(cls, matrix: PartitionedMatrix, scale: str) -> "PartitionedSide":
        """Return one side of the erasure of a matrix.

        Parameters
        ----------
        matrix : PartitionedMatrix
            Matrix with an erasure.
        scale : str
            Name of the scale of this side on shared storage.

        Returns
        -------
        PartitionedSide
            The side.
        """
        erasure, grid, cluster = matrix.erasure, matrix.part.grid, matrix.probabilities.graph.cluster
        assert erasure is not None
        part = ErasedPart(grid, store_attributes(grid, erasure), scale, np.empty((0, 0)))
        gram = cluster.total("erased-columns", columns_gram, [(part, number) for number in range(grid.n_parts)])
        return cls(cluster, replace(part, basis=erased_basis(gram)))

    def erase(self, X: TallMatrix) -> TallMatrix:
        """Return ``E X``; a projection is applied twice to remove rounding errors.

        Parameters
        ----------
        X : TallMatrix
            Vectors in columns.

        Returns
        -------
        TallMatrix
            The product.
        """
        for number in range(2 if self.part.erasure.strength == 1.0 else 1):
            items = [(self.part, part, X.name) for part in range(X.grid.n_parts)]
            shares = self.cluster.total("erased-shares", shares_part, items)
            X = X.mapped(f"{X.name}-erased-{number}", erase_part, self.part, shares)
        return X

    def erase_transposed(self, X: TallMatrix) -> TallMatrix:
        """Return ``Eᵀ X``.

        Parameters
        ----------
        X : TallMatrix
            Vectors in columns.

        Returns
        -------
        TallMatrix
            The product.
        """
        items = [(self.part, part, X.name) for part in range(X.grid.n_parts)]
        shares = self.cluster.total("erased-shares", raised_shares, items)
        return X.mapped(f"{X.name}-readout", erase_transposed_part, self.part, shares)

    def shares(self, X: TallMatrix) -> NDArray[np.float64]:
        """Return ``towards loweredᵀ X``, with ``s Q = Z towards``.

        Parameters
        ----------
        X : TallMatrix
            Vectors in columns.

        Returns
        -------
        array of shape (c, k)
            Coefficients of the columns of the attribute.
        """
        items = [(self.part, part, X.name) for part in range(X.grid.n_parts)]
        shares = self.cluster.total("erased-shares", shares_part, items)
        return np.asarray(self.part.erasure.strength * self.part.basis @ shares)


def columns_gram(erased: ErasedPart, part: int) -> NDArray[np.float64]:
    """Return ``ZᵀZ`` of the nodes of a part.

    Parameters
    ----------
    erased : ErasedPart
        Columns of the attribute.
    part : int
        Number of the part.

    Returns
    -------
    array of shape (c, c)
        Products.
    """
    Z = erased.columns(part)
    return np.asarray(Z.T @ Z)


def shares_part(erased: ErasedPart, part: int, name: str) -> NDArray[np.float64]:
    """Return ``loweredᵀ X`` of the nodes of a part.

    Parameters
    ----------
    erased : ErasedPart
        Columns of the attribute.
    part : int
        Number of the part.
    name : str
        Name of X.

    Returns
    -------
    array of shape (c', k)
        Products.
    """
    return np.asarray(erased.lowered(part).T @ erased.grid.stages.load(f"{name}-{part}").astype(np.float64))


def raised_shares(erased: ErasedPart, part: int, name: str) -> NDArray[np.float64]:
    """Return ``raisedᵀ X`` of the nodes of a part.

    Parameters
    ----------
    erased : ErasedPart
        Columns of the attribute.
    part : int
        Number of the part.
    name : str
        Name of X.

    Returns
    -------
    array of shape (c', k)
        Products.
    """
    return np.asarray(erased.raised(part).T @ erased.grid.stages.load(f"{name}-{part}").astype(np.float64))


def erase_transposed_part(
    grid: Grid, part: int, rows: NDArray[np.float32], erased: ErasedPart, shares: NDArray[np.float64]
) -> NDArray[np.float32]:
    """Return ``X − lowered shares`` of the nodes of a part.

    Parameters
    ----------
    grid : Grid
        Partition.
    part : int
        Number of the part.
    rows : float32 array of shape (n, k)
        Rows of X.
    erased : ErasedPart
        Columns of the attribute.
    shares : array of shape (c', k)
        ``raisedᵀ X`` of all nodes.

    Returns
    -------
    float32 array of shape (n, k)
        Rows of the product.
    """
    del grid
    return np.asarray(rows.astype(np.float64) - erased.lowered(part) @ shares, dtype=np.float32)


def erase_part(
    grid: Grid, part: int, rows: NDArray[np.float32], erased: ErasedPart, shares: NDArray[np.float64]
) -> NDArray[np.float32]:
    """Return ``X − raised shares`` of the nodes of a part.

    Parameters
    ----------
    grid : Grid
        Partition.
    part : int
        Number of the part.
    rows : float32 array of shape (n, k)
        Rows of X.
    erased : ErasedPart
        Columns of the attribute.
    shares : array of shape (c', k)
        ``loweredᵀ X`` of all nodes.

    Returns
    -------
    float32 array of shape (n, k)
        Rows without the attribute.
    """
    del grid
    return np.asarray(rows.astype(np.float64) - erased.raised(part) @ shares, dtype=np.float32)
