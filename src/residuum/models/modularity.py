"""The spectral embedding of the modularity matrix."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from residuum._progress import ProgressCallback, Stage
from residuum._random import as_generator
from residuum._threads import thread_limit
from residuum.graph import as_graph
from residuum.models.eigenvectors import leading_eigenvectors, leading_singular_vectors
from residuum.models.node_embedding import NodeEmbedding, checked_components
from residuum.models.notices import warn_of_structure

__all__ = ["ModularitySpectral"]


class ModularitySpectral(NodeEmbedding):
    """``u_i · v_j ≈ (A_ij − d_i d_j / 2m) / 2m``: the leading eigenvectors of the modularity matrix.

    The K largest eigenvalues λ, as ``√λ y``; where fewer are positive, the rest of the columns is zero. In a directed
    graph, whose matrix is ``A_ij − d_i^out d_j^in / m``, singular vectors take their place.

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
        The same if the graph is undirected. Isolated nodes have zero vectors.
    eigenvalues_ : array of shape (K,)
        λ, falling; singular values if the graph is directed.
    offset_ : array of shape (N,)
        0, for the expectation is in the matrix; −inf for isolated nodes.
    node_ids_ : array of shape (N,)
    n_features_in_ : int
        Number of nodes.

    References
    ----------
    Newman: Finding community structure in networks using the eigenvectors of matrices. 2006.

    Examples
    --------
    >>> from residuum import ModularitySpectral, datasets
    >>> model = ModularitySpectral(2, random_state=0).fit(datasets.karate_club())
    >>> model.embedding_.shape
    (34, 2)
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

    def fit(self, X: Any, y: Any = None) -> "ModularitySpectral":
        """Embed a graph; ``X`` is whatever :func:`residuum.as_graph` takes, ``y`` is ignored."""
        del y
        graph = as_graph(X)
        n_components = checked_components(self.n_components, graph)
        rng = as_generator(self.random_state)
        warn_of_structure(graph, None, asked=True)
        stage = Stage("eigenvectors", 1, self.progress)
        total = graph.out_strength.sum()
        adjacency = sparse.csr_array(graph.adjacency.astype(np.float64) / total)
        out, into = graph.out_strength / total, graph.in_strength / total

        def product(x: NDArray[np.float64]) -> NDArray[np.float64]:
            x = x.reshape(graph.n_nodes, -1)
            return np.asarray(adjacency @ x - np.outer(out, into @ x))

        def transposed(x: NDArray[np.float64]) -> NDArray[np.float64]:
            x = x.reshape(graph.n_nodes, -1)
            return np.asarray(adjacency.T @ x - np.outer(into, out @ x))

        with thread_limit(self.n_jobs):
            if graph.directed:
                values, left, right = leading_singular_vectors(product, transposed, graph.n_nodes, n_components, rng)
            else:
                values, left = leading_eigenvectors(product, graph.n_nodes, n_components, rng)
                right = left
        stage.finish()
        self.eigenvalues_ = values
        root = np.sqrt(np.maximum(values, 0.0))
        present = ((out > 0) | (into > 0))[:, None]
        self._keep(graph, *((vectors * root * present).astype(np.float32) for vectors in (left, right)))
        return self
