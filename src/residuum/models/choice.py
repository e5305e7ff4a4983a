"""The choice of parameters: edges are hidden, and the values are taken whose vectors find them best."""

import logging
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, clone

from residuum._progress import ProgressCallback, Stage
from residuum.errors import InvalidParameterError, ResiduumWarning
from residuum.evaluation import LinkTask, link_task, pair_scores
from residuum.graph import Graph

__all__ = ["CHOICES", "Trial", "choose"]

_log = logging.getLogger("residuum")
_HIDDEN = 0.2
_FEWEST_HIDDEN = 10


def _falling(steps: int) -> tuple[int, ...]:
    """Return weights that fall to 1 with the steps, as in word2vec."""
    return tuple(range(steps, 0, -1))


# What "auto" tries, and what stands in for a parameter while another one is being chosen.
CHOICES: dict[str, Sequence[Any]] = {
    "window": (5, 2, 3, 10, 20, 40, _falling(5), _falling(10)),
    "weighting": (0.5, 0.0, 1.0),
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


def choose(
    model: BaseEstimator,
    graph: Graph,
    names: Sequence[str],
    rng: np.random.Generator,
    *,
    progress: ProgressCallback | None = None,
    choices: Mapping[str, Sequence[Any]] = CHOICES,
) -> list[Trial]:
    """Try the values of some parameters one after the other, and return all trials; the best has the highest AUC.

    A fifth of the edges is hidden once, none of a spanning tree, and the rest is embedded with each value. A
    parameter is chosen with the best values of those before it and the first values of those after it.

    Parameters
    ----------
    model : estimator
        Whose other parameters are used.
    graph : Graph
    names : sequence of str
        Which of ``choices`` to choose.
    rng : numpy Generator
        Hides the edges.
    progress : callable, optional
    choices : mapping of str to sequence
    """
    task = link_task(graph, _HIDDEN, rng)
    if len(task.positive) < _FEWEST_HIDDEN:
        raise InvalidParameterError(
            f"{names[0]}='auto' hides edges outside a spanning tree, and of the {graph.n_edges} edges of this graph "
            f"{len(task.positive)} can be hidden; at least {_FEWEST_HIDDEN} are needed. Give a number instead."
        )
    fixed = {"random_state": int(rng.integers(2**32)), "checkpoint": None, "progress": None}
    stage = Stage(f"choosing {' and '.join(names)}", 1 + sum(len(choices[name]) - 1 for name in names), progress)
    best = _try(model, task, {name: choices[name][0] for name in names}, fixed)
    trials = [best]
    stage.advance()
    for name in names:
        for value in choices[name][1:]:
            trials.append(_try(model, task, best.parameters | {name: value}, fixed))
            stage.advance()
        best = max(trials, key=lambda trial: trial.auc)
    return trials


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
