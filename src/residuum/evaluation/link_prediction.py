"""Link prediction: whether hidden edges score above pairs that are no edges."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import rankdata

from residuum.evaluation.pairs import degree_matched_non_edges, uniform_non_edges
from residuum.evaluation.splits import hide_edges
from residuum.graph import Graph

__all__ = ["LinkTask", "auc_roc", "link_task"]

PairScore = Callable[[NDArray[np.int64], NDArray[np.int64]], ArrayLike]


def auc_roc(positive: ArrayLike, negative: ArrayLike) -> float:
    """Return the chance that a positive scores above a negative, ties counting half.

    Examples
    --------
    >>> auc_roc([3, 2], [1, 2])
    0.875
    """
    above, below = np.asarray(positive, dtype=np.float64), np.asarray(negative, dtype=np.float64)
    ranks = rankdata(np.concatenate([above, below]))
    won = ranks[: len(above)].sum() - len(above) * (len(above) + 1) / 2
    return float(won / (len(above) * len(below)))


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
        ``"uniform"`` and ``"degree-matched"``.
    """

    train: Graph
    positive: NDArray[np.int64]
    negatives: dict[str, NDArray[np.int64]]

    def auc(self, score: PairScore, negatives: str) -> float:
        """Return the AUC of a score of pairs (rows, columns) against one kind of negatives."""
        other = self.negatives[negatives]
        return auc_roc(score(*self.positive.T), score(*other.T))


def link_task(graph: Graph, fraction: float, rng: np.random.Generator) -> LinkTask:
    """Hide a fraction of the edges (a spanning tree is kept) and draw the negatives.

    Parameters
    ----------
    graph : Graph
    fraction : float
        Share of the edges to hide.
    rng : numpy Generator
    """
    split = hide_edges(graph, fraction, rng)
    n_pairs = len(split.hidden)
    negatives = {
        "uniform": uniform_non_edges(graph, n_pairs, rng),
        "degree-matched": degree_matched_non_edges(graph, n_pairs, rng),
    }
    return LinkTask(split.train, split.hidden, negatives)
