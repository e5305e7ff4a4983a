"""Leading factors from all columns of the matrix, in tiles, by block Krylov iteration."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum.residual import OVERSAMPLING, Factors, ResidualMatrix, TiledMatrix, factorize_operator
from residuum.solvers.base import Problem, Workspace

__all__ = ["factorize_all", "operations", "tiled"]

# Typical number of passes over the matrix.
_PASSES = 3


def factorize_all(
    matrix: ResidualMatrix,
    start: NDArray[np.float32],
    problem: Problem,
    spare: int,
    tolerance: float,
    work: Workspace,
) -> tuple[Factors, dict[str, Any]]:
    """Return the leading factors of a matrix from products with all its columns.

    Parameters
    ----------
    matrix : ResidualMatrix
        Matrix to factorize.
    start : array of shape (N, m)
        Initial vectors; the closer to the leading factors, the fewer passes.
    problem : Problem
        Sizes of the run.
    spare : int
        Bytes for tiles that are kept; others are computed again in every pass.
    tolerance : float
        Relative error of the singular values at which the iteration stops.
    work : Workspace
        Store and progress callback.

    Returns
    -------
    factors : Factors
        Leading factors.
    details : dict of str to value
        Number of passes, and share of the tiles that are kept.

    Examples
    --------
    >>> from residuum import datasets
    >>> from residuum.nulls import Configuration
    >>> from residuum.walks import WindowProbabilities
    >>> graph = datasets.planted_groups(600, 4, random_state=0)
    >>> matrix = ResidualMatrix(WindowProbabilities(graph, 5), Configuration().fit(graph, 5), floor=-1.0)
    >>> work = Workspace(memory_limit=1 << 30, rng=np.random.default_rng(0))
    >>> problem, nothing = Problem.of(matrix, 3, 1 << 30), np.empty((600, 0), np.float32)
    >>> factorize_all(matrix, nothing, problem, 1 << 28, 1e-4, work)[0].values.shape
    (3,)
    """
    tiles = tiled(matrix, problem, spare, work)
    factors = factorize_operator(
        tiles, matrix.projector, start, problem.n_components, tolerance, work.store, matrix.resolution
    )
    return factors, {"passes": factors.passes, "tiles_kept": tiles.kept_share}


def tiled(matrix: ResidualMatrix, problem: Problem, spare: int, work: Workspace) -> TiledMatrix:
    """Return the matrix in tiles of columns.

    Parameters
    ----------
    matrix : ResidualMatrix
        Matrix to factorize.
    problem : Problem
        Sizes of the run.
    spare : int
        Bytes for tiles that are kept; others are computed again in every pass.
    work : Workspace
        Progress callback.

    Returns
    -------
    TiledMatrix
        The matrix.
    """
    return TiledMatrix(
        matrix.columns,
        matrix.n_nodes,
        symmetric=matrix.symmetric,
        width=matrix.probabilities.tile_width,
        memory_limit=spare + problem.tile_bytes[0],
        progress=work.progress,
    )


def operations(problem: Problem, kept: float, start_columns: float) -> NDArray[np.float64]:
    """Return the operation counts of :func:`factorize_all`.

    Parameters
    ----------
    problem : Problem
        Sizes of the run.
    kept : float
        Share of the tiles that are kept in memory.
    start_columns : float
        Number of columns behind the initial vectors.

    Returns
    -------
    array of shape (4,)
        1, the multiply-adds of sparse products, those of the basis, and those of dense products with the matrix.

    Examples
    --------
    >>> problem = Problem(4_000, 100_000, 64, 3, symmetric=True, memory_limit=8 << 30)
    >>> operations(problem, 1.0, 0.0)
    array([1.00e+00, 1.20e+09, 2.56e+07, 3.84e+09])
    """
    n_nodes, width = problem.n_nodes, problem.n_components + OVERSAMPLING
    columns = (kept + (1 - kept) * _PASSES) * n_nodes + min(start_columns, n_nodes)
    steps = problem.window * problem.n_entries * columns * problem.gathering
    return np.array([1.0, steps, float(n_nodes) * width**2, float(n_nodes**2) * width * _PASSES])
