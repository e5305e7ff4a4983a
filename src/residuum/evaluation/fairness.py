"""Fairness of neighborhoods: groups among the nearest neighbors, compared with what the null model expects."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from residuum.embedding.nearest import nearest_rows
from residuum.errors import InvalidParameterError
from residuum.evaluation.diagnosis import mean_margin
from residuum.evaluation.neighborhoods import LogProbability, Nearest, group_mix
from residuum.evaluation.values import Values, values_of
from residuum.evaluation.vectors import Vectors, as_vectors
from residuum.graph import Graph, Labels

__all__ = ["NeighborFairness", "neighbor_fairness"]


@dataclass(frozen=True)
class NeighborFairness:
    """Groups among the k nearest neighbors of the nodes.

    Attributes
    ----------
    same_group : float
        Share of the nearest neighbors that are in the node's own group, averaged over nodes.
    margin : float
        Half the width of the 95 % confidence interval of ``same_group``, with nodes as independent samples.
    expected : float
        The same share under the null model.
    ndkl : float
        Normalized discounted Kullback–Leibler divergence of the ranked neighbors from the groups' shares of the nodes,
        averaged over nodes: 0 if the first neighbors, at any depth, mix the groups as all nodes do.
    ndkl_chance : float
        The same for neighbors in random order, which is above 0 because short lists cannot have exact shares.

    Examples
    --------
    >>> NeighborFairness(same_group=0.58, margin=0.01, expected=0.5, ndkl=0.4, ndkl_chance=0.3).excess
    0.08
    """

    same_group: float
    margin: float
    expected: float
    ndkl: float
    ndkl_chance: float

    @property
    def excess(self) -> float:
        """``same_group − expected``: 0 if neighbors share the group as often as the null model expects."""
        return round(self.same_group - self.expected, 12)


def neighbor_fairness(
    vectors: Vectors,
    groups: Values,
    graph: Graph,
    *,
    n_neighbors: int = 10,
    null: LogProbability | None = None,
    nearest: Nearest | None = None,
    random_state: int | None = 0,
) -> NeighborFairness:
    """Measure the groups among the k nearest neighbors by cosine.

    NDKL at k is ``Σ_i KL(p_i ‖ q) / log₂(i + 1)``, divided by ``Σ_i 1 / log₂(i + 1)``, where p_i are the shares of the
    groups among the first i neighbors and q those among all nodes.

    Parameters
    ----------
    vectors : array of shape (N, K), or Embedding
        One vector per node of the graph.
    groups : array of shape (N,), or mapping of node id to group
        An array follows the order of the graph's nodes. Every node needs a group.
    graph : Graph
        The embedded graph.
    n_neighbors : int
        Number of neighbors k.
    null : callable, optional
        ``ln P_0(columns | rows)``; by default that of the configuration model.
    nearest : pair of arrays, optional
        Nonzero rows and their nearest neighbors, as :func:`residuum.embedding.nearest.nearest_rows` returns them;
        computed by default.
    random_state : int or None
        Seed of the samples.

    Returns
    -------
    NeighborFairness
        Shares of the own group, and NDKL.

    References
    ----------
    Geyik, Ambler, Kenthapadi: Fairness-aware ranking in search and recommendation systems. KDD 2019.

    Examples
    --------
    >>> from residuum import Residual2Vec, datasets
    >>> graph = datasets.karate_club()
    >>> vectors = Residual2Vec(4, random_state=0).fit_transform(graph)
    >>> fairness = neighbor_fairness(vectors, graph.node_attributes["club"], graph)
    >>> fairness.excess > 0.2, fairness.ndkl > fairness.ndkl_chance
    (True, True)
    """
    u = as_vectors(vectors, graph)
    labels, codes = Labels.of(values_of(vectors, groups, "groups", graph))
    if (codes < 0).any():
        raise InvalidParameterError(
            f"groups must name a group for every node; {np.sum(codes < 0)} of {len(codes)} have none. Leave these "
            "nodes out, or give them a group of their own, such as 'unknown'."
        )
    nearest = nearest or nearest_rows(u, n_neighbors)
    mix = group_mix(u, groups, graph, n_neighbors=n_neighbors, null=null, nearest=nearest, random_state=random_state)
    rows, near = nearest
    shares = np.bincount(codes[rows], minlength=len(labels)) / len(rows)
    rng = np.random.default_rng(random_state)
    shuffled = rng.choice(codes[rows], size=near.shape)
    same = np.mean(codes[near] == codes[rows, None], axis=1)
    return NeighborFairness(
        float(same.mean()),
        mean_margin(same),
        float(np.nansum(np.diagonal(mix.null) * shares)),
        _ndkl(codes[near], shares),
        _ndkl(shuffled, shares),
    )


def _ndkl(ranked: NDArray[np.int32], shares: NDArray[np.float64]) -> float:
    """Return the mean NDKL of lists of group codes, shape (n, k)."""
    depth = np.arange(1, ranked.shape[1] + 1)
    weights = 1.0 / np.log2(depth + 1)
    total = np.zeros(ranked.shape)
    for group, share in enumerate(shares):
        top = np.cumsum(ranked == group, axis=1) / depth
        total += np.where(top > 0, top * np.log(np.where(top > 0, top, 1.0) / max(share, 1e-12)), 0.0)
    return float((total @ weights).mean() / weights.sum())
