"""The landmark solver on a cluster: the fit of the local solver on columns that are on shared storage."""

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum._progress import ProgressCallback
from residuum.distributed.erasure import PartitionedProjector
from residuum.distributed.factors import PartitionedFactors
from residuum.distributed.matrix import PartitionedMatrix
from residuum.distributed.sketch import PartitionedSketch, common_level, tile_width
from residuum.distributed.tall import TallMatrix
from residuum.errors import InvalidParameterError
from residuum.solvers import Landmark
from residuum.solvers.landmark import MOST_LANDMARKS
from residuum.solvers.landmark_fit import LandmarkFit, fit_landmarks

__all__ = ["solve_landmarks"]


def solve_landmarks(
    matrix: PartitionedMatrix,
    n_components: int,
    solver: Landmark,
    rng: np.random.Generator,
    progress: ProgressCallback | None,
) -> PartitionedFactors:
    """Return the leading factors of the matrix from exact columns (and rows) at landmarks.

    Parameters
    ----------
    matrix : PartitionedMatrix
        Matrix to factorize.
    n_components : int
        Number of dimensions K.
    solver : Landmark
        Number of landmarks, or tolerance.
    rng : numpy Generator
        Source of randomness of the landmarks.
    progress : callable or None
        Called with the progress.

    Returns
    -------
    PartitionedFactors
        Factors on shared storage.

    Raises
    ------
    InvalidParameterError
        If the graph has too few nodes for the landmarks.
    """
    cluster, stages = matrix.probabilities.graph.cluster, matrix.part.grid.stages
    level = float(stages.array("level", lambda: np.array(common_level(matrix))))
    n_parts = matrix.part.grid.n_parts
    # Recorded: a run that is resumed with other workers has the same tiles.
    tiles = stages.record(
        "tiles",
        lambda: {
            "width": tile_width(cluster, matrix.n_nodes, n_parts),
            "at_once": -(-cluster.n_threads // n_parts),
        },
    )
    build = partial(PartitionedSketch, matrix, level=level, rng=rng, **tiles, progress=progress)
    sketches = [build(side="columns")] if matrix.symmetric else [build(side="columns"), build(side="rows")]
    fit = fit_landmarks(
        sketches, n_components, solver.n_landmarks, solver.tolerance, MOST_LANDMARKS, matrix.resolution, progress
    )
    if fit is None:
        raise InvalidParameterError(
            f"the landmark solver on a cluster needs more nodes than landmarks; the graph has {matrix.n_nodes} nodes "
            f"and would need {solver.n_landmarks or 'at least 512'} landmarks. Set Landmark(n_landmarks=…) to fewer "
            "(--landmarks), or embed the graph on one machine with Residual2Vec."
        )
    if matrix.erasure is None:
        return _factors(fit, sketches[0], sketches[-1])
    return _erased_factors(fit, sketches[0], sketches[-1], PartitionedProjector(matrix))


def _factors(fit: LandmarkFit, columns: PartitionedSketch, rows: PartitionedSketch) -> PartitionedFactors:
    left = columns.combine(fit.left_map, "left")
    right = left if fit.symmetric else rows.combine(fit.right_map, "right")
    return _signed(fit, left, right, fit.values, fit.right_signs if fit.symmetric else None)


def _erased_factors(
    fit: LandmarkFit, columns: PartitionedSketch, rows: PartitionedSketch, projector: PartitionedProjector
) -> PartitionedFactors:
    """Return the factors of ``E_l Q_l M Q_rᵀ E_rᵀ``."""
    basis = columns.combine(fit.left_basis, "left-basis")
    left, left_map = projector.left.erase(basis).qr("left-clean")
    if fit.symmetric:
        right, right_map = left, left_map
    else:
        right, right_map = projector.right.erase(rows.combine(fit.right_basis, "right-basis")).qr("right-clean")
    inner = fit.erased_core(left_map, right_map)
    u = left.times(inner.left, "left")
    if fit.symmetric:
        factors = _signed(fit, u, u, inner.values, np.sign(np.sum(inner.left * inner.right, axis=0)))
        readout = projector.left.erase_transposed(u)
        erased = projector.left.shares(basis) @ fit.core @ basis.gram(readout)
        return replace(factors, readout=readout, erased=erased)
    return _signed(fit, u, right.times(inner.right, "right"), inner.values, None)


def _signed(
    fit: LandmarkFit, left: TallMatrix, right: TallMatrix, values: NDArray[np.float64], relative: Any
) -> PartitionedFactors:
    return PartitionedFactors.signed(left, right, values, relative, fit.error, {"n_landmarks": fit.size})
