"""The solvers by name: from a residual matrix to its factors."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum._progress import ProgressCallback
from residuum.errors import NullModelError
from residuum.graph import Graph
from residuum.residual.block import BlockResidual, missed_share
from residuum.residual.block_chain import BlockChain, choose_exact_steps
from residuum.residual.blocking import find_blocks
from residuum.residual.exact import ExactResidual
from residuum.residual.krylov import (
    OVERSAMPLING,
    Factors,
    factorise,
    factorise_dense,
    is_small,
    krylov_bytes,
    orthonormal,
)
from residuum.residual.landmark import factorise_by_landmarks
from residuum.residual.matrix import ResidualMatrix
from residuum.residual.projector import ErasedOperator, Projector

__all__ = ["SAMPLED_BY_BLOCKS", "SOLVERS", "Solution", "SolverOptions", "choose_solver", "solve"]

SAMPLED_BY_BLOCKS = (
    "solver='block' needs a null model with groups or degrees (a block shape), and this one is sampled; "
    "take solver='landmark' or solver='exact'."
)
# Multiply-adds of the exact solver up to which "auto" takes it: about half a second on two cores.
_EXACT_WORK = 2e9
# The residual of the factors at which the exact solver stops; AUCs no longer move in the fourth digit.
_EXACT_TOLERANCE = 1e-2
# The block form is an approximation itself, so that its factors need not be closer than that.
_BLOCK_TOLERANCE = 3e-2
_BLOCK_START_ROUNDS = 2
# Exact columns that the block form is compared with.
_BLOCK_CHECKS = 16
# Landmarks for each vector of the start of the exact solver.
_START_LANDMARKS = 8


@dataclass
class Solution:
    """Factors and what is to be said about them.

    Attributes
    ----------
    factors : Factors
    error : float
        The part of ‖R̃‖ by which the factors may be worse than the best ones of their rank; for blocks, the part of R̃
        itself that the block form misses, most of which is noise to the factors.
    details : dict
        What the solver did: passes, landmarks, share of tiles kept.
    """

    factors: Factors
    error: float
    details: dict[str, Any]


@dataclass(frozen=True)
class SolverOptions:
    """What a solver may use."""

    n_components: int
    n_landmarks: int | None
    tolerance: float
    memory_limit: int
    rng: np.random.Generator
    progress: ProgressCallback | None
    n_blocks: int = 1000
    projector: Projector | None = None


def choose_solver(graph: Graph, window: int, memory_limit: int) -> str:
    """Return the solver that ``"auto"`` stands for: exact where it is quick and its tiles fit, else landmarks."""
    work = float(window) * graph.adjacency.nnz * graph.n_nodes
    fits = 4 * graph.n_nodes**2 < memory_limit / 2
    return "exact" if work <= _EXACT_WORK and fits else "landmark"


def solve(matrix: ResidualMatrix, solver: str, options: SolverOptions) -> Solution:
    """Return the leading factors of ``matrix`` by the solver of that name."""
    return SOLVERS[solver](matrix, options)


def _exact(matrix: ResidualMatrix, options: SolverOptions) -> Solution:
    n_components = options.n_components
    small = is_small(matrix.n_nodes, n_components)
    beside = 24 * matrix.n_nodes**2 if small else krylov_bytes(matrix.n_nodes, n_components)
    operator = ExactResidual(matrix, options.memory_limit - beside, options.progress)
    if small:
        factors = _dense_factors(operator, options)
    else:
        width = n_components + OVERSAMPLING
        # Landmarks show where the leading factors lie; starting there saves passes over the matrix.
        start = factorise_by_landmarks(
            matrix,
            width,
            n_landmarks=_START_LANDMARKS * width,
            tolerance=1.0,
            memory_limit=options.memory_limit,
            rng=options.rng,
            projector=options.projector,
        )
        factors = _krylov_factors(operator, start.factors.left, options, _EXACT_TOLERANCE)
    return Solution(factors, 0.0, {"passes": factors.passes, "tiles_kept": operator.kept_share})


def _dense_factors(operator: ExactResidual | BlockResidual, options: SolverOptions) -> Factors:
    """Return the factors of a small matrix, of which the whole is at hand."""
    projector = options.projector
    dense = operator.matmat(np.eye(operator.shape[0], dtype=np.float32))
    cleaned = dense if projector is None else projector.clean(dense)
    factors = factorise_dense(cleaned, options.n_components, operator.symmetric)
    if projector is not None:
        factors.readout = projector.right.erase_transposed(factors.right)
        factors.erased = projector.left.lowered.T @ dense @ factors.readout
    return factors


def _krylov_factors(
    operator: ExactResidual | BlockResidual, start: NDArray[np.float32], options: SolverOptions, tolerance: float
) -> Factors:
    projector = options.projector
    if projector is None:
        return factorise(operator, start, options.n_components, tolerance)
    erased = ErasedOperator(operator, projector)
    factors = factorise(erased, projector.left.erase(start), options.n_components, tolerance)
    factors.readout = projector.right.erase_transposed(factors.right)
    factors.erased = erased.erased_rows() @ factors.readout
    return factors


def _block(matrix: ResidualMatrix, options: SolverOptions) -> Solution:
    if matrix.null.blocks is None:
        raise NullModelError(SAMPLED_BY_BLOCKS)
    probabilities, n_components = matrix.probabilities, options.n_components
    small = is_small(matrix.n_nodes, n_components)
    beside = 24 * matrix.n_nodes**2 if small else krylov_bytes(matrix.n_nodes, n_components)
    labels = find_blocks(probabilities, matrix.null, options.n_blocks, options.rng)
    n_blocks = int(labels.max()) + 1
    chain = BlockChain(probabilities, labels, choose_exact_steps(probabilities, n_blocks))
    operator = BlockResidual(matrix, chain, options.memory_limit - beside, options.progress)
    details = {"n_blocks": n_blocks, "exact_steps": chain.exact_steps, "blocks_kept": operator.kept_share}
    error = missed_share(operator, _BLOCK_CHECKS, options.rng)
    if small:
        return Solution(_dense_factors(operator, options), error, details)
    start = options.rng.standard_normal((matrix.n_nodes, n_components + OVERSAMPLING), dtype=np.float32)
    for _ in range(_BLOCK_START_ROUNDS):
        # H̃ alone shows where the leading factors lie, without a pass over the edges.
        start = orthonormal(operator.block_part(start, forward=True, backward=True))
    factors = _krylov_factors(operator, start, options, _BLOCK_TOLERANCE)
    return Solution(factors, error, details | {"passes": factors.passes})


def _landmark(matrix: ResidualMatrix, options: SolverOptions) -> Solution:
    result = factorise_by_landmarks(
        matrix,
        options.n_components,
        n_landmarks=options.n_landmarks,
        tolerance=options.tolerance,
        memory_limit=options.memory_limit,
        rng=options.rng,
        progress=options.progress,
        projector=options.projector,
    )
    return Solution(result.factors, result.error, {"n_landmarks": result.n_landmarks})


SOLVERS: dict[str, Callable[[ResidualMatrix, SolverOptions], Solution]] = {
    "exact": _exact,
    "landmark": _landmark,
    "block": _block,
}
