"""The landmark solver: low-rank factors from a sample of exact columns (and rows) of the matrix."""

from dataclasses import dataclass
from typing import ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from residuum._progress import Stage
from residuum._threads import n_threads
from residuum._validation import check_integer, check_real
from residuum.errors import InvalidParameterError
from residuum.residual import Factors, Projector, ResidualMatrix, factorize_operator, working_bytes
from residuum.residual.linalg import fix_signs, qr, signs_of
from residuum.residual.tiles import NARROWEST_TILE
from residuum.solvers.all_columns import factorize_all, operations
from residuum.solvers.base import MeasuredSolver, Needs, Problem, Workspace
from residuum.solvers.landmark_fit import LandmarkFit, first_landmarks, fit_landmarks
from residuum.solvers.sketch import Sketch, SketchOperator, common_level
from residuum.solvers.solution import FactorSolution

__all__ = ["MOST_LANDMARKS", "Landmark", "landmark_factors"]

# Number of landmarks at which doubling stops.
MOST_LANDMARKS = 4096
# Number of landmarks that directed graphs need: acl-cite and cit-hepth reach the tolerance with as many.
_LANDMARKS_OF_DIRECTED = 2048
# Relative error of the singular values if all nodes are landmarks, and if all columns replace landmarks that are not
# accurate: 0.01 predicts links as well as 1e-4.
_TOLERANCE, _QUICK_TOLERANCE = 1e-4, 1e-2
# All columns replace the landmarks above this error, if they take at most this many seconds on two threads. The seconds
# per operation are fitted by benchmarks/speed/cost_model.py.
_ACCURATE, _QUICK = 0.15, 2.5
_SECONDS_OF_ALL = (0.1, 6.4e-11, 7e-9, 2e-11)
# Bytes per pair of landmarks: two copies of the Gram matrix in float64 while it grows, and the fits.
_GRAM_BYTES = 24


