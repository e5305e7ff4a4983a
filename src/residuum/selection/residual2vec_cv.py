"""The residual2vec estimator with parameters tuned on held-out edges."""

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from residuum._memory import resolve_memory_limit
from residuum._progress import ProgressCallback, Stage
from residuum._random import as_generator
from residuum._validation import check_choice
from residuum.errors import InvalidParameterError
from residuum.evaluation import LinkTask, link_task
from residuum.graph import Graph
from residuum.models import Residual2Vec
from residuum.models.base import NodeEmbedding
from residuum.nulls import NullModel
from residuum.selection.search import coordinate_search
from residuum.selection.trial_model import TrialModel
from residuum.selection.trials import SCORINGS, Trial, run_trial
from residuum.selection.tunables import TUNABLES, Tunable, as_parameters, resolve_search
from residuum.solvers import Landmark, Likelihood, Solver, resolve_solver
from residuum.walks import WindowFamily

__all__ = ["Residual2VecCV"]

# A larger share would leave a sparser graph, which needs longer windows than the full graph.
_HELD_OUT = 0.1
_MIN_HELD_OUT = 5
# Small graphs are split repeatedly until this many edges have been held out in total.
_TOTAL_HELD_OUT = 1_000
_MAX_SPLITS = 3
# Landmark tolerance of the final fit, which may take as long as several trials.
_FINE = 0.2
# In larger graphs, a trial with sweeps of the likelihood would take longer than all others together.
_MAX_REFINED_NODES = 1_000


