"""The exact solver: every column of the matrix, in tiles."""

import warnings
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from residuum.errors import ResiduumWarning
from residuum.residual import (
    OVERSAMPLING,
    ResidualMatrix,
    TiledMatrix,
    factorize_erased,
    factorize_operator,
)
from residuum.solvers.base import MeasuredSolver, Needs, Problem, Workspace
from residuum.solvers.landmark import landmark_factors
from residuum.solvers.solution import FactorSolution

__all__ = ["Exact"]

# Relative error of the singular values at which the iteration stops.
_TOLERANCE = 1e-4
# Typical number of passes over the matrix.
_PASSES = 3
# Landmarks per initial vector.
_START_LANDMARKS = 8


@dataclass(frozen=True)
class Exact(MeasuredSolver):
    """All columns of the matrix by Horner's rule, in tiles, and leading factors by block Krylov iteration.

    For graphs of up to a few thousand nodes, and the reference for the other solvers. Tiles that do not fit the memory
    limit are recomputed in every pass. The run time grows as ``T · nnz · N``.

    Examples
    --------
    >>> from residuum import Residual2Vec, datasets
    >>> Residual2Vec(8, solver=Exact(), random_state=0).fit(datasets.karate_club()).solver_
    'exact'
    """

    name: ClassVar[str] = "exact"
    exactness: ClassVar[int] = 0
    patience: ClassVar[float] = 2.0
    coefficients: ClassVar[tuple[float, ...]] = (0.13, 7.1e-11, 0, 1.2e-10)

    def solve(self, matrix: ResidualMatrix, n_components: int, work: Workspace) -> FactorSolution:
        """Return the leading factors of the matrix."""
        problem = Problem.of(matrix, n_components, work.memory_limit)
        spare = self.check_memory(problem)
        tiles = TiledMatrix(
            matrix.columns,
            matrix.n_nodes,
            symmetric=matrix.symmetric,
            width=matrix.probabilities.tile_width,
            memory_limit=spare + problem.tile_bytes[0],
            progress=work.progress,
        )
        if problem.is_small:
            factors = factorize_erased(
                tiles.dense(), matrix.projector, n_components, matrix.symmetric, matrix.resolution
            )
        else:
            # Starting from the factors of landmarks saves passes over the matrix.
            start = work.store.once("start", lambda: self._start(matrix, n_components, work))
            work.store.forget("columns")
            work.store.forget("rows")
            work.store.forget("level")
            factors = factorize_operator(
                tiles, matrix.projector, start, n_components, _TOLERANCE, work.store, matrix.resolution
            )
        if factors.relative_error > _TOLERANCE:
            warnings.warn(
                f"the singular values are accurate to {factors.relative_error:.1g} after {factors.passes} passes over "
                f"the matrix, not to {_TOLERANCE:g}; increase n_components, or use a longer window.",
                ResiduumWarning,
                stacklevel=2,
            )
        return FactorSolution(
            matrix, factors, factors.lost_share, {"passes": factors.passes, "tiles_kept": tiles.kept_share}
        )

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
        return Needs(factorization + narrow, factorization + wide + problem.column_bytes * problem.n_nodes)

    def features(self, problem: Problem) -> NDArray[np.float64]:
        """Return 1, the multiply-adds of sparse products, the entries of the matrix, and dense multiply-adds."""
        n_nodes, n_components = problem.n_nodes, problem.n_components
        kept = min(1.0, max(problem.memory_limit - self.bytes(problem).least, 0) / (problem.column_bytes * n_nodes))
        rounds = 1.0 if problem.is_small else kept + (1 - kept) * _PASSES
        start = 0.0 if problem.is_small else _START_LANDMARKS * (n_components + OVERSAMPLING)
        columns = rounds * n_nodes + min(start, n_nodes)
        products = float(n_nodes**2) * (n_components + OVERSAMPLING) * _PASSES
        work = problem.window * problem.n_entries * columns * problem.gathering
        return np.array([1.0, work, n_nodes * columns, products])
