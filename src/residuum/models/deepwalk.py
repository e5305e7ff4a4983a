"""DeepWalk."""

from typing import Any

from numpy.typing import ArrayLike

from residuum._progress import ProgressCallback
from residuum.models.walk_method import WalkMethod
from residuum.nulls import ErdosRenyi, NullModel

__all__ = ["DeepWalk"]


class DeepWalk(WalkMethod):
    """``u_i · v_j ≈ ln P_d(j | i) + ln N − ln k``: where walkers go, degree and all.

    Skip-gram on plain random walks with uniform negatives: residual2vec with the Erdős–Rényi null model, by sampling.
    (The original trains by hierarchical softmax, which assumes no null model at all; uniform negatives are what it
    amounts to in the paper.)

    Parameters
    ----------
    n_components : int, default 64
        K, the length of the vectors; below the number of nodes.
    n_walks : int, default 10
        Walks from each node in an epoch.
    walk_length : int, default 80
        Steps of a walk.
    window : int or array, default 10
        T, the number of steps within which nodes are contexts of each other, or one weight for each step.
    epochs : int, default 5
        Each has walks of its own.
    n_negatives : int, default 5
        k, the number of contexts drawn from the null model for each pair.
    learning_rate : float, default 0.025
        At the start; it falls linearly to a 250th of it.
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
        u and v; sources and targets if the graph is directed. Isolated nodes have zero vectors.
    offset_ : array of shape (N,)
        The log of the null model's marginal probability; −inf for isolated nodes.
    singular_values_ : array of shape (K,)
        Of the matrix of all ``u_i · v_j``.
    solver_details_ : dict
        Pairs, losses of the epochs, and ``ln k`` ("shift").
    null_ : fitted null model
    node_ids_ : array of shape (N,)
    n_features_in_ : int
        Number of nodes.

    References
    ----------
    Perozzi, Al-Rfou, Skiena: DeepWalk. KDD 2014.

    Examples
    --------
    >>> from residuum import DeepWalk, datasets
    >>> model = DeepWalk(8, n_walks=2, epochs=1, n_jobs=1, random_state=0)
    >>> model.fit_transform(datasets.karate_club()).shape
    (34, 8)
    """

    def __init__(
        self,
        n_components: int = 64,
        n_walks: int = 10,
        walk_length: int = 80,
        window: int | ArrayLike = 10,
        epochs: int = 5,
        n_negatives: int = 5,
        learning_rate: float = 0.025,
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
        self.n_negatives = n_negatives
        self.learning_rate = learning_rate
        self.teleport = teleport
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.progress = progress

    def _null_model(self) -> NullModel:
        return ErdosRenyi()
