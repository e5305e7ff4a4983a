"""The choice of parameters: edges are hidden, and the values are taken whose vectors find them best."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator

from residuum._memory import resolve_memory_limit
from residuum._progress import ProgressCallback, Stage
from residuum._validation import check_integer, check_positive, check_real, window_weights
from residuum.errors import InvalidParameterError
from residuum.evaluation import LinkTask, link_task
from residuum.graph import Graph
from residuum.models.node_embedding import resolve_null_model
from residuum.models.trials import READ_OFF, Trial, try_values
from residuum.nulls import Configuration, NullModel
from residuum.residual import refinement_bytes

__all__ = [
    "AUTO",
    "AUTO_BY_WALKS",
    "CHOICES",
    "CHOSEN",
    "checked_values",
    "choose",
    "costliest",
    "names_to_choose",
]

# All that can be chosen, but for the exponent of the configuration model: what is removed is for the user to say.
CHOSEN = ("window", "weighting", "floor", "refine", "power", "shrinkage", "scale")
# Keywords of Residual2Vec: all of it is chosen, and after so many fits the last one may take as long as several.
AUTO: dict[str, Any] = dict.fromkeys(CHOSEN, "auto") | {"tolerance": 0.05}
AUTO_BY_WALKS = {name: AUTO[name] for name in ("window", "scale")}
# More would leave a sparser graph, which needs longer windows than the whole one.
_HIDDEN = 0.1
_FEWEST_HIDDEN = 5
# Small graphs are split several times, until so many edges were hidden in all.
_HIDDEN_IN_ALL = 20_000
_MOST_SPLITS = 3
# Values are told apart by vectors no closer than these.
_FINEST_TOLERANCE = 0.16

# What "auto" tries, in order, and where it begins.
CHOICES: dict[str, Sequence[Any]] = {
    "window": (2, 3, 5, 10, 20, 40),
    "weighting": (0.0, 0.5, 1.0),
    "floor": (0.0, -1.0, -3.0, -6.0, -10.0),
    "exponent": (0.25, 0.5, 0.75, 1.0),
    "refine": (0, 10),
}
_FIRST = {
    "window": 5,
    "weighting": 0.5,
    "floor": -3.0,
    "exponent": 1.0,
    "refine": 0,
    "power": 1.0,
    "shrinkage": 0.0,
    "scale": 1.0,
}
# Judged by both tasks: see :func:`choose`.
_FOR_BOTH = ("floor", "refine")
# Weights that fall are tried over twice the steps of the best window.
_LONGEST_WINDOW = 2 * max(CHOICES["window"])
_KINDS = {
    "window": "a number of steps, a list of weights",
    "weighting": "a number between 0 and 1",
    "floor": "a number of at most 0",
    "exponent": "a number between 0 and 1",
    "refine": "a number of sweeps",
    "power": "a number above 0",
    "shrinkage": "a number between 0 and 0.99",
    "scale": "a number above 0",
}
_CHECKS: dict[str, Callable[[Any], Any]] = {
    "window": window_weights,
    "weighting": lambda value: check_real("weighting", value, minimum=0.0, maximum=1.0),
    "floor": lambda value: check_real("floor", value, maximum=0.0, why="a higher one would raise pairs nobody walks"),
    "exponent": lambda value: check_real("exponent", value, minimum=0.0, maximum=1.0),
    "refine": lambda value: check_integer("refine", value, minimum=0),
    "power": lambda value: check_positive("power", value),
    "shrinkage": lambda value: check_real("shrinkage", value, minimum=0.0, maximum=0.99),
    "scale": lambda value: check_positive("scale", value),
}


def names_to_choose(model: Any, given: Mapping[str, Any]) -> list[str]:
    """Return the names of parameters that are "auto"; any other text is refused, and so is what cannot be chosen.

    Parameters
    ----------
    model : Residual2Vec
    given : mapping
        Its parameters of :data:`CHOSEN`.
    """
    if isinstance(model.null_model, Configuration):
        given = dict(given) | {"exponent": model.null_model.exponent}
    names = [name for name, value in given.items() if isinstance(value, str)]
    for name in names:
        if given[name] != "auto":
            raise InvalidParameterError(f"{name} must be {_KINDS[name]}, or 'auto'; got {given[name]!r}.")
    without = [name for name in names if name not in AUTO_BY_WALKS]
    if model.solver == "sgd" and without:
        raise InvalidParameterError(
            f"{without[0]}='auto' needs a solver that factorises the matrix; with solver='sgd' window and scale "
            "can be chosen."
        )
    if names and model.checkpoint is not None and model.random_state is None:
        raise InvalidParameterError(
            f"{names[0]}='auto' with a checkpoint needs random_state, an integer: a run that goes on would "
            "draw other edges and might choose another value."
        )
    if given["refine"] not in (0, "auto"):
        _check_refinement(given["refine"], model)
    return names


def _check_refinement(n_sweeps: Any, model: Any) -> None:
    """Refuse sweeps where they cannot be, or would undo what was asked for."""
    if model.solver == "sgd":
        raise InvalidParameterError(f"refine={n_sweeps} needs a solver that factorises the matrix, not 'sgd'.")
    if model.erase is not None:
        raise InvalidParameterError(f"refine={n_sweeps} would bring back what erase takes out; leave one of them out.")


def costliest(window: int | ArrayLike | str, null_model: str | NullModel) -> tuple[NDArray[np.float64], NullModel]:
    """Return the weights of the steps and the null model that take longest of all that may be tried."""
    if isinstance(null_model, Configuration) and null_model.exponent == "auto":
        null_model = Configuration(CHOICES["exponent"][0])
    return window_weights(_LONGEST_WINDOW if isinstance(window, str) else window), resolve_null_model(null_model)


def checked_values(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return values as they are used; one that is out of its range is refused."""
    return {name: _CHECKS[name](value) for name, value in given.items()}


