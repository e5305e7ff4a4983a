"""The choice of parameters: edges are hidden, and the values are taken whose vectors find them best."""

import logging
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone

from residuum._progress import ProgressCallback, Stage
from residuum.errors import InvalidParameterError, ResiduumWarning
from residuum.evaluation import LinkTask, auc_roc, link_task
from residuum.graph import Graph

__all__ = ["CHOICES", "LONGEST_WINDOW", "SCALES", "Trial", "choose", "values_to_choose"]

_log = logging.getLogger("residuum")
# More would leave a sparser graph, which needs longer windows than the whole one.
_HIDDEN = 0.1
_FEWEST_HIDDEN = 5
# Small graphs are split several times, until so many edges were hidden in all.
_HIDDEN_IN_ALL = 20_000
_MOST_SPLITS = 3

# What "auto" tries, in order, and where it begins.
CHOICES: dict[str, Sequence[Any]] = {
    "window": (2, 3, 5, 10, 20, 40),
    "weighting": (0.0, 0.5, 1.0),
    "floor": (0.0, -1.0, -3.0, -6.0, -10.0),
}
_FIRST = {"window": 5, "weighting": 0.5, "floor": -3.0}
# Weights that fall are tried over twice the steps of the best window.
LONGEST_WINDOW = 2 * max(CHOICES["window"])
SCALES = tuple(2.0 ** (half / 2) for half in range(-2, 7))
_KINDS = {
    "window": "a number of steps, a list of weights",
    "weighting": "a number between 0 and 1",
    "floor": "a number of at most 0",
    "scale": "a number above 0",
}


@dataclass(frozen=True)
class Trial:
    """Values that were tried.

    Attributes
    ----------
    parameters : dict of str to value
    auc : float
        Of the association, for hidden edges against pairs of the same degrees.
    """

    parameters: dict[str, Any]
    auc: float


def values_to_choose(given: Mapping[str, Any]) -> list[str]:
    """Return the names of parameters that are "auto"; any other text is refused."""
    names = [name for name, value in given.items() if isinstance(value, str)]
    for name in names:
        if given[name] != "auto":
            raise InvalidParameterError(f"{name} must be {_KINDS[name]}, or 'auto'; got {given[name]!r}.")
    return names


def choose(
    model: BaseEstimator,
    graph: Graph,
    names: Sequence[str],
    rng: np.random.Generator,
    *,
    progress: ProgressCallback | None = None,
) -> list[Trial]:
    """Try values of some parameters one after the other, and return all trials; the best has the highest AUC.

    A tenth of the edges is hidden, none of a spanning tree, and the rest is embedded with each value; in small graphs
    several times, with the same splits for each value. The values of a parameter are climbed, up or else down, as long
    as the AUC rises, with the best values of those before it and the first values of those after it; for the best
    window, weights that fall with the steps, as in word2vec, are tried, too, over as many and over twice as many steps.
    The scale needs no fit of its own: for each trial it is that of :data:`SCALES` at which the full score tells hidden
    edges best from pairs drawn uniformly.

    Parameters
    ----------
    model : estimator
        Whose other parameters are used.
    graph : Graph
    names : sequence of str
        Of :data:`CHOICES`, or "scale".
    rng : numpy Generator
        Hides the edges.
    progress : callable, optional
    """
    tasks = _splits(graph, names[0], rng)
    fixed = {"random_state": int(rng.integers(2**32)), "checkpoint": None, "progress": None, "scale": 1.0}
    fixed = {name: value for name, value in fixed.items() if name in model.get_params(deep=False)}
    climbed = [name for name in names if name in CHOICES]
    stage = Stage(f"choosing {' and '.join(names)}", 1 + sum(len(CHOICES[name]) for name in climbed), progress)
    best = _try(model, tasks, {name: _FIRST.get(name, 1.0) for name in names}, fixed)
    stage.advance()
    trials = [best]

    def better(name: str, value: Any) -> bool:
        nonlocal best
        trials.append(_try(model, tasks, best.parameters | {name: value}, fixed))
        stage.advance()
        rises = trials[-1].auc > best.auc
        best = trials[-1] if rises else best
        return rises

    for name in climbed:
        values, first = CHOICES[name], CHOICES[name].index(_FIRST[name])
        if not _climb(values[first + 1 :], name, better):
            _climb(values[:first][::-1], name, better)
        if name == "window":
            steps = best.parameters[name]
            for length in (steps, 2 * steps):
                better(name, tuple(range(length, 0, -1)))
    stage.finish()
    return trials


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


def _climb(values: Sequence[Any], name: str, better: Callable[[str, Any], bool]) -> bool:
    """Try values in order until one is no better; return whether any was."""
    for place, value in enumerate(values):
        if not better(name, value):
            return place > 0
    return len(values) > 0


def _try(model: BaseEstimator, tasks: list[LinkTask], parameters: dict[str, Any], fixed: dict[str, Any]) -> Trial:
    """Fit to each split; the scale is fitted, not tried."""
    scaled = "scale" in parameters
    aucs, by_scale = [], []
    for task in tasks:
        fitted: Any = clone(model).set_params(**parameters | fixed)
        with warnings.catch_warnings():
            # They are given once, for the graph itself.
            warnings.simplefilter("ignore", ResiduumWarning)
            fitted.fit(task.train)
        hidden = _scores(fitted, task.positive, "residual")
        aucs.append(auc_roc(hidden, _scores(fitted, task.negatives["degree-matched"], "residual")))
        if scaled:
            by_scale.append(_auc_by_scale(fitted, task, hidden))
    if scaled:
        parameters = parameters | {"scale": SCALES[int(np.mean(by_scale, axis=0).argmax())]}
    found = Trial(parameters, float(np.mean(aucs)))
    _log.info("%s: AUC %.4f", ", ".join(f"{name} {value}" for name, value in parameters.items()), found.auc)
    return found


def _auc_by_scale(fitted: Any, task: LinkTask, hidden: NDArray[np.float64]) -> list[float]:
    other = _scores(fitted, task.negatives["uniform"], "residual")
    hidden_null, other_null = (_scores(fitted, pairs, "null") for pairs in (task.positive, task.negatives["uniform"]))
    return [auc_roc(scale * hidden + hidden_null, scale * other + other_null) for scale in SCALES]


def _scores(fitted: Any, pairs: NDArray[np.int64], mode: str) -> NDArray[np.float64]:
    """Return the scores of pairs of positions."""
    return np.asarray(fitted.score_pairs(*fitted.node_ids_[pairs.T], mode=mode))
