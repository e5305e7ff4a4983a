"""The landmark solver: low-rank factors from a sample of exact columns (and rows) of the matrix."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from residuum._progress import Stage
from residuum._threads import n_threads
from residuum._validation import check_integer, check_real
from residuum.errors import InvalidParameterError
from residuum.residual import Factors, Projector, ResidualMatrix, working_bytes
from residuum.residual.linalg import factorize_dense, fix_signs, leading_eigenpairs, qr
from residuum.residual.tiles import NARROWEST_TILE
from residuum.solvers.base import MeasuredSolver, Needs, Problem, Workspace
from residuum.solvers.sketch import Sketch
from residuum.solvers.solution import FactorSolution

__all__ = ["Landmark", "landmark_factors"]

_HELD_OUT = 128
_FIRST_LANDMARKS = 512
# Minimum number of landmarks per dimension; with fewer, the core is ill-conditioned.
_LANDMARKS_PER_DIMENSION = 6
# Landmarks per square root of the number of nodes; large graphs have more communities to sample.
_LANDMARKS_PER_ROOT = 4
_MOST_BY_SIZE = 1200
# Number of landmarks at which doubling stops.
_MOST_LANDMARKS = 4096
# Bytes per pair of landmarks: two copies of the Gram matrix in float64 while it grows, and the fits.
_GRAM_BYTES = 24


@dataclass(frozen=True)
class Landmark(MeasuredSolver):
    """Exact columns at sampled nodes, a basis of their range, and a least-squares core.

    The default beyond a few thousand nodes. The run time grows as ``T · nnz · m`` for m landmarks, and the error
    compared with the exact factors is estimated.

    Parameters
    ----------
    n_landmarks : int, optional
        Number of landmarks, at least the number of dimensions. By default it is doubled until ``tolerance`` is met.
    tolerance : float, default 0.16
        Value of ``approximation_error_`` at which the solver stops adding landmarks, up to 4,096.

    Examples
    --------
    >>> from residuum import Residual2Vec, datasets
    >>> model = Residual2Vec(8, solver=Landmark(n_landmarks=100), random_state=0)
    >>> model.fit(datasets.planted_groups(300, 3, random_state=0)).solver_details_
    {'n_landmarks': 100}
    """

    name: ClassVar[str] = "landmark"
    exactness: ClassVar[int] = 1
    patience: ClassVar[float] = 1.4
    coefficients: ClassVar[tuple[float, ...]] = (0.22, 6e-11, 0, 3.2e-11)

    n_landmarks: int | None = None
    tolerance: float = 0.16

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
        self.check_memory(Problem.of(matrix, n_components, work.memory_limit))
        result = landmark_factors(matrix, n_components, self.n_landmarks, self.tolerance, work)
        return FactorSolution(matrix, result.factors, result.error, {"n_landmarks": result.n_landmarks})

    def bytes(self, problem: Problem) -> Needs:
        """Estimate the memory of one tile, the factors and the Gram matrix; the maximum keeps all columns."""
        landmarks = self._landmarks(problem)
        fixed = 4 * problem.n_components * problem.column_bytes + _GRAM_BYTES * landmarks**2
        narrow, wide = problem.tile_bytes
        return Needs(fixed + narrow, fixed + wide + problem.column_bytes * landmarks * problem.sides)

    def features(self, problem: Problem) -> NDArray[np.float64]:
        """Return 1, the multiply-adds of sparse products, the entries of the columns, and Gram multiply-adds."""
        columns = problem.sides * self._landmarks(problem)
        work = float(problem.window) * problem.n_entries * columns * problem.gathering
        return np.array([1.0, work, float(problem.n_nodes) * columns, float(problem.n_nodes) * columns**2])

    def _landmarks(self, problem: Problem) -> int:
        """Return the fixed or initial number of landmarks."""
        return min(self.n_landmarks or _first_landmarks(problem.n_nodes, problem.n_components), problem.n_nodes)


@dataclass(frozen=True)
class LandmarkResult:
    """Factors from landmarks and their estimated error.

    Attributes
    ----------
    factors : Factors
        Leading factors on all nodes.
    n_landmarks : int
        Number of exact columns, and of exact rows if R̃ is not symmetric.
    error : float
        Estimated loss compared with the exact factors, relative to the variation of R̃; see :func:`landmark_factors`.
    """

    factors: Factors
    n_landmarks: int
    error: float


def landmark_factors(
    matrix: ResidualMatrix, n_components: int, n_landmarks: int | None, tolerance: float, work: Workspace
) -> LandmarkResult:
    """Return the leading factors of ``R̃`` from exact columns ``C = R̃[:, L]`` (and rows) at landmarks L.

    With a basis Q of the range of C, the core M solves ``C ≈ Q M Q_Lᵀ`` by least squares, and ``R̃ ≈ Q M Qᵀ``. If the
    matrix is not symmetric, the left basis comes from columns, the right basis from rows, and the core from both.

    The error is estimated on held-out columns H. With ``e`` the error of rank-K factors on H, relative to the norm of
    these columns after subtracting their common level,
    ``error² = e(factors from L without H)² − e(factors from L and H)²``. The factors of the full matrix lie between the
    two, so the difference estimates the loss due to landmarks. While it exceeds ``tolerance``, the number of landmarks
    is doubled. The returned factors use L and H.

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
    fixed = 4 * 4 * matrix.n_nodes * n_components
    columns_budget = max(work.memory_limit - fixed, 0)
    width = int(
        np.clip(
            (columns_budget // 2) // working_bytes(matrix.n_nodes, 1, n_threads()),
            NARROWEST_TILE,
            matrix.probabilities.tile_width,
        )
    )
    budget = max(columns_budget - working_bytes(matrix.n_nodes, width, n_threads()), 0) // (
        1 if matrix.symmetric else 2
    )
    columns = Sketch(matrix, "columns", work, budget, width)
    sketches = [columns] if matrix.symmetric else [columns, Sketch(matrix, "rows", work, budget, width)]
    most = min(sketch.n_candidates for sketch in sketches)
    if n_landmarks is None:
        by_memory = int(np.sqrt(columns_budget / _GRAM_BYTES))
        first = _first_landmarks(matrix.n_nodes, n_components)
        most = min(most, max(min(_MOST_LANDMARKS, by_memory), _LANDMARKS_PER_DIMENSION * n_components, first))
    wanted = n_landmarks or _first_landmarks(matrix.n_nodes, n_components)
    while True:
        wanted = min(wanted, most)
        stage = Stage(f"{wanted} landmark columns", wanted - columns.size, work.progress)
        for sketch in sketches:
            sketch.grow(wanted, stage if sketch is columns else None)
        fit = _Fit(sketches, columns.size, n_components)
        error = _held_out_error(fit, sketches, n_components)
        if error <= tolerance or wanted == most or n_landmarks is not None:
            break
        wanted *= 2
    stage = Stage("factors", 1, work.progress)
    factors = fit.factors() if matrix.projector is None else fit.erased_factors(matrix.projector, n_components)
    stage.finish()
    return LandmarkResult(factors, columns.size, error)


