"""The solvers by name: from a residual matrix to its factors."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum._progress import ProgressCallback
from residuum._store import Store
from residuum.residual.exact import ExactResidual
from residuum.residual.krylov import (
    OVERSAMPLING,
    Factors,
    factorise,
    factorise_dense,
    is_small,
    krylov_bytes,
)
from residuum.residual.landmark import factorise_by_landmarks
from residuum.residual.matrix import ResidualMatrix
from residuum.residual.projector import ErasedOperator, Projector

__all__ = ["EXACT_START_LANDMARKS", "SOLVERS", "Solution", "SolverOptions", "solve"]

# The residual of the factors at which the exact solver stops; AUCs no longer move in the fourth digit.
_EXACT_TOLERANCE = 1e-2
# Landmarks for each vector of the start of the exact solver.
EXACT_START_LANDMARKS = 8


@dataclass
class Solution:
    """Factors and what is to be said about them.

    Attributes
    ----------
    factors : Factors
    error : float
        The part of ‖R̃‖ by which the factors may be worse than the best ones of their rank.
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
    projector: Projector | None = None
    store: Store = field(default_factory=Store)


def solve(matrix: ResidualMatrix, solver: str, options: SolverOptions) -> Solution:
    """Return the leading factors of ``matrix`` by the solver of that name."""
    return SOLVERS[solver](matrix, options)


def _exact(matrix: ResidualMatrix, options: SolverOptions) -> Solution:
    n_components = options.n_components
    small = is_small(matrix.n_nodes, n_components)
    beside = 24 * matrix.n_nodes**2 if small else krylov_bytes(matrix.n_nodes, n_components)
    operator = ExactResidual(matrix, options.memory_limit - beside, options.progress)
    projector, store = options.projector, options.store
    if small:
        dense = operator.matmat(np.eye(matrix.n_nodes, dtype=np.float32))
        cleaned = dense if projector is None else projector.clean(dense)
        factors = factorise_dense(cleaned, n_components, matrix.symmetric)
        if projector is not None:
            factors.readout = projector.right.erase_transposed(factors.right)
            factors.erased = projector.left.lowered.T @ dense @ factors.readout
    else:
        width = n_components + OVERSAMPLING
        # Landmarks show where the leading factors lie; starting there saves passes over the matrix.
        start = store.once("start", lambda: _start(matrix, width, options))
        store.forget("columns")
        store.forget("rows")
        if projector is None:
            factors = factorise(operator, start, n_components, _EXACT_TOLERANCE, store)
        else:
            erased = ErasedOperator(operator, projector, store)
            factors = factorise(erased, start, n_components, _EXACT_TOLERANCE, store)
            factors.readout = projector.right.erase_transposed(factors.right)
            factors.erased = erased.erased_rows() @ factors.readout
    return Solution(factors, 0.0, {"passes": factors.passes, "tiles_kept": operator.kept_share})


def _start(matrix: ResidualMatrix, width: int, options: SolverOptions) -> NDArray[np.float32]:
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


SOLVERS: dict[str, Callable[[ResidualMatrix, SolverOptions], Solution]] = {
    "exact": _exact,
    "landmark": _landmark,
}
