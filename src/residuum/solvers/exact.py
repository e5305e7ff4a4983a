"""The exact solver: every column of the matrix, in tiles."""

import warnings
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from residuum.errors import ResiduumWarning
from residuum.residual import (
    OVERSAMPLING,
    Factors,
    ReachablePairs,
    ResidualMatrix,
    factorize_erased,
    factorize_operator,
)
from residuum.solvers.all_columns import factorize_all, operations, tiled
from residuum.solvers.base import MeasuredSolver, Needs, Problem, Workspace
from residuum.solvers.landmark import landmark_factors
from residuum.solvers.solution import FactorSolution

__all__ = ["Exact"]

# Relative error of the singular values at which the iteration stops.
_TOLERANCE = 1e-4
# Landmarks per initial vector.
_START_LANDMARKS = 8
# A matrix whose pairs within reach are at most this share of all pairs is kept as a sparse matrix.
_SPARSE_SHARE = 1 / 16
# Typical number of passes over a sparse matrix, without a start, and its bytes per walk while it is built.
_SPARSE_PASSES, _WALK_BYTES = 30, 40
# Multiply-adds that take as long as a walk when the sparse matrix is built.
_WALK_OPERATIONS = 200


@dataclass(frozen=True)
class Exact(MeasuredSolver):
    """All columns of the matrix by Horner's rule, in tiles, and leading factors by block Krylov iteration.

    For graphs of up to a few thousand nodes, and the reference for the other solvers. Tiles that do not fit the memory
    limit are recomputed in every pass. The run time grows as ``T · nnz · N``. If the window reaches few pairs, such as
    one or two steps in a large sparse graph, only these are computed, and the run time grows with their number.

    Examples
    --------
    >>> from residuum import Residual2Vec, datasets
    >>> Residual2Vec(8, solver=Exact(), random_state=0).fit(datasets.karate_club()).solver_
    'exact'
    """

    name: ClassVar[str] = "exact"
    exactness: ClassVar[int] = 0
    patience: ClassVar[float] = 2.0
    coefficients: ClassVar[tuple[float, ...]] = (0.13, 7.1e-11, 1.2e-8, 3e-11)

    def solve(self, matrix: ResidualMatrix, n_components: int, work: Workspace) -> FactorSolution:
        """Return the leading factors of the matrix."""
        problem = Problem.of(matrix, n_components, work.memory_limit)
        spare = self.check_memory(problem)
        if _is_sparse(problem):
            pairs = ReachablePairs(matrix)
            nothing = np.empty((matrix.n_nodes, 0), dtype=np.float32)
            factors = factorize_operator(
                pairs, matrix.projector, nothing, n_components, _TOLERANCE, work.store, matrix.resolution
            )
            details = {"passes": factors.passes, "pairs_above_floor": pairs.n_pairs}
            reached = max(factors.relative_error, _residual_share(pairs, factors) if matrix.projector is None else 0.0)
        else:
            factors, details = self._by_tiles(matrix, problem, spare, work)
            reached = factors.relative_error
        if reached > _TOLERANCE:
            warnings.warn(
                f"the singular values are accurate to {reached:.1g} after {factors.passes} passes over "
                f"the matrix, not to {_TOLERANCE:g}; increase n_components, or use a longer window.",
                ResiduumWarning,
                stacklevel=2,
            )
        return FactorSolution(matrix, factors, factors.lost_share, details)

    def _by_tiles(
        self, matrix: ResidualMatrix, problem: Problem, spare: int, work: Workspace
    ) -> tuple[Factors, dict[str, Any]]:
        """Return the factors of the matrix in tiles of columns."""
        n_components = problem.n_components
        if problem.is_small:
            tiles = tiled(matrix, problem, spare, work)
            factors = factorize_erased(
                tiles.dense(), matrix.projector, n_components, matrix.symmetric, matrix.resolution
            )
            return factors, {"passes": factors.passes, "tiles_kept": tiles.kept_share}
        # Starting from the factors of landmarks saves passes over the matrix.
        start = work.store.once("start", lambda: self._start(matrix, n_components, work))
        for stage in ("columns", "rows", "level"):
            work.store.forget(stage)
        return factorize_all(matrix, start, problem, spare, _TOLERANCE, work)

    @staticmethod
    def _start(matrix: ResidualMatrix, n_components: int, work: Workspace) -> NDArray[np.float32]:
        """Return the factors of a few landmarks; nothing if these would be all nodes."""
        width = n_components + OVERSAMPLING
        if 2 * _START_LANDMARKS * width > matrix.n_nodes:
            return np.empty((matrix.n_nodes, 0), dtype=np.float32)
        quiet = Workspace(work.memory_limit, work.rng, work.store)
        return landmark_factors(matrix, width, _START_LANDMARKS * width, 1.0, quiet).factors.left

    def bytes(self, problem: Problem) -> Needs:
        """Estimate the memory of the Krylov basis (or the dense matrix) and one tile; the maximum keeps all tiles."""
        narrow, wide = problem.tile_bytes
        factorization = problem.factorization_bytes
        if _is_sparse(problem):
            sparse = factorization + int(_WALK_BYTES * problem.n_walks)
            return Needs(sparse, sparse)
        return Needs(factorization + narrow, factorization + wide + problem.column_bytes * problem.n_nodes)

    def features(self, problem: Problem) -> NDArray[np.float64]:
        """Return 1, the multiply-adds of sparse products, those of the basis, and those of dense products."""
        n_nodes, n_components = problem.n_nodes, problem.n_components
        if _is_sparse(problem):
            per_walk = _WALK_OPERATIONS + _SPARSE_PASSES * (n_components + OVERSAMPLING)
            basis = float(n_nodes) * _SPARSE_PASSES * n_components / 3
            return np.array([1.0, problem.n_walks * per_walk, basis, 0.0])
        if problem.is_small:
            return operations(problem, 1.0, 0.0)
        kept = min(1.0, max(problem.memory_limit - self.bytes(problem).least, 0) / (problem.column_bytes * n_nodes))
        return operations(problem, kept, _START_LANDMARKS * (n_components + OVERSAMPLING))


def _residual_share(pairs: ReachablePairs, factors: Factors) -> float:
    """Return the largest error of a singular value, relative to the value, from residuals that include rounding errors.

    In a very large graph the rounding errors of the constant level exceed the tolerance for all other values. If values
    are close to each other, an error is a tenth of its residual or more.
    """
    kept = factors.values > 0
    left, values, right = factors.left[:, kept], factors.values[kept], factors.right[:, kept]
    missing = np.linalg.norm(pairs.matmat(right) - left * values.astype(np.float32), axis=0).astype(np.float64)
    gap = np.abs(np.subtract.outer(values, values) + np.diag(np.full(len(values), np.inf))).min(axis=1, initial=np.inf)
    with np.errstate(over="ignore", divide="ignore"):
        errors = np.minimum(missing / 10, missing**2 / gap)
    return float(np.max(errors / values, initial=0.0))


def _is_sparse(problem: Problem) -> bool:
    """Return whether the pairs within reach of the window are few, and fit the memory limit."""
    memory = problem.factorization_bytes + _WALK_BYTES * problem.n_walks
    return (
        not problem.is_small
        and problem.n_walks <= _SPARSE_SHARE * float(problem.n_nodes) ** 2
        and memory <= problem.memory_limit
    )
