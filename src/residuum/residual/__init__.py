"""The difference between the graph and the null model, as a matrix, and its factors."""

from residuum.residual.exact import ExactResidual
from residuum.residual.krylov import Factors, factorise
from residuum.residual.landmark import LandmarkResult, factorise_by_landmarks
from residuum.residual.matrix import ResidualMatrix

__all__ = [
    "ExactResidual",
    "Factors",
    "LandmarkResult",
    "ResidualMatrix",
    "factorise",
    "factorise_by_landmarks",
]
