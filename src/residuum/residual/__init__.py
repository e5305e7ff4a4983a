"""The difference between the graph and the null model, as a matrix, and its factors."""

from residuum.residual.erasure import Erasure, build_erasure
from residuum.residual.exact import ExactResidual
from residuum.residual.krylov import Factors
from residuum.residual.landmark import LandmarkResult, factorise_by_landmarks
from residuum.residual.matrix import ResidualMatrix
from residuum.residual.newcomers import residual_rows_of_newcomers
from residuum.residual.projector import Projector
from residuum.residual.planning import Estimate, Problem, choose_solver, estimate
from residuum.residual.solvers import SOLVERS, Solution, SolverOptions, solve

__all__ = [
    "SOLVERS",
    "Erasure",
    "Estimate",
    "ExactResidual",
    "Factors",
    "LandmarkResult",
    "Problem",
    "Projector",
    "ResidualMatrix",
    "Solution",
    "SolverOptions",
    "build_erasure",
    "choose_solver",
    "estimate",
    "factorise_by_landmarks",
    "residual_rows_of_newcomers",
    "solve",
]
