"""The difference between the graph and the null model, as a matrix, and its factors."""

from residuum.residual.exact import ExactResidual
from residuum.residual.krylov import Factors
from residuum.residual.landmark import LandmarkResult, factorise_by_landmarks
from residuum.residual.matrix import ResidualMatrix
from residuum.residual.newcomers import residual_rows_of_newcomers
from residuum.residual.solvers import SOLVERS, Solution, SolverOptions, choose_solver, solve

__all__ = [
    "SOLVERS",
    "ExactResidual",
    "Factors",
    "LandmarkResult",
    "ResidualMatrix",
    "Solution",
    "SolverOptions",
    "choose_solver",
    "factorise_by_landmarks",
    "residual_rows_of_newcomers",
    "solve",
]
