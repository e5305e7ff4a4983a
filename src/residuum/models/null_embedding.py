"""Base class of models with a null model: a solver turns the residual of graph and null model into vectors."""

import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from residuum._memory import resolve_memory_limit
from residuum._progress import check_progress
from residuum._random import as_generator
from residuum._threads import resolve_jobs, thread_limit
from residuum.errors import InvalidParameterError, NullModelError
from residuum.graph import Graph, as_graph
from residuum.models.base import checked_components
from residuum.models.defaults import read_floor, read_spectrum, read_window
from residuum.models.erasing import ErasurePlan, plan_erasure
from residuum.models.new_edges import new_edges
from residuum.models.notices import warn_about_groups, warn_about_structure
from residuum.models.record import open_run
from residuum.models.saved import SavableEmbedding
from residuum.nulls import NullModel, null_model_from_name
from residuum.residual import ResidualMatrix, Spectrum, TransportedRows, equalize, subtract_trend
from residuum.solvers import (
    Estimate,
    FactorSolution,
    Problem,
    Solution,
    Solver,
    Workspace,
    choose_solver,
    guarded,
    plan,
)
from residuum.walks import WindowProbabilities, effective_rank

__all__ = ["ERASE_LEVELS", "NullEmbedding", "Settings", "resolve_null_model"]

#: Values of ``erase_level``.
ERASE_LEVELS = ("linear", "distribution")

_log = logging.getLogger("residuum")


@dataclass(frozen=True)
class Settings:
    """Validated parameters of a :class:`NullEmbedding`.

    Attributes
    ----------
    null_model : NullModel
        The null model, unfitted.
    window : array of shape (T,) or None
        Weights of the steps; None to read them off the graph, see :meth:`window_on`.
    solver : Solver or None
        None for ``"auto"``.
    floor : float or None
        Minimum association; None to read it off the graph, see :meth:`floor_on`.
    weighting : float
        Exponent of the degrees in the weight of a pair.
    spectrum : Spectrum
        Transformation of the singular values.
    to_read : frozenset of str
        Which of "shrinkage", "scale" and "alpha" of the spectrum to read off the graph.
    refine : int
        Number of likelihood sweeps.
    erase : str, array, mapping, list or None
        Attributes to erase.
    erase_level : {"linear", "distribution"}
        Whether to equalize the means of the vectors, or their distributions.
    erase_strength : float
        From 0, no erasure, to 1.
    by_likelihood : bool
        Whether ``solver="auto"`` may maximize the likelihood instead of factorizing the matrix.
    memory_limit : int, str or None
        Memory for the solver's arrays.
    checkpoint : path or None
        Folder for intermediate results.
    """

    null_model: NullModel
    window: NDArray[np.float64] | None
    solver: Solver | None
    floor: float | None = 0.0
    weighting: float = 0.0
    spectrum: Spectrum = field(default_factory=Spectrum)
    to_read: frozenset[str] = frozenset()
    refine: int = 0
    erase: Any = None
    erase_level: str = "linear"
    erase_strength: float = 1.0
    by_likelihood: bool = False
    memory_limit: int | str | None = None
    checkpoint: str | os.PathLike[str] | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.checkpoint, (str, os.PathLike, type(None))):
            raise InvalidParameterError(f"checkpoint must be the path of a folder, or None; got {self.checkpoint!r}.")
        if self.erase is None and (self.erase_level, self.erase_strength) != ("linear", 1.0):
            raise InvalidParameterError(
                f"erase_level={self.erase_level!r} and erase_strength={self.erase_strength:g} need an attribute to "
                "erase; got erase=None. Set erase, or leave both out."
            )
        projects = self.erase is not None and self.erase_level == "linear"
        needs = {"erase": projects, "refine": self.refine > 0}
        if self.solver is not None and not self.solver.factorizes:
            for name in (name for name, is_set in needs.items() if is_set):
                raise InvalidParameterError(
                    f"{name} needs a solver that factorizes the matrix, which solver={self.solver.name!r} does not; "
                    f"use solver='auto', {_ALTERNATIVE.get(name, f'or leave {name} out')}."
                )
        if self.solver is not None and self.checkpoint is not None and not self.solver.resumes:
            raise InvalidParameterError(
                f"checkpoint needs a solver that saves its progress, which solver={self.solver.name!r} does not; use "
                "solver='auto', or leave checkpoint out."
            )
        if needs["refine"] and needs["erase"]:
            raise InvalidParameterError(
                f"refine={self.refine} would reintroduce the erased attributes; use refine=0 with erase, or "
                "erase_level='distribution'."
            )
        if self.solver is not None and not getattr(self.null_model, "in_block_form", True):
            reason = self.solver.refusal(_NO_BLOCK_FORM)
            if reason is not None:
                raise NullModelError(reason)

    def window_on(self, graph: Graph) -> tuple[NDArray[np.float64], dict[str, float]]:
        """Return the weights of the steps, read off the graph if they are not set.

        Parameters
        ----------
        graph : Graph
            Graph to embed.

        Returns
        -------
        window : array of shape (T,)
            Weights.
        details : dict of str to float
            What was read; empty if the weights are set.
        """
        return read_window(graph) if self.window is None else (self.window, {})

    def floor_on(self, graph: Graph) -> tuple[float, dict[str, float]]:
        """Return the minimum association, read off the graph if it is not set.

        Parameters
        ----------
        graph : Graph
            Graph to embed.

        Returns
        -------
        floor : float
            Minimum association.
        details : dict of str to float
            What was read; empty if the floor is set.
        """
        return read_floor(graph) if self.floor is None else (self.floor, {})


