"""The block solver: the paper's block approximation."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from residuum._progress import Stage
from residuum._random import random_rows
from residuum._validation import check_integer
from residuum.errors import InvalidGraphError, NullModelError
from residuum.residual import OVERSAMPLING, ResidualMatrix, factorize_erased, factorize_operator
from residuum.solvers.base import MeasuredSolver, Needs, Problem, Workspace
from residuum.solvers.block_operator import BlockOperator, missed_share, operator_bytes
from residuum.solvers.block_walk import BlockWalk, choose_exact_steps
from residuum.solvers.clusters import cluster_bytes, find_clusters
from residuum.solvers.solution import FactorSolution

__all__ = ["CHECKS", "TOLERANCE", "Block"]

# Default number of clusters. With fewer per group, the clusters separate the groups and little else: on the journal
# graph with 120 years, 8 clusters per year miss twice as much of the matrix as 25.
_CLUSTERS, _CLUSTERS_PER_GROUP = 1000, 25
#: Relative error of the singular values at which the iteration stops; the block approximation is less accurate.
TOLERANCE = 1e-3
#: Exact columns that estimate the error of the block approximation.
CHECKS = 16
# Typical number of passes over the operator; columns of the projected walks (dimensions × steps).
_PASSES, _FEATURE_COLUMNS = 3, 128 * 5


@dataclass(frozen=True)
class Block(MeasuredSolver):
    """The paper's block approximation: the first steps of the walk are exact, later steps go between clusters.

    For graphs so dense that landmark columns are too expensive; the null model must be in block form. Contexts are
    distinguished by cluster only, except along edges.

    Parameters
    ----------
    n_clusters : int, optional
        Number of clusters, each within a group of the null model; every group has at least one. By default 1000, or 25
        per group if that is more.

    Examples
    --------
    >>> from residuum import Residual2Vec, datasets
    >>> model = Residual2Vec(8, solver=Block(n_clusters=20), random_state=0)
    >>> model.fit(datasets.planted_groups(300, 3, random_state=0)).solver_details_["n_clusters"]
    20
    """

    name: ClassVar[str] = "block"
    exactness: ClassVar[int] = 2
    coefficients: ClassVar[tuple[float, ...]] = (0.065, 6.2e-10, 8.2e-11, 0)

    n_clusters: int | None = None

    def __post_init__(self) -> None:
        if self.n_clusters is not None:
            check_integer("n_clusters", self.n_clusters, minimum=1)

    def solve(self, matrix: ResidualMatrix, n_components: int, work: Workspace) -> FactorSolution:
        """Return the leading factors of the block approximation of the matrix."""
        problem = Problem.of(matrix, n_components, work.memory_limit)
        reason = self.refusal(problem)
        if reason is not None:
            raise NullModelError(reason)
        if matrix.may_overflow:
            raise InvalidGraphError(
                "solver='block' needs edge weights within 36 orders of magnitude, and these span more; use "
                "solver='exact' or solver='landmark'."
            )
        spare = self.check_memory(problem)
        cluster_rng, start_rng, check_rng = work.rng.spawn(3)
        stage = Stage("finding clusters", 1, work.progress)
        wanted, null = self.wanted(problem.n_groups), matrix.null
        labels = work.store.once("labels", lambda: find_clusters(matrix.probabilities, null, wanted, cluster_rng))
        stage.finish()
        n_clusters = int(labels.max()) + 1
        walk = BlockWalk(matrix.probabilities, labels, choose_exact_steps(matrix.probabilities, n_clusters))
        operator = BlockOperator(matrix, walk, spare, work.store, work.progress)
        details = {"n_clusters": n_clusters, "exact_steps": walk.exact_steps, "tiles_kept": operator.kept_share}
        error = missed_share(operator, CHECKS, check_rng)
        if problem.is_small:
            dense = operator.matmat(np.eye(matrix.n_nodes, dtype=np.float32))
            factors = factorize_erased(dense, matrix.projector, n_components, matrix.symmetric, matrix.resolution)
            return FactorSolution(matrix, factors, error, details)
        seed = int(start_rng.integers(2**63))
        start = random_rows(seed, 0, matrix.n_nodes, n_components + OVERSAMPLING)
        factors = factorize_operator(
            operator, matrix.projector, start, n_components, TOLERANCE, work.store, matrix.resolution
        )
        return FactorSolution(matrix, factors, error, details | {"passes": factors.passes})

    def refusal(self, problem: Problem) -> str | None:
        """Return an error message if the null model is not in block form."""
        if problem.n_groups > 0:
            return None
        return (
            "solver='block' needs a null model in block form (one with degrees or groups), and this one is sampled; "
            "use solver='landmark' or solver='exact'."
        )

    def bytes(self, problem: Problem) -> Needs:
        """Estimate the memory of edge corrections, working tiles and Krylov basis; the maximum keeps all tiles."""
        n_nodes, clusters = problem.n_nodes, self._clusters(problem)
        operator = operator_bytes(n_nodes, problem.n_entries, clusters, problem.symmetric)
        least = max(operator + problem.factorization_bytes, cluster_bytes(n_nodes))
        return Needs(least, least + problem.column_bytes * clusters)

    def features(self, problem: Problem) -> NDArray[np.float64]:
        """Return 1, the multiply-adds of sparse and of dense products, and the entries of the cluster part."""
        width = problem.n_components + OVERSAMPLING
        clusters = self._clusters(problem)
        edges = problem.n_entries * (_FEATURE_COLUMNS + 2.0 * width * _PASSES)
        dense = float(problem.n_nodes) * clusters * (clusters + 4.0 * width * _PASSES)
        return np.array([1.0, edges, dense, float(problem.n_nodes) * clusters])

    def wanted(self, n_groups: int) -> int:
        """Return the number of clusters.

        Parameters
        ----------
        n_groups : int
            Number of groups of the null model.

        Returns
        -------
        int
            Number of clusters; every group has at least one.
        """
        return self.n_clusters or max(_CLUSTERS, _CLUSTERS_PER_GROUP * n_groups)

    def _clusters(self, problem: Problem) -> int:
        return min(max(self.wanted(problem.n_groups), problem.n_groups), problem.n_nodes)
