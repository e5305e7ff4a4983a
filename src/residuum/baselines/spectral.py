"""Base class of spectral embeddings, and eigenvectors of matrices defined by products."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.linalg import LinearOperator, eigsh, svds

from residuum._progress import ProgressCallback, Stage
from residuum._random import as_generator
from residuum._threads import thread_limit
from residuum.graph import Graph
from residuum.models.base import NodeEmbedding, checked_components
from residuum.models.notices import warn_about_structure
from residuum.residual.linalg import fix_signs

__all__ = ["SpectralEmbedding", "leading_eigenvectors", "leading_singular_vectors"]

Product = Callable[[NDArray[Any]], NDArray[np.float64]]
Decomposition = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]


class SpectralEmbedding(NodeEmbedding):
    """Base class of embeddings by eigenvectors or singular vectors; subclasses define the matrix.

    Parameters
    ----------
    n_components : int, default 64
        K, the number of dimensions; below the number of nodes.
    n_jobs : int, optional
        Number of threads of the linear algebra; all cores by default.
    random_state : int, Generator or None
        Seed of the initial vector of the iteration.
    progress : callable, optional
        Called with a :class:`residuum.ProgressEvent` when the fit is complete.
    """

    def __init__(
        self,
        n_components: int = 64,
        *,
        n_jobs: int | None = None,
        random_state: Any = None,
        progress: ProgressCallback | None = None,
    ) -> None:
        self.n_components = n_components
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.progress = progress

    def _decompose(self, graph: Graph, n_components: int, rng: np.random.Generator) -> Decomposition:
        """Return the eigenvalues, shape (K,), and u and v, shape (N, K) each."""
        raise NotImplementedError  # abstract

    def _fit(self, graph: Graph) -> None:
        n_components = checked_components(self.n_components, graph)
        rng = as_generator(self.random_state)
        warn_about_structure(graph)
        stage = Stage("eigenvectors", 1, self.progress)
        with thread_limit(self.n_jobs):
            values, left, right = self._decompose(graph, n_components, rng)
        stage.finish()
        self.eigenvalues_ = values
        self._set_vectors(graph, left.astype(np.float32), right.astype(np.float32))


def leading_eigenvectors(
    product: Product, n_nodes: int, n_vectors: int, rng: np.random.Generator
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the K largest eigenvalues of a symmetric matrix, and their eigenvectors.

    Parameters
    ----------
    product : callable
        Product of the matrix with a vector or with the columns of an array.
    n_nodes, n_vectors : int
        N and K.
    rng : numpy Generator
        Generates the initial vector of the iteration.

    Returns
    -------
    values : array of shape (K,)
        Eigenvalues, descending.
    vectors : array of shape (N, K)
        Eigenvectors as columns, each with a positive entry of largest magnitude.
    """
    if n_nodes <= max(64, 2 * n_vectors + 2):
        dense = product(np.eye(n_nodes))
        values, vectors = np.linalg.eigh((dense + dense.T) / 2)
    else:
        operator = LinearOperator((n_nodes, n_nodes), matvec=product, matmat=product, dtype=np.float64)
        values, vectors = eigsh(operator, k=n_vectors, which="LA", v0=rng.normal(size=n_nodes))
    order = np.argsort(-values)[:n_vectors]
    return values[order], fix_signs(vectors[:, order], vectors[:, order])[0]


def leading_singular_vectors(
    product: Product, transposed: Product, n_nodes: int, n_vectors: int, rng: np.random.Generator
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return the K largest singular values of a square matrix, and their singular vectors.

    Parameters
    ----------
    product, transposed : callables
        Products of the matrix and of its transpose with a vector or with the columns of an array.
    n_nodes, n_vectors : int
        N and K.
    rng : numpy Generator
        Generates the initial vector of the iteration.

    Returns
    -------
    values : array of shape (K,)
        Singular values, descending.
    left, right : arrays of shape (N, K)
        Singular vectors as columns; the entry of largest magnitude of each left vector is positive.
    """
    if n_nodes <= max(64, 2 * n_vectors + 2):
        left, values, right = np.linalg.svd(product(np.eye(n_nodes)))
    else:
        operator = LinearOperator(
            (n_nodes, n_nodes), matvec=product, rmatvec=transposed, matmat=product, rmatmat=transposed, dtype=np.float64
        )
        left, values, right = svds(operator, k=n_vectors, v0=rng.normal(size=n_nodes))
    order = np.argsort(-values)[:n_vectors]
    return values[order], *fix_signs(left[:, order], right[order].T)