_ALTERNATIVE = {"erase": "or erase_level='distribution'"}
# Minimal problem without a block form: lets a solver refuse before the null model is fitted.
_NO_BLOCK_FORM = Problem(1, 1, 1, 1, symmetric=True, memory_limit=1, n_groups=0)


class NullEmbedding(SavableEmbedding):
    """Base class of models that compare a graph with a null model.

    Subclasses have the parameters ``n_components``, ``n_jobs``, ``random_state`` and ``progress``, and
    implement ``_settings``, which converts all others to :class:`Settings`.
    """

    n_components: int
    n_jobs: int | None
    random_state: Any
    progress: Any

    def _settings(self) -> Settings:
        raise NotImplementedError  # abstract

    def _fit(self, graph: Graph) -> None:
        n_components = checked_components(self.n_components, graph)
        check_progress(self.progress)
        settings, rng = self._settings(), as_generator(self.random_state)
        limit = resolve_memory_limit(settings.memory_limit)
        matrix, erasing, details = self._matrix(graph, settings)
        erasure, cells = erasing.erasure, erasing.cells()
        problem = self._problem(matrix, settings, n_components, limit)
        if settings.solver is None:
            solver, estimate = choose_solver(problem)
        else:
            solver, estimate = settings.solver, plan(problem, [settings.solver])[0]
        _log.info("%s", estimate)
        warn_about_structure(graph)
        if solver.factorizes:
            warn_about_groups(matrix.null, matrix.floor, erasure)
        run = self._run(matrix, settings, solver, n_components)
        seeded = self.random_state is not None
        store = open_run(settings.checkpoint, matrix, settings.null_model, run, rng, seeded=seeded)
        moves = None if cells is None else np.random.default_rng(rng.integers(2**63))
        # Drawn first: a resumed run skips stages of the solver that draw numbers.
        seed = int(rng.integers(2**63)) if settings.refine else 0
        with thread_limit(self.n_jobs), store:
            work = Workspace(limit, rng, store, self.progress)
            solver, solution = self._guarded(solver, self._solve(solver, matrix, n_components, work), problem, work)
            if settings.refine and isinstance(solution, FactorSolution):
                solution = solution.refined(settings.refine, seed, store, self.progress)
            spectrum, reading = read_spectrum(solution, settings.spectrum, settings.to_read)
            u, v = solution.vectors(spectrum)
            rows = solution.out_of_sample(spectrum)
            if erasing.by_trend and erasure is not None:
                u, v, rows = subtract_trend(u, v, rows, erasure)
            if cells is not None and moves is not None:
                u, v, maps = equalize(u, v, cells, settings.erase_strength, moves, keep_means=erasing.keeps_means)
                rows = TransportedRows(rows, maps)
        self._set_solution(matrix, settings, solver, solution, spectrum)
        self.solver_details_ = {**solution.details, **details, **reading}
        self.erased_ = [] if erasure is None else erasure.names
        self._out_of_sample = rows
        self._set_vectors(graph, u, v, matrix.null)

    def _matrix(self, graph: Graph, settings: Settings) -> tuple[ResidualMatrix, ErasurePlan, dict[str, float]]:
        """Return the residual matrix, the steps of erasure, and what window and floor were read from."""
        (window, of_window), (floor, of_floor) = settings.window_on(graph), settings.floor_on(graph)
        null = settings.null_model.fit(graph, window)
        probabilities = self._probabilities(graph, window)
        erasing = plan_erasure(graph, null, floor, settings.erase, settings.erase_level, settings.erase_strength)
        matrix = ResidualMatrix(probabilities, null, floor, settings.weighting, erasing.projected)
        return matrix, erasing, {**of_window, **of_floor}

    def _probabilities(self, graph: Graph, window: NDArray[np.float64]) -> WindowProbabilities:
        return WindowProbabilities(graph, window)

    def _solve(self, solver: Solver, matrix: ResidualMatrix, n_components: int, work: Workspace) -> Solution:
        return solver.solve(matrix, n_components, work)

    def _guarded(
        self, solver: Solver, solution: Solution, problem: Problem, work: Workspace
    ) -> tuple[Solver, Solution]:
        return guarded(solver, solution, problem, work)

    @staticmethod
    def _run(matrix: ResidualMatrix, settings: Settings, solver: Solver, n_components: int) -> dict[str, Any]:
        """Return the parameters that, with the matrix, determine the stages of a run."""
        return {
            "n_components": n_components,
            "window": matrix.probabilities.window.tolist(),
            "floor": matrix.floor,
            "weighting": settings.weighting,
            "solver": repr(solver),
        }

    def _set_solution(
        self, matrix: ResidualMatrix, settings: Settings, solver: Solver, solution: Solution, spectrum: Spectrum
    ) -> None:
        self.window_, self.floor_ = matrix.probabilities.window, matrix.floor
        self.shrinkage_, self.scale_, self.alpha_ = spectrum.shrinkage, spectrum.scale, spectrum.alpha
        self.null_model_ = settings.null_model
        self.singular_values_ = solution.singular_values
        self.solver_ = solver.name
        self.approximation_error_ = solution.error

    def plan(self, X: Any) -> list[Estimate]:
        """Estimate time and memory of each solver on a graph, without embedding it.

        Parameters
        ----------
        X : graph
            As in :meth:`fit`.

        Returns
        -------
        list of Estimate
            One estimate per solver, the most exact solver first.
        """
        graph = as_graph(X)
        settings = self._settings()
        limit = resolve_memory_limit(settings.memory_limit)
        n_components = checked_components(self.n_components, graph)
        matrix = self._matrix(graph, settings)[0]
        return plan(self._problem(matrix, settings, n_components, limit))

    def _problem(self, matrix: ResidualMatrix, settings: Settings, n_components: int, limit: int) -> Problem:
        problem = Problem.of(matrix, n_components, limit, resolve_jobs(self.n_jobs))
        if settings.solver is not None or not settings.by_likelihood:
            return problem
        return replace(problem, effective_rank=effective_rank(matrix.probabilities))

    def transform(
        self, X: Any, groups: ArrayLike | None = None, attributes: Mapping[str, ArrayLike] | None = None
    ) -> Any:
        """Embed out-of-sample nodes from their edges to nodes of the graph.

        The walker of a new node takes its first step along the new edges and then walks in the graph. The resulting
        residual row is projected onto the context vectors; if the vectors maximize a likelihood, the new vector
        minimizes the loss of that row instead. A node of the graph, embedded from its edges, gets approximately its
        vector in ``embedding_``.

        Parameters
        ----------
        X : array or sparse matrix of shape (m, N), edge table, or list of edges
            Weights of the edges from new nodes to the nodes of ``node_ids_``; or a table or a list of tuples with the
            new node first, the node of the graph second, and an optional weight.
        groups : array of shape (m,), optional
            Groups of the new nodes; required if the null model has groups.
        attributes : mapping of name to array of shape (m,), optional
            Values of the erased attributes of the new nodes, by the names in ``erased_``; not needed for degree and the
            groups of the null model.

        Returns
        -------
        array of shape (m, K)
            Vectors of the new nodes, for a table in order of first appearance.
        """
        self._check_fitted()
        edges = new_edges(self.graph_, X)
        with thread_limit(self.n_jobs), self._from_file():
            return self._as_output(self._out_of_sample.embed(edges, groups, attributes))


def resolve_null_model(null_model: str | NullModel) -> NullModel:
    """Return the null model of a name; return an object unchanged.

    Parameters
    ----------
    null_model : str or NullModel
        Name or object with a ``fit`` method.

    Returns
    -------
    NullModel
        The null model, unfitted.
    """
    if isinstance(null_model, str):
        return null_model_from_name(null_model)
    if not hasattr(null_model, "fit"):
        raise InvalidParameterError(
            f"null_model must be a name or an object with fit(graph, window); got {null_model!r}."
        )
    return null_model
