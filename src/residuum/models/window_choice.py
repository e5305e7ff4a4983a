"""The choice of a window: edges are hidden, and the window whose vectors find them best is taken."""

import logging
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import clone

from residuum._progress import ProgressCallback, Stage
from residuum.errors import InvalidParameterError, ResiduumWarning
from residuum.evaluation import link_task, pair_scores
from residuum.graph import Graph

if TYPE_CHECKING:
    from residuum.models.residual2vec import Residual2Vec

__all__ = ["WINDOWS", "choose_window"]

_log = logging.getLogger("residuum")
# From next neighbours to the paper's ten steps.
WINDOWS = (1, 2, 3, 5, 10)
_HIDDEN = 0.2
_FEWEST_HIDDEN = 10


def choose_window(
    model: "Residual2Vec",
    graph: Graph,
    rng: np.random.Generator,
    progress: ProgressCallback | None = None,
    windows: Sequence[int] = WINDOWS,
) -> dict[int, float]:
    """Return the AUC of each window, for edges of the graph that were hidden against pairs of the same degrees.

    A fifth of the edges is hidden once, none of a spanning tree, and the rest is embedded with each window. The score
    is the association alone, so that a window is chosen by what it says beyond degree.

    Parameters
    ----------
    model : Residual2Vec
        Whose other parameters are used.
    graph : Graph
    rng : numpy Generator
        Hides the edges.
    progress : callable, optional
    windows : sequence of int
    """
    task = link_task(graph, _HIDDEN, rng)
    if len(task.positive) < _FEWEST_HIDDEN:
        raise InvalidParameterError(
            f"window='auto' hides edges outside a spanning tree, and this graph has only {len(task.positive)} to hide, "
            f"of {graph.n_edges} edges; at least {_FEWEST_HIDDEN} are needed. Give a number, such as window=10."
        )
    seed = int(rng.integers(2**32))
    stage = Stage("choosing the window", len(windows), progress)
    found = {}
    for window in windows:
        trial: Any = clone(model).set_params(window=window, random_state=seed, checkpoint=None, progress=None)
        with warnings.catch_warnings():
            # They are given once, for the graph itself.
            warnings.simplefilter("ignore", ResiduumWarning)
            trial.fit(task.train)
        score = pair_scores(trial.embedding_, trial.context_embedding_, graph=task.train)["residual"]
        found[window] = task.auc(score, "degree-matched")
        _log.info("window %d: AUC %.4f", window, found[window])
        stage.advance()
    return found
