"""The choice of parameters: edges are hidden, and the values are taken whose vectors find them best."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from residuum._progress import ProgressCallback, Stage
from residuum._validation import check_positive, check_real, window_weights
from residuum.errors import InvalidParameterError
from residuum.evaluation import LinkTask, link_task
from residuum.graph import Graph
from residuum.models.trials import READ_OFF, Trial, try_values

__all__ = [
    "AUTO",
    "AUTO_BY_WALKS",
    "CHOICES",
    "CHOSEN",
    "LONGEST_WINDOW",
    "checked_values",
    "choose",
    "values_to_choose",
]

# All that can be chosen.
CHOSEN = ("window", "weighting", "floor", "power", "shrinkage", "scale")
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
}
_FIRST = {"window": 5, "weighting": 0.5, "floor": -3.0, "power": 1.0, "shrinkage": 0.0, "scale": 1.0}
# Weights that fall are tried over twice the steps of the best window.
LONGEST_WINDOW = 2 * max(CHOICES["window"])
_KINDS = {
    "window": "a number of steps, a list of weights",
    "weighting": "a number between 0 and 1",
    "floor": "a number of at most 0",
    "power": "a number above 0",
    "shrinkage": "a number between 0 and 0.99",
    "scale": "a number above 0",
}
_CHECKS: dict[str, Callable[[Any], Any]] = {
    "window": window_weights,
    "weighting": lambda value: check_real("weighting", value, minimum=0.0, maximum=1.0),
    "floor": lambda value: check_real("floor", value, maximum=0.0, why="a higher one would raise pairs nobody walks"),
    "power": lambda value: check_positive("power", value),
    "shrinkage": lambda value: check_real("shrinkage", value, minimum=0.0, maximum=0.99),
    "scale": lambda value: check_positive("scale", value),
}


def values_to_choose(given: Mapping[str, Any]) -> list[str]:
    """Return the names of parameters that are "auto"; any other text is refused."""
    names = [name for name, value in given.items() if isinstance(value, str)]
    for name in names:
        if given[name] != "auto":
            raise InvalidParameterError(f"{name} must be {_KINDS[name]}, or 'auto'; got {given[name]!r}.")
    return names


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
    climbed as long as both tasks together gain (:attr:`Trial.wrong`).
    Power, shrinkage and scale need no fit of their own: each trial has the best of theirs, see :func:`try_values`.
    A ``tolerance`` below 0.16 is for the last fit, not for trials.

    Parameters
    ----------
    model : estimator
        Whose other parameters are used.
    graph : Graph
    names : sequence of str
        Of :data:`CHOICES`, "power", "shrinkage" or "scale".
    rng : numpy Generator
        Hides the edges.
    progress : callable, optional
    """
    tasks = _splits(graph, names[0], rng)
    fixed: dict[str, Any] = {"random_state": int(rng.integers(2**32)), "checkpoint": None, "progress": None}
    fixed |= {name: _FIRST[name] for name in names if name in READ_OFF}
    own = model.get_params(deep=False)
    fixed["tolerance"] = max(own.get("tolerance", 0.0), _FINEST_TOLERANCE)
    fixed = {name: value for name, value in fixed.items() if name in own}
    climbed = [name for name in names if name in CHOICES]
    stage = Stage(f"choosing {', '.join(names)}", 1 + sum(len(CHOICES[name]) for name in climbed), progress)
    best = try_values(model, tasks, {name: _FIRST[name] for name in names}, fixed)
    stage.advance()
    trials = [best]

    def better(name: str, value: Any) -> bool:
        nonlocal best
        trials.append(try_values(model, tasks, best.parameters | {name: value}, fixed))
        stage.advance()
        rises = trials[-1].wrong < best.wrong if name == "floor" else trials[-1].auc > best.auc
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
    return trials, best


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
