"""Linear algebra helpers: orthonormal bases, leading eigenpairs, signs."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from residuum._threads import in_threads

__all__ = [
    "Factors",
    "add_product",
    "factorize_dense",
    "fix_signs",
    "leading_eigenpairs",
    "orthonormal",
    "product",
    "qr",
    "tall_product",
]

Real = TypeVar("Real", np.float32, np.float64)
_ROWS_AT_ONCE = 4096
_ROWS = 2048


@dataclass
class Factors:
    """``R̃ ≈ left · diag(values) · rightᵀ`` with orthonormal columns.

    Attributes
    ----------
    left, right : float32 arrays of shape (N, K)
        Left and right singular vectors.
    values : array of shape (K,)
        Singular values, descending. If R̃ is symmetric, the right vector of a negative eigenvalue is minus the left.
    passes : int
        Number of passes over the matrix.
    residual : float
        Relative residual ``‖R̃ right − left diag(values)‖ / ‖values‖``.
    readout : array of shape (N, K), optional
        Maps a row of the matrix to ``left · values``: ``E_rᵀ right`` after erasure; None means ``right``.
    erased : array of shape (c, K), optional
        ``loweredᵀ R̃ readout``, the correction of out-of-sample nodes for the erased columns.

    Examples
    --------
    >>> factors = factorize_dense(np.diag([3.0, -2.0, 1.0]), n_components=2, symmetric=True)
    >>> factors.values
    array([3., 2.])
    >>> (factors.left * factors.right).sum(axis=0)
    array([ 1., -1.], dtype=float32)
    """

    left: NDArray[np.float32]
    values: NDArray[np.float64]
    right: NDArray[np.float32]
    passes: int = 0
    residual: float = 0.0
    readout: NDArray[np.float32] | None = None
    erased: NDArray[np.float64] | None = None


def leading_eigenpairs(
    matrix: NDArray[np.float64], n_pairs: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return the eigenpairs of a symmetric matrix with the largest ``|λ|``, largest first.

    Parameters
    ----------
    matrix : array of shape (n, n)
        Its symmetric part is used.
    n_pairs : int
        Number of eigenpairs.

    Returns
    -------
    magnitudes : array of shape (n_pairs,)
        ``|λ|``.
    signs : array of shape (n_pairs,)
        −1 for negative eigenvalues, otherwise 1.
    vectors : array of shape (n, n_pairs)
        Eigenvectors in columns.
    """
    eigenvalues, vectors = np.linalg.eigh((matrix + matrix.T) / 2)
    order = np.argsort(-np.abs(eigenvalues))[:n_pairs]
    return np.abs(eigenvalues[order]), np.where(eigenvalues[order] < 0, -1.0, 1.0), vectors[:, order]


def factorize_dense(matrix: NDArray[np.floating], n_components: int, symmetric: bool) -> Factors:
    """Return the leading factors of a small matrix, computed by LAPACK in float64.

    Parameters
    ----------
    matrix : array of shape (n, m)
        Dense matrix.
    n_components : int
        Number of factors.
    symmetric : bool
        Whether to use eigenvectors, so that left and right vectors are equal up to sign.

    Returns
    -------
    Factors
        Factors with fixed signs.
    """
    dense = matrix.astype(np.float64)
    if symmetric:
        values, signs, left = leading_eigenpairs(dense, n_components)
        right = left * signs
    else:
        left, values, transposed = np.linalg.svd(dense)
        left, values, right = left[:, :n_components], values[:n_components], transposed[:n_components].T
    left, right = fix_signs(left, right)
    return Factors(left.astype(np.float32), values, right.astype(np.float32), passes=1)


