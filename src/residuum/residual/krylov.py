"""Leading factors of a residual matrix by block Krylov iteration with restarts."""

from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from residuum._checkpoint import Store
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

__all__ = ["OVERSAMPLING", "Operator", "factorize", "is_small", "krylov_bytes"]

OVERSAMPLING = 16
# Sizes up to which a matrix is factorized by LAPACK.
_DENSE_SIZE, _DENSE_BLOCKS = 512, 4
# Maximum number of products with the matrix.
_MAX_PRODUCTS = 64
# Maximum number of blocks of vectors in memory: the basis, its images and, if the matrix is not symmetric, the images
# of these. A full basis is reduced to its K + 16 leading vectors.
_BLOCKS = 12
# Residuals and singular values below this share of the largest singular value are rounding errors of float32 products.
_ROUNDING = 5e-7
# Part of the length of a residual that the error of a singular value can have if another one is very close.
_CLOSE = 10.0
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


def krylov_bytes(n_nodes: int, n_components: int) -> int:
    """Return the peak memory of :func:`factorize`, excluding the operator.

    Parameters
    ----------
    n_nodes : int
        Number of rows N of the matrix.
    n_components : int
        Number of dimensions K.

    Returns
    -------
    int
        Bytes of the basis, its images and working copies.

    Examples
    --------
    >>> krylov_bytes(10_000, 64)
    51200000
    """
    return 4 * n_nodes * (n_components + OVERSAMPLING) * (_BLOCKS + 4)


def is_small(n_nodes: int, n_components: int) -> bool:
    """Return whether a dense factorization is cheaper than a Krylov iteration, whose basis would be almost complete.

    Parameters
    ----------
    n_nodes : int
        Number of rows N of the matrix.
    n_components : int
        Number of dimensions K.

    Returns
    -------
    bool
        Whether ``N ≤ max(512, 4 (K + 16))``.

    Examples
    --------
    >>> is_small(500, 64), is_small(5000, 64)
    (True, False)
    """
    return n_nodes <= max(_DENSE_SIZE, _DENSE_BLOCKS * (n_components + OVERSAMPLING))


