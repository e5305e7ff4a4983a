"""The modularity estimator: spectral embedding of the modularity matrix."""

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from residuum.baselines.spectral import (
    Decomposition,
    SpectralEmbedding,
    leading_eigenvectors,
    leading_singular_vectors,
)
from residuum.graph import Graph

__all__ = ["ModularitySpectral"]


class ModularitySpectral(SpectralEmbedding):
    """``u_i · v_j ≈ (A_ij − d_i d_j / 2m) / 2m``: the leading eigenvectors of the modularity matrix.

    The columns are ``√λ y`` for the K largest eigenvalues λ, and zero for negative λ. For a directed graph they are
    computed from the singular vectors of ``A_ij − d_i^out d_j^in / m`` instead.

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
        u and v, equal if the graph is undirected. Isolated nodes have zero vectors.
    eigenvalues_ : array of shape (K,)
        λ, descending; singular values if the graph is directed.
    offset_ : array of shape (N,)
        0, because the matrix contains the expectation; −inf for isolated nodes.
    node_ids_ : array of shape (N,)
        Node ids, in the order of the rows.
    n_features_in_ : int
        Number of nodes.

    References
    ----------
    Newman: Finding community structure in networks using the eigenvectors of matrices. Physical Review E 74 (2006).

    Examples
    --------
    >>> from residuum import datasets
    >>> from residuum.baselines import ModularitySpectral
    >>> ModularitySpectral(2, random_state=0).fit(datasets.karate_club()).embedding_.shape
    (34, 2)
    """

    method_name: ClassVar[str] = "modularity"
    method_summary: ClassVar[str] = "leading eigenvectors of the modularity matrix"

    def _decompose(self, graph: Graph, n_components: int, rng: np.random.Generator) -> Decomposition:
        total = graph.out_strength.sum()
        adjacency = sparse.csr_array(graph.adjacency.astype(np.float64) / total)
        out, into = graph.out_strength / total, graph.in_strength / total

        def product(x: NDArray[np.float64]) -> NDArray[np.float64]:
            x = x.reshape(graph.n_nodes, -1)
            return np.asarray(adjacency @ x - np.outer(out, into @ x))

        def transposed(x: NDArray[np.float64]) -> NDArray[np.float64]:
            x = x.reshape(graph.n_nodes, -1)
            return np.asarray(adjacency.T @ x - np.outer(into, out @ x))

        if graph.directed:
            values, left, right = leading_singular_vectors(product, transposed, graph.n_nodes, n_components, rng)
        else:
            values, left = leading_eigenvectors(product, graph.n_nodes, n_components, rng)
            right = left
        lengths = np.sqrt(np.maximum(values, 0.0)) * ((out > 0) | (into > 0))[:, None]
        return values, left * lengths, right * lengths
