"""The NetMF estimator."""

from typing import Any, ClassVar

from numpy.typing import ArrayLike

from residuum._progress import ProgressCallback
from residuum._validation import window_weights
from residuum.models.null_embedding import NullEmbedding, Settings
from residuum.nulls import Configuration
from residuum.solvers import Exact

__all__ = ["NetMF"]


class NetMF(NullEmbedding):
    """``u_i · v_j ≈ max(ln P_d(j | i) − ln d_j / Σ d, 0)``: NetMF, a factorization without sampling.

    The closed form of skip-gram on unbiased walks: residual2vec with the configuration null model, floor 0, unweighted
    pairs and the exact solver. (NetMF also subtracts ``ln b`` for b negatives; here b = 1.)

    Parameters
    ----------
    n_components : int, default 64
        K, the number of dimensions; below the number of nodes.
    window : int or array, default 10
        T, the maximum number of steps between center and context, or one weight per step.
    memory_limit : int or str, optional
        Memory for the solver's arrays, in bytes or as a string such as ``"8GiB"``; half of the free memory by default.
    n_jobs : int, optional
        Number of threads; all cores by default.
    random_state : int, Generator or None
        Seed of the iterative factorization.
    progress : callable, optional
        Called with a :class:`residuum.ProgressEvent` during the fit.

    Attributes
    ----------
    embedding_, context_embedding_ : float32 arrays of shape (N, K)
        u and v; source and target vectors of a directed graph. Isolated nodes have zero vectors.
    offset_ : array of shape (N,)
        Log marginal probability of each node under the null model; −inf for isolated nodes.
    singular_values_ : array of shape (K,)
        Singular values of the matrix, descending.
    node_ids_ : array of shape (N,)
        Node ids, in the order of the rows.
    n_features_in_ : int
        Number of nodes.

    References
    ----------
    Qiu, Dong, Ma, Li, Wang, Tang: Network embedding as matrix factorization. WSDM 2018.

    Examples
    --------
    >>> from residuum import NetMF, datasets
    >>> NetMF(8, random_state=0).fit_transform(datasets.karate_club()).shape
    (34, 8)
    """

    method_name: ClassVar[str] = "netmf"
    method_summary: ClassVar[str] = (
        "factorization of walk probabilities, configuration null model, floor 0; removes degree"
    )

    def __init__(
        self,
        n_components: int = 64,
        *,
        window: int | ArrayLike = 10,
        memory_limit: int | str | None = None,
        n_jobs: int | None = None,
        random_state: Any = None,
        progress: ProgressCallback | None = None,
    ) -> None:
        self.n_components = n_components
        self.window = window
        self.memory_limit = memory_limit
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.progress = progress

    def _settings(self) -> Settings:
        return Settings(
            Configuration(), window_weights(self.window), Exact(), floor=0.0, memory_limit=self.memory_limit
        )
