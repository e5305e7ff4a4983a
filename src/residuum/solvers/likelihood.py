"""The likelihood solver: Newton sweeps on the likelihood of skip-gram, from a random start."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from residuum._validation import check_integer, check_real
from residuum.residual import ResidualMatrix
from residuum.residual import Likelihood as Objective
from residuum.residual.likelihood import chunk_rows
from residuum.residual.sweeps import Sweeps, factors_of, random_start
from residuum.solvers.base import MeasuredSolver, Needs, Problem, Workspace
from residuum.solvers.solution import FactorSolution

__all__ = ["Likelihood"]

_COLUMNS = 256
_CONTEXTS, _MOST_CONTEXTS, _PAIRS = 64, 1024, 4_000_000


@dataclass(frozen=True)
class Likelihood(MeasuredSolver):
    name: ClassVar[str] = "likelihood"
    factorizes: ClassVar[bool] = False
    coefficients: ClassVar[tuple[float, ...]] = (0.3, 1.2e-10)

    n_sweeps: int = 10
    n_contexts: int | None = None
    n_columns: int = _COLUMNS
    regularization: float = 0.03
    tolerance: float = 0.001

    def solve(self, matrix: ResidualMatrix, n_components: int, work: Workspace) -> FactorSolution:
        seed = int(work.rng.integers(2**63))
        start = random_start(matrix.probabilities, n_components, np.random.default_rng(seed))
        n_contexts = self.n_contexts or int(np.clip(_PAIRS // matrix.n_nodes, _CONTEXTS, _MOST_CONTEXTS))
        sweeps = Sweeps(Objective(matrix, n_contexts, self.n_columns), self.n_sweeps, self.regularization, self.tolerance)
        swept = sweeps.run(start, start, seed, work.store, work.progress)
        factors = factors_of(swept.u, swept.v, matrix)
        return FactorSolution(matrix, factors, swept.error, {"losses": swept.losses}, is_refined=True)

    def bytes(self, problem: Problem) -> Needs:
        return Needs(1, 1)

    def features(self, problem: Problem) -> NDArray[np.float64]:
        return np.array([1.0, problem.n_nodes])
