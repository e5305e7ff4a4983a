"""Checks of a solution against exact rows of the matrix, and the fallback of a solver that fails."""

import warnings
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from residuum._progress import Stage
from residuum.errors import ResiduumWarning
from residuum.residual import Factors
from residuum.residual.linalg import tall_product
from residuum.solvers.base import Problem, Solver, Workspace
from residuum.solvers.plan import plan, resolve_solver
from residuum.solvers.solution import FactorSolution, Solution

__all__ = ["guarded", "measured_errors"]

# A check fails if it measures more than this many times the reported error, plus the allowance.
_MARGIN, _ALLOWANCE = 3.0, 0.05
# Another solver is affordable if it takes at most this many seconds, or this many times as long.
_SECONDS, _TIMES = 120.0, 4.0
# Columns of the sampled rows that are compared at once.
_COLUMNS_AT_ONCE = 1 << 18
# Stages of a solver that another solver must not read.
_STAGES = ("columns", "rows", "level", "start", "pass", "erased", "labels", "clusters", "corrections")


def measured_errors(solution: FactorSolution) -> tuple[float, float | None]:
    """Compare factors with a few exact rows H of the matrix, the same for every solution of a matrix.

    Parameters
    ----------
    solution : FactorSolution
        Factors ``Φ_l diag(σ) Φ_rᵀ`` of a matrix R̃.

    Returns
    -------
    projection : float
        ``‖R̃_H Φ_r − Φ_l,H diag(σ)‖``, relative to the variation of ``R̃_H Φ_r``, or of the factors if that is larger: 0
        for exact factors of any rank.
    rest : float or None
        ``‖R̃_H − Φ_l,H diag(σ) Φ_rᵀ‖``, relative to the variation of ``R̃_H``; None if attributes are erased. The
        variation is the norm without the common level.

    Examples
    --------
    >>> from residuum import datasets
    >>> from residuum.nulls import Configuration
    >>> from residuum.residual import ResidualMatrix
    >>> from residuum.solvers import Exact, Workspace
    >>> from residuum.walks import WindowProbabilities
    >>> graph = datasets.karate_club()
    >>> matrix = ResidualMatrix(WindowProbabilities(graph, 5), Configuration().fit(graph, 5), floor=-1.0)
    >>> solution = Exact().solve(matrix, 4, Workspace(1 << 30, np.random.default_rng(0)))
    >>> projection, rest = measured_errors(solution)
    >>> projection < 1e-5, round(rest, 1)
    (True, 0.2)
    """
    matrix, factors = solution.matrix, solution.factors
    nodes, rows = matrix.sampled_rows
    down, across = matrix.row_scale[nodes].astype(np.float64), matrix.column_scale.astype(np.float64)
    readout = factors.right if factors.readout is None else factors.readout
    images = tall_product(rows.T, readout)
    if matrix.projector is not None and factors.erased is not None:
        images = images - matrix.projector.left.raised[nodes] @ factors.erased
    fitted = factors.left[nodes] * factors.values
    usual = _captured(factors, matrix.row_scale, across) * np.sum(down**2) / np.sum(matrix.row_scale.astype(float) ** 2)
    projection = _Share().add(images - fitted, images, np.outer(down, _sums(across, readout))).value(usual)
    if matrix.projector is not None:
        return projection, None
    rest = _Share()
    for begin in range(0, matrix.n_nodes, _COLUMNS_AT_ONCE):
        part = slice(begin, begin + _COLUMNS_AT_ONCE)
        some = rows[:, part].astype(np.float64)
        rest.add(some - fitted @ factors.right[part].T, some, np.outer(down, across[part]))
    return projection, rest.value()


def _captured(factors: Factors, row_scale: NDArray[np.float32], across: NDArray[np.float64]) -> float:
    """Return the squared norm of the factors without the common level."""
    down = row_scale.astype(np.float64)
    along = float((_sums(down, factors.left) * factors.values) @ _sums(across, factors.right))
    return float(factors.values @ factors.values) - along**2 / float((down @ down) * (across @ across))


