"""Cost estimates of the solvers, and the choice behind ``solver="auto"``."""

import itertools
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from residuum._discovery import classes_in
from residuum._memory import format_bytes
from residuum._validation import check_choice
from residuum.errors import InvalidParameterError, MemoryLimitError
from residuum.solvers.base import FITTED_THREADS, Problem, Solver

__all__ = ["Estimate", "choose_solver", "plan", "resolve_solver", "solver_names"]

# A solver that needs at most this many seconds on two threads is preferred to less exact ones; the number of threads
# does not change the choice.
_ALWAYS_QUICK = 0.25
# The same for a solver with better vectors, whatever the others take.
_QUICK_FOR_BETTER = 10.0


@dataclass(frozen=True)
class Estimate:
    """Estimated cost of a solver.

    Attributes
    ----------
    solver : str
        Name of the solver.
    seconds : float
        Run time.
    bytes : int
        Peak memory, excluding the graph.
    possible : bool
        Whether the memory limit and the null model allow it.
    chosen : bool
        Whether ``solver="auto"`` chooses it.

    Examples
    --------
    >>> print(Estimate("exact", seconds=2.5, bytes=3 << 20, possible=True))
    exact solver: about 2.5 s and 3.0 MiB in addition to the graph
    """

    solver: str
    seconds: float
    bytes: int
    possible: bool
    chosen: bool = False

    def __str__(self) -> str:
        return (
            f"{self.solver} solver: about {self.seconds:.1f} s and {format_bytes(self.bytes)} in addition to the graph"
        )


@cache
def _classes() -> dict[str, type[Solver]]:
    """Return the solver classes by name, sorted by exactness."""
    classes = sorted(
        classes_in("residuum.solvers", "name"), key=lambda kind: (kind.exactness is None, kind.exactness or 0)
    )
    return {kind.name: kind for kind in classes}


def solver_names() -> list[str]:
    """Return the names of the solvers.

    Returns
    -------
    list of str
        Names, from the most to the least exact solver.

    Examples
    --------
    >>> solver_names()
    ['exact', 'landmark', 'block', 'likelihood', 'skipgram']
    """
    return list(_classes())


def resolve_solver(solver: Any) -> Solver | None:
    """Resolve the parameter ``solver``.

    Parameters
    ----------
    solver : str or Solver
        ``"auto"``, the name of a solver, or a solver object.

    Returns
    -------
    Solver or None
        The solver, with default parameters if it is named; None for ``"auto"``.

    Raises
    ------
    InvalidParameterError
        If no solver has this name.

    Examples
    --------
    >>> resolve_solver("landmark")
    Landmark(n_landmarks=None, tolerance=0.3, all_columns=False)
    """
    if isinstance(solver, Solver):
        return solver
    if not isinstance(solver, str):
        raise InvalidParameterError(
            f"solver must be 'auto', the name of a solver, or a solver object such as Landmark(); got {solver!r}."
        )
    check_choice("solver", solver, ["auto", *_classes()])
    return None if solver == "auto" else _classes()[solver]()


def plan(problem: Problem, solvers: list[Solver] | None = None) -> list[Estimate]:
    """Estimate the cost of each solver.

    Parameters
    ----------
    problem : Problem
        Sizes of the run.
    solvers : list of Solver, optional
        Solvers to compare, from the most to the least exact; by default all, with default parameters.

    Returns
    -------
    list of Estimate
        One estimate per solver; at most one is chosen.

    Examples
    --------
    >>> problem = Problem(80_000, 2_000_000, 64, 10, symmetric=True, memory_limit=8 << 30)
    >>> [estimate.solver for estimate in plan(problem) if estimate.chosen]
    ['landmark']
    """
    candidates = [kind.candidate() for kind in _classes().values()] if solvers is None else solvers
    estimates = []
    for solver in candidates:
        needs = solver.bytes(problem)
        possible = needs.least <= problem.memory_limit and solver.refusal(problem) is None
        estimates.append(Estimate(solver.name, solver.seconds(problem), needs.within(problem.memory_limit), possible))
    chosen = _choice(problem, candidates, estimates)
    return [replace(estimate, chosen=number == chosen) for number, estimate in enumerate(estimates)]


def _choice(problem: Problem, solvers: list[Solver], estimates: list[Estimate]) -> int | None:
    """Return the position of the chosen solver: the most exact one, or a better one, that is not much slower."""
    quick = _ALWAYS_QUICK * FITTED_THREADS / problem.threads
    chosen = _most_exact(solvers, estimates, quick)
    for number, (solver, estimate) in enumerate(zip(solvers, estimates, strict=True)):
        if chosen is None or not estimate.possible or not solver.is_better(problem):
            continue
        quick = _QUICK_FOR_BETTER * FITTED_THREADS / problem.threads
        if estimate.seconds <= max(quick, solver.patience * estimates[chosen].seconds):
            return number
    return chosen


def _most_exact(solvers: list[Solver], estimates: list[Estimate], quick: float) -> int | None:
    """Return the position of the most exact solver that is not disproportionately slow; None if none is possible."""
    possible = [
        (number, solver, estimate.seconds)
        for number, (solver, estimate) in enumerate(zip(solvers, estimates, strict=True))
        if estimate.possible and solver.exactness is not None
    ]
    for (number, solver, seconds), (_, _, next_seconds) in itertools.pairwise(possible):
        if seconds <= max(quick, solver.patience * next_seconds):
            return number
    return possible[-1][0] if possible else None


def choose_solver(problem: Problem) -> tuple[Solver, Estimate]:
    """Choose the solver for ``solver="auto"``.

    Parameters
    ----------
    problem : Problem
        Sizes of the run.

    Returns
    -------
    solver : Solver
        The chosen solver, with default parameters.
    estimate : Estimate
        Its cost.

    Raises
    ------
    MemoryLimitError
        If no solver fits the memory limit.

    Examples
    --------
    >>> problem = Problem(80_000, 2_000_000, 64, 10, symmetric=True, memory_limit=8 << 30)
    >>> choose_solver(problem)[0].name
    'landmark'
    """
    estimates = plan(problem)
    for estimate, kind in zip(estimates, _classes().values(), strict=True):
        if estimate.chosen:
            return kind.candidate(), estimate
    smallest = min(
        (estimate for estimate, kind in zip(estimates, _classes().values(), strict=True) if kind.exactness is not None),
        key=lambda estimate: estimate.bytes,
    )
    raise MemoryLimitError(
        f"no solver fits memory_limit, which is {format_bytes(problem.memory_limit)}; for {problem.n_nodes:,} nodes "
        f"and {problem.n_components} dimensions, the {smallest.solver} solver needs the least memory, "
        f"{format_bytes(smallest.bytes)}. Increase memory_limit or reduce n_components."
    )