@dataclass(frozen=True)
class Landmark(MeasuredSolver):
    """Exact columns at sampled nodes, a basis of their range, and a least-squares core.

    The default beyond a few thousand nodes. The run time grows as ``T · nnz · m`` for m landmarks. The error compared
    with the exact factors is measured on columns that take no part in the fit; above 0.5, another solver is used.

    Parameters
    ----------
    n_landmarks : int, optional
        Number of landmarks, at least the number of dimensions. By default it is doubled until ``tolerance`` is met.
    tolerance : float, default 0.3
        Value of ``approximation_error_`` at which the solver stops adding landmarks, up to 4,096.
    all_columns : bool, default False
        Whether to compute all columns if the error exceeds 0.15 and these take about two seconds.
        ``solver="auto"`` does.

    Examples
    --------
    >>> from residuum import Residual2Vec, datasets
    >>> model = Residual2Vec(8, solver=Landmark(n_landmarks=200), random_state=0)
    >>> model.fit(datasets.planted_groups(300, 3, random_state=0)).solver_details_["n_landmarks"]
    200
    """

    name: ClassVar[str] = "landmark"
    exactness: ClassVar[int] = 1
    patience: ClassVar[float] = 1.4
    error_limit: ClassVar[float] = 0.5
    # Whether to hold out columns for the error. A subclass with a fixed number of landmarks can do without.
    measures_error: ClassVar[bool] = True
    coefficients: ClassVar[tuple[float, ...]] = (0.096, 6.1e-11, 1.0e-8, 3.1e-11)

    n_landmarks: int | None = None
    tolerance: float = 0.3
    all_columns: bool = False

    @classmethod
    def candidate(cls) -> Self:
        """Return the solver as ``solver="auto"`` uses it, with all columns where these are quick."""
        return cls(all_columns=True)

    def __post_init__(self) -> None:
        if self.n_landmarks is not None:
            check_integer("n_landmarks", self.n_landmarks, minimum=1)
        check_real("tolerance", self.tolerance, minimum=0.0)

    def solve(self, matrix: ResidualMatrix, n_components: int, work: Workspace) -> FactorSolution:
        """Return the leading factors of the matrix, computed from landmarks."""
        if self.n_landmarks is not None and self.n_landmarks < n_components:
            raise InvalidParameterError(
                f"n_landmarks must be at least n_components, which is {n_components}; got {self.n_landmarks}."
            )
        problem = Problem.of(matrix, n_components, work.memory_limit)
        self.check_memory(problem)
        is_quick = self.takes_all(problem)
        tolerance, n_landmarks = self.tolerance, self.n_landmarks
        if is_quick:
            tolerance, n_landmarks = _ACCURATE, n_landmarks or first_landmarks(matrix.n_nodes, n_components)
        result = landmark_factors(
            matrix, n_components, n_landmarks, tolerance, work, measures_error=self.measures_error
        )
        if not is_quick or result.error <= _ACCURATE:
            return FactorSolution(matrix, result.factors, result.error, {"n_landmarks": result.n_landmarks})
        start = work.store.once("start", lambda: result.factors.left)
        spare = work.memory_limit - problem.factorization_bytes - problem.tile_bytes[0]
        factors, details = factorize_all(matrix, start, problem, spare, _QUICK_TOLERANCE, work)
        return FactorSolution(matrix, factors, factors.lost_share, {"n_landmarks": matrix.n_nodes, **details})

    def takes_all(self, problem: Problem) -> bool:
        """Return whether all columns replace landmarks that are not accurate.

        They take at most 2.5 seconds on two threads, and their factorization fits the limit. Whether the columns
        themselves fit does not matter, so that in general the limit does not change the vectors.

        Parameters
        ----------
        problem : Problem
            Sizes of the run.

        Returns
        -------
        bool
            False unless ``all_columns`` is set.
        """
        if not self.all_columns:
            return False
        seconds = float(operations(problem, 1.0, 0.0) @ np.array(_SECONDS_OF_ALL))
        return seconds <= _QUICK and problem.factorization_bytes + problem.tile_bytes[0] <= problem.memory_limit

    def bytes(self, problem: Problem) -> Needs:
        """Estimate the memory of one tile, the factors and the Gram matrix; the maximum keeps all columns."""
        landmarks = self._landmarks(problem)
        factors, gram = 4 * problem.n_components * problem.column_bytes, _GRAM_BYTES * landmarks**2
        one_narrow, wide = working_bytes(problem.n_nodes, NARROWEST_TILE, 1), problem.tile_bytes[1]
        most = factors + gram + wide + problem.column_bytes * landmarks * problem.sides
        if self.takes_all(problem):
            most = max(most, problem.factorization_bytes + wide + problem.column_bytes * problem.n_nodes)
        return Needs(max(factors, one_narrow) + gram, most)

    def features(self, problem: Problem) -> NDArray[np.float64]:
        """Return 1, multiply-adds of sparse products, entries of columns beyond the cache, and Gram multiply-adds."""
        landmarks = self._landmarks(problem)
        if problem.directed and self.n_landmarks is None:
            landmarks = min(max(landmarks, _LANDMARKS_OF_DIRECTED), problem.n_nodes)
        columns = problem.sides * landmarks
        work = float(problem.window) * problem.n_entries * columns * problem.gathering
        entries = float(problem.n_nodes) * columns
        return np.array([1.0, work, entries * (problem.gathering - 1.0), entries * columns])

    def _landmarks(self, problem: Problem) -> int:
        """Return the fixed or initial number of landmarks."""
        return min(self.n_landmarks or first_landmarks(problem.n_nodes, problem.n_components), problem.n_nodes)


@dataclass(frozen=True)
class LandmarkResult:
    """Factors from landmarks and their estimated error.

    Attributes
    ----------
    factors : Factors
        Leading factors on all nodes.
    n_landmarks : int
        Number of exact columns, and of exact rows if R̃ is not symmetric, without held-out columns.
    error : float
        Estimated loss compared with the best factors; see :func:`landmark_factors`.
    """

    factors: Factors
    n_landmarks: int
    error: float


