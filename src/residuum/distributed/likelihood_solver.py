"""The likelihood solver on a cluster, and the refinement of factors by the same sweeps."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum._progress import ProgressCallback
from residuum._random import random_rows
from residuum.distributed.factors import PartitionedFactors
from residuum.distributed.grid import Grid
from residuum.distributed.matrix import PartitionedMatrix
from residuum.distributed.pieces import Piece, by_pieces, pieces_of
from residuum.distributed.sweeps import CONTEXT_BYTES, PartitionedSweeps
from residuum.distributed.tall import TallMatrix
from residuum.distributed.undirected import undirected_step
from residuum.residual import REGULARIZATION, contexts_per_node, unscaled
from residuum.residual.newton import FIRST_STEPS, remaining_error
from residuum.residual.sweeps import START_LENGTH, START_STEPS, unit_rows
from residuum.solvers import Likelihood

__all__ = ["refine_factors", "solve_likelihood"]

_ACTIVE = "active"


def solve_likelihood(
    matrix: PartitionedMatrix,
    n_components: int,
    solver: Likelihood,
    rng: np.random.Generator,
    progress: ProgressCallback | None,
) -> PartitionedFactors:
    """Return vectors that maximize the likelihood, as factors.

    Parameters
    ----------
    matrix : PartitionedMatrix
        Graph, window and null model.
    n_components : int
        Number of dimensions K.
    solver : Likelihood
        Number of sweeps and contexts.
    rng : numpy Generator
        Source of the seed.
    progress : callable or None
        Called after each sweep.

    Returns
    -------
    PartitionedFactors
        Factors on shared storage, those of the local solver up to rounding.
    """
    seed = int(rng.integers(2**63))
    n_contexts = solver.n_contexts or contexts_per_node(matrix.n_nodes)
    start = _random_start(matrix, n_components, n_contexts, seed)
    sweeps = PartitionedSweeps(
        matrix, n_contexts, solver.n_sweeps, solver.regularization, solver.tolerance, FIRST_STEPS
    )
    names, losses = sweeps.run(start, start, seed, progress)
    factors = _factors_of(matrix, n_components, names, {"losses": losses, "n_contexts": n_contexts})
    return replace(factors, error=remaining_error(losses, FIRST_STEPS))


def refine_factors(
    matrix: PartitionedMatrix,
    factors: PartitionedFactors,
    n_sweeps: int,
    seed: int,
    progress: ProgressCallback | None,
) -> PartitionedFactors:
    """Raise the likelihood by sweeps that start from factors; factors that no sweep improves stay as they are.

    Parameters
    ----------
    matrix : PartitionedMatrix
        Matrix of the factors.
    factors : PartitionedFactors
        Factors on shared storage.
    n_sweeps : int
        Number of sweeps.
    seed : int
        Seed of the sweeps.
    progress : callable or None
        Called after each sweep.

    Returns
    -------
    PartitionedFactors
        Refined factors.
    """
    if not factors.values.any():
        return factors
    root = np.sqrt(factors.values)
    sides = ((factors.left, factors.left_signs, "row-scale"), (factors.right, factors.right_signs, "column-scale"))
    for name, (side, signs, scale) in zip(("start-u", "start-v"), sides, strict=True):
        side.mapped(name, unscaled_part, (root * signs).astype(np.float32), scale)
    sweeps = PartitionedSweeps(matrix, contexts_per_node(matrix.n_nodes), n_sweeps, REGULARIZATION)
    names, losses = sweeps.run("start-u", "start-v", seed, progress)
    details = factors.details | {"losses": losses}
    if not losses[-1] < losses[0]:  # as Swept.improved, also for NaN
        return replace(factors, details=details)
    return replace(_factors_of(matrix, len(factors.values), names, details), error=factors.error)


def _random_start(matrix: PartitionedMatrix, n_components: int, n_contexts: int, seed: int) -> str:
    """Write the starting point of :func:`residuum.residual.random_start`, and return its name."""
    probabilities, last = matrix.probabilities, f"start-{START_STEPS}"
    graph, grid = probabilities.graph, matrix.part.grid
    if all(grid.stages.path(f"{last}-{part}.npy").exists() for part in range(grid.n_parts)):
        return last
    active = (graph.out_strength > 0) | (graph.in_strength > 0)
    grid.stages.save(_ACTIVE, active)
    pieces = pieces_of(graph.cluster, grid, CONTEXT_BYTES * n_contexts)
    by_pieces(graph.cluster, grid, pieces, "random-start", "start-0", random_piece, grid, n_components, seed)
    name = "start-0"
    for number in range(1, START_STEPS + 1):
        undirected_step(probabilities, pieces, name, f"step-{number}")
        step = TallMatrix(graph.cluster, grid, f"step-{number}", n_components)
        items = [(grid, part, step.name) for part in range(grid.n_parts)]
        mean = graph.cluster.total("random-start", active_sum, items) / np.count_nonzero(active)
        length = START_LENGTH if number == START_STEPS else 1.0
        name = step.mapped(f"start-{number}", unit_part, mean, np.float32(length)).name
        grid.stages.forget(f"step-{number}-")
        grid.stages.forget(f"start-{number - 1}-")
    return name


def _factors_of(
    matrix: PartitionedMatrix, n_components: int, names: tuple[str, str], details: dict[str, Any]
) -> PartitionedFactors:
    """Return the factors of ``S U Vᵀ T``, as :func:`residuum.residual.factors_of`."""
    cluster, grid = matrix.probabilities.graph.cluster, matrix.part.grid
    bases, coefficients = [], []
    for side, name in zip(("row", "column"), names, strict=True):
        vectors = TallMatrix(cluster, grid, name, n_components)
        basis, inner = vectors.mapped(f"{side}-scaled", scaled_part, f"{side}-scale").qr(f"{side}-basis")
        bases.append(basis)
        coefficients.append(inner)
    left, values, right = np.linalg.svd(coefficients[0] @ coefficients[1].T, full_matrices=False)
    missing = ((0, 0), (0, n_components - len(values)))
    u = bases[0].times(np.pad(left, missing), "swept-left")
    v = bases[1].times(np.pad(right.T, missing), "swept-right")
    factors = PartitionedFactors.signed(u, v, np.pad(values, missing[1]), None, 0.0, details)
    return replace(factors, is_refined=True)


def random_piece(piece: Piece, grid: Grid, n_components: int, seed: int) -> NDArray[np.float32]:
    """Return random rows, zero for isolated nodes.

    Parameters
    ----------
    piece : Piece
        Rows.
    grid : Grid
        Partition.
    n_components : int
        Number of dimensions K.
    seed : int
        Seed.

    Returns
    -------
    float32 array of shape (n, K)
        Rows.
    """
    rows = random_rows(seed, piece.begin, piece.end, n_components)
    rows[~grid.stages.load(_ACTIVE)[piece.begin : piece.end]] = 0.0
    return rows


def active_sum(grid: Grid, part: int, name: str) -> NDArray[np.float64]:
    """Return the sum of the rows of a part, without isolated nodes.

    Parameters
    ----------
    grid : Grid
        Partition.
    part : int
        Number of the part.
    name : str
        Name of the matrix.

    Returns
    -------
    array of shape (K,)
        Sum.
    """
    active = grid.stages.load(_ACTIVE)[grid.nodes(part)]
    return np.asarray(grid.stages.load(f"{name}-{part}")[active].sum(axis=0, dtype=np.float64))


def unit_part(
    grid: Grid, part: int, rows: NDArray[np.float32], mean: NDArray[np.float64], length: np.float32
) -> NDArray[np.float32]:
    """Return centered rows of equal length; see :func:`residuum.residual.sweeps.unit_rows`.

    Parameters
    ----------
    grid : Grid
        Partition.
    part : int
        Number of the part.
    rows : float32 array of shape (n, K)
        Rows.
    mean : array of shape (K,)
        Mean of all rows.
    length : float32
        Length.

    Returns
    -------
    float32 array of shape (n, K)
        Rows.
    """
    return np.asarray(length * unit_rows(np.array(rows), mean, grid.stages.load(_ACTIVE)[grid.nodes(part)]))


def scaled_part(grid: Grid, part: int, rows: NDArray[np.float32], scale: str) -> NDArray[np.float32]:
    """Return rows times the scale of the matrix.

    Parameters
    ----------
    grid : Grid
        Partition.
    part : int
        Number of the part.
    rows : float32 array of shape (n, K)
        Rows.
    scale : str
        Name of the scale.

    Returns
    -------
    float32 array of shape (n, K)
        Rows.
    """
    return np.asarray(rows * grid.stages.load(scale)[grid.nodes(part)][:, None])


def unscaled_part(
    grid: Grid, part: int, rows: NDArray[np.float32], lengths: NDArray[np.float32], scale: str
) -> NDArray[np.float32]:
    """Return vectors of factors, ``u_i · v_j`` being the entry of the matrix without scales.

    Parameters
    ----------
    grid : Grid
        Partition.
    part : int
        Number of the part.
    rows : float32 array of shape (n, K)
        Singular vectors.
    lengths : float32 array of shape (K,)
        Their signed lengths.
    scale : str
        Name of the scale.

    Returns
    -------
    float32 array of shape (n, K)
        Vectors.
    """
    return unscaled(rows * lengths, np.array(grid.stages.load(scale)[grid.nodes(part)]))
