"""The difference between the graph and the null model, as a matrix, and its factors."""

from residuum.residual.block import BlockResidual
from residuum.residual.block_chain import BlockChain
from residuum.residual.blocking import blocks_to_find, find_blocks
from residuum.residual.erasure import Erasure, build_erasure
from residuum.residual.exact import ExactResidual
from residuum.residual.krylov import Factors
from residuum.residual.landmark import LandmarkResult, factorise_by_landmarks
from residuum.residual.matrix import ResidualMatrix, unscaled
from residuum.residual.newcomers import Newcomers, ProjectedNewcomers, RefinedNewcomers
from residuum.residual.planning import Estimate, Problem, estimate, problem_of
from residuum.residual.projector import Projector
from residuum.residual.refinement import refine, refinement_bytes
from residuum.residual.solvers import SAMPLED_BY_BLOCKS, SOLVERS, Solution, SolverOptions, solve
from residuum.residual.spectrum import reweighted

__all__ = [
    "SAMPLED_BY_BLOCKS",
    "SOLVERS",
    "BlockChain",
    "BlockResidual",
    "Erasure",
    "Estimate",
    "ExactResidual",
    "Factors",
    "LandmarkResult",
    "Newcomers",
    "Problem",
    "ProjectedNewcomers",
    "Projector",
    "RefinedNewcomers",
    "ResidualMatrix",
    "Solution",
    "SolverOptions",
    "blocks_to_find",
    "build_erasure",
    "estimate",
    "factorise_by_landmarks",
    "find_blocks",
    "problem_of",
    "refine",
    "refinement_bytes",
    "reweighted",
    "solve",
    "unscaled",
]
