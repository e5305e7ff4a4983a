"""Disparity between groups of nodes: of similarity, and of the quality of recommendations."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from residuum._random import as_generator
from residuum.embedding.nearest import unit_rows
from residuum.errors import InvalidParameterError
from residuum.evaluation.recommendation import Recommendation
from residuum.evaluation.values import Values, values_of
from residuum.evaluation.vectors import Vectors, as_vectors
from residuum.graph import Labels, is_known

__all__ = ["Disparity", "RecommendationDisparity", "recommendation_disparity", "similarity_disparity"]

_PERMUTATIONS = 200
_MIN_NODES = 10


@dataclass(frozen=True)
class Disparity:
    """Mean cosine of pairs of distinct nodes, by their groups.

    Attributes
    ----------
    groups : array of shape (G,)
        Group labels, sorted.
    similarity : array of shape (G, G)
        Mean cosine of the nodes of two groups; NaN within a group of one node.
    within, between : float
        Mean cosine over all pairs of the same group, and of different groups.

    Examples
    --------
    >>> disparity = similarity_disparity([[1, 0], [2, 0], [0, 1], [0, 3]], ["a", "a", "b", "b"])
    >>> disparity.within, disparity.between, disparity.spread
    (1.0, 0.0, 0.0)
    """

    groups: NDArray[Any]
    similarity: NDArray[np.float64]
    within: float
    between: float

    @property
    def gap(self) -> float:
        """``within − between``: 0 if a common group makes no difference."""
        return self.within - self.between

    @property
    def spread(self) -> float:
        """Highest minus lowest similarity within a group: 0 if all groups are equally cohesive."""
        inside = np.diagonal(self.similarity)
        return float(np.nanmax(inside) - np.nanmin(inside))


def similarity_disparity(vectors: Vectors, groups: Values) -> Disparity:
    """Return the mean of ``cos(u_i, u_j)`` over all pairs of distinct nodes, by their groups.

    The means are exact, not sampled: the sum over pairs is the inner product of sums of unit vectors. Nodes with a zero
    vector or a missing group (None, NaN or an empty string) are ignored.

    Parameters
    ----------
    vectors : array of shape (N, K), or Embedding
        One vector per node.
    groups : array of shape (N,), or mapping of node id to group
        In the order of the vectors if they are an array, by node id if they are an Embedding.

    Returns
    -------
    Disparity
        Mean cosines within and between groups.

    Examples
    --------
    >>> from residuum import Residual2Vec, datasets
    >>> graph = datasets.karate_club()
    >>> vectors = Residual2Vec(4, random_state=0).fit_transform(graph)
    >>> round(similarity_disparity(vectors, graph.node_attributes["club"]).gap, 1)
    1.2
    """
    u = as_vectors(vectors)
    labels = values_of(vectors, groups, "groups")
    usable = (np.linalg.norm(u, axis=1) > 0) & is_known(labels)
    if usable.sum() < 2:
        raise InvalidParameterError(
            f"groups must label at least two nodes with a nonzero vector; {int(usable.sum())} of {len(u)} nodes have "
            "both."
        )
    known, codes = Labels.of(labels[usable])
    names = known.values
    counts = np.bincount(codes.ravel()).astype(np.float64)
    sums = np.zeros((len(names), u.shape[1]))
    np.add.at(sums, codes.ravel(), unit_rows(u[usable]))
    total = sums @ sums.T - np.diag(counts)
    pairs = np.outer(counts, counts) - np.diag(counts)
    similarity = np.divide(total, pairs, out=np.full_like(total, np.nan), where=pairs > 0)
    return Disparity(names, similarity, *(_mean(total, pairs, same) for same in (True, False)))


def _mean(total: NDArray[np.float64], pairs: NDArray[np.float64], same: bool) -> float:
    selected = np.eye(len(total), dtype=np.bool_) == same
    count = pairs[selected].sum()
    return float(total[selected].sum() / count) if count > 0 else float("nan")


@dataclass(frozen=True)
class RecommendationDisparity:
    """Recall of the top k recommendations, by the group of the node that they are made to.

    Attributes
    ----------
    groups : array of shape (G,)
        Labels of the groups with at least ten measured nodes, sorted.
    recall : array of shape (G,)
        Mean recall of the nodes of each group.
    n_nodes : array of shape (G,)
        Number of measured nodes of each group.
    chance, high : float
        Mean and 95 % quantile of the gap for permuted groups.

    Examples
    --------
    >>> disparity = RecommendationDisparity(np.array(["a", "b"]), np.array([0.3, 0.2]), np.array([90, 80]), 0.02, 0.05)
    >>> round(disparity.gap, 2), disparity.is_significant
    (0.1, True)
    """

    groups: NDArray[Any]
    recall: NDArray[np.float64]
    n_nodes: NDArray[np.int64]
    chance: float
    high: float

    @property
    def gap(self) -> float:
        """Highest minus lowest recall of a group: 0 if recommendations are equally good for all groups."""
        return float(np.ptp(self.recall))

    @property
    def is_significant(self) -> bool:
        """Whether the gap is above the 95 % quantile for permuted groups."""
        return self.gap > self.high


def recommendation_disparity(
    recommendation: Recommendation, groups: ArrayLike, *, random_state: int | np.random.Generator | None = 0
) -> RecommendationDisparity:
    """Compare the recall of recommendations between groups of nodes.

    Nodes with a missing group (None, NaN or an empty string) are ignored, and so are groups with fewer than ten nodes.

    Parameters
    ----------
    recommendation : Recommendation
        Held-out edges among the recommendations of each node, as :func:`recommend` returns them.
    groups : array of shape (N,)
        Group of each node of the graph, in its order.
    random_state : int, Generator or None
        Seed of the permutations.

    Returns
    -------
    RecommendationDisparity
        Mean recall by group, and the gap of permuted groups.

    Raises
    ------
    InvalidParameterError
        If fewer than two groups have ten measured nodes.

    Examples
    --------
    >>> lists = Recommendation(np.arange(40), n_hits=np.repeat([1, 2], 20), hidden=np.full(40, 4), k=10)
    >>> recommendation_disparity(lists, ["a"] * 20 + ["b"] * 20).recall
    array([0.25, 0.5 ])
    """
    labels, all_codes = Labels.of(np.asarray(groups)[recommendation.nodes])
    frequent = np.flatnonzero(np.bincount(all_codes[all_codes >= 0], minlength=len(labels)) >= _MIN_NODES)
    if len(frequent) < 2:
        raise InvalidParameterError(
            f"groups must have at least two groups with {_MIN_NODES} or more measured nodes each; got {len(frequent)}."
        )
    kept = np.isin(all_codes, frequent)
    codes, recall = np.searchsorted(frequent, all_codes[kept]), recommendation.recall[kept]
    counts = np.bincount(codes)

    def means(of: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(np.bincount(codes, of) / counts)

    rng = as_generator(random_state)
    permuted = np.array([np.ptp(means(rng.permutation(recall))) for _ in range(_PERMUTATIONS)])
    return RecommendationDisparity(
        labels.values[frequent], means(recall), counts, float(permuted.mean()), float(np.quantile(permuted, 0.95))
    )
