"""Graph neural networks: GCN, GAT and GraphSAGE, trained without labels on edges (the ``[gnn]`` extra)."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from residuum._progress import ProgressCallback
from residuum._random import as_generator
from residuum._threads import thread_limit
from residuum._validation import check_integer, check_real, import_extra
from residuum.errors import InvalidParameterError
from residuum.graph import Graph, as_graph
from residuum.models.gnn_training import GNNOptions, seeded_torch, train_gnn
from residuum.models.laplacian import laplacian_eigenvectors
from residuum.models.node_embedding import NodeEmbedding, checked_components, resolve_null_model
from residuum.models.notices import warn_of_structure
from residuum.nulls import NullModel
from residuum.torch import NullNegativeSampler

__all__ = ["GAT", "GCN", "GraphSAGE"]


class _GraphNeuralNetwork(NodeEmbedding):
    """Two layers and a loss on edges; the subclasses say which layers."""

    def __init__(
        self,
        n_components: int = 64,
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

    def fit(self, X: Any, y: Any = None) -> "_GraphNeuralNetwork":
        """Embed a graph; ``X`` is whatever :func:`residuum.as_graph` takes, ``y`` is ignored."""
        del y
        import_extra("torch_geometric", "gnn")
        graph = as_graph(X)
        rng = as_generator(self.random_state)
        options = self._options(graph, rng)
        given = None if self.features is None else _checked_features(self.features, graph)
        null_model = resolve_null_model(self.null_model)
        warn_of_structure(graph, None, asked=True)
        with thread_limit(self.n_jobs), seeded_torch(options.seed, self.n_jobs):
            features = _paper_features(graph, options.n_components, rng) if given is None else given
            sampler = NullNegativeSampler(graph, null_model, random_state=rng)
            vectors, self.losses_ = train_gnn(graph, features, sampler, options, self.progress)
        vectors[(graph.out_strength == 0) & (graph.in_strength == 0)] = 0.0
        self._keep(graph, vectors, vectors, sampler.null)
        return self

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

    Two layers, trained without labels: edges are told from negatives, which come from a null model, so that
    ``h_i · h_j ≈ ln P_d(j | i) − ln P_0(j | i) − ln k``. Needs ``pip install 'residuum[gnn]'``.

    Parameters
    ----------
    n_components : int, default 64
        K, the length of the vectors; below the number of nodes.
    features : array of shape (N, F), optional
        What is known of the nodes. By default the paper's: degree (its logarithm) and the K smallest eigenvectors of
        the normalised Laplacian, each of unit variance.
    null_model : str or null model, default "erdos-renyi"
        Where negatives come from: uniform by default, as is usual; another one takes what it explains out of the
        vectors.
    n_hidden : int, default 128
        Width of the first layer.
    epochs : int, default 100
        Passes over all edges.
    n_negatives : int, default 1
        k, negatives for each edge.
    learning_rate : float, default 0.01
        Of Adam.
    n_jobs : int, optional
        Threads; by default all cores.
    random_state : int, Generator or None
        The same seed gives the same bits on one thread.
    progress : callable, optional
        Called with a :class:`residuum.ProgressEvent`, which has the loss, after each epoch.

    Attributes
    ----------
    embedding_, context_embedding_ : float32 arrays of shape (N, K)
        h, twice. Isolated nodes have zero vectors.
    offset_ : array of shape (N,)
        The log of the null model's marginal probability; −inf for isolated nodes.
    losses_ : list of float
        Mean loss of an edge in each epoch.
    null_ : fitted null model
    node_ids_ : array of shape (N,)
    n_features_in_ : int
        Number of nodes.

    References
    ----------
    Kipf, Welling: Semi-supervised classification with graph convolutional networks. ICLR 2017.
    """


class GAT(_GraphNeuralNetwork):
    """``h'_i = ELU(Σ_j a_ij W h_j)``, a the attention of i to its neighbours: a graph attention network.

    Two layers, trained without labels: edges are told from negatives, which come from a null model, so that
    ``h_i · h_j ≈ ln P_d(j | i) − ln P_0(j | i) − ln k``. Needs ``pip install 'residuum[gnn]'``.

    The first layer has eight heads, ``n_hidden`` wide in all. Parameters and attributes are those of :class:`GCN`.

    References
    ----------
    Veličković et al.: Graph attention networks. ICLR 2018.
    """


class GraphSAGE(_GraphNeuralNetwork):
    """``h'_i = ReLU(W_1 h_i + W_2 mean_j h_j)``: GraphSAGE with the mean of all neighbours.

    Two layers, trained without labels: edges are told from negatives, which come from a null model, so that
    ``h_i · h_j ≈ ln P_d(j | i) − ln P_0(j | i) − ln k``. Needs ``pip install 'residuum[gnn]'``.

    Parameters and attributes are those of :class:`GCN`.

    References
    ----------
    Hamilton, Ying, Leskovec: Inductive representation learning on large graphs. NIPS 2017.
    """


def _checked_features(features: ArrayLike, graph: Graph) -> NDArray[np.float32]:
    array = np.asarray(features, dtype=np.float32)
    if array.ndim != 2 or len(array) != graph.n_nodes or not np.isfinite(array).all():
        raise InvalidParameterError(
            f"features must be finite numbers, one row for each of the {graph.n_nodes} nodes; got shape {array.shape}. "
            "Leave them out to use degree and eigenvectors."
        )
    return array


def _paper_features(graph: Graph, n_vectors: int, rng: np.random.Generator) -> NDArray[np.float32]:
    """Return the logarithm of degree and eigenvectors of the normalised Laplacian, of unit variance each."""
    _, vectors, _ = laplacian_eigenvectors(graph, n_vectors, rng)
    degree = np.log1p((graph.out_strength + graph.in_strength) / (graph.out_strength + graph.in_strength).mean())
    columns = np.concatenate([degree[:, None], vectors], axis=1)
    spread = columns.std(axis=0)
    return np.asarray((columns - columns.mean(axis=0)) / np.where(spread > 0, spread, 1.0), dtype=np.float32)