def _first_landmarks(n_nodes: int, n_components: int) -> int:
    """Return the initial number of landmarks, by dimensions and graph size, plus the held-out columns."""
    by_size = min(int(_LANDMARKS_PER_ROOT * np.sqrt(n_nodes)), _MOST_BY_SIZE)
    return max(_FIRST_LANDMARKS, _LANDMARKS_PER_DIMENSION * n_components, by_size) + _HELD_OUT


def _held_out_error(fit: "_Fit", sketches: list[Sketch], n_components: int) -> float:
    """Return the loss on the last columns when these are held out of the fit."""
    size = fit.size
    seen = size - min(_HELD_OUT, size // 4)
    if seen <= n_components or size >= sketches[0].n_candidates:
        return 0.0
    held_out = slice(seen, size)
    without = _Fit(sketches, seen, n_components).relative_error(held_out)
    return float(np.sqrt(max(without**2 - fit.relative_error(held_out) ** 2, 0.0)))


class _Fit:
    """``R̃ ≈ (C B_l Z_l) diag(values) (C' B_r Z_r)ᵀ`` from the first ``size`` columns of each sketch.

    All arrays have the size of the landmarks, except in :meth:`factors` and :meth:`erased_factors`.
    """

    def __init__(self, sketches: list[Sketch], size: int, n_components: int) -> None:
        self.left, self.right = sketches[0], sketches[-1]
        self.size = size
        self.symmetric = len(sketches) == 1
        rank = max(min(max(2 * n_components, n_components + 32), size // 3), min(n_components, size))
        left_basis = self.left.basis(size, rank)
        right_basis = left_basis if self.symmetric else self.right.basis(size, rank)
        core = self._core(left_basis, right_basis)
        self.left_basis, self.right_basis, self.core = left_basis, right_basis, core
        if self.symmetric:
            self.values, self.signs, Z = leading_eigenpairs(core, n_components)
            self.left_map = left_basis @ Z
            self.right_map = self.left_map * self.signs
        else:
            Z_left, values, Z_right = np.linalg.svd(core)
            self.values = values[:n_components]
            self.left_map = left_basis @ Z_left[:, :n_components]
            self.right_map = right_basis @ Z_right[:n_components].T

    def _core(self, left_basis: NDArray[np.float64], right_basis: NDArray[np.float64]) -> NDArray[np.float64]:
        """Solve ``C ≈ Q_l M Q_rᵀ`` on the columns and on the rows, and return the mean."""
        size = self.size
        at_columns = self.right.at(self.left.nodes[:size], size) @ right_basis
        from_columns = np.linalg.lstsq(at_columns, self.left.gram[:size, :size] @ left_basis, rcond=None)[0].T
        if self.symmetric:
            return np.asarray(from_columns, dtype=np.float64)
        at_rows = self.left.at(self.right.nodes[:size], size) @ left_basis
        from_rows = np.linalg.lstsq(at_rows, self.right.gram[:size, :size] @ right_basis, rcond=None)[0]
        return np.asarray((from_columns + from_rows) / 2, dtype=np.float64)

    def relative_error(self, which: slice) -> float:
        """Return ``‖C − left diag(values) right[L]ᵀ‖`` of consecutive columns, relative to their variation."""
        right = self.right.at(self.left.nodes[which], self.size) @ self.right_map * self.values
        image = self.left.gram[which, : self.size] @ self.left_map
        total = float(np.trace(self.left.gram[which, which]))
        squared = total - 2.0 * float(np.sum(image * right)) + float(np.sum(right * right))
        return float(np.sqrt(max(squared, 0.0) / self.left.variation(which)))

    def factors(self) -> Factors:
        """Return the factors on all nodes."""
        left = self.left.combine(self.left_map)
        right = left * self.signs.astype(np.float32) if self.symmetric else self.right.combine(self.right_map)
        left, right = fix_signs(left, right)
        return Factors(left, self.values, right)

    def erased_factors(self, projector: Projector, n_components: int) -> Factors:
        """Return the factors of ``E_l Q_l M Q_rᵀ E_rᵀ`` on all nodes."""
        core = (self.core + self.core.T) / 2 if self.symmetric else self.core
        left = self.left.combine(self.left_basis)
        right = left if self.symmetric else self.right.combine(self.right_basis)
        clean_left, left_map = qr(projector.left.erase(left))
        clean_right, right_map = (clean_left, left_map) if self.symmetric else qr(projector.right.erase(right))
        inner = factorize_dense(left_map @ core @ right_map.T, n_components, self.symmetric)
        u, v = fix_signs(clean_left @ inner.left, clean_right @ inner.right)
        readout = projector.right.erase_transposed(v)
        erased = (projector.left.lowered.T @ left) @ core @ (right.T @ readout)
        return Factors(u, inner.values, v, readout=readout, erased=np.asarray(erased, dtype=np.float64))