class Residual2VecCV(NodeEmbedding):
    """:class:`Residual2Vec` with window, floor and other parameters tuned on held-out edges.

    A tenth of the edges, outside a spanning tree, is held out, and the remaining graph is embedded with each candidate
    value; small graphs are split several times, with the same splits for all values. Parameters are tuned one at a
    time, see :func:`residuum.selection.search.coordinate_search`; power, shrinkage and scale need no additional fit.
    The full graph is then embedded with the best values.

    Parameters
    ----------
    n_components : int, default 64
        K, the number of dimensions; below the number of nodes.
    search : mapping of name to values, optional
        Candidate values that replace the default candidates; a single value fixes the parameter. By default window,
        weighting, floor, refine, power, shrinkage and scale are tuned. ``"exponent"`` tunes the exponent of the
        configuration null model, which may leave part of the degree in the vectors: for prediction, not for an audit.
    scoring : {"residual", "full", "both"}, default "both"
        Objective: the AUC of the residual score against degree-matched pairs, the AUC of the full score against uniform
        pairs, or both, by the product of their distances to 1.
    null_model : str or NullModel, default "configuration"
        Structure to remove from the vectors; see :class:`Residual2Vec`.
    solver : str or Solver, default "auto"
        See :class:`Residual2Vec`. With ``"skipgram"`` or ``"likelihood"``, or where ``"auto"`` maximizes the
        likelihood, only window and scale are tuned.
    alpha : float, optional
        Share of the singular values in ``embedding_``.
    erase : str, array, mapping or list, optional
        Attribute to erase from the vectors; see :class:`Residual2Vec`.
    erase_level : {"linear", "distribution"}, default "linear"
        What erasure guarantees; see :class:`Residual2Vec`.
    erase_strength : float, default 1.0
        From 0, no erasure, to 1; see :class:`Residual2Vec`.
    memory_limit : int or str, optional
        Memory for the solver's arrays, in bytes or as a string such as ``"8GiB"``; half of the free memory by default.
    checkpoint : path, optional
        Folder for intermediate results of the final fit; requires ``random_state``.
    n_jobs : int, optional
        Number of threads; all cores by default.
    random_state : int, Generator or None
        Seed of the splits and of the final fit, which equals :class:`Residual2Vec` with the best values and this seed.
    progress : callable, optional
        Called with a :class:`residuum.ProgressEvent` during the search and the final fit.

    Attributes
    ----------
    best_params_ : dict of str to value
        Values of the tuned parameters in the best trial.
    trials_ : list of Trial
        All trials, with their values and AUCs, in the order of the search.
    best_estimator_ : Residual2Vec
        Estimator fitted to the full graph; this object has its attributes too (``embedding_``, ``solver_``, …).

    Examples
    --------
    >>> from residuum import Residual2VecCV, datasets
    >>> graph = datasets.planted_groups(200, 4, random_state=0)
    >>> model = Residual2VecCV(8, search={"window": [5, 10], "floor": [-3.0], "refine": [0]}, random_state=0).fit(graph)
    >>> model.best_params_["floor"]
    -3.0
    """

    def __init__(
        self,
        n_components: int = 64,
        *,
        search: Mapping[str, Sequence[Any]] | None = None,
        scoring: str = "both",
        null_model: str | NullModel = "configuration",
        solver: str | Solver = "auto",
        alpha: float | None = None,
        erase: Any = None,
        erase_level: str = "linear",
        erase_strength: float = 1.0,
        memory_limit: int | str | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        n_jobs: int | None = None,
        random_state: Any = None,
        progress: ProgressCallback | None = None,
    ) -> None:
        self.n_components = n_components
        self.search = search
        self.scoring = scoring
        self.null_model = null_model
        self.solver = solver
        self.alpha = alpha
        self.erase = erase
        self.erase_level = erase_level
        self.erase_strength = erase_strength
        self.memory_limit = memory_limit
        self.checkpoint = checkpoint
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.progress = progress

    def _fit(self, graph: Graph) -> None:
        check_choice("scoring", self.scoring, SCORINGS)
        if self.checkpoint is not None and self.random_state is None:
            raise InvalidParameterError(
                "checkpoint needs random_state; got None. Set it to an integer: otherwise a resumed run would hold out "
                "different edges and might choose different values."
            )
        rng = as_generator(self.random_state)
        solver = self._solver_on(graph)
        tuned = self._tuned(graph, solver)
        tasks = _splits(graph, rng)
        trial_seed = int(rng.integers(2**32))
        stage = Stage(
            f"tuning {', '.join(tuned)}", 1 + sum(_max_fits(tunable) for tunable in tuned.values()), self.progress
        )

        families = self._families(tasks, tuned)

        made: list[TrialModel] = []

        def make_model(parameters: Mapping[str, Any], task: LinkTask) -> TrialModel:
            model = TrialModel(**self._complete({**parameters, "solver": solver, "random_state": trial_seed}))
            model.family = families[id(task)]
            made[:] = [model]
            return model

        def make_final(parameters: Mapping[str, Any], task: LinkTask) -> TrialModel:
            model = make_model(parameters, task)
            model.family, model.is_final = None, True
            return model

        def try_values(values: Mapping[str, Any]) -> Trial:
            trial = run_trial(make_model, tasks, values, tuned, self.scoring)
            stage.advance()
            return trial

        trials, best = coordinate_search(try_values, tuned, self.scoring)
        if made[0].takes_all and best is not trials[0]:
            # With few landmarks longer windows win, which average over their errors; with all columns they may not.
            fitted = [name for name, tunable in tuned.items() if not tunable.read_off]
            finalists = ({name: trial.parameters[name] for name in fitted} for trial in (trials[0], best))
            final_trials = [run_trial(make_final, tasks, values, tuned, self.scoring) for values in finalists]
            best = min(final_trials, key=lambda trial: trial.loss(self.scoring))
            trials += final_trials
        stage.finish()
        final = self._final_model(graph, best.parameters, solver).fit(graph)
        self.trials_, self.best_params_, self.best_estimator_ = trials, best.parameters, final
        for name, value in vars(final).items():
            if name.endswith("_") and not name.startswith("_"):
                setattr(self, name, value)

    def _solver_on(self, graph: Graph) -> str | Solver:
        """Return the solver of all fits: the likelihood if one fit with the defaults would maximize it."""
        of_factors = [name for name in self.search or {} if name in TUNABLES and TUNABLES[name].of_factors]
        if self.solver != "auto" or of_factors:
            return self.solver
        chosen = [estimate.solver for estimate in self.plan(graph) if estimate.chosen]
        return Likelihood.name if chosen == [Likelihood.name] else "auto"

    def _tuned(self, graph: Graph, solver_or_name: str | Solver) -> dict[str, Tunable]:
        solver = resolve_solver(solver_or_name)
        tuned = resolve_search(self.search, graph, factorizes=solver is None or solver.factorizes)
        too_large = graph.n_nodes > _MAX_REFINED_NODES
        projects = self.erase is not None and self.erase_level == "linear"
        if "refine" in tuned and (projects or too_large) and "refine" not in (self.search or {}):
            # Sweeps would reintroduce erased attributes, or take too long.
            del tuned["refine"]
        return tuned

    def _families(self, tasks: list[LinkTask], tuned: Mapping[str, Tunable]) -> dict[int, WindowFamily]:
        """Return the walks that all trials on a split share, by the identity of the split."""
        window = tuned["window"]
        variants = (
            [] if window.variants is None else [other for value in window.values for other in window.variants(value)]
        )
        budget = resolve_memory_limit(self.memory_limit) // (2 * len(tasks))
        return {id(task): WindowFamily(task.train, [*window.values, *variants], budget) for task in tasks}

    def _complete(self, parameters: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "n_components": self.n_components,
            "null_model": self.null_model,
            "alpha": self.alpha,
            "erase": self.erase,
            "erase_level": self.erase_level,
            "erase_strength": self.erase_strength,
            "memory_limit": self.memory_limit,
            "n_jobs": self.n_jobs,
            **parameters,
        }

    def _model(self, parameters: Mapping[str, Any]) -> Residual2Vec:
        return Residual2Vec(**self._complete(parameters))

    def _final_model(self, graph: Graph, values: Mapping[str, Any], solver: str | Solver) -> Residual2Vec:
        model = self._model({**as_parameters(values), "solver": solver, "random_state": self.random_state})
        model.set_params(checkpoint=self.checkpoint, progress=self.progress)
        if solver == "auto" and any(
            estimate.chosen and estimate.solver in (Landmark.name, Likelihood.name) for estimate in model.plan(graph)
        ):
            model.set_params(solver=Landmark(tolerance=_FINE, all_columns=True))
        return model

    def plan(self, X: Any) -> Any:
        """Estimate time and memory of each solver for a single fit; see :meth:`Residual2Vec.plan`.

        Parameters
        ----------
        X : graph
            As in :meth:`fit`.

        Returns
        -------
        list of Estimate
            One estimate per solver with default parameters, the most exact solver first.
        """
        return self._model({}).plan(X)

    def transform(
        self, X: Any, groups: ArrayLike | None = None, attributes: Mapping[str, ArrayLike] | None = None
    ) -> Any:
        """Embed out-of-sample nodes; see :meth:`Residual2Vec.transform`.

        Parameters
        ----------
        X : array or sparse matrix of shape (m, N), or edge table
            Edges from new nodes to nodes of the graph.
        groups : array of shape (m,), optional
            Groups of the new nodes; required if the null model has groups.
        attributes : mapping of name to array of shape (m,), optional
            Values of the erased attributes of the new nodes, by the names in ``erased_``.

        Returns
        -------
        array of shape (m, K)
            Vectors of the new nodes.
        """
        self._check_fitted()
        return self._as_output(np.asarray(self.best_estimator_.transform(X, groups, attributes)))

    def save(
        self, path: str | os.PathLike[str], *, overwrite: bool = False, record: Mapping[str, Any] | None = None
    ) -> None:
        """Write the tuned model to a folder, which :meth:`Residual2Vec.load` reads; see :meth:`Residual2Vec.save`.

        Parameters
        ----------
        path : path
            Folder to create; must end in ``.r2m``.
        overwrite : bool, default False
            Whether to replace an existing model.
        record : mapping, optional
            How the model was made, as JSON values.
        """
        self._check_fitted()
        self.best_estimator_.inputs_ = self.inputs_
        self.best_estimator_.save(path, overwrite=overwrite, record=record)


def _max_fits(tunable: Tunable) -> int:
    if tunable.read_off:
        return 0
    variants = 0 if tunable.variants is None else len(tunable.variants(tunable.start))
    return len(tunable.values) - 1 + variants


def _splits(graph: Graph, rng: np.random.Generator) -> list[LinkTask]:
    tasks = [link_task(graph, _HELD_OUT, rng)]
    n_held_out = len(tasks[0].positive)
    if n_held_out < _MIN_HELD_OUT:
        raise InvalidParameterError(
            f"tuning needs at least {_MIN_HELD_OUT} held-out edges outside a spanning tree; only {n_held_out} of the "
            f"{graph.n_edges} edges of this graph can be held out. Use Residual2Vec, which does not tune."
        )
    n_splits = min(_MAX_SPLITS, -(-_TOTAL_HELD_OUT // n_held_out))
    return tasks + [link_task(graph, _HELD_OUT, rng) for _ in range(n_splits - 1)]
