"""The choice of parameters: edges are hidden, and the values are taken whose vectors find them best."""

import logging
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, clone

from residuum._progress import ProgressCallback, Stage
from residuum.errors import InvalidParameterError, ResiduumWarning
from residuum.evaluation import LinkTask, link_task, pair_scores
from residuum.graph import Graph

__all__ = ["CHOICES", "LONGEST_WINDOW", "Trial", "choose"]

_log = logging.getLogger("residuum")
_HIDDEN = 0.2
_FEWEST_HIDDEN = 10

# What "auto" tries, in order, and where it begins.
CHOICES: dict[str, Sequence[Any]] = {"window": (2, 3, 5, 10, 20, 40), "weighting": (0.0, 0.5, 1.0)}
_FIRST = {"window": 5, "weighting": 0.5}
# Weights that fall are tried over twice the steps of the best window.
LONGEST_WINDOW = 2 * max(CHOICES["window"])


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


def choose(
    model: BaseEstimator,
    graph: Graph,
    names: Sequence[str],
    rng: np.random.Generator,
    *,
    progress: ProgressCallback | None = None,
) -> list[Trial]:
    """Try values of some parameters one after the other, and return all trials; the best has the highest AUC.

    A fifth of the edges is hidden once, none of a spanning tree, and the rest is embedded with each value. The values
    of a parameter are climbed, up or else down, as long as the AUC rises; for the best window, weights that fall with
    the steps, as in word2vec, are tried, too, over as many and over twice as many steps. A parameter is chosen with the
    best values of those before it and the first values of those after it.

    Parameters
    ----------
    model : estimator
        Whose other parameters are used.
    graph : Graph
    names : sequence of str
        Of :data:`CHOICES`.
    rng : numpy Generator
        Hides the edges.
    progress : callable, optional
    """
    task = link_task(graph, _HIDDEN, rng)
    if len(task.positive) < _FEWEST_HIDDEN:
        raise InvalidParameterError(
            f"{names[0]}='auto' hides edges outside a spanning tree, and of the {graph.n_edges} edges of this graph "
            f"{len(task.positive)} can be hidden; at least {_FEWEST_HIDDEN} are needed. Give a number instead."
        )
    fixed = {"random_state": int(rng.integers(2**32)), "checkpoint": None, "progress": None}
    stage = Stage(f"choosing {' and '.join(names)}", sum(len(CHOICES[name]) for name in names), progress)
    best = _try(model, task, {name: _FIRST[name] for name in names}, fixed)
    trials = [best]

    def better(name: str, value: Any) -> bool:
        nonlocal best
        trials.append(_try(model, task, best.parameters | {name: value}, fixed))
        stage.advance()
        rises = trials[-1].auc > best.auc
        best = trials[-1] if rises else best
        return rises

    for name in names:
        values, first = CHOICES[name], CHOICES[name].index(_FIRST[name])
        if not _climb(values[first + 1 :], name, better):
            _climb(values[:first][::-1], name, better)
        if name == "window":
            steps = best.parameters[name]
            for length in (steps, 2 * steps):
                better(name, tuple(range(length, 0, -1)))
    stage.finish()
    return trials


def _climb(values: Sequence[Any], name: str, better: Callable[[str, Any], bool]) -> bool:
    """Try values in order until one is no better; return whether any was."""
    for place, value in enumerate(values):
        if not better(name, value):
            return place > 0
    return len(values) > 0


def _try(model: BaseEstimator, task: LinkTask, parameters: dict[str, Any], fixed: dict[str, Any]) -> Trial:
    fitted: Any = clone(model).set_params(**parameters, **fixed)
    with warnings.catch_warnings():
        # They are given once, for the graph itself.
        warnings.simplefilter("ignore", ResiduumWarning)
        fitted.fit(task.train)
    score = pair_scores(fitted.embedding_, fitted.context_embedding_, graph=task.train)["residual"]
    found = Trial(parameters, task.auc(score, "degree-matched"))
    _log.info("%s: AUC %.4f", ", ".join(f"{name} {value}" for name, value in parameters.items()), found.auc)
    return found
