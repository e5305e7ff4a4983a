"""Bases of the block Krylov iteration on shared storage; the iteration is that of one machine."""

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from residuum._random import random_rows
from residuum.distributed.cluster import Cluster
from residuum.distributed.factors import PartitionedFactors
from residuum.distributed.grid import Grid
from residuum.distributed.tall import TallMatrix, combined
from residuum.residual.krylov_spaces import BLOCKS
from residuum.residual.linalg import ORTHONORMAL_ROUNDS, leading_eigenpairs, whitening

__all__ = ["PartitionedGeneralSpace", "PartitionedOperator", "PartitionedSymmetricSpace"]


class PartitionedOperator(Protocol):
    """Products of a matrix R̃ with tall matrices on shared storage."""

    @property
    def cluster(self) -> Cluster:
        """Workers."""
        ...

    @property
    def grid(self) -> Grid:
        """Partition of the nodes."""
        ...

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
        ...


@dataclass
class _Ritz:
    """Approximate singular triplets on shared storage, and the lengths of their residuals."""

    space: "_Space"
    left: TallMatrix
    values: NDArray[np.float64]
    right: TallMatrix
    flips: NDArray[np.float64] | None
    missing: TallMatrix
    lengths: NDArray[np.float64]

    def residuals(self, chosen: NDArray[np.bool_]) -> TallMatrix:
        """Return the residuals of chosen values."""
        return self.missing.times(np.eye(len(chosen))[:, chosen], self.space.new_name("residuals"))

    def factors(
        self, n_components: int, rounding: float, errors: NDArray[np.float64], passes: int
    ) -> PartitionedFactors:
        """Return the factors, with zero values and vectors where there is only rounding error."""
        del errors
        kept = self.values[:n_components] > rounding
        n_kept = int(np.count_nonzero(kept))
        chosen = np.zeros((len(self.values), n_components))
        chosen[np.flatnonzero(kept), np.arange(n_kept)] = 1.0
        values = np.zeros(n_components)
        values[:n_kept] = self.values[:n_components][kept]
        left = self.left.times(chosen, "left")
        right = left if self.flips is not None else self.right.times(chosen, "right")
        relative = None if self.flips is None else np.where(self.flips @ chosen < 0, -1.0, 1.0)
        return PartitionedFactors.signed(left, right, values, relative, 0.0, {"passes": passes})


@dataclass
class _Space:
    """Orthonormal basis with its images, as lists of tall matrices.

    Attributes
    ----------
    operator : PartitionedOperator
        The matrix.
    """

    operator: PartitionedOperator
    products_per_pass: int = 1
    basis: list[TallMatrix] = field(default_factory=list)
    _count: int = 0

    @property
    def size(self) -> int:
        """Number of vectors of the basis."""
        return sum(block.width for block in self.basis)

    def new_name(self, kind: str) -> str:
        """Return a name, the same in a run that is resumed."""
        self._count += 1
        return f"krylov-{self._count}-{kind}"

    def random(self, number: int, n_columns: int) -> TallMatrix:
        """Return random vectors, others for each number."""
        name, grid = self.new_name("random"), self.operator.grid
        items = [(grid, part, name, number, n_columns) for part in range(grid.n_parts)]
        self.operator.cluster.map("random-vectors", random_part, items)
        return TallMatrix(self.operator.cluster, grid, name, n_columns)

    def fresh(self, block: TallMatrix) -> TallMatrix:
        """Return an orthonormal basis of the part of a block that is not in the span of the basis."""
        return self.orthonormal(block, self.basis)

    def orthonormal(self, X: TallMatrix, against: list[TallMatrix]) -> TallMatrix:
        """Return a basis as :func:`residuum.residual.linalg.orthonormal`."""
        room = self.operator.grid.n_nodes - sum(block.width for block in against)
        for shortest, cut in ORTHONORMAL_ROUNDS:
            if not X.width:
                break
            before = np.sqrt(np.diag(X.gram()))
            if against:
                overlap = np.concatenate([block.gram(X) for block in against])
                X = combined([*against, X], np.concatenate([-overlap, np.eye(X.width)]), self.new_name("outside"))
            gram = X.gram()
            kept = np.flatnonzero(np.sqrt(np.maximum(np.diag(gram), 0.0)) > shortest * before)
            rotation = whitening(gram[np.ix_(kept, kept)], cut)[:, :room]
            chosen = np.zeros((X.width, rotation.shape[1]), dtype=np.float32)
            chosen[kept] = rotation
            X = X.times(chosen, self.new_name("basis"))
        return X


