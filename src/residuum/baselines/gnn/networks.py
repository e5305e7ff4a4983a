"""The GCN, GAT and GraphSAGE estimators, trained on edges without labels (the ``[gnn]`` extra)."""

from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from residuum._progress import ProgressCallback
from residuum._random import as_generator
from residuum._threads import thread_limit
from residuum._validation import check_integer, check_real, import_extra
from residuum.baselines.gnn.training import GNNOptions, seeded_torch, train_gnn
from residuum.baselines.laplacian import laplacian_eigenvectors
from residuum.errors import InvalidParameterError
from residuum.graph import Graph
from residuum.integrations.torch import NullNegativeSampler
from residuum.models.base import NodeEmbedding, checked_components
from residuum.models.notices import warn_about_structure
from residuum.models.null_embedding import resolve_null_model
from residuum.nulls import NullModel

__all__ = ["GAT", "GCN", "GraphSAGE"]


class _GraphNeuralNetwork(NodeEmbedding):
    """Base class of two-layer networks trained on edges; the name of a subclass selects the layers."""

    def __init__(
        self,
        n_components: int = 64,
        *,
        features: ArrayLike | None = None,
        null_model: str | NullModel = "erdos-renyi",
        n_hidden: int = 128,
        epochs: int = 100,
        n_negatives: int = 1,
        learning_rate: float = 0.01,
        n_jobs: int | None = None,
        random_state: Any = None,
        progress: ProgressCallback | None = None,
    ) -> None:
        self.n_components = n_components
        self.features = features
        self.null_model = null_model
        self.n_hidden = n_hidden
        self.epochs = epochs
        self.n_negatives = n_negatives
        self.learning_rate = learning_rate
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.progress = progress

    def _fit(self, graph: Graph) -> None:
        import_extra("torch_geometric", "gnn")
        rng = as_generator(self.random_state)
        options = self._options(graph, rng)
        features = None if self.features is None else _checked_features(self.features, graph)
        null_model = resolve_null_model(self.null_model)
        warn_about_structure(graph)
        with thread_limit(self.n_jobs), seeded_torch(options.seed, self.n_jobs):
            features = _paper_features(graph, options.n_components, rng) if features is None else features
            sampler = NullNegativeSampler(graph, null_model, random_state=rng)
            vectors, losses = train_gnn(graph, features, sampler, options, self.progress)
        vectors[(graph.out_strength == 0) & (graph.in_strength == 0)] = 0.0
        self.losses_ = losses
        self._set_vectors(graph, vectors, vectors, sampler.null)

    def _options(self, graph: Graph, rng: np.random.Generator) -> GNNOptions:
        return GNNOptions(
            kind=type(self).__name__,
            n_components=checked_components(self.n_components, graph),
            n_hidden=check_integer("n_hidden", self.n_hidden, minimum=1),
            epochs=check_integer("epochs", self.epochs, minimum=1),
            n_negatives=check_integer("n_negatives", self.n_negatives, minimum=1),
            learning_rate=check_real("learning_rate", self.learning_rate, minimum=1e-8, maximum=10.0),
            seed=int(rng.integers(2**31)),
        )


