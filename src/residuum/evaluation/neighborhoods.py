"""Groups and hubs among the nearest neighbors of nodes."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from residuum._random import as_generator
from residuum._validation import check_positive, check_real
from residuum.embedding.nearest import nearest_rows
from residuum.errors import InvalidParameterError
from residuum.evaluation.values import Values, values_of
from residuum.evaluation.vectors import Vectors, as_vectors
from residuum.graph import Graph, Labels, weight_between
from residuum.graph.attributes import as_numbers

__all__ = ["GroupMix", "Hubness", "LogProbability", "Nearest", "group_mix", "hub_share", "hubness"]

# Nonzero rows and their nearest neighbors.
Nearest = tuple[NDArray[np.int64], NDArray[np.int64]]
LogProbability = Callable[[NDArray[np.int64], NDArray[np.int64]], ArrayLike]


@dataclass(frozen=True)
class GroupMix:
    """Fractions of groups among the nearest neighbors, along the edges and under the null model.

    Each row sums to 1, or is NaN if it has nothing to count.

    Attributes
    ----------
    groups : array of shape (G,)
        Group labels, sorted.
    neighbors : array of shape (G, G)
        Entry (g, h) is the fraction of group h among the nearest neighbors of nodes in group g. NaN if all vectors of
        group g are zero.
    graph : array of shape (G, G)
        Fraction of h in the weight of the edges that leave g. NaN if there are none.
    null : array of shape (G, G)
        Fraction of h among the contexts of g under the null model.

    Examples
    --------
    >>> graph = Graph([[0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 0]])
    >>> mix = group_mix([[1, 0], [1, 0], [0, 1], [0, 1]], ["a", "a", "b", "b"], graph, n_neighbors=1)
    >>> mix.excess
    array([[ 0.5, -0.5],
           [-0.5,  0.5]])
    """

    groups: NDArray[Any]
    neighbors: NDArray[np.float64]
    graph: NDArray[np.float64]
    null: NDArray[np.float64]

    @property
    def excess(self) -> NDArray[np.float64]:
        """``neighbors − null``: 0 if groups are neighbors as often as the null model expects."""
        return self.neighbors - self.null


def group_mix(
    vectors: Vectors,
    groups: Values,
    graph: Graph,
    *,
    n_neighbors: int = 10,
    null: LogProbability | None = None,
    nearest: Nearest | None = None,
    n_centers: int = 1000,
    random_state: int | np.random.Generator | None = 0,
) -> GroupMix:
    """Measure the groups among the k nearest neighbors by cosine, compared with the edges and the null model.

    A node with a zero vector has no neighbors and is no neighbor of others. Nodes with a missing group (None, NaN or an
    empty string) are ignored, with their edges.

    Parameters
    ----------
    vectors : array of shape (N, K), or Embedding
        One vector per node of the graph.
    groups : array of shape (N,), or mapping of node id to group
        An array follows the order of the graph's nodes.
    graph : Graph
        The embedded graph.
    n_neighbors : int
        Number of neighbors k.
    null : callable, optional
        ``ln P_0(columns | rows)``, such as ``log_probability`` of a fitted null model; by default that of the
        configuration model, ``ln(d_j / Σ d)``.
    nearest : pair of arrays, optional
        Nonzero rows and their nearest neighbors, as :func:`residuum.embedding.nearest.nearest_rows` returns them;
        computed by default.
    n_centers : int
        Maximum number of nodes sampled from each group to average ``null`` over.
    random_state : int, Generator or None
        Seed of these samples.

    Returns
    -------
    GroupMix
        Fractions of groups, one row per group.

    Examples
    --------
    >>> from residuum import Residual2Vec, datasets
    >>> graph = datasets.karate_club()
    >>> vectors = Residual2Vec(4, random_state=0).fit_transform(graph)
    >>> mix = group_mix(vectors, graph.node_attributes["club"], graph, n_neighbors=5)
    >>> mix.neighbors.round(1)
    array([[0.9, 0.1],
           [0. , 1. ]])
    """
    u = as_vectors(vectors, graph)
    labels, codes = Labels.of(values_of(vectors, groups, "groups", graph))
    if len(labels) == 0:
        raise InvalidParameterError(f"groups must label at least one node; all {len(u)} labels are missing.")
    # A zero vector keeps nodes without a group from being neighbors.
    centers, near = nearest or nearest_rows(np.where(codes[:, None] >= 0, u, 0.0), n_neighbors)
    neighbor_counts = np.zeros((len(labels), len(labels)))
    np.add.at(neighbor_counts, (np.repeat(codes[centers], n_neighbors), codes[near.ravel()]), 1.0)
    edge_weights = weight_between(graph, codes, len(labels))
    if null is None:
        expected = np.tile(edge_weights.sum(axis=0), (len(labels), 1))
    else:
        membership = (codes[:, None] == np.arange(len(labels))).astype(np.float64)
        expected = _expected(null, codes, membership, n_centers, as_generator(random_state))
    return GroupMix(labels.values, *(_row_shares(matrix) for matrix in (neighbor_counts, edge_weights, expected)))


def _expected(
    null: LogProbability,
    codes: NDArray[np.int32],
    membership: NDArray[np.float64],
    n_centers: int,
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    nodes = np.arange(len(codes))
    mix = np.zeros((membership.shape[1], membership.shape[1]))
    for group in range(len(mix)):
        centers = np.flatnonzero(codes == group)
        for center in rng.permutation(centers)[:n_centers]:
            mix[group] += np.exp(np.asarray(null(np.full_like(nodes, center), nodes))) @ membership
    return mix


def _row_shares(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    total = counts.sum(axis=1, keepdims=True)
    return np.asarray(np.divide(counts, total, out=np.full_like(counts, np.nan), where=total > 0))


@dataclass(frozen=True)
class Hubness:
    """Number of times that nodes are among the nearest neighbors of other nodes.

    Attributes
    ----------
    occurrence : array of shape (N,)
        N_k(j), the number of nodes with j among their k nearest neighbors; its mean is k if no vector is zero.

    Examples
    --------
    >>> Hubness(np.array([0, 0, 0, 4])).never
    0.75
    """

    occurrence: NDArray[np.int64]

    @property
    def skewness(self) -> float:
        """``⟨(N_k − k)³⟩ / ⟨(N_k − k)²⟩^(3/2)``: 0 if symmetric, large if a few nodes are near to all others."""
        centered = self.occurrence - self.occurrence.mean()
        variance = np.mean(centered**2)
        return float(np.mean(centered**3) / variance**1.5) if variance > 0 else 0.0

    @property
    def never(self) -> float:
        """Fraction of nodes that are not a neighbor of any other node."""
        return float(np.mean(self.occurrence == 0))


def hubness(vectors: Vectors, n_neighbors: int = 10, *, nearest: Nearest | None = None) -> Hubness:
    """Count how often each node is among the k nearest neighbors, by cosine, of other nodes.

    A node with a zero vector has no neighbors and is no neighbor of others.

    Parameters
    ----------
    vectors : array of shape (N, K), or Embedding
        One vector per node.
    n_neighbors : int
        Number of neighbors k.
    nearest : pair of arrays, optional
        Nonzero rows and their nearest neighbors, as :func:`residuum.embedding.nearest.nearest_rows` returns them;
        computed by default.

    Returns
    -------
    Hubness
        Counts, with their skewness.

    References
    ----------
    Radovanović, Nanopoulos, Ivanović: Hubs in space. Journal of Machine Learning Research 11 (2010).

    Examples
    --------
    >>> hubness([[1.0, 0.1], [1.0, 0.0], [1.0, -0.1]], 1).occurrence
    array([1, 2, 0])
    """
    u = as_vectors(vectors)
    _, near = nearest or nearest_rows(u, n_neighbors)
    return Hubness(np.bincount(near.ravel(), minlength=len(u)))


def hub_share(
    vectors: Vectors,
    degrees: Values,
    *,
    n_neighbors: int = 10,
    top: float = 0.1,
    nearest: Nearest | None = None,
) -> float:
    """Return the fraction of hubs, the nodes of highest degree, among the nearest neighbors of all nodes.

    A value near ``top`` means that similarity does not favor hubs, a value near 1 that almost all neighbors are hubs. A
    node with a zero vector has no neighbors and is no neighbor of others.

    Parameters
    ----------
    vectors : array of shape (N, K), or Embedding
        One vector per node.
    degrees : array of shape (N,), or mapping of node id to degree
        In the order of the vectors if they are an array, by node id if they are an Embedding.
    n_neighbors : int
        Number of neighbors k.
    top : float
        Fraction of the nodes that count as hubs, above 0 and at most 1; at least one node does. Ties in
        degree go to the node that comes first.
    nearest : pair of arrays, optional
        Nonzero rows and their nearest neighbors, as :func:`residuum.embedding.nearest.nearest_rows` returns them;
        computed by default.

    Returns
    -------
    float
        Fraction between 0 and 1.

    Examples
    --------
    >>> from residuum import Residual2Vec, datasets
    >>> graph = datasets.karate_club()
    >>> vectors = Residual2Vec(4, random_state=0).fit_transform(graph)
    >>> round(hub_share(vectors, graph.out_strength, n_neighbors=5), 1)
    0.1
    """
    return float(hub_shares(vectors, degrees, n_neighbors, top, nearest).mean())


def hub_shares(
    vectors: Vectors, degrees: Values, n_neighbors: int, top: float, nearest: Nearest | None
) -> NDArray[np.float64]:
    """Return the fraction of hubs among the nearest neighbors of each node; parameters as in :func:`hub_share`."""
    check_positive("top", check_real("top", top, maximum=1.0))
    u = as_vectors(vectors)
    degree = as_numbers(values_of(vectors, degrees, "degrees"), "degrees")
    is_hub = np.zeros(len(u), dtype=np.bool_)
    is_hub[np.argsort(-degree, kind="stable")[: max(1, round(top * len(u)))]] = True
    _, near = nearest or nearest_rows(u, n_neighbors)
    return np.asarray(is_hub[near].mean(axis=1))
