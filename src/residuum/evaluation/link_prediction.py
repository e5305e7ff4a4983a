"""Link prediction: scores of held-out edges compared with scores of non-edges."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from residuum.embedding import PairScore
from residuum.errors import InvalidParameterError
from residuum.evaluation.pairs import degree_matched_non_edges, non_edges_at_distance, uniform_non_edges
from residuum.evaluation.splits import hide_edges
from residuum.graph import Graph
from residuum.graph.attributes import as_numbers
from residuum.graph.graph import attribute_array

__all__ = ["LinkTask", "auc_interval", "auc_roc", "average_precision", "link_task"]


def auc_roc(positive: ArrayLike, negative: ArrayLike) -> float:
    """Return the probability that a positive scores higher than a negative, ties counting half.

    Parameters
    ----------
    positive : array of shape (n,)
        Scores of the positives: at least one, no NaN.
    negative : array of shape (m,)
        Scores of the negatives: at least one, no NaN.

    Returns
    -------
    float
        Area under the ROC curve; 0.5 is chance.

    Examples
    --------
    >>> auc_roc([3, 2], [1, 2])
    0.875
    """
    return float(_wins(positive, negative)[0].mean())


def auc_interval(
    positive: ArrayLike, negative: ArrayLike, *, pairs: tuple[ArrayLike, ArrayLike] | None = None
) -> tuple[float, float]:
    """Return the AUC and half the width of its 95 % confidence interval.

    The variance is that of DeLong: ``var(w) / n + var(l) / m``, where ``w`` is the share of negatives below each
    positive and ``l`` the share of positives above each negative. Pairs of nodes that share a node are not independent:
    with ``pairs``, covariances of all pairs that share a node are added.

    Parameters
    ----------
    positive : array of shape (n,)
        Scores of the positives: at least one, no NaN.
    negative : array of shape (m,)
        Scores of the negatives: at least one, no NaN.
    pairs : (array of shape (n, 2), array of shape (m, 2)), optional
        Nodes of the positives and of the negatives; without them, scores are independent.

    Returns
    -------
    auc : float
        Area under the ROC curve, as :func:`auc_roc`.
    margin : float
        Half the width of the interval; 1 if there are fewer than two positives or negatives.

    References
    ----------
    DeLong, DeLong, Clarke-Pearson: Comparing the areas under two or more correlated receiver operating characteristic
    curves. Biometrics 1988.

    Fafchamps, Gubert: The formation of risk sharing networks. Journal of Development Economics 2007.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> auc, margin = auc_interval(rng.normal(1, 1, 500), rng.normal(0, 1, 500))
    >>> f"{auc:.2f} ± {margin:.2f}"
    '0.78 ± 0.03'
    """
    shares = _wins(positive, negative)
    auc = float(shares[0].mean())
    if min(map(len, shares)) < 2:
        return auc, 1.0
    influences = [(share - share.mean()) / np.sqrt(len(share) * (len(share) - 1)) for share in shares]
    variance = independent = sum(float(influence @ influence) for influence in influences)
    if pairs is not None:
        nodes = np.unique(np.concatenate([np.asarray(ends) for ends in pairs]), return_inverse=True)[1].reshape(-1, 2)
        influence = np.concatenate(influences)
        of_nodes = sum(np.bincount(end, influence, nodes.max() + 1) for end in nodes.T)
        # Sums over nodes contain the square of each pair twice, once for each of its ends.
        variance = max(float(np.square(of_nodes).sum()) - independent, independent)
    return auc, 1.96 * float(np.sqrt(variance))


def _wins(positive: ArrayLike, negative: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the share of negatives below each positive, and of positives above each negative, ties counting half."""
    from scipy.stats import rankdata  # slow to import, and not needed to embed

    above, below = _checked(positive, "positive"), _checked(negative, "negative")
    ranks = rankdata(np.concatenate([above, below]))
    wins = (ranks[: len(above)] - rankdata(above)) / len(below)
    losses = 1.0 - (ranks[len(above) :] - rankdata(below)) / len(above)
    return wins, losses


def average_precision(positive: ArrayLike, negative: ArrayLike) -> float:
    """Return ``Σ_n (R_n − R_{n−1}) P_n``, the precision at each threshold weighted by the increase in recall.

    Equal scores are one threshold, as in scikit-learn.

    Parameters
    ----------
    positive : array of shape (n,)
        Scores of the positives: at least one, no NaN.
    negative : array of shape (m,)
        Scores of the negatives: at least one, no NaN.

    Returns
    -------
    float
        Average precision; about ``n / (n + m)`` by chance.

    Examples
    --------
    >>> average_precision([3, 1], [2, 0])
    0.8333333333333333
    """
    from scipy.stats import rankdata
    from sklearn.metrics import average_precision_score

    positive_scores, negative_scores = _checked(positive, "positive"), _checked(negative, "negative")
    is_positive = np.repeat([True, False], [len(positive_scores), len(negative_scores)])
    # Ranks, because scikit-learn rejects infinite scores.
    ranks = rankdata(np.concatenate([positive_scores, negative_scores]), method="dense")
    return float(average_precision_score(is_positive, ranks))


