"""Solvers, which turn a residual matrix into node vectors, and their cost estimates."""

from residuum.solvers.base import Needs, Problem, Solver, Workspace
from residuum.solvers.block import Block
from residuum.solvers.exact import Exact
from residuum.solvers.guard import guarded, measured_errors
from residuum.solvers.landmark import Landmark
from residuum.solvers.likelihood import Likelihood
from residuum.solvers.plan import Estimate, choose_solver, plan, resolve_solver, solver_names
from residuum.solvers.skipgram import SkipGram
from residuum.solvers.solution import FactorSolution, Solution

__all__ = [
    "Block",
    "Estimate",
    "Exact",
    "FactorSolution",
    "Landmark",
    "Likelihood",
    "Needs",
    "Problem",
    "SkipGram",
    "Solution",
    "Solver",
    "Workspace",
    "choose_solver",
    "guarded",
    "measured_errors",
    "plan",
    "resolve_solver",
    "solver_names",
]
