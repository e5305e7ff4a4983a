"""The solvers that a cluster has, and the choice between them."""

import warnings
import zlib
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from residuum._progress import ProgressCallback
from residuum.distributed.block import solve_block
from residuum.distributed.factors import PartitionedFactors
from residuum.distributed.landmark import solve_landmarks
from residuum.distributed.left_out import PartitionedEnds
from residuum.distributed.likelihood_solver import refine_factors, solve_likelihood
from residuum.distributed.matrix import PartitionedMatrix
from residuum.distributed.rank import effective_rank
from residuum.errors import ResiduumWarning
from residuum.models.defaults import spectrum_from
from residuum.models.null_embedding import Settings
from residuum.residual import Spectrum
from residuum.solvers import Block, Landmark, Likelihood, Problem, Solver

__all__ = ["chosen_solver", "read_spectrum", "solve"]


def chosen_solver(matrix: PartitionedMatrix, settings: Settings, n_components: int) -> Solver:
    """Return the solver of ``"auto"``: the likelihood where one machine would maximize it, else landmarks.

    Parameters
    ----------
    matrix : PartitionedMatrix
        Graph, window and null model.
    settings : Settings
        Checked parameters.
    n_components : int
        Number of dimensions K.

    Returns
    -------
    Solver
        Likelihood or Landmark.
    """
    if not settings.by_likelihood:
        return Landmark()
    graph = matrix.probabilities.graph
    problem = Problem(
        n_nodes=graph.n_nodes,
        n_entries=graph.n_entries,
        n_components=n_components,
        window=len(matrix.probabilities.window),
        symmetric=matrix.symmetric,
        memory_limit=1,
        directed=graph.directed,
    )
    # The rank takes as many products as the mean step of the window, so it is estimated only where it decides.
    if not Likelihood().is_better(replace(problem, effective_rank=np.inf)):
        return Landmark()
    ranked = replace(problem, effective_rank=effective_rank(matrix.probabilities))
    return Likelihood() if Likelihood().is_better(ranked) else Landmark()


def solve(
    matrix: PartitionedMatrix,
    solver: Solver,
    n_components: int,
    refine: int,
    rng: np.random.Generator,
    progress: ProgressCallback | None,
) -> PartitionedFactors:
    """Return the factors of a solver, and refine them.

    Parameters
    ----------
    matrix : PartitionedMatrix
        Matrix to factorize.
    solver : Solver
        Landmark, Block or Likelihood.
    n_components : int
        Number of dimensions K.
    refine : int
        Number of likelihood sweeps.
    rng : numpy Generator
        Source of randomness.
    progress : callable or None
        Called with the progress.

    Returns
    -------
    PartitionedFactors
        Factors on shared storage.

    Warns
    -----
    ResiduumWarning
        If landmarks have an error where Residual2Vec would use another solver.
    """
    # Drawn first, as on one machine.
    seed = int(rng.integers(2**63)) if refine else 0
    if isinstance(solver, Likelihood):
        return solve_likelihood(matrix, n_components, solver, rng, progress)
    if isinstance(solver, Block):
        factors = solve_block(matrix, n_components, solver, rng, progress)
    else:
        assert isinstance(solver, Landmark)
        factors = solve_landmarks(matrix, n_components, solver, rng, progress)
        _warn_about_error(factors.error, factors.details["n_landmarks"])
    return refine_factors(matrix, factors, refine, seed, progress) if refine else factors


def read_spectrum(
    matrix: PartitionedMatrix, factors: PartitionedFactors, spectrum: Spectrum, names: frozenset[str]
) -> tuple[Spectrum, dict[str, Any]]:
    """Return the spectrum with shrinkage, scale and alpha as the graph suggests, as on one machine.

    Parameters
    ----------
    matrix : PartitionedMatrix
        The factorized matrix.
    factors : PartitionedFactors
        Its factors.
    spectrum : Spectrum
        Spectrum with neutral values in place of those to read.
    names : frozenset of str
        Which of "shrinkage", "scale" and "alpha" to read.

    Returns
    -------
    spectrum : Spectrum
        Spectrum with the values in place; unchanged if the factors maximize the likelihood.
    details : dict of str to value
        As :func:`residuum.models.defaults.read_spectrum`.
    """
    if not names or factors.is_refined:
        return spectrum, {}

    def read() -> dict[str, Any]:
        found, details = spectrum_from(PartitionedEnds(matrix, factors), spectrum, names)
        return {**asdict(found), "details": details}

    key = zlib.crc32(repr([sorted(names), spectrum]).encode())
    record = matrix.part.grid.stages.record(f"spectrum-{key:08x}", read)
    return replace(spectrum, **{name: record[name] for name in names}), record["details"]


def _warn_about_error(error: float, n_landmarks: int) -> None:
    """Warn where the local solver would be replaced by another one."""
    if error > Landmark.error_limit:
        warnings.warn(
            f"the estimated error of {n_landmarks} landmarks is {error:.2f}, above {Landmark.error_limit:g}, where "
            "Residual2Vec would use another solver; use more landmarks (--landmarks), or embed the graph on one "
            "machine.",
            ResiduumWarning,
            stacklevel=5,
        )
