"""The CrossWalk estimator."""

from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from residuum._progress import ProgressCallback
from residuum._validation import check_integer, check_real
from residuum.errors import InvalidParameterError
from residuum.graph import Graph, group_codes
from residuum.graph.attributes import NodeValues
from residuum.models.walk_embedding import WalkEmbedding
from residuum.nulls import Configuration
from residuum.residual import ResidualMatrix
from residuum.solvers import SkipGram, Solution, Solver, Workspace

__all__ = ["CrossWalk", "closeness", "crossing_weights"]

_UNIT = 2.0**-16


class CrossWalk(WalkEmbedding):
    """``u_i · v_j ≈ ln P_c(j | i) − ln d_j^γ / Σ d^γ − ln k``, P_c of walks that cross group borders: CrossWalk.

    Edges to other groups get a fixed share of the steps, and edges to nodes near a border more than others, so that
    walkers cross from group to group more often.

    Parameters
    ----------
    n_components : int, default 64
        K, the number of dimensions; below the number of nodes.
    groups : str, mapping, pandas Series or array of shape (N,)
        Label of each node: the name of a node attribute, labels by node id, or labels in the order of the nodes.
    crossing : float, default 0.5
        α of the paper: probability of a step to another group, from a node with neighbors in its own and in others.
    closeness_power : float, default 2.0
        p of the paper: exponent of the closeness to other groups in the weight of an edge.
    reach : int, default 5
        d of the paper: number of steps over which closeness is measured.
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
    Khajehnejad, Khajehnejad, Babaei, Gummadi, Weller, Mirzasoleiman: CrossWalk: Fairness-enhanced node representation
    learning. AAAI 2022.

    Examples
    --------
    >>> from residuum import datasets
    >>> from residuum.baselines import CrossWalk
    >>> graph = datasets.planted_groups(100, 3, random_state=0)
    >>> model = CrossWalk(8, groups="group", n_walks=2, epochs=1, n_jobs=1, random_state=0)
    >>> model.fit_transform(graph).shape
    (100, 8)
    """

    method_name: ClassVar[str] = "crosswalk"
    method_summary: ClassVar[str] = "skip-gram on walks whose edges across group borders have more weight"

    def __init__(
        self,
        n_components: int = 64,
        *,
        groups: NodeValues | None = None,
        crossing: float = 0.5,
        closeness_power: float = 2.0,
        reach: int = 5,
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
        self.crossing = crossing
        self.closeness_power = closeness_power
        self.reach = reach
        self.exponent = exponent

    def _null_model(self) -> Configuration:
        if self.groups is None:
            raise InvalidParameterError(
                "CrossWalk needs groups; got None. Pass labels by node id, an array, or the name of a node attribute "
                "(on the command line: --groups FILE:COLUMN)."
            )
        check_real("crossing", self.crossing, minimum=0.0, maximum=1.0)
        check_real("closeness_power", self.closeness_power, minimum=0.0)
        check_integer("reach", self.reach, minimum=1)
        return Configuration(self.exponent)

    def _solve(self, solver: Solver, matrix: ResidualMatrix, n_components: int, work: Workspace) -> Solution:
        assert isinstance(solver, SkipGram)
        graph = matrix.probabilities.graph
        groups = group_codes(graph, self.groups, "groups")[0]  # type: ignore[arg-type]
        near = closeness(graph, groups, self.reach) ** self.closeness_power
        return solver.solve(matrix, n_components, work, walk_graph=crossing_weights(graph, groups, near, self.crossing))


def closeness(graph: Graph, groups: NDArray[np.integer], reach: int) -> NDArray[np.float64]:
    """Return ``m_i = 1/d Σ_t P(g(x_t) ≠ g_i | x_0 = i)``, the expected share of a walk from i in other groups.

    The paper counts the visits of sampled walks; this is their expectation. A walk that has ended counts as in its own
    group.

    Parameters
    ----------
    graph : Graph
        The graph.
    groups : int array of shape (N,)
        Group of each node, from 0.
    reach : int
        Number of steps d.

    Returns
    -------
    array of shape (N,)
        From 0 to 1.

    Examples
    --------
    >>> closeness(Graph([[0, 1, 0], [1, 0, 1], [0, 1, 0]]), np.array([0, 0, 1]), reach=1)
    array([0. , 0.5, 1. ])
    """
    strength = np.where(graph.out_strength > 0, graph.out_strength, 1.0)
    step = sparse.diags_array(1.0 / strength) @ graph.adjacency.astype(np.float64)
    visits = np.eye(int(groups.max()) + 1)[groups]
    total = np.zeros(graph.n_nodes)
    for _ in range(reach):
        visits = step @ visits
        total += visits.sum(axis=1) - visits[np.arange(len(groups)), groups]
    return np.clip(total / reach, 0.0, 1.0)


def crossing_weights(graph: Graph, groups: NDArray[np.integer], near: NDArray[np.float64], crossing: float) -> Graph:
    """Return the directed graph that CrossWalk walks on.

    From a node with neighbors in its own group and in c other groups, a step stays in the group with probability 1 − α
    and goes to each of the others with ``α / c``; in a group, ``A_ij m_j^p`` decides. A node whose neighbors are all
    in its own group, or all in others, has only these. Where ``m_j^p`` is 0 for all neighbors in a group, ``A_ij``
    decides alone.

    Parameters
    ----------
    graph : Graph
        The graph A.
    groups : int array of shape (N,)
        Group of each node, from 0.
    near : array of shape (N,)
        ``m^p``, closeness to other groups.
    crossing : float
        α, from 0 to 1.

    Returns
    -------
    Graph
        Graph of the same nodes. Its weights are the probabilities of steps, rounded to multiples of 2⁻¹⁶, so that
        rounding errors of A do not change the walks.

    Examples
    --------
    >>> graph = Graph([[0, 1, 1], [1, 0, 1], [1, 1, 0]])
    >>> crossing_weights(graph, np.array([0, 0, 1]), np.ones(3), crossing=0.8).adjacency.toarray().round(2)
    array([[0. , 0.2, 0.8],
           [0.2, 0. , 0.8],
           [0.5, 0.5, 0. ]], dtype=float32)
    """
    matrix, n_groups = graph.adjacency, int(groups.max()) + 1
    rows = np.repeat(np.arange(graph.n_nodes), np.diff(matrix.indptr))
    target = groups[matrix.indices].astype(np.int64)
    cell = rows * n_groups + target  # a node and a group of its neighbors
    cells, place = np.unique(cell, return_inverse=True)
    weights = matrix.data * near[matrix.indices]
    is_far = np.bincount(place, weights, len(cells)) == 0
    weights = np.where(is_far[place], matrix.data, weights)
    sums = np.bincount(place, weights, len(cells))
    node = cells // n_groups
    own = cells % n_groups == groups[node]
    n_own, n_other = (np.bincount(node[kind], minlength=graph.n_nodes)[node] for kind in (own, ~own))
    inside = np.where(n_other > 0, 1.0 - crossing, 1.0)
    outside = np.where(n_own > 0, crossing, 1.0) / np.maximum(n_other, 1)
    share = np.where(own, inside, outside)
    reweighted = matrix.astype(np.float64)  # a copy: dropping zeros changes its arrays
    exact = weights * (share / sums)[place]
    reweighted.data = np.where(exact > 0, np.maximum(np.rint(exact / _UNIT), 1.0), 0.0) * _UNIT
    reweighted.eliminate_zeros()
    return Graph(reweighted, graph.node_ids, directed=True)