def _sums(weights: NDArray[np.float64], X: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return ``wᵀX`` in float64, without a copy of X in float64."""
    return np.asarray(tall_product(weights[:, None], X)[0])


@dataclass
class _Share:
    """``‖difference‖ / min_c ‖whole − c level‖``, from parts of the three matrices."""

    missed: float = 0.0
    total: float = 0.0
    constant: float = 0.0
    common: float = 0.0

    def add(self, difference: NDArray[np.float64], whole: NDArray[np.float64], level: NDArray[np.float64]) -> "_Share":
        """Add the same part of each matrix."""
        self.missed += float(np.sum(difference**2))
        self.total += float(np.sum(whole**2))
        self.constant += float(np.sum(level**2))
        self.common += float(np.sum(whole * level))
        return self

    def value(self, usual: float = 0.0) -> float:
        """Return the share; 0 if both norms are within rounding error.

        The squared divisor is at least ``usual``, because vectors on a few nodes are almost zero in the sampled rows.
        """
        overlap = self.common**2 / self.constant if self.constant > 0 else 0.0
        rounding = 1e-10 * max(self.total, self.constant)
        variation = max(self.total - overlap, rounding, usual)
        if self.missed <= rounding:
            return 0.0
        return float(np.sqrt(self.missed / variation)) if variation > 0 else float("inf")


def guarded(solver: Solver, solution: Solution, problem: Problem, work: Workspace) -> tuple[Solver, Solution]:
    """Check a solution, and replace it by that of another solver if its error is above the limit of its solver.

    Parameters
    ----------
    solver : Solver
        Solver of the solution.
    solution : Solution
        Solution to check; only those by factors are.
    problem : Problem
        Sizes of the run, which decide whether another solver is affordable.
    work : Workspace
        Resources of the other solver.

    Returns
    -------
    solver, solution : Solver and Solution
        The solution, or a better one, with the measured error among its details.

    Warns
    -----
    ResiduumWarning
        If another solver was used, if none was affordable, or if the factors miss the exact rows by more than the
        reported error.

    Examples
    --------
    >>> from residuum import datasets
    >>> from residuum.nulls import Configuration
    >>> from residuum.residual import ResidualMatrix
    >>> from residuum.solvers import Exact
    >>> from residuum.walks import WindowProbabilities
    >>> graph = datasets.karate_club()
    >>> matrix = ResidualMatrix(WindowProbabilities(graph, 5), Configuration().fit(graph, 5), floor=-1.0)
    >>> work = Workspace(1 << 30, np.random.default_rng(0))
    >>> problem = Problem.of(matrix, 4, work.memory_limit)
    >>> solver, solution = guarded(Exact(), Exact().solve(matrix, 4, work), problem, work)
    >>> solver.name, solution.details["check"] < 1e-5
    ('exact', True)
    """
    if not isinstance(solution, FactorSolution) or solution.is_refined:
        return solver, solution
    stage = Stage("check", 1, work.progress)
    projection, rest = measured_errors(solution)
    if solution.error > solver.error_limit or (_lacks_rank(solution, rest, _ALLOWANCE) and solver.error_limit < np.inf):
        solver, solution = _better(solver, solution, problem, work)
        projection, rest = measured_errors(solution)
    stage.finish()
    allowed = _MARGIN * solution.error + _ALLOWANCE
    if not projection <= allowed or _lacks_rank(solution, rest, allowed):
        measured = projection if projection > allowed or rest is None else rest
        warnings.warn(
            f"the factors of the {solver.name} solver miss sampled rows of the matrix by {measured:.2g} of their "
            f"variation, more than the reported error of {solution.error:.2g} explains; do not rely on these vectors. "
            "Use solver='exact', or report the graph and the parameters.",
            ResiduumWarning,
            stacklevel=4,
        )
    return solver, replace(solution, details=solution.details | {"check": round(projection, 6)})


def _lacks_rank(solution: FactorSolution, rest: float | None, allowed: float) -> bool:
    """Return whether some dimensions are zero although the others do not reproduce the matrix."""
    return rest is not None and rest > allowed and not bool((solution.factors.values > 0).all())


def _better(
    solver: Solver, solution: FactorSolution, problem: Problem, work: Workspace
) -> tuple[Solver, FactorSolution]:
    """Return the solution of another affordable solver if it is better, and warn in any case."""
    rank = int(np.count_nonzero(solution.factors.values))
    found = (
        f"the {solver.name} solver has an error of {solution.error:.2g} and finds {rank} of {problem.n_components} "
        "dimensions"
    )
    other = _affordable(solver, problem)
    if other is None:
        message = f"{found}, and no other solver is affordable; {_remedy(problem)}"
    else:
        for name in _STAGES:
            work.store.forget(name)
        second = other.solve(solution.matrix, problem.n_components, work)
        assert isinstance(second, FactorSolution)
        if other.exactness == 0 or _fits_better(second, solution):
            message = f"{found}; the {other.name} solver is used instead, with an error of {second.error:.2g}."
            solver, solution = other, second
        else:
            message = f"{found}, and the {other.name} solver is worse; {_remedy(problem)}"
    warnings.warn(message, ResiduumWarning, stacklevel=5)
    return solver, solution


def _fits_better(second: FactorSolution, first: FactorSolution) -> bool:
    """Return whether a solution reproduces sampled rows better than another; if erased, whether its error is lower."""
    (_, rest), (_, first_rest) = measured_errors(second), measured_errors(first)
    return second.error < first.error if rest is None or first_rest is None else rest < first_rest


def _remedy(problem: Problem) -> str:
    """Return what to do about a solution that no affordable solver improves, with the cost of the exact one."""
    exact = next((estimate for estimate in plan(problem) if estimate.solver == "exact" and estimate.possible), None)
    cost = "" if exact is None else f", or solver='exact' (about {_duration(exact.seconds)})"
    return f"its vectors are kept. Use a longer window or more landmarks{cost}."


def _duration(seconds: float) -> str:
    return f"{seconds / 3600:.1f} hours" if seconds >= 3600 else f"{seconds / 60:.0f} minutes"


def _affordable(solver: Solver, problem: Problem) -> Solver | None:
    """Return the most exact other solver that fits the memory limit and is not disproportionately slow."""
    limit = max(_SECONDS, _TIMES * solver.seconds(problem))
    for estimate in plan(problem):
        other = resolve_solver(estimate.solver)
        if other is None or other.exactness is None or other.name == solver.name:
            continue
        if estimate.possible and estimate.seconds <= limit:
            return other
    return None