def factorize(
    operator: Operator,
    start: NDArray[np.float32],
    n_components: int,
    tolerance: float,
    store: Store,
    resolution: float = 0.0,
) -> Factors:
    """Return the leading factors of a matrix by block Krylov iteration.

    The basis grows by the residuals ``r_k = R̃ v_k − σ_k u_k`` of the singular values that are not yet accurate, until
    the estimated relative error of each of the K singular values is at most ``tolerance``, for at most 64 products with
    the matrix. The error of σ_k is estimated as ``|r_k|² / gap_k``, where the gap is the distance from σ_k to the
    singular values beyond the block, but at least a tenth of ``|r_k|``, which bounds it. When the basis is full, it is
    reduced to its K + 16 leading vectors, whose images are already computed. If the rank is below K, the remaining
    values and vectors are zero.

    Parameters
    ----------
    operator : Operator
        Matrix to factorize.
    start : array of shape (N, m)
        Initial vectors; the closer to the leading factors, the fewer passes. Random vectors are added up to K + 16.
    n_components : int
        Number of dimensions K.
    tolerance : float
        Relative error of the singular values at which the iteration stops.
    store : Store
        Saves the products of each pass.
    resolution : float, default 0
        Rounding error of the matrix: residuals and singular values up to this value are zero.

    Returns
    -------
    Factors
        Leading factors, with the number of passes and the estimated errors.

    Examples
    --------
    >>> from residuum import datasets
    >>> from residuum.residual import TiledMatrix
    >>> A = datasets.karate_club().adjacency.toarray().astype(np.float32)
    >>> operator = TiledMatrix(lambda nodes: A[:, nodes], 34, symmetric=True, width=16, memory_limit=1 << 20)
    >>> start = np.random.default_rng(0).standard_normal((34, 10)).astype(np.float32)
    >>> factorize(operator, start, n_components=2, tolerance=1e-4, store=Store()).values.round(2)
    array([6.73, 4.98])
    """
    width = n_components + OVERSAMPLING
    kind = _SymmetricSpace if operator.symmetric else _GeneralSpace
    space = kind(operator, len(start), width)
    rng = np.random.default_rng(0)
    block = space.fresh(np.concatenate([start, _random(rng, len(start), width - start.shape[1])], axis=1))
    is_probe = False
    for number in range(1, _MAX_PRODUCTS // space.products_per_pass + 1):
        space.make_room(block.shape[1], width)
        space.extend(block, store.once(f"pass-{number}", partial(space.multiply, block)))
        ritz = space.ritz(min(width, space.size))
        rounding = max(resolution, _ROUNDING * ritz.values.max(initial=0.0))
        errors = ritz.errors(n_components, rounding)
        wrong = errors > tolerance * ritz.values[: len(errors)]
        if not wrong.any() and (is_probe or len(ritz.values) > n_components):
            break
        block = space.fresh(ritz.residuals(wrong))
        if is_probe := block.shape[1] == 0:
            # The span of the basis is invariant: random vectors show whether it misses a part of the range.
            block = space.fresh(_random(rng, len(start), OVERSAMPLING))
            if block.shape[1] == 0:
                break
    return ritz.factors(n_components, rounding, errors, number)


def _random(rng: np.random.Generator, n_rows: int, n_columns: int) -> NDArray[np.float32]:
    return rng.standard_normal((n_rows, max(n_columns, 0)), dtype=np.float32)


@dataclass
class _Ritz:
    """Approximate singular triplets, and ``missing = R̃ right − left diag(values)``."""

    left: NDArray[np.float32]
    values: NDArray[np.float64]
    right: NDArray[np.float32]
    missing: NDArray[np.float32]

    def errors(self, n_components: int, rounding: float) -> NDArray[np.float64]:
        """Return the estimated errors of up to K leading values; 0 if the residual is rounding error."""
        length = np.linalg.norm(self.missing[:, :n_components], axis=0).astype(np.float64)
        gap = np.maximum(self.values[: len(length)] - self.values[-1:], np.finfo(np.float64).tiny)
        with np.errstate(over="ignore"):
            errors = np.minimum(length, np.maximum(length**2 / gap, length / _CLOSE))
        return np.where(length > rounding, errors, 0.0)

    def residuals(self, wrong: NDArray[np.bool_]) -> NDArray[np.float32]:
        """Return the residuals of the wrong values and of some of the values beyond."""
        chosen = np.concatenate([wrong, np.zeros(len(self.values) - len(wrong), dtype=bool)])
        chosen[len(wrong) : len(wrong) + OVERSAMPLING // 2] = True
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

    def __init__(self, operator: Operator, n_nodes: int, width: int) -> None:
        self._operator = operator
        self._capacity = min(_BLOCKS // self._n_arrays * width, n_nodes + width)
        self._arrays = [np.empty((n_nodes, self._capacity), np.float32, order="F") for _ in range(self._n_arrays)]
        self._projected = np.zeros((self._capacity, self._capacity))
        self.size = 0

    def _columns(self, number: int) -> NDArray[np.float32]:
        return self._arrays[number][:, : self.size]

    def fresh(self, block: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return an orthonormal basis of the part of a block that is not in the span of the basis."""
        return orthonormal(block, against=self._columns(0))


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


class _SymmetricSpace(_Space):
    """Basis Q with images ``W = R̃Q`` and the projected matrix ``QᵀW``."""

    _n_arrays = 2

    def __init__(self, operator: Operator, n_nodes: int, width: int) -> None:
        super().__init__(operator, n_nodes, width)
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


class _GeneralSpace(_Space):
    """Left basis U, right basis V that spans ``R̃ᵀU``, images ``Y = R̃V`` and the projected matrix ``UᵀY``."""

    _n_arrays = 3

    def __init__(self, operator: Operator, n_nodes: int, width: int) -> None:
        super().__init__(operator, n_nodes, width)
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
