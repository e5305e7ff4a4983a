"""The DeepWalk estimator."""

from typing import ClassVar

from residuum.models.walk_embedding import WalkEmbedding
from residuum.nulls import ErdosRenyi

__all__ = ["DeepWalk"]


class DeepWalk(WalkEmbedding):
    """``u_i · v_j ≈ ln P_d(j | i) + ln N − ln k``: DeepWalk, whose vectors encode degree.

    Skip-gram on unbiased random walks with uniform negatives: residual2vec with the Erdős–Rényi null model and the
    skip-gram solver. (The original uses hierarchical softmax; the residual2vec paper shows the equivalence.)

    Parameters
    ----------
    n_components : int, default 64
        K, the number of dimensions; below the number of nodes.
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
    Perozzi, Al-Rfou, Skiena: DeepWalk: Online learning of social representations. KDD 2014.

    Examples
    --------
    >>> from residuum import DeepWalk, datasets
    >>> model = DeepWalk(8, n_walks=2, epochs=1, n_jobs=1, random_state=0)
    >>> model.fit_transform(datasets.karate_club()).shape
    (34, 8)
    """

    method_name: ClassVar[str] = "deepwalk"
    method_summary: ClassVar[str] = "skip-gram on unbiased walks, uniform negatives; removes nothing"

    def _null_model(self) -> ErdosRenyi:
        return ErdosRenyi()
