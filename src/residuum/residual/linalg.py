"""Linear algebra helpers: orthonormal bases, leading eigenpairs, signs."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from residuum._threads import in_threads

__all__ = [
    "ORTHONORMAL_ROUNDS",
    "Factors",
    "add_product",
    "factorize_dense",
    "fix_signs",
    "leading_eigenpairs",
    "orthonormal",
    "padded",
    "product",
    "qr",
    "signs_of",
    "tall_product",
    "whitening",
]

Real = TypeVar("Real", np.float32, np.float64)
_ROWS_AT_ONCE = 4096
_ROWS = 2048
_ROWS_IN_FLOAT32 = 256
# Share of its length below which the rest of a float32 vector, after projection, is rounding error.
_SPAN_ROUNDING = 1e-6
# Squared share of the longest direction below which a direction of float32 vectors is rounding error.
_SAFE = 1e-11
#: For each of two rounds of Cholesky-QR: the share of its length that a column keeps at least, and the cut of
#: :func:`whitening`. What is left of a vector in the span of the others is rounding error; in the second round,
#: orthonormal vectors that were not keep most of their length.
ORTHONORMAL_ROUNDS = ((_SPAN_ROUNDING, _SAFE), (0.1, 0.01))
# Share of the largest singular value of a float32 matrix below which another one is rounding error.
_RANK_ROUNDING = 3e-7


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
    errors : array of shape (K,), optional
        Estimated errors of the values; None if these are exact up to rounding.
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
    errors: NDArray[np.float64] | None = None
    readout: NDArray[np.float32] | None = None
    erased: NDArray[np.float64] | None = None

    @property
    def relative_error(self) -> float:
        """Largest estimated relative error of a singular value that is not zero."""
        if self.errors is None:
            return 0.0
        present = self.values > 0
        return float((self.errors[present] / self.values[present]).max(initial=0.0))

    @property
    def lost_share(self) -> float:
        """``√(lost / Σσ²)``, where ``lost`` is what the best factors capture of ``‖R̃‖²`` beyond these."""
        total = float(self.values @ self.values)
        return 0.0 if self.errors is None or total == 0.0 else float(np.sqrt(2.0 * self.values @ self.errors / total))


def padded(factors: Factors, n_components: int) -> Factors:
    """Return K factors, with zero values and vectors beyond the rank.

    Parameters
    ----------
    factors : Factors
        Up to K factors.
    n_components : int
        Number of dimensions K.

    Returns
    -------
    Factors
        Factors of shape (N, K).

    Examples
    --------
    >>> one = np.ones((4, 1), dtype=np.float32) / 2
    >>> padded(Factors(one, np.array([3.0]), one), 3).values
    array([3., 0., 0.])
    """
    missing = n_components - len(factors.values)
    if missing <= 0:
        return factors
    wide = [(0, 0), (0, missing)]
    return replace(
        factors,
        left=np.pad(factors.left, wide),
        values=np.pad(factors.values, (0, missing)),
        right=np.pad(factors.right, wide),
        errors=None if factors.errors is None else np.pad(factors.errors, (0, missing)),
    )


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


def factorize_dense(
    matrix: NDArray[np.floating], n_components: int, symmetric: bool, resolution: float = 0.0
) -> Factors:
    """Return the leading factors of a small matrix, computed by LAPACK in float64.

    Parameters
    ----------
    matrix : array of shape (n, m)
        Dense matrix.
    n_components : int
        Number of factors.
    symmetric : bool
        Whether to use eigenvectors, so that left and right vectors are equal up to sign.
    resolution : float, default 0
        Singular values up to this value are zero.

    Returns
    -------
    Factors
        Factors with fixed signs; values within the rounding error of float32 entries are zero, as are their vectors.
    """
    dense = matrix.astype(np.float64)
    if symmetric:
        values, signs, left = leading_eigenpairs(dense, n_components)
        right = left * signs
    else:
        left, values, transposed = np.linalg.svd(dense, full_matrices=False)
        left, values, right = left[:, :n_components], values[:n_components], transposed[:n_components].T
    kept = ~(values <= max(_RANK_ROUNDING * values.max(initial=0.0), resolution))
    left, right = fix_signs(left[:, kept], right[:, kept])
    return padded(Factors(left.astype(np.float32), values[kept], right.astype(np.float32), passes=1), n_components)


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
    signs = signs_of(left)
    return left * signs, right * signs


def signs_of(left: NDArray[Real]) -> NDArray[Real]:
    """Return the sign of the largest entry of each column, by magnitude, and of the first of several.

    Parameters
    ----------
    left : array with K columns
        Vectors in columns.

    Returns
    -------
    array of shape (K,)
        1 or −1, with the type of ``left``.

    Examples
    --------
    >>> signs_of(np.array([[1.0, 2.0], [-3.0, -2.0]]))
    array([-1.,  1.])
    """
    columns = np.arange(left.shape[1])
    high, low = left.argmax(axis=0), left.argmin(axis=0)
    highest, lowest = left[high, columns], -left[low, columns]
    negative = (lowest > highest) | ((lowest == highest) & (low < high))
    return np.where(negative & (lowest > 0), -1.0, 1.0).astype(left.dtype)


def whitening(gram: NDArray[np.float64], cut: float) -> NDArray[np.float32]:
    """Return T such that the columns of ``X T`` are orthonormal, from ``gram = XᵀX``.

    The columns of X are first scaled to unit length, so that short columns count as much as long ones.

    Parameters
    ----------
    gram : array of shape (m, m)
        Inner products of the columns of X.
    cut : float
        Directions with an eigenvalue of at most this share of the largest are dropped.

    Returns
    -------
    array of shape (m, r)
        Combinations of the columns, where r is the number of independent directions.

    Examples
    --------
    >>> T = whitening(np.diag([4.0, 0.0, 1e-12]), 1e-9)
    >>> T.shape, float(T.max())
    ((3, 2), 1000000.0)
    """
    length = np.sqrt(np.maximum(np.diag(gram), 0.0))
    inverse = np.divide(1.0, length, out=np.zeros_like(length), where=length > np.sqrt(np.finfo(np.float32).tiny))
    values, vectors = np.linalg.eigh(gram * np.outer(inverse, inverse))
    safe = values > cut * max(values[-1] if len(values) else 0.0, np.finfo(np.float64).tiny)
    return np.asarray(inverse[:, None] * vectors[:, safe] / np.sqrt(values[safe]), dtype=np.float32)


def orthonormal(X: NDArray[np.float32], against: NDArray[np.float32] | None = None) -> NDArray[np.float32]:
    """Return an orthonormal basis of the columns of X by Cholesky-QR, twice for stability.

    Directions within the rounding error of their columns are dropped, so that the basis contains no noise.

    Parameters
    ----------
    X : array of shape (N, m)
        Vectors in columns.
    against : array of shape (N, k), optional
        Orthonormal vectors; the basis is that of the part of X orthogonal to them.

    Returns
    -------
    array of shape (N, r)
        Orthonormal columns, where r is the rank of X.
    """
    room = X.shape[0] - (0 if against is None else against.shape[1])
    for shortest, cut in ORTHONORMAL_ROUNDS:
        before = np.linalg.norm(X, axis=0)
        if against is not None and against.shape[1]:
            X = X - product(against, tall_product(against, X).astype(np.float32))
        X = X[:, np.linalg.norm(X, axis=0) > shortest * before]
        X = product(X, whitening(tall_product(X, X), cut))[:, :room]
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
    Q = orthonormal(X)
    return Q, tall_product(Q, X)


def tall_product(X: NDArray[Any], Y: NDArray[np.float32], *, precise: bool = True) -> NDArray[np.float64]:
    """Return ``XᵀY``, computed in several threads.

    Parameters
    ----------
    X, Y : arrays of shapes (N, m) and (N, k)
        Vectors in columns.
    precise : bool, default True
        Whether to multiply in float64. Otherwise products of chunks of rows are in float32 and their sum is in float64,
        which is twice as fast; the error is about 1e-8 of the lengths of the vectors.

    Returns
    -------
    array of shape (m, k)
        The product in float64.
    """
    total = np.zeros((X.shape[1], Y.shape[1]))

    def part(begin: int) -> NDArray[np.float64]:
        rows = slice(begin, begin + _ROWS_AT_ONCE)
        if precise:
            return np.asarray(X[rows].T.astype(np.float64) @ Y[rows].astype(np.float64))
        sums = np.zeros_like(total)
        for first in range(begin, min(begin + _ROWS_AT_ONCE, len(X)), _ROWS_IN_FLOAT32):
            rows = slice(first, min(first + _ROWS_IN_FLOAT32, begin + _ROWS_AT_ONCE))
            sums += X[rows].T @ Y[rows]
        return sums

    for product_of_rows in in_threads(part, range(0, X.shape[0], _ROWS_AT_ONCE)):
        total += product_of_rows
    return total


def add_product(total: NDArray[np.float32], X: NDArray[Any], Y: NDArray[Any]) -> None:
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