def _checked(scores: ArrayLike, name: str) -> NDArray[np.float64]:
    array = as_numbers(attribute_array(scores), name)
    if array.ndim != 1 or len(array) == 0:
        raise InvalidParameterError(
            f"{name} must be a one-dimensional array of at least one score; got shape {array.shape}. "
            "If it is empty, hold out more edges or sample more pairs."
        )
    missing = np.flatnonzero(np.isnan(array))
    if len(missing):
        raise InvalidParameterError(
            f"{name} must not contain NaN; {len(missing)} of {len(array)} scores are NaN, the first at index "
            f"{missing[0]}. Remove these pairs."
        )
    return array


@dataclass(frozen=True)
class LinkTask:
    """Held-out edges and as many non-edges of each kind, as positions of nodes in the training graph.

    Attributes
    ----------
    train : Graph
        The graph to embed, without the held-out edges.
    positive : array of shape (n, 2)
        Held-out edges.
    negatives : dict of str to array of shape (n, 2)
        Non-edges by kind: ``"uniform"``, ``"degree-matched"`` and, if requested, ``"distance 2"`` and so on.

    Examples
    --------
    >>> from residuum import datasets
    >>> task = link_task(datasets.karate_club(), 0.2, np.random.default_rng(0))
    >>> task.train.n_edges, len(task.positive), list(task.negatives)
    (62, 16, ['uniform', 'degree-matched'])
    """

    train: Graph
    positive: NDArray[np.int64]
    negatives: dict[str, NDArray[np.int64]]

    def auc(self, score: PairScore, negatives: str) -> float:
        """Return the AUC of a pair score, as :func:`auc_roc`.

        Parameters
        ----------
        score : callable
            Scores of pairs, ``(rows, columns) -> array``; higher is better.
        negatives : str
            Kind of non-edges, a key of ``negatives``.

        Returns
        -------
        float
            Probability that a held-out edge scores higher than a non-edge.
        """
        return auc_roc(*self._scores(score, negatives))

    def auc_interval(self, score: PairScore, negatives: str) -> tuple[float, float]:
        """Return the AUC of a pair score with its margin, as :func:`auc_interval`; pairs may share nodes.

        Parameters
        ----------
        score : callable
            Scores of pairs, ``(rows, columns) -> array``; higher is better.
        negatives : str
            Kind of non-edges, a key of ``negatives``.

        Returns
        -------
        auc, margin : float
            AUC, and half the width of its 95 % confidence interval.
        """
        return auc_interval(*self._scores(score, negatives), pairs=(self.positive, self.negatives[negatives]))

    def average_precision(self, score: PairScore, negatives: str) -> float:
        """Return the average precision of a pair score, as :func:`average_precision`.

        Parameters
        ----------
        score : callable
            Scores of pairs, ``(rows, columns) -> array``; higher is better.
        negatives : str
            Kind of non-edges, a key of ``negatives``.

        Returns
        -------
        float
            Average precision of held-out edges among non-edges; 0.5 is chance.
        """
        return average_precision(*self._scores(score, negatives))

    def _scores(self, score: PairScore, negatives: str) -> tuple[ArrayLike, ArrayLike]:
        return score(*self.positive.T), score(*self.negatives[negatives].T)


def link_task(graph: Graph, fraction: float, rng: np.random.Generator, *, distances: Iterable[int] = ()) -> LinkTask:
    """Hold out a fraction of the edges (a spanning tree is kept) and sample the negatives.

    Parameters
    ----------
    graph : Graph
        Graph with all edges.
    fraction : float
        Fraction ρ of the edges to hold out.
    rng : numpy Generator
        Random state of the held-out edges and the negatives.
    distances : iterable of int
        Distances in the graph with all edges, each at least 2, at which further negatives are sampled.

    Returns
    -------
    LinkTask
        Training graph, held-out edges and negatives.

    Examples
    --------
    >>> from residuum import Residual2Vec, datasets
    >>> task = link_task(datasets.karate_club(), 0.2, np.random.default_rng(0), distances=[2])
    >>> model = Residual2Vec(4, random_state=0).fit(task.train)
    >>> task.auc(lambda i, j: model.score_pairs(i, j), "degree-matched") > 0.6
    True
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
