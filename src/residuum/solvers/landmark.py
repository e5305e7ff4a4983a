"""The landmark solver: low-rank factors from a sample of exact columns (and rows) of the matrix."""

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from residuum._progress import Stage
from residuum._threads import n_threads
from residuum._validation import check_integer, check_real
from residuum.errors import InvalidParameterError
from residuum.residual import Factors, Projector, ResidualMatrix, factorize_operator, working_bytes
from residuum.residual.linalg import factorize_dense, fix_signs, qr
from residuum.residual.tiles import NARROWEST_TILE
from residuum.solvers.all_columns import factorize_all, operations
from residuum.solvers.base import MeasuredSolver, Needs, Problem, Workspace
from residuum.solvers.sketch import Sketch, SketchOperator, common_level, leading_of_gram
from residuum.solvers.solution import FactorSolution

__all__ = ["Landmark", "landmark_factors"]

# Columns that measure the error, in addition to the landmarks.
_HELD_OUT, _FEWEST_HELD_OUT = 64, 16
_FIRST_LANDMARKS = 512
# Minimum number of landmarks per dimension; with fewer, the core is ill-conditioned.
_LANDMARKS_PER_DIMENSION = 6
# Landmarks per square root of the number of nodes; large graphs have more communities to sample.
_LANDMARKS_PER_ROOT = 4
_MOST_BY_SIZE = 1200
# Number of landmarks at which doubling stops.
_MOST_LANDMARKS = 4096
# Number of landmarks that directed graphs need: acl-cite and cit-hepth reach the tolerance with as many.
_LANDMARKS_OF_DIRECTED = 2048
# Share of the expected length of a direction at the landmarks below which its core is left out.
_LEAST_LEVERAGE = 0.3
# Relative error of the singular values if all nodes are landmarks, and if all columns replace landmarks that are not
# accurate: 0.01 predicts links as well as 1e-4.
_TOLERANCE, _QUICK_TOLERANCE = 1e-4, 1e-2
# All columns replace the landmarks above this error, if they take at most this many seconds on two threads. The seconds
# per operation are fitted by benchmarks/speed/cost_model.py.
_ACCURATE, _QUICK = 0.15, 2.5
_SECONDS_OF_ALL = (0.1, 6.4e-11, 7e-9, 2e-11)
# Smallest squared error that is distinguishable from rounding.
_RESOLUTION = 1e-8
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
    coefficients: ClassVar[tuple[float, ...]] = (0.096, 6.1e-11, 0, 3.1e-11)

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
        is_quick = self.all_columns and _is_quick(problem)
        tolerance, n_landmarks = self.tolerance, self.n_landmarks
        if is_quick:
            tolerance, n_landmarks = _ACCURATE, n_landmarks or _first_landmarks(matrix.n_nodes, n_components)
        result = landmark_factors(matrix, n_components, n_landmarks, tolerance, work)
        if not is_quick or result.error <= _ACCURATE:
            return FactorSolution(matrix, result.factors, result.error, {"n_landmarks": result.n_landmarks})
        start = work.store.once("start", lambda: result.factors.left)
        spare = work.memory_limit - problem.factorization_bytes - problem.tile_bytes[0]
        factors, details = factorize_all(matrix, start, problem, spare, _QUICK_TOLERANCE, work)
        return FactorSolution(matrix, factors, factors.lost_share, {"n_landmarks": matrix.n_nodes, **details})

    def bytes(self, problem: Problem) -> Needs:
        """Estimate the memory of one tile, the factors and the Gram matrix; the maximum keeps all columns."""
        landmarks = self._landmarks(problem)
        fixed = 4 * problem.n_components * problem.column_bytes + _GRAM_BYTES * landmarks**2
        narrow, wide = problem.tile_bytes
        least, most = fixed + narrow, fixed + wide + problem.column_bytes * landmarks * problem.sides
        if self.all_columns and _is_quick(problem):
            least = max(least, problem.factorization_bytes + narrow)
            most = max(most, problem.factorization_bytes + wide + problem.column_bytes * problem.n_nodes)
        return Needs(least, most)

    def features(self, problem: Problem) -> NDArray[np.float64]:
        """Return 1, the multiply-adds of sparse products, the entries of the columns, and Gram multiply-adds."""
        landmarks = self._landmarks(problem)
        if problem.directed and self.n_landmarks is None:
            landmarks = min(max(landmarks, _LANDMARKS_OF_DIRECTED), problem.n_nodes)
        columns = problem.sides * landmarks
        work = float(problem.window) * problem.n_entries * columns * problem.gathering
        return np.array([1.0, work, float(problem.n_nodes) * columns, float(problem.n_nodes) * columns**2])

    def _landmarks(self, problem: Problem) -> int:
        """Return the fixed or initial number of landmarks."""
        return min(self.n_landmarks or _first_landmarks(problem.n_nodes, problem.n_components), problem.n_nodes)


