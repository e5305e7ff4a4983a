"""FairWalk."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from residuum._progress import ProgressCallback
from residuum.errors import InvalidParameterError
from residuum.graph import Graph
from residuum.models.walk_method import WalkMethod
from residuum.nulls import Configuration, NullModel, group_codes

__all__ = ["FairWalk"]


class FairWalk(WalkMethod):
    """``u_i · v_j ≈ ln P_f(j | i) − ln d_j^γ / Σ d^γ − ln k``, P_f for walkers that give every group the same chance.

    A walker first chooses one of the groups among its neighbours, all with the same probability, then a neighbour in
    it. It changes the walks where residual2vec changes what is expected of them.

    Parameters
    ----------
    n_components : int, default 64
        K, the length of the vectors; below the number of nodes.
    groups : array of shape (N,), mapping of node id to label, or name of a node attribute
        The label of each node.
    p : float, default 1.0
        Return parameter: above 1 walkers turn back less often.
    q : float, default 1.0
        In-out parameter: below 1 walkers move outward, above 1 they stay near.
    exponent : float, default 0.75
        γ of the negatives.
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
    Rahman, Surma, Backes, Zhang: Fairwalk. IJCAI 2019.

    Examples
    --------
    >>> from residuum import FairWalk, datasets
    >>> graph = datasets.planted_groups(100, 3, random_state=0)
    >>> model = FairWalk(8, groups="group", n_walks=2, epochs=1, n_jobs=1, random_state=0)
    >>> model.fit_transform(graph).shape
    (100, 8)
    """

    def __init__(
        self,
        n_components: int = 64,
        groups: ArrayLike | Mapping[Any, Any] | str | None = None,
        p: float = 1.0,
        q: float = 1.0,
        exponent: float = 0.75,
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
        self.groups = groups
        self.p = p
        self.q = q
        self.exponent = exponent
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
        return Configuration(self.exponent)

    def _groups(self, graph: Graph) -> NDArray[np.int32]:
        if self.groups is None:
            raise InvalidParameterError(
                "FairWalk needs groups: an array, a dict by node id, or the name of a node attribute "
                "(on the command line: --groups FILE:COLUMN)."
            )
        return group_codes(graph, self.groups)[0]
