"""The solvers by name: from a residual matrix to its factors."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum._progress import ProgressCallback, Stage
from residuum._store import Store
from residuum.errors import NullModelError
from residuum.residual.block import BlockResidual, check_memory, missed_share
from residuum.residual.block_chain import BlockChain, choose_exact_steps
from residuum.residual.blocking import blocks_to_find, find_blocks
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

__all__ = ["EXACT_START_LANDMARKS", "SAMPLED_BY_BLOCKS", "SOLVERS", "Solution", "SolverOptions", "solve"]

SAMPLED_BY_BLOCKS = (
    "solver='block' needs a null model with groups or degrees (a block shape), and this one is sampled; "
    "take solver='landmark' or solver='exact'."
)
# The residual of the factors at which the exact solver stops; AUCs no longer move in the fourth digit.
_EXACT_TOLERANCE = 1e-2
# The block form is an approximation itself, so that its factors need not be closer than that.
_BLOCK_TOLERANCE = 3e-2
_BLOCK_START_ROUNDS = 2
# Exact columns that the block form is compared with.
_BLOCK_CHECKS = 16
# Landmarks for each vector of the start of the exact solver.
EXACT_START_LANDMARKS = 8


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
    n_blocks: int | None = None
    projector: Projector | None = None
    store: Store = field(default_factory=Store)


def solve(matrix: ResidualMatrix, solver: str, options: SolverOptions) -> Solution:
    """Return the leading factors of ``matrix`` by the solver of that name."""
    return SOLVERS[solver](matrix, options)


def _exact(matrix: ResidualMatrix, options: SolverOptions) -> Solution:
    operator = ExactResidual(matrix, options.memory_limit - _beside(matrix, options), options.progress)
    if is_small(matrix.n_nodes, options.n_components):
        factors = _dense_factors(operator, options)
    else:
        # Landmarks show where the leading factors lie; starting there saves passes over the matrix.
        start = options.store.once("start", lambda: _start(matrix, options))
        options.store.forget("columns")
        options.store.forget("rows")
        factors = _krylov_factors(operator, start, options, _EXACT_TOLERANCE)
    return Solution(factors, 0.0, {"passes": factors.passes, "tiles_kept": operator.kept_share})


def _start(matrix: ResidualMatrix, options: SolverOptions) -> NDArray[np.float32]:
    width = options.n_components + OVERSAMPLING
    return factorise_by_landmarks(
        matrix,
        width,
        n_landmarks=EXACT_START_LANDMARKS * width,
        tolerance=1.0,
        memory_limit=options.memory_limit,
        rng=options.rng,
        store=options.store,
        projector=options.projector,
    ).factors.left


def _block(matrix: ResidualMatrix, options: SolverOptions) -> Solution:
    if matrix.null.blocks is None:
        raise NullModelError(SAMPLED_BY_BLOCKS)
    probabilities, store = matrix.probabilities, options.store
    limit = options.memory_limit - _beside(matrix, options)
    wanted = blocks_to_find(matrix.null, options.n_blocks)
    check_memory(matrix, min(wanted, matrix.n_nodes), limit)
    finding, starting, checking = options.rng.spawn(3)
    stage = Stage("finding blocks", 1, options.progress)
    labels = store.once("labels", lambda: find_blocks(probabilities, matrix.null, wanted, finding))
    stage.finish()
    n_blocks = int(labels.max()) + 1
    chain = BlockChain(probabilities, labels, choose_exact_steps(probabilities, n_blocks))
    operator = BlockResidual(matrix, chain, limit, store, options.progress)
    details = {"n_blocks": n_blocks, "exact_steps": chain.exact_steps, "blocks_kept": operator.kept_share}
    error = missed_share(operator, _BLOCK_CHECKS, checking)
    if is_small(matrix.n_nodes, options.n_components):
        return Solution(_dense_factors(operator, options), error, details)
    width = options.n_components + OVERSAMPLING
    start = starting.standard_normal((matrix.n_nodes, width), dtype=np.float32)
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
        store=options.store,
        progress=options.progress,
        projector=options.projector,
    )
    return Solution(result.factors, result.error, {"n_landmarks": result.n_landmarks})


def _beside(matrix: ResidualMatrix, options: SolverOptions) -> int:
    """Return the bytes that the factorisation takes beside the operator."""
    if is_small(matrix.n_nodes, options.n_components):
        return 24 * matrix.n_nodes**2
    return krylov_bytes(matrix.n_nodes, options.n_components)


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
    projector, store = options.projector, options.store
    if projector is None:
        return factorise(operator, start, options.n_components, tolerance, store)
    erased = ErasedOperator(operator, projector, store)
    factors = factorise(erased, projector.left.erase(start), options.n_components, tolerance, store)
    factors.readout = projector.right.erase_transposed(factors.right)
    factors.erased = erased.erased_rows() @ factors.readout
    return factors


SOLVERS: dict[str, Callable[[ResidualMatrix, SolverOptions], Solution]] = {
    "exact": _exact,
    "landmark": _landmark,
    "block": _block,
}
