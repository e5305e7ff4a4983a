"""The price of erasure: accuracy in link prediction against leakage of an attribute."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from residuum._progress import ProgressCallback, Stage
from residuum.embedding import PairScores
from residuum.errors import InvalidParameterError, ResiduumWarning
from residuum.evaluation import Attack, LinkTask, attack

__all__ = ["FrontierPoint", "measure_frontier", "recommended_point"]


@dataclass(frozen=True)
class FrontierPoint:
    """An embedding on the frontier.

    Attributes
    ----------
    name : str
        Name of the setting.
    auc : float
        AUC of the residual score, held-out edges against degree-matched non-edges.
    auc_margin : float
        Half the width of the 95 % confidence interval of the AUC; see :func:`residuum.evaluation.auc_interval`.
    attack : Attack
        The strongest attacker on the attribute.

    Examples
    --------
    >>> FrontierPoint("linear", 0.8, 0.01, Attack("boosted trees", 0.7, 0.02, 0.5, 0.46, 0.54)).attack.is_leak
    True
    """

    name: str
    auc: float
    auc_margin: float
    attack: Attack


def measure_frontier(
    task: LinkTask,
    attribute: ArrayLike,
    models: Mapping[str, Any],
    *,
    post_hoc: Mapping[str, Callable[[NDArray[np.float32]], NDArray[np.float32]]] | None = None,
    n_nodes: int = 2000,
    random_state: int = 0,
    progress: ProgressCallback | None = None,
) -> list[FrontierPoint]:
    """Embed the training graph with each model, and measure links and leakage.

    Parameters
    ----------
    task : LinkTask
        Training graph, held-out edges and non-edges.
    attribute : array of shape (N,)
        Value of each node, to be attacked.
    models : mapping of name to NodeEmbedding
        Unfitted estimators.
    post_hoc : mapping of name to callable, optional
        Methods that erase the attribute from finished vectors: functions of an array of shape (N, K). They are applied
        to the embedding and context vectors of the first model.
    n_nodes : int
        Maximum number of nodes that are attacked.
    random_state : int
        Seed of the attackers.
    progress : callable, optional
        Called after each model.

    Returns
    -------
    list of FrontierPoint
        One point per model, then one per post-hoc method, in their order.

    Examples
    --------
    >>> import numpy as np
    >>> from residuum import Residual2Vec, datasets
    >>> from residuum.evaluation import link_task
    >>> graph = datasets.karate_club()
    >>> task = link_task(graph, 0.2, np.random.default_rng(0))
    >>> points = measure_frontier(task, graph.node_attributes["club"], {"none": Residual2Vec(4, random_state=0)})
    >>> points[0].name, points[0].attack.is_leak
    ('none', True)
    """
    erasers = post_hoc or {}
    stage = Stage("embedding and attacking", len(models) + len(erasers), progress)

    def point(name: str, u: NDArray[np.float32], v: NDArray[np.float32]) -> FrontierPoint:
        score = PairScores(u, v, directed=task.train.directed).residual
        auc, margin = task.auc_interval(score, "degree-matched")
        report = attack(u, attribute, context_vectors=v, n_nodes=n_nodes, random_state=random_state)
        stage.advance()
        return FrontierPoint(name, auc, margin, report.strongest)

    points = []
    for name, model in models.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResiduumWarning)
            model.fit(task.train)
        points.append(point(name, model.embedding_, model.context_embedding_))
    first = next(iter(models.values()))
    for name, erase in erasers.items():
        points.append(point(name, erase(first.embedding_), erase(first.context_embedding_)))
    stage.finish()
    return points


def recommended_point(points: Sequence[FrontierPoint], max_leak: float = 0.05) -> FrontierPoint:
    """Return the point with the highest AUC among those with little leakage.

    Parameters
    ----------
    points : sequence of FrontierPoint
        At least one point.
    max_leak : float
        Maximum distance of the strongest attacker from chance; if no point is below, the least leakage decides.

    Returns
    -------
    FrontierPoint
        The recommended point.

    Examples
    --------
    >>> weak, strong = (Attack("boosted trees", accuracy, 0.02, 0.5, 0.46, 0.54) for accuracy in (0.52, 0.7))
    >>> points = [FrontierPoint("linear", 0.8, 0.01, strong), FrontierPoint("distribution", 0.7, 0.01, weak)]
    >>> recommended_point(points).name
    'distribution'
    """
    if not points:
        raise InvalidParameterError("points must have at least one point; got none.")
    little = [point for point in points if point.attack.leak <= max_leak]
    if little:
        return max(little, key=lambda point: point.auc)
    return min(points, key=lambda point: point.attack.leak)
