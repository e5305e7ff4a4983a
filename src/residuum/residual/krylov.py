"""The leading factors of a residual matrix by block-Krylov iteration."""

from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from residuum._store import Store

__all__ = [
    "OVERSAMPLING",
    "Factors",
    "GramOperator",
    "factorise",
    "factorise_dense",
    "fix_signs",
    "is_small",
    "krylov_bytes",
    "orthonormal",
    "tall_product",
]

OVERSAMPLING = 16
_MAX_PASSES = 8


@dataclass
class Factors:
    """``R̃ ≈ left · diag(values) · rightᵀ`` with orthonormal columns.

    Attributes
    ----------
    left, right : float32 arrays of shape (N, K)
    values : array of shape (K,)
        Positive, in falling order. In the symmetric form the right vector of a negative eigenvalue is minus the left.
    passes : int
        How often the matrix was gone through.
    readout : array of shape (N, K), optional
        What turns a row of the matrix into ``left · values`` if ``right`` does not: ``E_rᵀ right`` after an erasure.
    erased : array of shape (c, K), optional
        ``loweredᵀ R̃ readout``: what new nodes must be freed of.
    residual : float
        ``‖R̃ right − left diag(values)‖ / ‖values‖``, what is left of the equation that the factors solve.
    """

    left: NDArray[np.float32]
    values: NDArray[np.float64]
    right: NDArray[np.float32]
    passes: int = 0
    residual: float = 0.0
    readout: NDArray[np.float32] | None = None
    erased: NDArray[np.float64] | None = None


class GramOperator(Protocol):
    """What :func:`factorise` needs of a matrix."""

    symmetric: bool

    @property
    def at_hand(self) -> bool:
        """Whether products are cheap, because the whole matrix is kept."""
        ...

    def matmat(self, X: NDArray[Any]) -> NDArray[np.float32]:
        """Return ``R̃ X``."""
        ...

    def rmatmat(self, X: NDArray[Any]) -> NDArray[np.float32]:
        """Return ``R̃ᵀ X``."""
        ...

    def gram(self, X: NDArray[Any]) -> NDArray[np.float32]:
        """Return ``R̃ᵀ X`` and ``R̃ R̃ᵀ X`` side by side."""
        ...


def krylov_bytes(n_nodes: int, n_components: int) -> int:
    """Return the memory that :func:`factorise` takes at most, beside the operator."""
    return 4 * n_nodes * (n_components + OVERSAMPLING) * (3 * _MAX_PASSES + 4)


def is_small(n_nodes: int, n_components: int) -> bool:
    """Whether a Krylov basis would span a good part of the space, so that a dense factorisation is cheaper."""
    return n_nodes <= max(512, 4 * (n_components + OVERSAMPLING))


def factorise_dense(dense: NDArray[Any], n_components: int, symmetric: bool) -> Factors:
    """Return the leading factors of a small matrix, by LAPACK in float64."""
    matrix = dense.astype(np.float64)
    if symmetric:
        eigenvalues, vectors = np.linalg.eigh((matrix + matrix.T) / 2)
        order = np.argsort(-np.abs(eigenvalues))[:n_components]
        values, left = np.abs(eigenvalues[order]), vectors[:, order]
        right = left * np.where(eigenvalues[order] < 0, -1.0, 1.0)
    else:
        left, values, transposed = np.linalg.svd(matrix)
        left, values, right = left[:, :n_components], values[:n_components], transposed[:n_components].T
    left, right = fix_signs(left.astype(np.float32), right.astype(np.float32))
    return Factors(left, values, right, passes=1)


