"""The FairWalk estimator."""

from typing import Any, ClassVar

from numpy.typing import ArrayLike

from residuum._progress import ProgressCallback
from residuum.errors import InvalidParameterError
from residuum.graph import group_codes
from residuum.graph.attributes import NodeValues
from residuum.models.walk_embedding import WalkEmbedding
from residuum.nulls import Configuration
from residuum.residual import ResidualMatrix
from residuum.solvers import SkipGram, Solution, Solver, Workspace

__all__ = ["FairWalk"]


class FairWalk(WalkEmbedding):
    """``u_i · v_j ≈ ln P_f(j | i) − ln d_j^γ / Σ d^γ − ln k``, P_f of group-balanced walks: FairWalk.

    A walker first chooses a group among those of its neighbors, uniformly, then a neighbor in this group. FairWalk
    changes the walks, while residual2vec changes the null model.

    Parameters
    ----------
    n_components : int, default 64
        K, the number of dimensions; below the number of nodes.
    groups : str, mapping, pandas Series or array of shape (N,)
        Label of each node: the name of a node attribute, labels by node id, or labels in the order of the nodes.
    p : float, default 1.0
        Return parameter; above 1, walkers return to the previous node less often.
    q : float, default 1.0
        In-out parameter; below 1, walkers move outward, above 1, they stay close.
    exponent : float, default 0.75
        γ, the exponent of degree in the distribution of negatives.
    n_walks : int, default 10
        Walks per node and epoch.
    walk_length : int, default 80
        Steps per walk.
    window : int or array, default 10
        T, the maximum number of steps between center and context, or one weight per step.
    epochs : int, default 5
        Training epochs, each on new walks.
    n_negatives : int, default 5
        k, the number of negative samples from the null model per pair.
    learning_rate : float, default 0.025
        Initial learning rate, which decreases linearly to 1/250 of this value.
    n_jobs : int, optional
        Number of threads; all cores by default.
    random_state : int, Generator or None
        Seed. One thread gives identical results; with more threads, runs vary as with different seeds.
    progress : callable, optional
        Called with a :class:`residuum.ProgressEvent`, which includes the loss, during training.

    Attributes
    ----------
    embedding_, context_embedding_ : float32 arrays of shape (N, K)
        u and v; source and target vectors of a directed graph. Isolated nodes have zero vectors.
    offset_ : array of shape (N,)
        Log marginal probability of each node under the null model; −inf for isolated nodes.
    singular_values_ : array of shape (K,)
        Singular values of the matrix of all ``u_i · v_j``.
    solver_details_ : dict
        Number of pairs, loss per epoch, and ``ln k`` ("shift").
    null_ : FittedNull
        The fitted null model.
    node_ids_ : array of shape (N,)
        Node ids, in the order of the rows.
    n_features_in_ : int
        Number of nodes.

    References
    ----------
    Rahman, Surma, Backes, Zhang: Fairwalk: Towards fair graph embedding. IJCAI 2019.

    Examples
    --------
    >>> from residuum import datasets
    >>> from residuum.baselines import FairWalk
    >>> graph = datasets.planted_groups(100, 3, random_state=0)
    >>> model = FairWalk(8, groups="group", n_walks=2, epochs=1, n_jobs=1, random_state=0)
    >>> model.fit_transform(graph).shape
    (100, 8)
    """

    method_name: ClassVar[str] = "fairwalk"
    method_summary: ClassVar[str] = "skip-gram on walks that choose a group first, then a neighbor in it"

    def __init__(
        self,
        n_components: int = 64,
        *,
        groups: NodeValues | None = None,
        p: float = 1.0,
        q: float = 1.0,
        exponent: float = 0.75,
        n_walks: int = 10,
        walk_length: int = 80,
        window: int | ArrayLike = 10,
        epochs: int = 5,
        n_negatives: int = 5,
        learning_rate: float = 0.025,
        n_jobs: int | None = None,
        random_state: Any = None,
        progress: ProgressCallback | None = None,
    ) -> None:
        super().__init__(
            n_components,
            n_walks=n_walks,
            walk_length=walk_length,
            window=window,
            epochs=epochs,
            n_negatives=n_negatives,
            learning_rate=learning_rate,
            n_jobs=n_jobs,
            random_state=random_state,
            progress=progress,
        )
        self.groups = groups
        self.p = p
        self.q = q
        self.exponent = exponent

    def _null_model(self) -> Configuration:
        if self.groups is None:
            raise InvalidParameterError(
                "FairWalk needs groups; got None. Pass labels by node id, an array, or the name of a node attribute "
                "(on the command line: --groups FILE:COLUMN)."
            )
        return Configuration(self.exponent)

    def _solve(self, solver: Solver, matrix: ResidualMatrix, n_components: int, work: Workspace) -> Solution:
        assert isinstance(solver, SkipGram)
        groups = group_codes(matrix.probabilities.graph, self.groups, "groups")[0]  # type: ignore[arg-type]
        return solver.solve(matrix, n_components, work, walk_groups=groups)