class GCN(_GraphNeuralNetwork):
    """``H' = ReLU(D̃^−½ (A + I) D̃^−½ H W)``: a graph convolutional network.

    Two layers, trained without labels to distinguish edges from negatives sampled from a null model, so that
    ``h_i · h_j ≈ ln P_d(j | i) − ln P_0(j | i) − ln k``. Requires ``pip install 'residuum[gnn]'``.

    Parameters
    ----------
    n_components : int, default 64
        K, the number of dimensions; below the number of nodes.
    features : array of shape (N, F), optional
        Features of the nodes. By default those of the residual2vec paper: log degree and the K smallest eigenvectors of
        the normalized Laplacian, each of unit variance.
    null_model : str or NullModel, default "erdos-renyi"
        Distribution of the negatives: uniform by default, as usual; other null models remove from the vectors what they
        explain.
    n_hidden : int, default 128
        Width of the first layer.
    epochs : int, default 100
        Passes over all edges.
    n_negatives : int, default 1
        k, the number of negatives per edge.
    learning_rate : float, default 0.01
        Learning rate of Adam.
    n_jobs : int, optional
        Number of threads; all cores by default.
    random_state : int, Generator or None
        Seed. One thread gives identical results.
    progress : callable, optional
        Called with a :class:`residuum.ProgressEvent`, which includes the loss, after each epoch.

    Attributes
    ----------
    embedding_, context_embedding_ : float32 arrays of shape (N, K)
        h; both arrays are equal. Isolated nodes have zero vectors.
    offset_ : array of shape (N,)
        Log marginal probability of each node under the null model; −inf for isolated nodes.
    losses_ : list of float
        Mean loss per edge in each epoch.
    null_ : FittedNull
        The fitted null model.
    node_ids_ : array of shape (N,)
        Node ids, in the order of the rows.
    n_features_in_ : int
        Number of nodes.

    References
    ----------
    Kipf, Welling: Semi-supervised classification with graph convolutional networks. ICLR 2017.

    Examples
    --------
    >>> from residuum import datasets
    >>> from residuum.baselines import GCN
    >>> model = GCN(8, epochs=5, n_jobs=1, random_state=0).fit(datasets.karate_club())
    >>> model.embedding_.shape, len(model.losses_)
    ((34, 8), 5)
    """

    method_name: ClassVar[str] = "gcn"
    method_summary: ClassVar[str] = "graph convolutional network trained on edges; requires residuum[gnn]"


class GAT(_GraphNeuralNetwork):
    """``h'_i = ELU(Σ_j a_ij W h_j)``, a_ij the attention of i to its neighbor j: a graph attention network.

    Two layers, trained without labels to distinguish edges from negatives sampled from a null model, so that
    ``h_i · h_j ≈ ln P_d(j | i) − ln P_0(j | i) − ln k``. Requires ``pip install 'residuum[gnn]'``.

    Parameters
    ----------
    n_components : int, default 64
        K, the number of dimensions; below the number of nodes.
    features : array of shape (N, F), optional
        Features of the nodes. By default those of the residual2vec paper: log degree and the K smallest eigenvectors of
        the normalized Laplacian, each of unit variance.
    null_model : str or NullModel, default "erdos-renyi"
        Distribution of the negatives: uniform by default, as usual; other null models remove from the vectors what they
        explain.
    n_hidden : int, default 128
        Total width of the eight heads of the first layer.
    epochs : int, default 100
        Passes over all edges.
    n_negatives : int, default 1
        k, the number of negatives per edge.
    learning_rate : float, default 0.01
        Learning rate of Adam.
    n_jobs : int, optional
        Number of threads; all cores by default.
    random_state : int, Generator or None
        Seed. One thread gives identical results.
    progress : callable, optional
        Called with a :class:`residuum.ProgressEvent`, which includes the loss, after each epoch.

    Attributes
    ----------
    embedding_, context_embedding_ : float32 arrays of shape (N, K)
        h; both arrays are equal. Isolated nodes have zero vectors.
    offset_ : array of shape (N,)
        Log marginal probability of each node under the null model; −inf for isolated nodes.
    losses_ : list of float
        Mean loss per edge in each epoch.
    null_ : FittedNull
        The fitted null model.
    node_ids_ : array of shape (N,)
        Node ids, in the order of the rows.
    n_features_in_ : int
        Number of nodes.

    References
    ----------
    Veličković et al.: Graph attention networks. ICLR 2018.

    Examples
    --------
    >>> from residuum import datasets
    >>> from residuum.baselines import GAT
    >>> model = GAT(8, epochs=5, n_jobs=1, random_state=0).fit(datasets.karate_club())
    >>> model.embedding_.shape, len(model.losses_)
    ((34, 8), 5)
    """

    method_name: ClassVar[str] = "gat"
    method_summary: ClassVar[str] = "graph attention network trained on edges; requires residuum[gnn]"


