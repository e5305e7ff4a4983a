"""Link prediction: whether hidden edges score above pairs that are no edges."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import rankdata

from residuum.errors import InvalidParameterError
from residuum.evaluation.pairs import degree_matched_non_edges, non_edges_at_distance, uniform_non_edges
from residuum.evaluation.splits import hide_edges
from residuum.evaluation.vectors import PairScore
from residuum.graph import Graph

__all__ = ["LinkTask", "auc_roc", "average_precision", "link_task"]


def auc_roc(positive: ArrayLike, negative: ArrayLike) -> float:
    """Return the chance that a positive scores above a negative, ties counting half.

    Parameters
    ----------
    positive : array of shape (n,)
    negative : array of shape (m,)
        At least one score each, none of them NaN.

    Examples
    --------
    >>> auc_roc([3, 2], [1, 2])
    0.875
    """
    above, below = _checked(positive, "positive"), _checked(negative, "negative")
    ranks = rankdata(np.concatenate([above, below]))
    won = ranks[: len(above)].sum() - len(above) * (len(above) + 1) / 2
    return float(won / (len(above) * len(below)))


def average_precision(positive: ArrayLike, negative: ArrayLike) -> float:
    """Return ``Σ_n (R_n − R_{n−1}) P_n``: the precision at each threshold, weighted by what recall gains there.

    Equal scores are one threshold, as in scikit-learn.

    Parameters
    ----------
    positive : array of shape (n,)
    negative : array of shape (m,)
        At least one score each, none of them NaN.

    Examples
    --------
    >>> average_precision([3, 1], [2, 0])
    0.8333333333333333
    """
    above, below = _checked(positive, "positive"), _checked(negative, "negative")
    thresholds, counts = np.unique(above, return_counts=True)
    true = len(above) - np.searchsorted(np.sort(above), thresholds, side="left")
    false = len(below) - np.searchsorted(np.sort(below), thresholds, side="left")
    return float(np.sum(counts / len(above) * true / (true + false)))


def _checked(scores: ArrayLike, name: str) -> NDArray[np.float64]:
    array = np.asarray(scores, dtype=np.float64)
    if array.ndim != 1 or len(array) == 0:
        raise InvalidParameterError(
            f"{name} must be a flat array of at least one score; got shape {array.shape}. "
            "Where there are none, hide more edges or draw more pairs."
        )
    missing = np.flatnonzero(np.isnan(array))
    if len(missing):
        raise InvalidParameterError(
            f"{name} must not hold NaN, which is neither above nor below another score; {len(missing)} of "
            f"{len(array)} are, the first at {missing[0]}. Leave such pairs out."
        )
    return array


@dataclass(frozen=True)
class LinkTask:
    """Hidden edges, and as many non-edges of each kind, as positions in the training graph.

    Attributes
    ----------
    train : Graph
        What a method may see.
    positive : array of shape (n, 2)
        The hidden edges.
    negatives : dict of str to array of shape (n, 2)
        ``"uniform"``, ``"degree-matched"``, and ``"distance 2"`` and the like if they were asked for.
    """

    train: Graph
    positive: NDArray[np.int64]
    negatives: dict[str, NDArray[np.int64]]

    def auc(self, score: PairScore, negatives: str) -> float:
        """Return the AUC of a score of pairs (rows, columns) against one kind of negatives."""
        return auc_roc(*self._scores(score, negatives))

    def average_precision(self, score: PairScore, negatives: str) -> float:
        """Return the average precision of a score of pairs against one kind of negatives."""
        return average_precision(*self._scores(score, negatives))

    def _scores(self, score: PairScore, negatives: str) -> tuple[ArrayLike, ArrayLike]:
        return score(*self.positive.T), score(*self.negatives[negatives].T)


def link_task(graph: Graph, fraction: float, rng: np.random.Generator, *, distances: Iterable[int] = ()) -> LinkTask:
    """Hide a fraction of the edges (a spanning tree is kept) and draw the negatives.

    Parameters
    ----------
    graph : Graph
    fraction : float
        ρ, the share of the edges to hide.
    rng : numpy Generator
    distances : iterable of int
        Also draw negatives that are so many steps apart in the graph before edges were hidden.
    """
    split = hide_edges(graph, fraction, rng)
    n_pairs = len(split.hidden)
    negatives = {
        "uniform": uniform_non_edges(graph, n_pairs, rng),
        "degree-matched": degree_matched_non_edges(graph, n_pairs, rng),
    }
    for distance in distances:
        negatives[f"distance {distance}"] = non_edges_at_distance(graph, n_pairs, distance, rng)
    return LinkTask(split.train, split.hidden, negatives)
