"""NetMF."""

from typing import Any

from numpy.typing import ArrayLike

from residuum._progress import ProgressCallback
from residuum.models.residual2vec import Residual2Vec

__all__ = ["NetMF"]


class NetMF(Residual2Vec):
    """``u_i · v_j ≈ max(ln P_d(j | i) − ln d_j / Σ d, 0)``, factorised without sampling.

    The closed form of skip-gram on plain walks: residual2vec with the configuration null, floor 0 and unweighted
    pairs, by the exact solver. (NetMF also subtracts ``ln b`` for b negatives; here b is 1.)

    Parameters
    ----------
    n_components : int, default 64
        K, the length of the vectors; below the number of nodes.
    window : int or array, default 10
        T, the number of steps, or one weight for each step.
    teleport, memory_limit, n_jobs, random_state, progress
        See :class:`Residual2Vec`, as for the attributes.

    References
    ----------
    Qiu, Dong, Ma, Li, Wang, Tang: Network embedding as matrix factorization. WSDM 2018.

    Examples
    --------
    >>> from residuum import NetMF, datasets
    >>> NetMF(8, random_state=0).fit_transform(datasets.karate_club()).shape
    (34, 8)
    """

    def __init__(
        self,
        n_components: int = 64,
        window: int | ArrayLike = 10,
        teleport: Any = None,
        memory_limit: int | str | None = None,
        n_jobs: int | None = None,
        random_state: Any = None,
        progress: ProgressCallback | None = None,
    ) -> None:
        super().__init__(
            n_components,
            null_model="configuration",
            window=window,
            floor=0.0,
            weighting=0.0,
            solver="exact",
            teleport=teleport,
            memory_limit=memory_limit,
            n_jobs=n_jobs,
            random_state=random_state,
            progress=progress,
        )
