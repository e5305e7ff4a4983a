"""Tall matrices with one row per node, in files of one part each: products, Gram matrices and orthonormal bases."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum.distributed.cluster import Cluster
from residuum.distributed.grid import Grid
from residuum.residual.linalg import ORTHONORMAL_ROUNDS, product, tall_product, whitening

__all__ = ["TallMatrix", "combined"]


@dataclass(frozen=True)
class TallMatrix:
    """Matrix of shape (N, k) on shared storage.

    Only products of the size of k leave the workers.

    Attributes
    ----------
    cluster : Cluster
        Workers.
    grid : Grid
        Partition of the rows.
    name : str
        First part of the file names.
    width : int
        Number of columns k.
    """

    cluster: Cluster
    grid: Grid
    name: str
    width: int

    @property
    def shape(self) -> tuple[int, int]:
        """Number of nodes, and number of columns."""
        return self.grid.n_nodes, self.width

    def gram(self, other: "TallMatrix | None" = None) -> NDArray[np.float64]:
        """Return ``XᵀY``, added up in a tree.

        Parameters
        ----------
        other : TallMatrix, optional
            Y; X itself by default.

        Returns
        -------
        array of shape (k, k')
            Product in float64.
        """
        name = self.name if other is None else other.name
        items = [(self.grid, part, self.name, name) for part in range(self.grid.n_parts)]
        return np.asarray(self.cluster.total("gram", gram_part, items))

    def times(self, coefficients: NDArray[Any], name: str) -> "TallMatrix":
        """Return ``X T``.

        Parameters
        ----------
        coefficients : array of shape (k, k')
            T.
        name : str
            Name of the product.

        Returns
        -------
        TallMatrix
            Product of shape (N, k').
        """
        small = coefficients.astype(np.float32)
        return self.mapped(name, multiply_part, small, width=small.shape[1])

    def mapped(
        self, name: str, function: Callable[..., Any], *arguments: Any, width: int | None = None
    ) -> "TallMatrix":
        """Return the matrix whose parts are a function of the parts of this one.

        Parameters
        ----------
        name : str
            Name of the result.
        function : callable
            Function of the grid, the part, its rows, and the arguments.
        *arguments : objects
            Further arguments.
        width : int, optional
            Number of columns of the result, if it is another.

        Returns
        -------
        TallMatrix
            The result on shared storage.
        """
        items = [(self.grid, part, self.name, name, function, arguments) for part in range(self.grid.n_parts)]
        self.cluster.map(function.__name__.replace("_", "-"), map_part, items)
        return TallMatrix(self.cluster, self.grid, name, self.width if width is None else width)

    def qr(self, name: str) -> tuple["TallMatrix", NDArray[np.float64]]:
        """Return ``X = Q R`` with orthonormal Q, by Cholesky-QR, twice, as :func:`residuum.residual.linalg.qr`.

        Parameters
        ----------
        name : str
            Name of Q.

        Returns
        -------
        Q : TallMatrix
            Orthonormal columns, as many as the rank of X.
        R : array of shape (r, k)
            Coefficients of X in Q.
        """
        basis = self
        for number, (_, cut) in enumerate(ORTHONORMAL_ROUNDS):
            basis = basis.times(whitening(basis.gram(), cut)[:, : self.grid.n_nodes], f"{name}-{number}")
        return basis, basis.gram(self)

    def extremes(self) -> NDArray[np.float32]:
        """Return the entry of each column with the largest magnitude, the first of several.

        Returns
        -------
        array of shape (k,)
            Signed entries.
        """
        items = [(self.grid, part, self.name) for part in range(self.grid.n_parts)]
        entries = np.stack(self.cluster.map("extremes", extremes_part, items))
        return np.asarray(entries[np.abs(entries).argmax(axis=0), np.arange(self.width)])


def combined(blocks: list[TallMatrix], coefficients: NDArray[Any], name: str) -> TallMatrix:
    """Return ``[X_1, X_2, …] T``.

    Parameters
    ----------
    blocks : list of TallMatrix
        Matrices side by side.
    coefficients : array of shape (k, k')
        T, with one row for each of their columns.
    name : str
        Name of the product.

    Returns
    -------
    TallMatrix
        Product of shape (N, k').
    """
    first, small = blocks[0], coefficients.astype(np.float32)
    names = [block.name for block in blocks]
    items = [(first.grid, part, names, small, name) for part in range(first.grid.n_parts)]
    first.cluster.map("combine-blocks", combined_part, items)
    return TallMatrix(first.cluster, first.grid, name, small.shape[1])


def combined_part(grid: Grid, part: int, names: list[str], coefficients: NDArray[np.float32], target: str) -> None:
    """Write ``[X_1, X_2, …] T`` of the rows of a part.

    Parameters
    ----------
    grid : Grid
        Partition.
    part : int
        Number of the part.
    names : list of str
        Names of the matrices.
    coefficients : float32 array of shape (k, k')
        T.
    target : str
        Name of the product.
    """

    def compute() -> NDArray[np.float32]:
        return product(np.concatenate([grid.stages.load(f"{name}-{part}") for name in names], axis=1), coefficients)

    grid.stages.array(f"{target}-{part}", compute)


def gram_part(grid: Grid, part: int, first: str, second: str) -> NDArray[np.float64]:
    """Return ``XᵀY`` of the rows of a part.

    Parameters
    ----------
    grid : Grid
        Partition.
    part : int
        Number of the part.
    first, second : str
        Names of X and Y.

    Returns
    -------
    array of shape (k, k')
        Product in float64.
    """
    return tall_product(grid.stages.load(f"{first}-{part}"), grid.stages.load(f"{second}-{part}"))


def map_part(
    grid: Grid, part: int, source: str, target: str, function: Callable[..., Any], arguments: tuple[Any, ...]
) -> None:
    """Write a function of the rows of a part.

    Parameters
    ----------
    grid : Grid
        Partition.
    part : int
        Number of the part.
    source, target : str
        Names of the matrix and of the result.
    function : callable
        Function of the grid, the part, its rows, and the arguments.
    arguments : tuple
        Further arguments.
    """
    rows = grid.stages.load(f"{source}-{part}")
    grid.stages.array(f"{target}-{part}", lambda: function(grid, part, rows, *arguments))


def multiply_part(
    grid: Grid, part: int, rows: NDArray[np.float32], coefficients: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return ``X T`` of the rows of a part.

    Parameters
    ----------
    grid : Grid
        Partition.
    part : int
        Number of the part.
    rows : float32 array of shape (n, k)
        Rows of X.
    coefficients : float32 array of shape (k, k')
        T.

    Returns
    -------
    float32 array of shape (n, k')
        Rows of the product.
    """
    del grid, part
    return product(rows, coefficients)


def extremes_part(grid: Grid, part: int, name: str) -> NDArray[np.float32]:
    """Return the entry of each column with the largest magnitude in a part.

    Parameters
    ----------
    grid : Grid
        Partition.
    part : int
        Number of the part.
    name : str
        Name of the matrix.

    Returns
    -------
    array of shape (k,)
        Signed entries.
    """
    rows = grid.stages.load(f"{name}-{part}")
    return np.asarray(rows[np.abs(rows).argmax(axis=0), np.arange(rows.shape[1])])
