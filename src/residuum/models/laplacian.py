"""Laplacian eigenmaps."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from residuum._progress import ProgressCallback, Stage
from residuum._random import as_generator
from residuum._threads import thread_limit
from residuum.graph import Graph, as_graph
from residuum.models.eigenvectors import leading_eigenvectors
from residuum.models.node_embedding import NodeEmbedding, checked_components
from residuum.models.notices import warn_of_structure

__all__ = ["LaplacianEigenmap", "laplacian_eigenvectors"]


class LaplacianEigenmap(NodeEmbedding):
    """The K smallest non-trivial solutions of ``(D − A) y = λ D y``, as columns.

    The map of the nodes that keeps neighbours close: ``Σ A_ij |y_i − y_j|²`` is smallest under ``yᵀ D y = 1``. A
    directed graph is taken without its directions (A + Aᵀ). Each component beyond the first takes one column that says
    only which nodes are in it.

    Parameters
    ----------
    n_components : int, default 64
        K, the length of the vectors; below the number of nodes.
    n_jobs : int, optional
        Threads of the linear algebra; by default all cores.
    random_state : int, Generator or None
        Where the iteration starts.
    progress : callable, optional
        Called with a :class:`residuum.ProgressEvent` when the work is done.

    Attributes
    ----------
    embedding_, context_embedding_ : float32 arrays of shape (N, K)
        y, twice. Isolated nodes have zero vectors.
    eigenvalues_ : array of shape (K,)
        λ, rising.
    offset_ : array of shape (N,)
        0, for there is no null model; −inf for isolated nodes.
    node_ids_ : array of shape (N,)
    n_features_in_ : int
        Number of nodes.

    References
    ----------
    Belkin, Niyogi: Laplacian eigenmaps for dimensionality reduction and data representation. 2003.

    Examples
    --------
    >>> from residuum import LaplacianEigenmap, datasets
    >>> LaplacianEigenmap(2, random_state=0).fit(datasets.karate_club()).eigenvalues_.round(3)
    array([0.132, 0.287])
    """

    def __init__(
        self,
        n_components: int = 64,
        n_jobs: int | None = None,
        random_state: Any = None,
        progress: ProgressCallback | None = None,
    ) -> None:
        self.n_components = n_components
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.progress = progress

    def fit(self, X: Any, y: Any = None) -> "LaplacianEigenmap":
        """Embed a graph; ``X`` is whatever :func:`residuum.as_graph` takes, ``y`` is ignored."""
        del y
        graph = as_graph(X)
        n_components = checked_components(self.n_components, graph)
        rng = as_generator(self.random_state)
        warn_of_structure(graph, None, asked=True)
        stage = Stage("eigenvectors", 1, self.progress)
        with thread_limit(self.n_jobs):
            self.eigenvalues_, vectors, scale = laplacian_eigenvectors(graph, n_components, rng)
        stage.finish()
        maps = (vectors * scale[:, None]).astype(np.float32)
        self._keep(graph, maps, maps)
        return self


def laplacian_eigenvectors(
    graph: Graph, n_components: int, rng: np.random.Generator
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return the smallest eigenvalues of ``I − D^−½ A D^−½`` but for the trivial one, their vectors, and ``D^−½``."""
    adjacency = graph.adjacency.astype(np.float64)
    if graph.directed:
        adjacency = sparse.csr_array(adjacency + adjacency.T)
    strength = np.asarray(adjacency.sum(axis=1)).ravel()
    scale = np.divide(1.0, np.sqrt(strength), out=np.zeros_like(strength), where=strength > 0)
    normalised = sparse.csr_array(adjacency * scale[:, None] * scale[None, :])
    trivial = np.sqrt(strength / strength.sum())
    present = (strength > 0).astype(np.float64)

    def product(x: NDArray[np.float64]) -> NDArray[np.float64]:
        # Raised by 1, so that the wanted eigenvalues are the largest of all, and those that count for nothing are 0.
        x = x.reshape(len(strength), -1)
        return np.asarray(normalised @ x + present[:, None] * x - 2.0 * np.outer(trivial, trivial @ x))

    values, vectors = leading_eigenvectors(product, len(strength), n_components, rng)
    return 2.0 - values, vectors * present[:, None], scale
