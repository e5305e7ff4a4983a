"""Bases of the block Krylov iteration with their images, in memory."""

from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from residuum._checkpoint import Store
from residuum._random import random_rows
from residuum.residual.linalg import (
    Factors,
    fix_signs,
    leading_eigenpairs,
    orthonormal,
    padded,
    product,
    tall_product,
    whitening,
)

__all__ = ["BLOCKS", "GeneralSpace", "Operator", "SymmetricSpace"]

#: Maximum number of blocks of vectors in memory: the basis, its images and, if the matrix is not symmetric, the images
#: of these. A full basis is reduced to its K + 16 leading vectors.
BLOCKS = 12
# Squared share of a block below which the images of images are rounding errors.
_PRODUCT_ROUNDING = 1e-6
# Share of the length of an image below which its part outside the basis is rounding error.
_LEAST_NEW = 1e-4


class Operator(Protocol):
    """Products with a matrix R̃, as :func:`factorize` needs them."""

    @property
    def symmetric(self) -> bool:
        """Whether the matrix is symmetric."""
        ...

    @property
    def in_memory(self) -> bool:
        """Whether products are cheap, because the matrix is kept in memory."""
        ...

    def matmat(self, X: NDArray[Any]) -> NDArray[np.float32]:
        """Return ``R̃ X``.

        Parameters
        ----------
        X : array of shape (N, k)
            Vectors in columns.

        Returns
        -------
        array of shape (N, k)
            The product.
        """
        ...

    def rmatmat(self, X: NDArray[Any]) -> NDArray[np.float32]:
        """Return ``R̃ᵀ X``.

        Parameters
        ----------
        X : array of shape (N, k)
            Vectors in columns.

        Returns
        -------
        array of shape (N, k)
            The product with the transpose.
        """
        ...

    def gram(self, X: NDArray[Any]) -> NDArray[np.float32]:
        """Return ``[R̃ᵀ X, R̃ R̃ᵀ X]``.

        Parameters
        ----------
        X : array of shape (N, k)
            Vectors in columns.

        Returns
        -------
        array of shape (N, 2 k)
            Both products, side by side.
        """
        ...


@dataclass
class _Ritz:
    """Approximate singular triplets, and ``missing = R̃ right − left diag(values)``."""

    left: NDArray[np.float32]
    values: NDArray[np.float64]
    right: NDArray[np.float32]
    missing: NDArray[np.float32]

    @property
    def lengths(self) -> NDArray[np.float64]:
        """Lengths of the residuals."""
        return np.asarray(np.linalg.norm(self.missing, axis=0).astype(np.float64))

    def residuals(self, chosen: NDArray[np.bool_]) -> NDArray[np.float32]:
        """Return the residuals of chosen values."""
        return self.missing[:, chosen]

    def factors(self, n_components: int, rounding: float, errors: NDArray[np.float64], passes: int) -> Factors:
        """Return the factors, with zero values and vectors where there is only rounding error."""
        kept = np.flatnonzero(self.values[:n_components] > rounding)
        left, right = fix_signs(self.left[:, kept], self.right[:, kept])
        factors = Factors(left, self.values[kept], right, passes=passes, errors=errors[kept])
        return padded(factors, n_components)