def choose(
    model: BaseEstimator,
    graph: Graph,
    names: Sequence[str],
    rng: np.random.Generator,
    *,
    progress: ProgressCallback | None = None,
) -> tuple[list[Trial], Trial]:
    """Try values of some parameters one after the other, and return all trials, and the best of them.

    A tenth of the edges is hidden, none of a spanning tree, and the rest is embedded with each value; in small graphs
    several times, with the same splits for each value. The values of a parameter are climbed, up or else down, as long
    as the AUC rises, with the best values of those before it and the first values of those after it; for the best
    window, weights that fall with the steps, as in word2vec, are tried, too, over as many and over twice as many steps.
    The floor says how far apart nodes are that nothing joins; there are few among pairs of high degree, so that it is
    climbed as long as both tasks together gain (:attr:`Trial.wrong`). If it is another one than the first, weights that
    fall are tried once more where even ones were taken, and if they are better now, the other weightings with them.
    Sweeps (``refine``) are judged by both tasks, too, and tried last.
    Power, shrinkage and scale need no fit of their own: each trial has the best of theirs, see :func:`try_values`.
    A ``tolerance`` below 0.16 is for the last fit, not for trials.

    Parameters
    ----------
    model : estimator
        Whose other parameters are used.
    graph : Graph
    names : sequence of str
        Of :data:`CHOICES`, "power", "shrinkage" or "scale"; tried in the order of :data:`CHOICES`.
    rng : numpy Generator
        Hides the edges.
    progress : callable, optional
    """
    names = [name for name in _FIRST if name in names]
    tasks = _splits(graph, names[0], rng)
    fixed: dict[str, Any] = {"random_state": int(rng.integers(2**32)), "checkpoint": None, "progress": None}
    fixed |= {name: _FIRST[name] for name in names if name in READ_OFF}
    own = model.get_params(deep=False)
    fixed["tolerance"] = max(own.get("tolerance", 0.0), _FINEST_TOLERANCE)
    fixed = {name: value for name, value in fixed.items() if name in own}
    climbed = [name for name in names if name in CHOICES and (name != "refine" or _can_refine(model, graph))]
    stage = Stage(f"choosing {', '.join(names)}", 1 + sum(len(CHOICES[name]) for name in climbed), progress)

    def tried(parameters: Mapping[str, Any]) -> Trial:
        trial = try_values(model, tasks, parameters, fixed)
        stage.advance()
        return trial

    search = _Search(tried, {name: _FIRST[name] for name in names})
    for name in climbed:
        search.climb(name, for_both=name in _FOR_BOTH)
        if name == "window":
            search.let_weights_fall()
        # With another floor than the first, weights that fall may be the better ones.
        moved = name == "floor" and search.now(name) != _FIRST[name] and isinstance(search.now("window"), int)
        if moved and search.let_weights_fall(for_both=True) and "weighting" in climbed:
            search.climb("weighting", for_both=True)
    stage.finish()
    return search.trials, search.best


class _Search:
    """The best trial so far, and how it was come by."""

    def __init__(self, tried: Callable[[Mapping[str, Any]], Trial], first: Mapping[str, Any]) -> None:
        self._tried = tried
        self.best = tried(first)
        self.trials = [self.best]

    def now(self, name: str) -> Any:
        """Return the best value of a parameter; None if it is not chosen."""
        return self.best.parameters.get(name)

    def climb(self, name: str, *, for_both: bool) -> None:
        """Try larger values than the best one in order until one is no better; if none was, smaller ones."""
        values, first = CHOICES[name], self.now(name)
        place = values.index(first)
        for side in (values[place + 1 :], values[:place][::-1]):
            for value in side:
                if not self._is_better(name, value, for_both):
                    break
            if self.now(name) != first:
                return

    def let_weights_fall(self, *, for_both: bool = False) -> bool:
        """Try weights that fall, over as many steps as the window has and over twice as many."""
        steps = self.now("window")
        for length in (steps, 2 * steps):
            self._is_better("window", tuple(range(length, 0, -1)), for_both)
        return bool(self.now("window") != steps)

    def _is_better(self, name: str, value: Any, for_both: bool) -> bool:
        """Try a value, and keep it if the AUC is higher, or both tasks together gain."""
        trial = self._tried(self.best.parameters | {name: value})
        self.trials.append(trial)
        rises = trial.wrong < self.best.wrong if for_both else trial.auc > self.best.auc
        if rises:
            self.best = trial
        return rises


def _can_refine(model: Any, graph: Graph) -> bool:
    """Whether sweeps are worth a trial: all ratios can be kept, and nothing is erased that they would bring back."""
    return model.erase is None and refinement_bytes(graph.n_nodes) <= resolve_memory_limit(model.memory_limit)


def _splits(graph: Graph, name: str, rng: np.random.Generator) -> list[LinkTask]:
    tasks = [link_task(graph, _HIDDEN, rng)]
    n_hidden = len(tasks[0].positive)
    if n_hidden < _FEWEST_HIDDEN:
        raise InvalidParameterError(
            f"{name}='auto' hides edges outside a spanning tree, and of the {graph.n_edges} edges of this graph "
            f"{n_hidden} can be hidden; at least {_FEWEST_HIDDEN} are needed. Give a number instead."
        )
    more = min(_MOST_SPLITS, -(-_HIDDEN_IN_ALL // n_hidden)) - 1
    return tasks + [link_task(graph, _HIDDEN, rng) for _ in range(more)]
