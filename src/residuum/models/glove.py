"""GloVe."""

from typing import Any

from numpy.typing import ArrayLike

from residuum._progress import ProgressCallback
from residuum._random import as_generator
from residuum._threads import thread_limit
from residuum._validation import check_integer, check_real, window_weights
from residuum.graph import as_graph, resolve_teleport
from residuum.models.node_embedding import NodeEmbedding, checked_components
from residuum.models.notices import warn_of_structure
from residuum.skipgram import co_occurrences, train_glove
from residuum.walks import RandomWalks

__all__ = ["GloVe"]


class GloVe(NodeEmbedding):
    """``u_i · v_j + b_i + c_j ≈ ln X_ij``, X the co-occurrences of nodes in random walks.

    The biases b and c learn what a null model states: they are the offsets. ``score_pairs(mode="full")`` adds them.
    All co-occurrences are kept in memory, 12 bytes for each pair of nodes that occurs.

    Parameters
    ----------
    n_components : int, default 64
        K, the length of the vectors; below the number of nodes.
    n_walks : int, default 10
        Walks from each node.
    walk_length : int, default 80
        Steps of a walk.
    window : int or array, default 10
        T, the number of steps within which nodes co-occur, or one weight for each step.
    epochs : int, default 5
        Passes over the co-occurrences.
    learning_rate : float, default 0.05
        Of AdaGrad.
    teleport : float, or pair of a float and a target, optional
        How walkers of a directed graph jump; see :class:`Residual2Vec`.
    n_jobs : int, optional
        Threads; by default all cores.
    random_state : int, Generator or None
        The same seed gives the same bits on one thread; on several, runs differ as seeds would.
    progress : callable, optional
        Called with a :class:`residuum.ProgressEvent`, which has the loss, as the work goes on.

    Attributes
    ----------
    embedding_, context_embedding_ : float32 arrays of shape (N, K)
        u and v. Isolated nodes have zero vectors.
    offset_, source_offset_ : arrays of shape (N,)
        c and b; −inf for isolated nodes.
    losses_ : list of float
        Mean loss of an entry in each epoch.
    node_ids_ : array of shape (N,)
    n_features_in_ : int
        Number of nodes.

    References
    ----------
    Pennington, Socher, Manning: GloVe. EMNLP 2014.

    Examples
    --------
    >>> from residuum import GloVe, datasets
    >>> model = GloVe(8, n_walks=2, n_jobs=1, random_state=0).fit(datasets.karate_club())
    >>> model.embedding_.shape, model.offset_.shape
    ((34, 8), (34,))
    """

    def __init__(
        self,
        n_components: int = 64,
        n_walks: int = 10,
        walk_length: int = 80,
        window: int | ArrayLike = 10,
        epochs: int = 5,
        learning_rate: float = 0.05,
        teleport: Any = None,
        n_jobs: int | None = None,
        random_state: Any = None,
        progress: ProgressCallback | None = None,
    ) -> None:
        self.n_components = n_components
        self.n_walks = n_walks
        self.walk_length = walk_length
        self.window = window
        self.epochs = epochs
        self.learning_rate = learning_rate
        self.teleport = teleport
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.progress = progress

    def fit(self, X: Any, y: Any = None) -> "GloVe":
        """Embed a graph; ``X`` is whatever :func:`residuum.as_graph` takes, ``y`` is ignored."""
        del y
        graph = as_graph(X)
        n_components = checked_components(self.n_components, graph)
        window = window_weights(self.window)
        epochs = check_integer("epochs", self.epochs, minimum=1)
        learning_rate = check_real("learning_rate", self.learning_rate, minimum=1e-6, maximum=10.0)
        rng = as_generator(self.random_state)
        teleport = resolve_teleport(graph, self.teleport)
        walks = RandomWalks(
            graph, n_walks=self.n_walks, walk_length=self.walk_length, teleport=teleport, random_state=rng
        )
        warn_of_structure(graph, teleport, asked=self.teleport is not None)
        with thread_limit(self.n_jobs):
            counts = co_occurrences(walks, window, self.progress)
            trained = train_glove(
                counts, n_components, epochs=epochs, learning_rate=learning_rate, rng=rng, progress=self.progress
            )
        self._keep(graph, trained.vectors, trained.context_vectors)
        self.offset_, self.source_offset_ = trained.context_bias, trained.bias
        self.losses_ = trained.losses
        return self
