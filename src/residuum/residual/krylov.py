"""Leading factors of a residual matrix by block Krylov iteration with restarts."""

from functools import partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from residuum._checkpoint import Store
from residuum.residual.linalg import Factors, fix_signs, leading_eigenpairs, orthonormal, tall_product

__all__ = ["OVERSAMPLING", "Operator", "factorize", "is_small", "krylov_bytes"]

OVERSAMPLING = 16
# Maximum number of products with the matrix.
_MAX_PRODUCTS = 16
# Maximum number of blocks of vectors in memory: the basis, its images and, if the matrix is not symmetric, the images
# of these. A full basis is reduced to its K + 16 leading vectors.
_BLOCKS = 12


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
    return n_nodes <= max(512, 4 * (n_components + OVERSAMPLING))


def factorize(
    operator: Operator, start: NDArray[np.float32], n_components: int, tolerance: float, store: Store
) -> Factors:
    """Return the leading factors of a matrix by block Krylov iteration.

    The basis ``[X, R̃X, R̃²X, …]`` of a symmetric matrix, or ``[X, (R̃R̃ᵀ)X, (R̃R̃ᵀ)²X, …]`` of any other, is orthonormalized
    block by block until the residual of the leading factors is at most ``tolerance``, for at most 16 products with the
    matrix. When the basis is full, the iteration restarts from the leading vectors, whose images are already computed.

    Parameters
    ----------
    operator : Operator
        Matrix to factorize.
    start : array of shape (N, n_components + a few)
        Initial block X; the closer to the leading factors, the fewer passes.
    n_components : int
        Number of dimensions K.
    tolerance : float
        Relative residual at which the iteration stops, see :attr:`Factors.residual`.
    store : Store
        Saves the products of each pass.

    Returns
    -------
    Factors
        Leading factors, with the number of passes and the residual.

    Examples
    --------
    >>> from residuum import datasets
    >>> from residuum.residual import TiledMatrix
    >>> A = datasets.karate_club().adjacency.toarray().astype(np.float32)
    >>> operator = TiledMatrix(lambda nodes: A[:, nodes], 34, symmetric=True, width=16, memory_limit=1 << 20)
    >>> start = np.random.default_rng(0).standard_normal((34, 10)).astype(np.float32)
    >>> factorize(operator, start, n_components=2, tolerance=1e-3, store=Store()).values.round(2)
    array([6.73, 4.98])
    """
    space = _SymmetricSpace(operator) if operator.symmetric else _GeneralSpace(operator)
    block = orthonormal(start)
    for number in range(1, _MAX_PRODUCTS // space.products_per_pass + 1):
        space.add(block, store.once(f"pass-{number}", partial(space.multiply, block)))
        factors = space.factors(n_components)
        factors.passes = number
        if factors.residual <= tolerance or space.room < 1:
            break
        block = space.next_block()
        if space.is_full:
            space.restart(n_components + OVERSAMPLING)
    return factors


class _Space:
    """Orthonormal basis Q and its images, in blocks."""

    products_per_pass = 2

    def __init__(self, operator: Operator) -> None:
        self._operator = operator
        self._basis: list[NDArray[np.float32]] = []
        self._images: list[NDArray[np.float32]] = []

    @property
    def room(self) -> int:
        """Number of vectors that can still be added to the basis."""
        return int(self._basis[0].shape[0] - sum(block.shape[1] for block in self._basis))

    def multiply(self, block: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the products that :meth:`add` needs, in one pass over the matrix."""
        return self._operator.gram(block)

    def _orthonormal(self, block: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return a block, orthonormalized against the basis and within itself."""
        Q = np.concatenate(self._basis, axis=1)
        for _ in range(2):  # once is not accurate enough in float32
            block = block - Q @ (Q.T @ block)
        return orthonormal(block[:, : min(self.room, block.shape[1])])


class _SymmetricSpace(_Space):
    """Basis with images ``W = R̃Q``; the next block is the image of the last."""

    def __init__(self, operator: Operator) -> None:
        super().__init__(operator)
        if operator.in_memory:
            self.products_per_pass = 1

    @property
    def is_full(self) -> bool:
        return 2 * (len(self._basis) + self.products_per_pass) > _BLOCKS

    def multiply(self, block: NDArray[np.float32]) -> NDArray[np.float32]:
        return self._operator.matmat(block) if self._operator.in_memory else self._operator.gram(block)

    def add(self, block: NDArray[np.float32], products: NDArray[np.float32]) -> None:
        self._basis.append(block)
        self._images.append(products[:, : block.shape[1]])
        if self._operator.in_memory or self.room < 1:
            return
        # The pass also computed R̃R̃ᵀ, so the image is another block whose image is known.
        Q, W = self._joined()
        image, second_image = products[:, : block.shape[1]], products[:, block.shape[1] :]
        overlap = Q.T @ image
        rest, rest_image = image - Q @ overlap, second_image - W @ overlap
        values, vectors = np.linalg.eigh(tall_product(rest, rest))
        safe = values > 1e-9 * max(values[-1], np.finfo(np.float64).tiny)
        order = np.flatnonzero(safe)[::-1][: self.room]
        rotation = (vectors[:, order] / np.sqrt(values[order])).astype(np.float32)
        self._basis.append(rest @ rotation)
        self._images.append(rest_image @ rotation)

    def next_block(self) -> NDArray[np.float32]:
        return self._orthonormal(self._images[-1])

    def restart(self, width: int) -> None:
        Q, W = self._joined()
        Z = leading_eigenpairs(tall_product(Q, W), width)[2].astype(np.float32)
        self._basis, self._images = [Q @ Z], [W @ Z]

    def factors(self, n_components: int) -> Factors:
        """Return the best factors with vectors in the span of the basis."""
        Q, W = self._joined()
        values, signs, vectors = leading_eigenpairs(tall_product(Q, W), n_components)
        Z, flips = vectors.astype(np.float32), signs.astype(np.float32)
        left = Q @ Z
        missing = (W @ Z) * flips - left * values.astype(np.float32)
        return _factors(left, values, left * flips, missing)

    def _joined(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        return np.concatenate(self._basis, axis=1), np.concatenate(self._images, axis=1)


class _GeneralSpace(_Space):
    """Basis with images ``W = R̃ᵀQ`` and ``Y = R̃W``; the next block is the last of Y."""

    def __init__(self, operator: Operator) -> None:
        super().__init__(operator)
        self._returns: list[NDArray[np.float32]] = []

    @property
    def is_full(self) -> bool:
        return 3 * (len(self._basis) + 1) > _BLOCKS

    def add(self, block: NDArray[np.float32], products: NDArray[np.float32]) -> None:
        self._basis.append(block)
        self._images.append(products[:, : block.shape[1]])
        self._returns.append(products[:, block.shape[1] :])

    def next_block(self) -> NDArray[np.float32]:
        return self._orthonormal(self._returns[-1])

    def restart(self, width: int) -> None:
        Q, W, Y = self._joined()
        Z = self._leading(W, width)[1].astype(np.float32)
        self._basis, self._images, self._returns = [Q @ Z], [W @ Z], [Y @ Z]

    def factors(self, n_components: int) -> Factors:
        """Return the best factors with left vectors in the span of the basis."""
        Q, W, Y = self._joined()
        values, Z = self._leading(W, n_components)
        left = Q @ Z.astype(np.float32)
        right = W @ (Z / values).astype(np.float32)
        missing = Y @ (Z / values).astype(np.float32) - left * values.astype(np.float32)
        return _factors(left, values, right, missing)

    @staticmethod
    def _leading(W: NDArray[np.float32], n_pairs: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        squares, Z = np.linalg.eigh(tall_product(W, W))
        order = np.argsort(-squares)[:n_pairs]
        return np.sqrt(np.maximum(squares[order], np.finfo(np.float32).tiny)), Z[:, order]

    def _joined(self) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
        Q, W, Y = (np.concatenate(blocks, axis=1) for blocks in (self._basis, self._images, self._returns))
        return Q, W, Y


def _factors(
    left: NDArray[np.float32], values: NDArray[np.float64], right: NDArray[np.float32], missing: NDArray[np.float32]
) -> Factors:
    residual = float(np.linalg.norm(missing) / np.linalg.norm(values))
    left, right = fix_signs(left, right)
    return Factors(left, values, right, residual=residual)
