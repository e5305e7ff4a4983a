"""What each solver will take, before any work: seconds by a model that was fitted to measurements, and bytes."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numba
import numpy as np
from numpy.typing import NDArray

from residuum._memory import format_bytes
from residuum.graph import Graph
from residuum.nulls import FittedNull
from residuum.residual.blocking import blocks_to_find
from residuum.residual.krylov import OVERSAMPLING, is_small, krylov_bytes
from residuum.residual.landmark import landmarks_to_begin_with
from residuum.residual.solvers import EXACT_START_LANDMARKS, SolverOptions
from residuum.walks.window import tile_width

__all__ = ["COEFFICIENTS", "Estimate", "Problem", "estimate", "features", "problem_of"]

# Passes over the matrix that the factorisation takes as a rule.
_EXACT_PASSES, _BLOCK_PASSES = 3, 3
# The block solver's projected walks: dimensions times steps.
_FEATURE_COLUMNS = 128 * 5
_BLOCK_TILE = 256
# Tiles of the journal graph, four times as large, were seen to take almost four times as long an entry.
_CACHED_BYTES, _SLOWEST_GATHERING = 17 << 20, 4.0
# How many times as fast a solver must be to be taken before a more exact one, and seconds that are always spent.
_PATIENCE_WITH_EXACT, _PATIENCE_WITH_LANDMARKS = 4.0, 1.4
_ALWAYS_QUICK = 1.0

# Seconds for each unit of the features below, two threads; `benchmarks/speed/cost_model.py` measures and fits them.
COEFFICIENTS: dict[str, list[float]] = {
    "exact": [0.1, 7e-11, 0, 5.8e-11],
    "landmark": [0.22, 6e-11, 0, 3.2e-11],
    "block": [0.12, 3.2e-10, 4.2e-11, 1.1e-08],
}
_FITTED_THREADS = 2


@dataclass(frozen=True)
class Problem:
    """What decides the cost of a run.

    Attributes
    ----------
    n_nodes, n_entries : int
        N, and the entries of the adjacency matrix (both directions of an undirected edge).
    n_components, window : int
        K and T.
    symmetric : bool
        Whether one side of the matrix tells the other.
    memory_limit : int
    n_landmarks : int or None
    n_blocks : int
    has_blocks : bool
        Whether the null model has groups or degrees; a sampled one has none.
    """

    n_nodes: int
    n_entries: int
    n_components: int
    window: int
    symmetric: bool
    memory_limit: int
    n_landmarks: int | None = None
    n_blocks: int = 1000
    has_blocks: bool = True

    @property
    def sides(self) -> int:
        """How many sides of the matrix must be looked at."""
        return 1 if self.symmetric else 2

    @property
    def landmarks(self) -> int:
        """Landmarks that are taken, or with which the solver begins."""
        wanted = self.n_landmarks or landmarks_to_begin_with(self.n_nodes, self.n_components)
        return min(wanted, self.n_nodes)

    @property
    def blocks(self) -> int:
        """Blocks of the block solver, if the null model has fewer groups."""
        return min(self.n_blocks, self.n_nodes)


def problem_of(graph: Graph, null: FittedNull, window: NDArray[np.float64], options: SolverOptions) -> Problem:
    """Return what decides the cost of embedding a graph."""
    return Problem(
        n_nodes=graph.n_nodes,
        n_entries=int(graph.adjacency.nnz),
        n_components=options.n_components,
        window=len(window),
        symmetric=not graph.directed and null.symmetric,
        memory_limit=options.memory_limit,
        n_landmarks=options.n_landmarks,
        n_blocks=blocks_to_find(null, options.n_blocks),
        has_blocks=null.blocks is not None,
    )


@dataclass(frozen=True)
class Estimate:
    """What a solver will take.

    Attributes
    ----------
    solver : str
    seconds : float
    bytes : int
        Beside the graph: the arrays of the solver at their peak.
    possible : bool
        Whether the memory limit and the null model allow it.
    chosen : bool
        Whether ``"auto"`` stands for it.
    """

    solver: str
    seconds: float
    bytes: int
    possible: bool
    chosen: bool = False

    def __str__(self) -> str:
        return f"{self.solver} solver: about {self.seconds:.1f} s and {format_bytes(self.bytes)} beside the graph"


def estimate(problem: Problem) -> list[Estimate]:
    """Return what each solver will take, the most exact one first."""
    threads = numba.get_num_threads()
    found = []
    for solver, needed in _BYTES.items():
        seconds = float(features(solver, problem) @ np.array(COEFFICIENTS[solver])) * _FITTED_THREADS / threads
        least, peak = needed(problem)
        possible = least <= problem.memory_limit and (problem.has_blocks or solver != "block")
        found.append(Estimate(solver, seconds, peak, possible))
    chosen = _choice(*found)
    return [replace(one, chosen=one.solver == chosen) for one in found]


def _choice(exact: Estimate, landmark: Estimate, block: Estimate) -> str:
    """Return the solver that ``"auto"`` stands for: the most exact one whose time is not out of proportion.

    The exact solver may take four times as long as landmarks, which may turn out to be too few at first, and these 1.4
    times as long as blocks; a second is always spent.
    """
    if exact.possible and exact.seconds <= max(_ALWAYS_QUICK, _PATIENCE_WITH_EXACT * landmark.seconds):
        return "exact"
    patience = max(_ALWAYS_QUICK, _PATIENCE_WITH_LANDMARKS * block.seconds)
    if block.possible and (not landmark.possible or landmark.seconds > patience):
        return "block"
    return "landmark"


def features(solver: str, problem: Problem) -> NDArray[np.float64]:
    """Return the numbers of operations that the time of a solver is linear in."""
    return _FEATURES[solver](problem)


def _gathering(n_nodes: int) -> float:
    """Return how much slower sparse products are where a tile of columns is larger than the cache."""
    return float(np.clip(4 * n_nodes * tile_width(n_nodes) / _CACHED_BYTES, 1.0, _SLOWEST_GATHERING))


def _exact_features(p: Problem) -> NDArray[np.float64]:
    tiles = 4.0 * p.n_nodes**2
    kept = min(1.0, max(p.memory_limit - krylov_bytes(p.n_nodes, p.n_components), 0) / tiles)
    rounds = 1.0 if is_small(p.n_nodes, p.n_components) else kept + (1 - kept) * _EXACT_PASSES
    start = 0.0 if is_small(p.n_nodes, p.n_components) else EXACT_START_LANDMARKS * (p.n_components + OVERSAMPLING)
    columns = rounds * p.n_nodes + min(start, p.n_nodes)
    products = p.n_nodes**2 * (p.n_components + OVERSAMPLING) * _EXACT_PASSES
    work = p.window * p.n_entries * columns * _gathering(p.n_nodes)
    return np.array([1.0, work, p.n_nodes * columns, float(products)])


def _landmark_features(p: Problem) -> NDArray[np.float64]:
    columns = p.sides * p.landmarks
    work = float(p.window) * p.n_entries * columns * _gathering(p.n_nodes)
    return np.array([1.0, work, float(p.n_nodes) * columns, float(p.n_nodes) * columns**2])


def _block_features(p: Problem) -> NDArray[np.float64]:
    width = p.n_components + OVERSAMPLING
    edges = p.n_entries * (_FEATURE_COLUMNS + 2.0 * width * _BLOCK_PASSES)
    dense = float(p.n_nodes) * p.blocks * (p.blocks + 4.0 * width * _BLOCK_PASSES)
    return np.array([1.0, edges, dense, float(p.n_nodes) * p.blocks])


def _exact_bytes(p: Problem) -> tuple[int, int]:
    column = 4 * p.n_nodes
    small = is_small(p.n_nodes, p.n_components)
    beside = 24 * p.n_nodes**2 if small else krylov_bytes(p.n_nodes, p.n_components) // 2
    tiles = min(column * p.n_nodes, max(p.memory_limit - beside, 0))
    return beside + 3 * column, beside + tiles + 3 * column * tile_width(p.n_nodes)


def _landmark_bytes(p: Problem) -> tuple[int, int]:
    column = 4 * p.n_nodes
    beside = column * (3 * tile_width(p.n_nodes) + 4 * p.n_components)
    tiles = min(column * p.landmarks * p.sides, max(p.memory_limit - beside, 0))
    return beside, beside + tiles + 24 * p.landmarks**2


def _block_bytes(p: Problem) -> tuple[int, int]:
    column = 4 * p.n_nodes
    edges = 4 * p.n_entries * p.sides
    beside = edges + column * (3 * min(_BLOCK_TILE, p.blocks)) + krylov_bytes(p.n_nodes, p.n_components) // 2
    tiles = min(column * p.blocks, max(p.memory_limit - beside, 0))
    return beside, beside + tiles


_FEATURES: dict[str, Callable[[Problem], NDArray[np.float64]]] = {
    "exact": _exact_features,
    "landmark": _landmark_features,
    "block": _block_features,
}
_BYTES: dict[str, Callable[[Problem], tuple[int, int]]] = {
    "exact": _exact_bytes,
    "landmark": _landmark_bytes,
    "block": _block_bytes,
}