def factorise(
    operator: GramOperator,
    start: NDArray[np.float32],
    n_components: int,
    tolerance: float,
    store: Store,
) -> Factors:
    """Return the ``n_components`` leading factors of ``operator``.

    Block-Krylov iteration: the basis ``[X, (R̃R̃ᵀ)X, (R̃R̃ᵀ)²X, …]`` is orthonormalised block by block, one pass over
    the matrix a block, until the residual of the leading factors is at most ``tolerance``.

    Parameters
    ----------
    operator : an operator with ``gram``
    start : array of shape (N, n_components + a few)
        Where the iteration begins; the better it is aligned with the leading factors, the fewer passes.
    n_components : int
    tolerance : float
        Relative residual, see :attr:`Factors.residual`.
    store : Store
        Where the products of each pass are saved.
    """
    basis, images, returns = [orthonormal(start)], [], []
    factors: Factors | None = None
    # A symmetric matrix that is at hand needs the second half of a pass only if the iteration goes on.
    lazy = operator.symmetric and operator.at_hand
    for number in range(1, _MAX_PASSES + 1):
        block = basis[-1]
        multiply = operator.rmatmat if lazy else operator.gram
        products = store.once(f"pass-{number}", partial(multiply, block))
        if lazy:
            images.append(products)
        else:
            images.append(products[:, : block.shape[1]])
            returns.append(products[:, block.shape[1] :])
        Q, W = (np.concatenate(blocks, axis=1) for blocks in (basis, images))
        Y = W if lazy else np.concatenate(returns, axis=1)
        factors = _ritz(Q, W, Y, n_components, operator.symmetric)
        factors.passes = number
        room = Q.shape[0] - Q.shape[1]
        if factors.residual <= tolerance or room < 1:
            break
        fresh = operator.rmatmat(images[-1]) if lazy else returns[-1]
        for _ in range(2):  # once is not enough in float32
            fresh = fresh - Q @ (Q.T @ fresh)
        basis.append(orthonormal(fresh[:, : min(room, fresh.shape[1])]))
    assert factors is not None
    return factors


def _ritz(
    Q: NDArray[np.float32],
    W: NDArray[np.float32],
    Y: NDArray[np.float32],
    n_components: int,
    symmetric: bool,
) -> Factors:
    """Return the best factors with left vectors in the span of Q; ``W = R̃ᵀQ``, ``Y = R̃R̃ᵀQ``."""
    if symmetric:
        core = tall_product(Q, W)
        eigenvalues, Z = np.linalg.eigh((core + core.T) / 2)
        order = np.argsort(-np.abs(eigenvalues))[:n_components]
        values, signs = np.abs(eigenvalues[order]), np.where(eigenvalues[order] < 0, -1.0, 1.0)
        Z = Z[:, order]
        left = Q @ Z.astype(np.float32)
        right = left * signs.astype(np.float32)
        missing = (W @ Z.astype(np.float32)) * signs.astype(np.float32) - left * values.astype(np.float32)
    else:
        squares, Z = np.linalg.eigh(tall_product(W, W))
        order = np.argsort(-squares)[:n_components]
        values = np.sqrt(np.maximum(squares[order], np.finfo(np.float32).tiny))
        Z = Z[:, order]
        left = Q @ Z.astype(np.float32)
        right = W @ (Z / values).astype(np.float32)
        missing = Y @ (Z / values).astype(np.float32) - left * values.astype(np.float32)
    left, right = fix_signs(left, right)
    return Factors(left, values, right, residual=float(np.linalg.norm(missing) / np.linalg.norm(values)))


def fix_signs(left: NDArray[np.float32], right: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Turn each pair of vectors so that the largest entry of the left one is positive."""
    largest = left[np.argmax(np.abs(left), axis=0), np.arange(left.shape[1])]
    signs = np.where(largest < 0, -1.0, 1.0).astype(np.float32)
    return left * signs, right * signs


def orthonormal(X: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return an orthonormal basis of the columns of X by Cholesky-QR, twice for stability.

    Directions that are lost in rounding become zero columns, so that the basis never holds noise.
    """
    for _ in range(2):
        gram = tall_product(X, X)
        values, vectors = np.linalg.eigh(gram)
        safe = values > 1e-9 * max(values[-1], np.finfo(np.float64).tiny)
        inverse = np.where(safe, 1.0 / np.sqrt(np.where(safe, values, 1.0)), 0.0)
        X = X @ (vectors * inverse).astype(np.float32)
    return X


def tall_product(X: NDArray[np.float32], Y: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return ``XᵀY``, float32 inside runs of rows, summed over the runs in float64."""
    total = np.zeros((X.shape[1], Y.shape[1]))
    for begin in range(0, X.shape[0], 4096):
        total += X[begin : begin + 4096].T @ Y[begin : begin + 4096]
    return total
