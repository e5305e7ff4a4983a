"""The estimator of a trial: coarse landmarks, and walks shared with the other trials of its split."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from residuum.graph import Graph
from residuum.models import Residual2Vec
from residuum.residual import ResidualMatrix
from residuum.solvers import Landmark, Problem, Solution, Solver, Workspace
from residuum.walks import WindowFamily, WindowProbabilities

__all__ = ["CoarseLandmarks", "TrialModel"]

# Landmarks of a trial, per dimension and per square root of the number of nodes: enough to tell values apart.
_PER_DIMENSION, _PER_ROOT = 6, 2


@dataclass(frozen=True)
class CoarseLandmarks(Landmark):
    """Landmarks of a trial, without the columns that measure their error: a fifth of the work."""

    measures_error: ClassVar[bool] = False


class TrialModel(Residual2Vec):
    """:class:`Residual2Vec` as a trial: without the checks and the fallback that the final fit has.

    Attributes
    ----------
    family : WindowFamily or None
        Walks that trials on the same graph share.
    is_final : bool
        Whether to have the accuracy of the final fit instead of few landmarks.
    takes_all : bool
        Whether the final fit would take all columns instead of landmarks.
    """

    family: WindowFamily | None = None
    is_final = False
    takes_all = False

    def _probabilities(self, graph: Graph, window: NDArray[np.float64]) -> WindowProbabilities:
        if self.family is None:
            return super()._probabilities(graph, window)
        return self.family.probabilities(window)

    def _by_likelihood(self) -> bool:
        return False  # the trials tune what only a factorization has

    def _solve(self, solver: Solver, matrix: ResidualMatrix, n_components: int, work: Workspace) -> Solution:
        if isinstance(solver, Landmark) and solver.n_landmarks is None:
            self.takes_all = solver.takes_all(Problem.of(matrix, n_components, work.memory_limit))
            wanted = max(_PER_DIMENSION * n_components, int(_PER_ROOT * np.sqrt(matrix.n_nodes)))
            if not self.is_final:
                solver = CoarseLandmarks(min(wanted, matrix.n_nodes))
        return solver.solve(matrix, n_components, work)

    def _guarded(self, solver: Solver, solution: Solution, problem: Problem, work: Workspace) -> tuple[Solver, Any]:
        return solver, solution