def _is_quick(problem: Problem) -> bool:
    """Return whether all columns take at most 2.5 seconds on two threads, if they fit the memory limit.

    The limit itself does not matter, so that it does not change the vectors.
    """
    return float(operations(problem, 1.0, 0.0) @ np.array(_SECONDS_OF_ALL)) <= _QUICK


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
    matrix: ResidualMatrix, n_components: int, n_landmarks: int | None, tolerance: float, work: Workspace
) -> LandmarkResult:
    """Return the leading factors of ``R̃`` from exact columns (and rows) at landmarks L.

    With the common level c, the scales s and t of the matrix, ``C = (R̃ − c s tᵀ)[:, L]`` and a basis Q of the range of
    s and C, the core M solves ``C ≈ Q M Q_Lᵀ`` by least squares, and ``R̃ ≈ Q M Qᵀ + c s tᵀ``. Directions of Q that
    have almost no weight on L are left out, because nothing determines their core. If the matrix is not symmetric, the
    left basis comes from columns, the right basis from rows, and the core from both.

    The error is measured on held-out columns H, which take no part in the fit. It is the square root of the share of
    ``‖R̃[:, H] − c s tᵀ‖²`` that K vectors fitted to L and H capture and the factors do not: near 0 for the best
    factors, 1 if the factors are no better than the common level, and above 1 if they are worse. While it exceeds
    ``tolerance``, the number of landmarks is doubled. If all nodes are landmarks, the factors are those of the exact
    solver, with the error of their singular values.

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

    Returns
    -------
    LandmarkResult
        Factors, number of landmarks and estimated error.
    """
    sketches, most = _sketches(matrix, n_components, work)
    columns = sketches[0]
    first = _first_landmarks(matrix.n_nodes, n_components)
    most = max(most, _LANDMARKS_PER_DIMENSION * n_components, first)
    wanted = n_landmarks or first
    while True:
        held_out = _held_out(wanted)
        if wanted + _FEWEST_HELD_OUT > columns.n_candidates:
            return _complete(matrix, columns, n_components, work)
        stage = Stage(f"{wanted} landmark columns", wanted + held_out - columns.size, work.progress)
        columns.grow(wanted + held_out, stage)
        sketches[-1].grow(wanted, None)
        fit = _Fit(sketches, wanted, n_components, matrix.resolution)
        error = fit.error()
        if error <= tolerance or wanted >= most or n_landmarks is not None:
            break
        wanted = min(2 * wanted, most)
    stage = Stage("factors", 1, work.progress)
    factors = fit.factors() if matrix.projector is None else fit.erased_factors(matrix.projector)
    stage.finish()
    return LandmarkResult(factors, wanted, error)