def landmark_factors(
    matrix: ResidualMatrix,
    n_components: int,
    n_landmarks: int | None,
    tolerance: float,
    work: Workspace,
    *,
    measures_error: bool = True,
) -> LandmarkResult:
    """Return the leading factors of ``R̃`` from exact columns (and rows) at landmarks L.

    See :class:`LandmarkFit` for the fit. The error is measured on held-out columns H, which take no part in it. It is
    the square root of the share of ``‖R̃[:, H] − c s tᵀ‖²`` that K vectors fitted to L and H capture and the factors do
    not: near 0 for the best factors, 1 if the factors are no better than the common level, and above 1 if they are
    worse. While it exceeds ``tolerance``, the number of landmarks is doubled. If all nodes are landmarks, the factors
    are those of the exact solver, with the error of their singular values.

    Parameters
    ----------
    matrix : ResidualMatrix
        Matrix to factorize.
    n_components : int
        Number of dimensions K.
    n_landmarks : int or None
        Fixed number of landmarks, or None to add landmarks until the tolerance is met.
    tolerance : float
        Error at which no more landmarks are added.
    work : Workspace
        Memory limit, random generator and store; columns that do not fit the limit are kept on disk.
    measures_error : bool, default True
        Whether to measure the error, which is otherwise NaN.

    Returns
    -------
    LandmarkResult
        Factors, number of landmarks and estimated error.
    """
    sketches, most = _sketches(matrix, n_components, work)
    fit = fit_landmarks(
        sketches,
        n_components,
        n_landmarks,
        tolerance,
        most,
        matrix.resolution,
        work.progress,
        measures_error=measures_error,
    )
    if fit is None:
        return _complete(matrix, sketches[0], n_components, work)
    matrix.probabilities.release()
    stage = Stage("factors", 1, work.progress)
    left, right = sketches[0], sketches[-1]
    factors = (
        _factors(fit, left, right) if matrix.projector is None else _erased_factors(fit, left, right, matrix.projector)
    )
    stage.finish()
    return LandmarkResult(factors, fit.size, fit.error if measures_error else float("nan"))


def _sketches(matrix: ResidualMatrix, n_components: int, work: Workspace) -> tuple[list[Sketch], int]:
    """Return the sketches of columns and, if the matrix is not symmetric, rows; and the landmarks that fit memory."""
    columns_budget = max(work.memory_limit - 4 * 4 * matrix.n_nodes * n_components, 0)
    by_memory = (columns_budget // 2) // working_bytes(matrix.n_nodes, 1, n_threads())
    one_by_one = by_memory < NARROWEST_TILE
    if one_by_one:
        by_memory = (work.memory_limit // 2) // working_bytes(matrix.n_nodes, 1, 1)
    width = int(np.clip(by_memory, NARROWEST_TILE, max(matrix.probabilities.tile_width, NARROWEST_TILE)))
    working = working_bytes(matrix.n_nodes, width, 1 if one_by_one else n_threads())
    budget = max(columns_budget - working, 0) // (1 if matrix.symmetric else 2)
    level = float(work.store.once("level", lambda: np.array(common_level(matrix))))
    sides: tuple[Literal["columns", "rows"], ...] = ("columns",) if matrix.symmetric else ("columns", "rows")
    sketches = [Sketch(matrix, side, level, work, budget, width, one_by_one=one_by_one) for side in sides]
    return sketches, min(MOST_LANDMARKS, int(np.sqrt(columns_budget / _GRAM_BYTES)))


def _complete(matrix: ResidualMatrix, columns: Sketch, n_components: int, work: Workspace) -> LandmarkResult:
    """Return the factors of the matrix from all its columns."""
    columns.grow(columns.n_candidates, Stage(f"{columns.n_candidates} landmark columns", 1, work.progress))
    operator = SketchOperator(columns, matrix.symmetric)
    start = np.empty((matrix.n_nodes, 0), dtype=np.float32)
    factors = factorize_operator(
        operator, matrix.projector, start, n_components, _TOLERANCE, work.store, matrix.resolution
    )
    return LandmarkResult(factors, columns.size, factors.lost_share)


def _factors(fit: LandmarkFit, left_sketch: Sketch, right_sketch: Sketch) -> Factors:
    """Return the factors on all nodes."""
    left = left_sketch.combine(fit.left_map)
    signs = signs_of(left)
    left *= signs
    if fit.symmetric:
        return Factors(left, fit.values, left * fit.right_signs)
    right = right_sketch.combine(fit.right_map)
    right *= signs
    return Factors(left, fit.values, right)


def _erased_factors(fit: LandmarkFit, left_sketch: Sketch, right_sketch: Sketch, projector: Projector) -> Factors:
    """Return the factors of ``E_l Q_l M Q_rᵀ E_rᵀ`` on all nodes."""
    left = left_sketch.combine(fit.left_basis)
    right = left if fit.symmetric else right_sketch.combine(fit.right_basis)
    clean_left, left_map = qr(projector.left.erase(left))
    clean_right, right_map = (clean_left, left_map) if fit.symmetric else qr(projector.right.erase(right))
    inner = fit.erased_core(left_map, right_map)
    u, v = fix_signs(clean_left @ inner.left, clean_right @ inner.right)
    readout = projector.right.erase_transposed(v)
    erased = (projector.left.lowered.T @ left) @ fit.core @ (right.T @ readout)
    return Factors(u, inner.values, v, readout=readout, erased=np.asarray(erased, dtype=np.float64))
