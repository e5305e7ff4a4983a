"""Base class of solvers, which turn a residual matrix into node vectors."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from residuum._checkpoint import Store
from residuum._memory import format_bytes
from residuum._progress import ProgressCallback
from residuum._threads import n_threads
from residuum.errors import MemoryLimitError
from residuum.residual import ResidualMatrix, count_walks, is_small, krylov_bytes, working_bytes
from residuum.residual.tiles import NARROWEST_TILE
from residuum.solvers.solution import Solution
from residuum.walks.window import tile_width

__all__ = ["FITTED_THREADS", "MeasuredSolver", "Needs", "Problem", "Solver", "Workspace"]

# Tile size up to which sparse products run at full speed, and the largest slowdown: tiles of the journal graph are four
# times as large and took almost four times as long per entry, those of 20 million nodes 18 times as long.
_CACHED_BYTES, _SLOWEST_GATHERING = 17 << 20, 18.0
# Number of threads in the measurements behind the coefficients.
FITTED_THREADS = 2


@dataclass(frozen=True)
class Problem:
    """Sizes that determine the cost of a run.

    Attributes
    ----------
    n_nodes, n_entries : int
        Number of nodes N, and of nonzeros of the adjacency matrix (two per undirected edge).
    n_components, window : int
        Number of dimensions K, and window length T.
    symmetric : bool
        Whether the matrix is symmetric, so that only its columns are needed.
    memory_limit : int
        Bytes for the arrays of the solver.
    n_groups : int
        Number of groups of the null model; 0 if it has no block form.
    threads : int
        Number of threads.
    n_walks : float
        Number of walks within the window, at least the number of pairs that it joins.
    directed : bool
        Whether the graph is directed.
    erases : bool
        Whether attributes are projected out of the matrix.
    effective_rank : float
        Number of dimensions that walkers within the window can tell apart, see
        :func:`residuum.walks.effective_rank`; 0 if vectors must come from a factorization.

    Examples
    --------
    >>> problem = Problem(80_000, 2_000_000, 64, 10, symmetric=True, memory_limit=8 << 30)
    >>> problem.column_bytes
    320000
    """

    n_nodes: int
    n_entries: int
    n_components: int
    window: int
    symmetric: bool
    memory_limit: int
    n_groups: int = 1
    threads: int = FITTED_THREADS
    n_walks: float = float("inf")
    directed: bool = False
    erases: bool = False
    effective_rank: float = 0.0

    @property
    def sides(self) -> int:
        """Number of sides to compute: 1 (columns) if the matrix is symmetric, otherwise 2 (columns and rows)."""
        return 1 if self.symmetric else 2

    @property
    def column_bytes(self) -> int:
        """Memory of one column of the matrix, in bytes."""
        return 4 * self.n_nodes

    @cached_property
    def tile_width(self) -> int:
        """Number of columns in a tile."""
        return tile_width(self.n_nodes)

    @cached_property
    def tile_bytes(self) -> tuple[int, int]:
        """Memory to compute one tile per thread, in bytes: the narrowest, and one that fills the cache."""
        return working_bytes(self.n_nodes, NARROWEST_TILE, self.threads), working_bytes(
            self.n_nodes, self.tile_width, self.threads
        )

    @cached_property
    def is_small(self) -> bool:
        """Whether the matrix is factorized as a dense matrix."""
        return is_small(self.n_nodes, self.n_components)

    @cached_property
    def factorization_bytes(self) -> int:
        """Memory of the dense matrix and its factors, or of the Krylov basis, in bytes."""
        return 24 * self.n_nodes**2 if self.is_small else krylov_bytes(self.n_nodes, self.n_components)

    @cached_property
    def gathering(self) -> float:
        """Slowdown of sparse products because a tile is larger than the cache; at least 1."""
        return float(np.clip(4 * self.n_nodes * self.tile_width / _CACHED_BYTES, 1.0, _SLOWEST_GATHERING))

    @classmethod
    def of(cls, matrix: ResidualMatrix, n_components: int, memory_limit: int, threads: int | None = None) -> "Problem":
        """Return the problem of factorizing a matrix.

        Parameters
        ----------
        matrix : ResidualMatrix
            Matrix to factorize.
        n_components : int
            Number of dimensions K.
        memory_limit : int
            Bytes for the arrays of the solver.
        threads : int, optional
            Number of threads; by default those of the current thread.

        Returns
        -------
        Problem
            Sizes of the graph, the window and the null model.
        """
        form = matrix.null.block_form
        return cls(
            n_nodes=matrix.n_nodes,
            n_entries=int(matrix.probabilities.graph.adjacency.nnz),
            n_components=n_components,
            window=len(matrix.probabilities.window),
            symmetric=matrix.symmetric,
            memory_limit=memory_limit,
            n_groups=0 if form is None else form.n_groups,
            threads=n_threads() if threads is None else threads,
            n_walks=count_walks(matrix.probabilities),
            directed=matrix.probabilities.graph.directed,
            erases=matrix.projector is not None,
        )


@dataclass(frozen=True)
class Needs:
    """Memory of a solver, excluding the graph.

    Attributes
    ----------
    least : int
        Minimum memory, in bytes.
    most : int
        Memory used when no limit applies, in bytes.

    Examples
    --------
    >>> Needs(least=100, most=900).within(500)
    500
    """

    least: int
    most: int

    def within(self, memory_limit: int) -> int:
        """Return the peak memory under a limit.

        Parameters
        ----------
        memory_limit : int
            Limit in bytes.

        Returns
        -------
        int
            Bytes between ``least`` and ``most``; above the limit if ``least`` is.
        """
        return max(self.least, min(self.most, memory_limit))


@dataclass(frozen=True)
class Workspace:
    """Resources of a solver.

    Attributes
    ----------
    memory_limit : int
        Bytes for the arrays of the solver.
    rng : numpy Generator
        Source of random numbers.
    store : Store
        Saves intermediate results, and returns those of an interrupted run.
    progress : callable, optional
        Called with the progress of each stage.

    Examples
    --------
    >>> from residuum import datasets
    >>> from residuum.nulls import Configuration
    >>> from residuum.solvers import Exact
    >>> from residuum.walks import WindowProbabilities
    >>> graph = datasets.karate_club()
    >>> matrix = ResidualMatrix(WindowProbabilities(graph, 5), Configuration().fit(graph, 5), floor=-1.0)
    >>> work = Workspace(memory_limit=1 << 30, rng=np.random.default_rng(0))
    >>> Exact().solve(matrix, 4, work).singular_values.round()
    array([20., 10.,  9.,  7.])
    """

    memory_limit: int
    rng: np.random.Generator
    store: Store = field(default_factory=Store)
    progress: ProgressCallback | None = None


class Solver(ABC):
    """Base class of solvers, which turn a residual matrix into node vectors.

    The planner considers every subclass in ``residuum.solvers`` that sets ``name``, so a new solver is one new file.

    Attributes
    ----------
    name : str
        Name of the solver, as in ``solver="exact"``.
    exactness : int or None
        Rank among the candidates of ``solver="auto"``, 0 for the most exact; None if it is never a candidate.
    patience : float
        ``"auto"`` prefers this solver to the next one if it is at most this many times slower.
    error_limit : float
        Estimated error above which another solver replaces this one.
    factorizes : bool
        Whether it factorizes the matrix, which linear erasure and refinement require.
    resumes : bool
        Whether it saves checkpoints.
    """

    name: ClassVar[str]
    exactness: ClassVar[int | None] = None
    patience: ClassVar[float] = 1.0
    error_limit: ClassVar[float] = float("inf")
    factorizes: ClassVar[bool] = True
    resumes: ClassVar[bool] = True

    @abstractmethod
    def solve(self, matrix: ResidualMatrix, n_components: int, work: Workspace) -> Solution:
        """Compute the vectors of a matrix.

        Parameters
        ----------
        matrix : ResidualMatrix
            Matrix to approximate.
        n_components : int
            Number of dimensions K.
        work : Workspace
            Memory limit, random generator, store and progress callback.

        Returns
        -------
        Solution
            Vectors, singular values and estimated error.
        """

    @abstractmethod
    def seconds(self, problem: Problem) -> float:
        """Estimate the run time.

        Parameters
        ----------
        problem : Problem
            Sizes of the run.

        Returns
        -------
        float
            Run time in seconds.
        """

    @abstractmethod
    def bytes(self, problem: Problem) -> Needs:
        """Estimate the memory, for the planner, :meth:`check_memory` and its error message.

        Parameters
        ----------
        problem : Problem
            Sizes of the run.

        Returns
        -------
        Needs
            Minimum and maximum memory.
        """

    @classmethod
    def candidate(cls) -> Self:
        """Return the solver as ``solver="auto"`` uses it.

        Returns
        -------
        Solver
            With default parameters, unless a solver overrides it.
        """
        return cls()

    def refusal(self, problem: Problem) -> str | None:
        """Return why the solver does not support a problem, whatever the memory limit.

        Parameters
        ----------
        problem : Problem
            Sizes of the run.

        Returns
        -------
        str or None
            Error message, or None if the problem is supported.
        """
        del problem
        return None

    def is_better(self, problem: Problem) -> bool:
        """Return whether ``"auto"`` prefers the solver to a more exact one if it is at most ``patience`` times slower.

        Parameters
        ----------
        problem : Problem
            Sizes of the run.

        Returns
        -------
        bool
            False unless a solver overrides it.
        """
        del problem
        return False

    def check_memory(self, problem: Problem) -> int:
        """Check the memory limit before any allocation.

        Parameters
        ----------
        problem : Problem
            Sizes of the run.

        Returns
        -------
        int
            Bytes of the limit beyond the minimum memory.

        Raises
        ------
        MemoryLimitError
            If the limit is below the minimum memory.
        """
        least = self.bytes(problem).least
        if least > problem.memory_limit:
            raise MemoryLimitError(
                f"the {self.name} solver needs at least {format_bytes(least)} for {problem.n_nodes:,} nodes, "
                f"{problem.n_entries:,} entries and {problem.n_components} dimensions; memory_limit is "
                f"{format_bytes(problem.memory_limit)}. Increase memory_limit, reduce n_components, or use "
                "solver='auto', which chooses a solver that fits if there is one."
            )
        return problem.memory_limit - least


class MeasuredSolver(Solver):
    """Solver whose run time is linear in operation counts, with coefficients fitted to measurements.

    Attributes
    ----------
    coefficients : tuple of float
        Seconds per unit of :meth:`features` on two threads, fitted by ``benchmarks/speed/cost_model.py``.
    """

    coefficients: ClassVar[tuple[float, ...]]

    @abstractmethod
    def features(self, problem: Problem) -> NDArray[np.float64]:
        """Return the operation counts that determine the run time.

        Parameters
        ----------
        problem : Problem
            Sizes of the run.

        Returns
        -------
        array of the shape of ``coefficients``
            Operation counts.
        """

    def seconds(self, problem: Problem) -> float:
        """Estimate the run time, in seconds."""
        seconds_on_one = float(self.features(problem) @ np.array(self.coefficients)) * FITTED_THREADS
        return seconds_on_one / problem.threads