def _sketches(matrix: ResidualMatrix, n_components: int, work: Workspace) -> tuple[list[Sketch], int]:
    """Return the sketches of columns and, if the matrix is not symmetric, rows; and the landmarks that fit memory."""
    columns_budget = max(work.memory_limit - 4 * 4 * matrix.n_nodes * n_components, 0)
    by_memory = (columns_budget // 2) // working_bytes(matrix.n_nodes, 1, n_threads())
    width = int(np.clip(by_memory, NARROWEST_TILE, max(matrix.probabilities.tile_width, NARROWEST_TILE)))
    sides = 1 if matrix.symmetric else 2
    budget = max(columns_budget - working_bytes(matrix.n_nodes, width, n_threads()), 0) // sides
    level = float(work.store.once("level", lambda: np.array(common_level(matrix))))
    sketches = [Sketch(matrix, "columns", level, work, budget, width)]
    if not matrix.symmetric:
        sketches.append(Sketch(matrix, "rows", level, work, budget, width))
    return sketches, min(_MOST_LANDMARKS, int(np.sqrt(columns_budget / _GRAM_BYTES)))


def _complete(matrix: ResidualMatrix, columns: Sketch, n_components: int, work: Workspace) -> LandmarkResult:
    """Return the factors of the matrix from all its columns."""
    columns.grow(columns.n_candidates, Stage(f"{columns.n_candidates} landmark columns", 1, work.progress))
    operator = SketchOperator(columns, matrix.symmetric)
    start = np.empty((matrix.n_nodes, 0), dtype=np.float32)
    factors = factorize_operator(
        operator, matrix.projector, start, n_components, _TOLERANCE, work.store, matrix.resolution
    )
    return LandmarkResult(factors, columns.size, factors.lost_share)


def _first_landmarks(n_nodes: int, n_components: int) -> int:
    """Return the initial number of landmarks, by dimensions and graph size."""
    by_size = min(int(_LANDMARKS_PER_ROOT * np.sqrt(n_nodes)), _MOST_BY_SIZE)
    return max(_FIRST_LANDMARKS, _LANDMARKS_PER_DIMENSION * n_components, by_size)


def _held_out(n_landmarks: int) -> int:
    """Return the number of columns that measure the error."""
    return int(np.clip(n_landmarks // 4, _FEWEST_HELD_OUT, _HELD_OUT))


class _Fit:
    """``R̃ ≈ [s, C] left_map diag(values) right_mapᵀ [t, C']ᵀ`` from the first ``size`` columns C and rows C'.

    All arrays have the size of the landmarks, except in :meth:`factors` and :meth:`erased_factors`.
    """

    def __init__(self, sketches: list[Sketch], size: int, n_components: int, resolution: float) -> None:
        self.left, self.right = sketches[0], sketches[-1]
        self.size, self.n_components, self.resolution = size, n_components, resolution
        self.right_size = min(size, self.right.size)
        self.symmetric = len(sketches) == 1
        rank = max(min(max(2 * n_components, n_components + 32), size // 3), min(n_components, size))
        left_basis = self.left.basis(size, rank)
        right_basis = left_basis if self.symmetric else self.right.basis(self.right_size, rank)
        self.left_basis, self.right_basis, core = self._core(left_basis, right_basis)
        constants = [
            basis.T @ sketch.gram[: len(basis), 0]
            for basis, sketch in ((self.left_basis, self.left), (self.right_basis, self.right))
        ]
        self.core = core + self.left.level * np.outer(*constants)
        inner = factorize_dense(self.core, n_components, self.symmetric, resolution)
        self.values = inner.values
        self.left_map, self.right_map = self.left_basis @ inner.left, self.right_basis @ inner.right

    def _core(
        self, left_basis: NDArray[np.float64], right_basis: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Solve ``C ≈ Q_l M Q_rᵀ`` on the columns and on the rows; return the bases that these determine and M."""
        m, n = self.size, self.right_size
        at_columns = self.right.at(self.left.nodes[:m], n) @ right_basis
        keep_right, inverse = _determined(at_columns, m / self.left.n_candidates)
        images = left_basis.T @ self.left.gram[: 1 + m, 1 : 1 + m]
        if self.symmetric:
            core = keep_right.T @ images @ inverse
            return left_basis @ keep_right, right_basis @ keep_right, (core + core.T) / 2
        at_rows = self.left.at(self.right.nodes[:n], m) @ left_basis
        keep_left, inverse_left = _determined(at_rows, n / self.right.n_candidates)
        back = right_basis.T @ self.right.gram[: 1 + n, 1 : 1 + n]
        core = (keep_left.T @ images @ inverse + (keep_right.T @ back @ inverse_left).T) / 2
        return left_basis @ keep_left, right_basis @ keep_right, core

    def error(self) -> float:
        """Return the loss on the held-out columns, relative to the best factors of the same rank."""
        left, size = self.left, self.size
        nodes = left.nodes[: left.size]
        # The columns of R̃ are [s, C] with these coefficients of s.
        levels = left.level * left.across[nodes]
        mixed = np.outer(left.gram[0, 1:] + left.gram[0, 0] * levels / 2, levels)
        gram = left.gram[1:, 1:] + mixed + mixed.T
        total = float(np.trace(gram[size:, size:]))
        across = left.across[nodes[size:]]
        along = float((left.gram[0, 1 + size :] + left.gram[0, 0] * levels[size:]) @ across)
        level = along**2 / float(left.gram[0, 0] * (across @ across))
        right = self.right.at(nodes, self.right_size) @ self.right_map
        values, vectors = leading_of_gram(gram, self.n_components, start=right)
        best = total - float(np.sum(values * vectors[size:] ** 2))
        right = right[size:] * self.values
        missed = np.eye(1 + left.size)[:, 1 + size :]
        missed[0] = levels[size:]
        missed[: 1 + size] -= self.left_map @ right.T
        lost = float(np.sum(missed * (left.gram @ missed))) - best
        gain = total - level - best
        share = float(across @ across) / float(left.across @ left.across)
        if total - level <= share * self.resolution**2:
            return 0.0
        return float(np.sqrt(max(lost / max(gain, _RESOLUTION * total), _RESOLUTION)))

    def factors(self) -> Factors:
        """Return the factors on all nodes."""
        left = self.left.combine(self.left_map)
        signs = np.sign(np.sum(self.left_map * self.right_map, axis=0)).astype(np.float32)
        right = left * signs if self.symmetric else self.right.combine(self.right_map)
        left, right = fix_signs(left, right)
        return Factors(left, self.values, right)

    def erased_factors(self, projector: Projector) -> Factors:
        """Return the factors of ``E_l Q_l M Q_rᵀ E_rᵀ`` on all nodes."""
        left = self.left.combine(self.left_basis)
        right = left if self.symmetric else self.right.combine(self.right_basis)
        clean_left, left_map = qr(projector.left.erase(left))
        clean_right, right_map = (clean_left, left_map) if self.symmetric else qr(projector.right.erase(right))
        inner = factorize_dense(left_map @ self.core @ right_map.T, self.n_components, self.symmetric, self.resolution)
        u, v = fix_signs(clean_left @ inner.left, clean_right @ inner.right)
        readout = projector.right.erase_transposed(v)
        erased = (projector.left.lowered.T @ left) @ self.core @ (right.T @ readout)
        return Factors(u, inner.values, v, readout=readout, erased=np.asarray(erased, dtype=np.float64))


def _determined(rows: NDArray[np.float64], share: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the directions of an orthonormal basis that its rows at the landmarks determine, and their inverse.

    If the landmarks were a perfect sample, all singular values of the rows would be the square root of their share of
    the nodes. Directions with far smaller values would blow up in the least-squares solution.
    """
    left, values, right = np.linalg.svd(rows, full_matrices=False)
    kept = values > _LEAST_LEVERAGE * np.sqrt(share)
    return right[kept].T, left[:, kept] / values[kept]