@dataclass
class PartitionedSymmetricSpace(_Space):
    """Basis Q with images ``W = R̃Q`` and the projected matrix ``QᵀW``.

    Attributes
    ----------
    images : list of TallMatrix
        W.
    projected : array
        ``QᵀW``.
    """

    images: list[TallMatrix] = field(default_factory=list)
    projected: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 0)))

    def make_room(self, n_columns: int, width: int) -> None:
        """Reduce the basis to its leading vectors if it has no room for a block.

        Parameters
        ----------
        n_columns : int
            Number of vectors to add.
        width : int
            Number of leading vectors.
        """
        if self.size + n_columns > min(BLOCKS // 2 * width, self.operator.grid.n_nodes + width):
            Z = leading_eigenpairs(self.projected, width)[2]
            basis = combined(self.basis, Z, self.new_name("basis"))
            images = combined(self.images, Z, self.new_name("images"))
            self.basis, self.images, self.projected = [basis], [images], basis.gram(images)

    def advance(self, number: int, block: TallMatrix) -> None:
        """Add a block and its image.

        Parameters
        ----------
        number : int
            Number of the pass.
        block : TallMatrix
            Orthonormal vectors outside the basis.
        """
        image = self.operator.matmat(block, f"pass-{number}")
        size = self.size
        self.basis.append(block)
        self.images.append(image)
        column = np.concatenate([own.gram(image) for own in self.basis])
        projected = np.zeros((len(column), len(column)))
        projected[:size, :size] = self.projected
        projected[:, size:], projected[size:, :size] = column, column[:size].T
        self.projected = projected

    def ritz(self, width: int) -> _Ritz:
        """Return the best triplets with vectors in the span of the basis.

        Parameters
        ----------
        width : int
            Number of triplets.

        Returns
        -------
        object
            Triplets.
        """
        values, signs, Z = leading_eigenpairs(self.projected, width)
        left = combined(self.basis, Z, self.new_name("left"))
        parts = np.concatenate([Z * signs, -np.diag(values)])
        missing = combined([*self.images, left], parts, self.new_name("missing"))
        return _Ritz(self, left, values, left, signs, missing, np.sqrt(np.maximum(np.diag(missing.gram()), 0.0)))


@dataclass
class PartitionedGeneralSpace(_Space):
    """Left basis U, right basis V that spans ``R̃ᵀU``, images ``Y = R̃V`` and the projected matrix ``UᵀY``.

    Attributes
    ----------
    right, images : lists of TallMatrix
        V and Y.
    """

    products_per_pass: int = 2
    right: list[TallMatrix] = field(default_factory=list)
    images: list[TallMatrix] = field(default_factory=list)

    @property
    def projected(self) -> NDArray[np.float64]:
        """``UᵀY``."""
        return np.block([[own.gram(image) for image in self.images] for own in self.basis])

    def make_room(self, n_columns: int, width: int) -> None:
        """Reduce both bases to their leading vectors if there is no room for a block.

        Parameters
        ----------
        n_columns : int
            Number of vectors to add.
        width : int
            Number of leading vectors.
        """
        if self.size + n_columns > min(BLOCKS // 3 * width, self.operator.grid.n_nodes + width):
            left, values, right = np.linalg.svd(self.projected)
            keep = min(width, len(values))
            self.basis = [combined(self.basis, left[:, :keep], self.new_name("basis"))]
            self.right = [combined(self.right, right[:keep].T, self.new_name("right"))]
            self.images = [combined(self.images, right[:keep].T, self.new_name("images"))]

    def advance(self, number: int, block: TallMatrix) -> None:
        """Add a left block, and the columns of V and Y that belong to it.

        Parameters
        ----------
        number : int
            Number of the pass.
        block : TallMatrix
            Orthonormal vectors outside the basis.
        """
        right = self.orthonormal(self.operator.matmat(block, f"pass-{number}-back", transposed=True), self.right)
        self.basis.append(block)
        if right.width:
            self.right.append(right)
            self.images.append(self.operator.matmat(right, f"pass-{number}"))

    def ritz(self, width: int) -> _Ritz:
        """Return the best triplets with left vectors in the span of U.

        Parameters
        ----------
        width : int
            Number of triplets.

        Returns
        -------
        object
            Triplets.
        """
        left, values, right = np.linalg.svd(self.projected)
        keep = min(width, len(values))
        u = combined(self.basis, left[:, :keep], self.new_name("left"))
        v = combined(self.right, right[:keep].T, self.new_name("right"))
        parts = np.concatenate([right[:keep].T, -np.diag(values[:keep])])
        missing = combined([*self.images, u], parts, self.new_name("missing"))
        lengths = np.sqrt(np.maximum(np.diag(missing.gram()), 0.0))
        return _Ritz(self, u, values[:keep], v, None, missing, lengths)


def random_part(grid: Grid, part: int, name: str, seed: int, n_columns: int) -> None:
    """Write random vectors of the nodes of a part.

    Parameters
    ----------
    grid : Grid
        Partition.
    part : int
        Number of the part.
    name : str
        Name of the matrix.
    seed : int
        Seed.
    n_columns : int
        Number of columns.
    """
    nodes = grid.nodes(part)
    grid.stages.array(f"{name}-{part}", lambda: random_rows(seed, nodes.start, nodes.stop, n_columns))