def fix_signs(left: NDArray[Real], right: NDArray[Real]) -> tuple[NDArray[Real], NDArray[Real]]:
    """Flip each pair of vectors so that the largest entry, by magnitude, of the left vector is positive.

    Parameters
    ----------
    left, right : arrays with K columns
        Vectors in columns.

    Returns
    -------
    left, right : arrays of the same shapes
        Vectors with fixed signs.
    """
    largest = left[np.argmax(np.abs(left), axis=0), np.arange(left.shape[1])]
    signs = np.where(largest < 0, -1.0, 1.0).astype(left.dtype)
    return left * signs, right * signs


def orthonormal(X: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return an orthonormal basis of the columns of X by Cholesky-QR, twice for stability.

    Directions within rounding error of zero become zero columns, so that the basis contains no noise.

    Parameters
    ----------
    X : array of shape (N, m)
        Vectors in columns.

    Returns
    -------
    array of shape (N, m)
        Orthonormal or zero columns.
    """
    for _ in range(2):
        values, vectors = np.linalg.eigh(tall_product(X, X))
        safe = values > 1e-9 * max(values[-1], np.finfo(np.float64).tiny)
        inverse = np.where(safe, 1.0 / np.sqrt(np.where(safe, values, 1.0)), 0.0)
        X = product(X, (vectors * inverse).astype(np.float32))
    return X


def qr(X: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
    """Return ``X = Q R`` with orthonormal Q, without linearly dependent directions; R is not triangular.

    Parameters
    ----------
    X : array of shape (N, m)
        Vectors in columns.

    Returns
    -------
    Q : array of shape (N, r)
        Orthonormal columns, where r is the rank of X.
    R : array of shape (r, m)
        Coefficients of X in Q.
    """
    values, vectors = np.linalg.eigh(tall_product(X, X))
    safe = values > 1e-8 * values[-1]
    roots = np.sqrt(values[safe])
    return product(X, (vectors[:, safe] / roots).astype(np.float32)), (vectors[:, safe] * roots).T


def tall_product(X: NDArray[np.float32], Y: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return ``XᵀY``: products of chunks of rows in float32, summed in float64.

    Parameters
    ----------
    X, Y : arrays of shapes (N, m) and (N, k)
        Vectors in columns.

    Returns
    -------
    array of shape (m, k)
        The product in float64.
    """
    total = np.zeros((X.shape[1], Y.shape[1]))

    def part(begin: int) -> NDArray[np.float32]:
        return X[begin : begin + _ROWS_AT_ONCE].T @ Y[begin : begin + _ROWS_AT_ONCE]

    for product_of_rows in in_threads(part, range(0, X.shape[0], _ROWS_AT_ONCE)):
        total += product_of_rows
    return total


def add_product(total: NDArray[np.float32], X: NDArray[np.float32], Y: NDArray[np.float32]) -> None:
    """Add ``X Y`` to ``total``, computed in several threads, a range of rows at a time.

    Parameters
    ----------
    total : array of shape (N, k)
        Sum, changed in place.
    X : array of shape (N, m)
        Left factor, with many rows.
    Y : array of shape (m, k)
        Right factor.
    """

    def add(rows: slice) -> None:
        total[rows] += X[rows] @ Y

    _by_rows(add, len(X))


def product(X: NDArray[np.float32], Y: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return ``X Y``, computed in several threads.

    Parameters
    ----------
    X : array of shape (N, m)
        Left factor, with many rows.
    Y : array of shape (m, k)
        Right factor.

    Returns
    -------
    array of shape (N, k)
        The product in float32.
    """
    out = np.empty((X.shape[0], Y.shape[1]), dtype=np.float32)

    def multiply(rows: slice) -> None:
        np.matmul(X[rows], Y, out=out[rows])

    _by_rows(multiply, len(X))
    return out


def _by_rows(function: Callable[[slice], None], n_rows: int) -> None:
    """Call a function for chunks of rows, the same at any number of threads: BLAS rounds by the number of rows."""
    for _ in in_threads(function, [slice(begin, begin + _ROWS) for begin in range(0, n_rows, _ROWS)]):
        pass