class GraphSAGE(_GraphNeuralNetwork):
    """``h'_i = ReLU(W_1 h_i + W_2 mean_j h_j)``: GraphSAGE with the mean over all neighbors.

    Two layers, trained without labels to distinguish edges from negatives sampled from a null model, so that
    ``h_i · h_j ≈ ln P_d(j | i) − ln P_0(j | i) − ln k``. Requires ``pip install 'residuum[gnn]'``.

    Parameters
    ----------
    n_components : int, default 64
        K, the number of dimensions; below the number of nodes.
    features : array of shape (N, F), optional
        Features of the nodes. By default those of the residual2vec paper: log degree and the K smallest eigenvectors of
        the normalized Laplacian, each of unit variance.
    null_model : str or NullModel, default "erdos-renyi"
        Distribution of the negatives: uniform by default, as usual; other null models remove from the vectors what they
        explain.
    n_hidden : int, default 128
        Width of the first layer.
    epochs : int, default 100
        Passes over all edges.
    n_negatives : int, default 1
        k, the number of negatives per edge.
    learning_rate : float, default 0.01
        Learning rate of Adam.
    n_jobs : int, optional
        Number of threads; all cores by default.
    random_state : int, Generator or None
        Seed. One thread gives identical results.
    progress : callable, optional
        Called with a :class:`residuum.ProgressEvent`, which includes the loss, after each epoch.

    Attributes
    ----------
    embedding_, context_embedding_ : float32 arrays of shape (N, K)
        h; both arrays are equal. Isolated nodes have zero vectors.
    offset_ : array of shape (N,)
        Log marginal probability of each node under the null model; −inf for isolated nodes.
    losses_ : list of float
        Mean loss per edge in each epoch.
    null_ : FittedNull
        The fitted null model.
    node_ids_ : array of shape (N,)
        Node ids, in the order of the rows.
    n_features_in_ : int
        Number of nodes.

    References
    ----------
    Hamilton, Ying, Leskovec: Inductive representation learning on large graphs. NIPS 2017.

    Examples
    --------
    >>> from residuum import datasets
    >>> from residuum.baselines import GraphSAGE
    >>> model = GraphSAGE(8, epochs=5, n_jobs=1, random_state=0).fit(datasets.karate_club())
    >>> model.embedding_.shape, len(model.losses_)
    ((34, 8), 5)
    """

    method_name: ClassVar[str] = "graphsage"
    method_summary: ClassVar[str] = "GraphSAGE network trained on edges; requires residuum[gnn]"


def _checked_features(features: ArrayLike, graph: Graph) -> NDArray[np.float32]:
    array = np.asarray(features, dtype=np.float32)
    if array.ndim != 2 or len(array) != graph.n_nodes or not np.isfinite(array).all():
        raise InvalidParameterError(
            f"features must be finite, with one row for each of the {graph.n_nodes} nodes; got shape {array.shape}. "
            "Leave them out to use degree and Laplacian eigenvectors."
        )
    return array


def _paper_features(graph: Graph, n_vectors: int, rng: np.random.Generator) -> NDArray[np.float32]:
    """Return log degree and eigenvectors of the normalized Laplacian, each of unit variance, shape (N, K + 1)."""
    _, vectors, _ = laplacian_eigenvectors(graph, n_vectors, rng)
    degree = graph.out_strength + graph.in_strength
    columns = np.concatenate([np.log1p(degree / degree.mean())[:, None], vectors], axis=1)
    deviation = columns.std(axis=0)
    return np.asarray((columns - columns.mean(axis=0)) / np.where(deviation > 0, deviation, 1.0), dtype=np.float32)