class _Space:
    """Orthonormal basis with its images, stored as columns of preallocated arrays."""

    products_per_pass = 2
    _n_arrays: int

    def __init__(self, operator: Operator, n_nodes: int, width: int, store: Store) -> None:
        self._operator, self._store, self._n_nodes = operator, store, n_nodes
        self._capacity = min(BLOCKS // self._n_arrays * width, n_nodes + width)
        self._arrays = [np.empty((n_nodes, self._capacity), np.float32, order="F") for _ in range(self._n_arrays)]
        self._projected = np.zeros((self._capacity, self._capacity))
        self.size = 0

    def _columns(self, number: int) -> NDArray[np.float32]:
        return self._arrays[number][:, : self.size]

    def fresh(self, block: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return an orthonormal basis of the part of a block that is not in the span of the basis."""
        return orthonormal(block, against=self._columns(0))

    def random(self, number: int, n_columns: int) -> NDArray[np.float32]:
        """Return random vectors, others for each number."""
        return random_rows(number, 0, self._n_nodes, n_columns)

    def advance(self, number: int, block: NDArray[np.float32]) -> None:
        """Add a block, with products that an interrupted run has saved, or new ones."""
        self.extend(block, self._store.once(f"pass-{number}", partial(self.multiply, block)))

    def multiply(self, block: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the products that :meth:`extend` needs."""
        raise NotImplementedError  # abstract

    def extend(self, block: NDArray[np.float32], products: NDArray[np.float32]) -> None:
        """Add a block and its products."""
        raise NotImplementedError  # abstract


def _new_part(
    basis: NDArray[np.float32],
    images: NDArray[np.float32],
    block: NDArray[np.float32],
    block_images: NDArray[np.float32],
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return an orthonormal basis of the part of a block that is not in the basis, and its images by linearity."""
    length = np.linalg.norm(block, axis=0)
    for _ in range(2):  # once is not accurate enough in float32
        overlap = tall_product(basis, block).astype(np.float32)
        block, block_images = block - product(basis, overlap), block_images - product(images, overlap)
    kept = np.linalg.norm(block, axis=0) > _LEAST_NEW * length
    block, block_images = block[:, kept], block_images[:, kept]
    rotation = whitening(tall_product(block, block), _PRODUCT_ROUNDING)
    return product(block, rotation), product(block_images, rotation)


class SymmetricSpace(_Space):
    """Basis Q with images ``W = R̃Q`` and the projected matrix ``QᵀW``."""

    _n_arrays = 2

    def __init__(self, operator: Operator, n_nodes: int, width: int, store: Store) -> None:
        super().__init__(operator, n_nodes, width, store)
        if operator.in_memory:
            self.products_per_pass = 1

    def multiply(self, block: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the products that :meth:`extend` needs, in one pass over the matrix."""
        return self._operator.matmat(block) if self._operator.in_memory else self._operator.gram(block)

    def make_room(self, n_columns: int, width: int) -> None:
        """Reduce the basis to its leading vectors if it has no room for a block and, out of memory, its image."""
        if self.size + self.products_per_pass * n_columns > self._capacity:
            Z = leading_eigenpairs(self._projected[: self.size, : self.size], width)[2].astype(np.float32)
            Q, W = product(self._columns(0), Z), product(self._columns(1), Z)
            self.size = 0
            self._append(Q, W)

    def extend(self, block: NDArray[np.float32], products: NDArray[np.float32]) -> None:
        """Add a block and its image to the basis; if the pass gave it, also the image and its image."""
        image, second_image = products[:, : block.shape[1]], products[:, block.shape[1] :]
        self._append(block, image)
        if second_image.shape[1]:
            self._append(*_new_part(self._columns(0), self._columns(1), image, second_image))

    def _append(self, block: NDArray[np.float32], image: NDArray[np.float32]) -> None:
        begin, end = self.size, self.size + block.shape[1]
        self._arrays[0][:, begin:end], self._arrays[1][:, begin:end] = block, image
        self.size = end
        self._projected[:end, begin:end] = tall_product(self._columns(0), image)
        self._projected[begin:end, :begin] = self._projected[:begin, begin:end].T

    def ritz(self, width: int) -> _Ritz:
        """Return the best triplets with vectors in the span of the basis."""
        values, signs, vectors = leading_eigenpairs(self._projected[: self.size, : self.size], width)
        Z, flips = vectors.astype(np.float32), signs.astype(np.float32)
        left = product(self._columns(0), Z)
        missing = product(self._columns(1), Z) * flips - left * values.astype(np.float32)
        return _Ritz(left, values, left * flips, missing)


class GeneralSpace(_Space):
    """Left basis U, right basis V that spans ``R̃ᵀU``, images ``Y = R̃V`` and the projected matrix ``UᵀY``."""

    _n_arrays = 3

    def __init__(self, operator: Operator, n_nodes: int, width: int, store: Store) -> None:
        super().__init__(operator, n_nodes, width, store)
        self._right_size = 0

    def _right(self, number: int) -> NDArray[np.float32]:
        return self._arrays[number][:, : self._right_size]

    def multiply(self, block: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return new columns of V and of Y, side by side."""
        V, Y = self._right(1), self._right(2)
        if self._operator.in_memory:
            right = orthonormal(self._operator.rmatmat(block), against=V)
            return np.concatenate([right, self._operator.matmat(right)], axis=1)
        products = self._operator.gram(block)
        image, second_image = products[:, : block.shape[1]], products[:, block.shape[1] :]
        return np.concatenate(_new_part(V, Y, image, second_image), axis=1)

    def make_room(self, n_columns: int, width: int) -> None:
        """Reduce both bases to their leading vectors if there is no room for a block."""
        if self.size + n_columns > self._capacity:
            left, values, right = np.linalg.svd(self._projected[: self.size, : self._right_size])
            keep = min(width, len(values))
            U = product(self._columns(0), left[:, :keep].astype(np.float32))
            Z = right[:keep].T.astype(np.float32)
            V, Y = product(self._right(1), Z), product(self._right(2), Z)
            self.size = self._right_size = 0
            self.extend(U, np.concatenate([V, Y], axis=1))

    def extend(self, block: NDArray[np.float32], products: NDArray[np.float32]) -> None:
        """Add a left block, and the columns of V and Y that belong to it."""
        n_new = products.shape[1] // 2
        left, right = slice(self.size, self.size + block.shape[1]), slice(self._right_size, self._right_size + n_new)
        self._arrays[0][:, left] = block
        self._arrays[1][:, right], self._arrays[2][:, right] = products[:, :n_new], products[:, n_new:]
        old_right = self._right(2)
        self.size, self._right_size = left.stop, right.stop
        self._projected[left, : right.start] = tall_product(block, old_right)
        self._projected[: left.stop, right] = tall_product(self._columns(0), products[:, n_new:])

    def ritz(self, width: int) -> _Ritz:
        """Return the best triplets with left vectors in the span of U; the right vectors are exact for these."""
        left, values, right = np.linalg.svd(self._projected[: self.size, : self._right_size])
        keep = min(width, len(values))
        u = product(self._columns(0), left[:, :keep].astype(np.float32))
        Z, values = right[:keep].T.astype(np.float32), values[:keep]
        missing = product(self._right(2), Z) - u * values.astype(np.float32)
        return _Ritz(u, values, product(self._right(1), Z), missing)
