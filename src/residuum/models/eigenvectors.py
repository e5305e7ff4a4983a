"""Leading eigenvectors and singular vectors of matrices that are given by their products."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.linalg import LinearOperator, eigsh, svds

__all__ = ["leading_eigenvectors", "leading_singular_vectors"]

Product = Callable[[NDArray[Any]], NDArray[np.float64]]


def leading_eigenvectors(
    product: Product, n_nodes: int, n_components: int, rng: np.random.Generator
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the largest eigenvalues of a symmetric matrix, falling, and their vectors, shape (N, K).

    Parameters
    ----------
    product : callable
        What the matrix makes of a vector or of the columns of an array.
    n_nodes, n_components : int
    rng : numpy Generator
        Where the iteration starts. The entry of largest size of each vector is positive.
    """
    if n_nodes <= max(64, 2 * n_components + 2):
        dense = product(np.eye(n_nodes))
        values, vectors = np.linalg.eigh((dense + dense.T) / 2)
    else:
        operator = LinearOperator((n_nodes, n_nodes), matvec=product, matmat=product, dtype=np.float64)
        values, vectors = eigsh(operator, k=n_components, which="LA", v0=rng.normal(size=n_nodes))
    order = np.argsort(-values)[:n_components]
    vectors = vectors[:, order]
    return values[order], vectors * _signs(vectors)


def leading_singular_vectors(
    product: Product, transposed: Product, n_nodes: int, n_components: int, rng: np.random.Generator
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return the largest singular values of a matrix, falling, and their left and right vectors, shape (N, K).

    Parameters
    ----------
    product, transposed : callables
        What the matrix and its transpose make of a vector or of the columns of an array.
    n_nodes, n_components : int
    rng : numpy Generator
        Where the iteration starts. The entry of largest size of each left vector is positive.
    """
    if n_nodes <= max(64, 2 * n_components + 2):
        left, values, right = np.linalg.svd(product(np.eye(n_nodes)))
    else:
        operator = LinearOperator(
            (n_nodes, n_nodes), matvec=product, rmatvec=transposed, matmat=product, rmatmat=transposed, dtype=np.float64
        )
        left, values, right = svds(operator, k=n_components, v0=rng.normal(size=n_nodes))
    order = np.argsort(-values)[:n_components]
    left, right = left[:, order], right[order].T
    signs = _signs(left)
    return values[order], left * signs, right * signs


def _signs(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the sign of the entry of largest size of each column."""
    largest = vectors[np.abs(vectors).argmax(axis=0), np.arange(vectors.shape[1])]
    return np.asarray(np.where(largest < 0, -1.0, 1.0))
