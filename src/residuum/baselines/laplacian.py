"""The Laplacian eigenmap estimator."""

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from residuum.baselines.spectral import Decomposition, SpectralEmbedding, leading_eigenvectors
from residuum.graph import Graph

__all__ = ["LaplacianEigenmap", "laplacian_eigenvectors"]


class LaplacianEigenmap(SpectralEmbedding):
    """``(D − A) y = λ D y``: the K smallest non-trivial generalized eigenvectors of the graph Laplacian.

    The vectors keep neighbors close: they minimize ``Σ A_ij |y_i − y_j|²`` subject to ``yᵀ D y = 1``. Directions are
    ignored (A + Aᵀ). Each connected component beyond the first uses up one dimension, which only indicates its nodes.

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

    Attributes
    ----------
    embedding_, context_embedding_ : float32 arrays of shape (N, K)
        y; both arrays are equal. Isolated nodes have zero vectors.
    eigenvalues_ : array of shape (K,)
        λ, ascending.
    offset_ : array of shape (N,)
        0, because there is no null model; −inf for isolated nodes.
    node_ids_ : array of shape (N,)
        Node ids, in the order of the rows.
    n_features_in_ : int
        Number of nodes.

    References
    ----------
    Belkin, Niyogi: Laplacian eigenmaps for dimensionality reduction and data representation. Neural Computation 2003.

    Examples
    --------
    >>> from residuum import datasets
    >>> from residuum.baselines import LaplacianEigenmap
    >>> LaplacianEigenmap(2, random_state=0).fit(datasets.karate_club()).eigenvalues_.round(3)
    array([0.132, 0.287])
    """

    method_name: ClassVar[str] = "laplacian"
    method_summary: ClassVar[str] = "smallest eigenvectors of the normalized graph Laplacian"

    def _decompose(self, graph: Graph, n_components: int, rng: np.random.Generator) -> Decomposition:
        values, vectors, scale = laplacian_eigenvectors(graph, n_components, rng)
        embedding = vectors * scale[:, None]
        return values, embedding, embedding


def laplacian_eigenvectors(
    graph: Graph, n_vectors: int, rng: np.random.Generator
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return the smallest non-trivial eigenvalues of ``I − D^−½ A D^−½``, and their eigenvectors.

    Parameters
    ----------
    graph : Graph
        Directions are ignored.
    n_vectors : int
        K.
    rng : numpy Generator
        Generates the initial vector of the iteration.

    Returns
    -------
    values : array of shape (K,)
        Eigenvalues, ascending.
    vectors : array of shape (N, K)
        Eigenvectors as columns; rows of isolated nodes are 0.
    scale : array of shape (N,)
        ``D^−½``, 0 for isolated nodes.
    """
    adjacency = graph.adjacency.astype(np.float64)
    if graph.directed:
        adjacency = sparse.csr_array(adjacency + adjacency.T)
    strength = np.asarray(adjacency.sum(axis=1)).ravel()
    scale = np.divide(1.0, np.sqrt(strength), out=np.zeros_like(strength), where=strength > 0)
    normalized = sparse.csr_array(adjacency * scale[:, None] * scale[None, :])
    trivial = np.sqrt(strength / strength.sum())
    present = (strength > 0).astype(np.float64)

    def product(x: NDArray[np.float64]) -> NDArray[np.float64]:
        # D^−½ A D^−½ + I, so that the required eigenvalues are the largest and those of isolated nodes are 0.
        x = x.reshape(len(strength), -1)
        return np.asarray(normalized @ x + present[:, None] * x - 2.0 * np.outer(trivial, trivial @ x))

    values, vectors = leading_eigenvectors(product, len(strength), n_vectors, rng)
    return 2.0 - values, vectors * present[:, None], scale
