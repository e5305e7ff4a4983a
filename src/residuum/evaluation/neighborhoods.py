"""Who is near whom: groups and hubs among the nearest neighbours."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from residuum._random import as_generator
from residuum._validation import check_positive, check_real
from residuum.errors import InvalidParameterError
from residuum.evaluation.values import Values, codes_of, values_of
from residuum.evaluation.vectors import Vectors, as_vectors, nearest_rows
from residuum.graph import Graph

__all__ = ["GroupMix", "Hubness", "group_mix", "hub_share", "hubness"]

LogProbability = Callable[[NDArray[np.int64], NDArray[np.int64]], ArrayLike]


@dataclass(frozen=True)
class GroupMix:
    """How a node's surroundings are made up of groups; rows sum to 1, or are NaN where there are none.

    Attributes
    ----------
    groups : array of shape (G,)
    neighbors : array of shape (G, G)
        Entry (g, h): the share of group h among the nearest neighbours of nodes of group g. NaN if all these have zero
        vectors.
    graph : array of shape (G, G)
        The share of h in the weight of the edges that leave g. NaN if none does.
    null : array of shape (G, G)
        The share of h where the null model would lead from g.
    """

    groups: NDArray[Any]
    neighbors: NDArray[np.float64]
    graph: NDArray[np.float64]
    null: NDArray[np.float64]

    @property
    def excess(self) -> NDArray[np.float64]:
        """``neighbors − null``: 0 where groups meet as chance would have it."""
        return self.neighbors - self.null


def group_mix(
    vectors: Vectors,
    groups: Values,
    graph: Graph,
    *,
    n_neighbors: int = 10,
    null: LogProbability | None = None,
    n_centers: int = 1000,
    random_state: int | np.random.Generator | None = 0,
) -> GroupMix:
    """Measure the groups among the k nearest neighbours in cosine, beside those that edges and chance lead to.

    A node with a zero vector is no one's neighbour, and has none. Nodes whose group is missing (None, NaN or an empty
    text) are left out, with their edges.

    Parameters
    ----------
    vectors : array of shape (N, K), or Embedding
    groups : array of shape (N,), or mapping of node id to group
        An array is in the order of the graph's nodes.
    graph : Graph
    n_neighbors : int
        k.
    null : callable, optional
        ``ln P_0(columns | rows)``, as ``log_probability`` of a fitted null model; by default that of the configuration
        model, ``ln d_j / Σ d``.
    n_centers : int
        How many random nodes of each group stand for it in the null's mix.
    random_state : int, Generator or None
    """
    u = as_vectors(vectors, graph)
    names, codes = codes_of(values_of(u, groups, "groups", graph))
    if len(names) == 0:
        raise InvalidParameterError(f"groups must be known for some nodes; of {len(u)} they are for none.")
    # Without a vector, nodes without a group are no one's neighbours.
    centers, near = nearest_rows(np.where(codes[:, None] >= 0, u, 0.0), n_neighbors)
    slots = np.zeros((len(names), len(names)))
    np.add.at(slots, (np.repeat(codes[centers], n_neighbors), codes[near.ravel()]), 1.0)
    edges = _weight_between(graph, codes, len(names))
    if null is None:
        chance = np.tile(edges.sum(axis=0), (len(names), 1))
    else:
        member = (codes[:, None] == np.arange(len(names))).astype(np.float64)
        chance = _expected(null, codes, member, n_centers, as_generator(random_state))
    return GroupMix(names, *(_row_shares(counts) for counts in (slots, edges, chance)))


def _weight_between(graph: Graph, codes: NDArray[np.int64], n_groups: int) -> NDArray[np.float64]:
    """Return the weight of the edges from each group to each, shape (G, G); ends without a group, −1, are left out."""
    entries = sparse.coo_array(graph.adjacency)
    kept = (codes[entries.row] >= 0) & (codes[entries.col] >= 0)
    weight = np.zeros((n_groups, n_groups))
    np.add.at(weight, (codes[entries.row[kept]], codes[entries.col[kept]]), entries.data[kept])
    return weight


def _expected(
    null: LogProbability,
    codes: NDArray[np.int64],
    member: NDArray[np.float64],
    n_centers: int,
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    everyone = np.arange(len(codes))
    mix = np.zeros((member.shape[1], member.shape[1]))
    for group in range(len(mix)):
        centers = np.flatnonzero(codes == group)
        for center in rng.permutation(centers)[:n_centers]:
            mix[group] += np.exp(np.asarray(null(np.full_like(everyone, center), everyone))) @ member
    return mix


def _row_shares(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    total = counts.sum(axis=1, keepdims=True)
    return np.asarray(np.divide(counts, total, out=np.full_like(counts, np.nan), where=total > 0))


@dataclass(frozen=True)
class Hubness:
    """How often nodes are among the nearest neighbours of others.

    Attributes
    ----------
    occurrence : array of shape (N,)
        N_k(j), the number of nodes that have j among their k nearest; k on average where no vector is zero.
    """

    occurrence: NDArray[np.int64]

    @property
    def skewness(self) -> float:
        """``⟨(N_k − k)³⟩ / ⟨(N_k − k)²⟩^(3/2)``: 0 if it is even-handed, large if few nodes are near to all."""
        around = self.occurrence - self.occurrence.mean()
        spread = np.mean(around**2)
        return float(np.mean(around**3) / spread**1.5) if spread > 0 else 0.0

    @property
    def never(self) -> float:
        """The share of nodes that are no one's neighbour."""
        return float(np.mean(self.occurrence == 0))


def hubness(vectors: Vectors, n_neighbors: int = 10) -> Hubness:
    """Count how often each node is among the k nearest neighbours, in cosine, of others.

    A node with a zero vector is no one's neighbour, and has none.

    Parameters
    ----------
    vectors : array of shape (N, K), or Embedding
    n_neighbors : int
        k.

    References
    ----------
    Radovanović, Nanopoulos, Ivanović: Hubs in space. Journal of Machine Learning Research 11 (2010).

    Examples
    --------
    >>> hubness([[1.0, 0.1], [1.0, 0.0], [1.0, -0.1]], 1).occurrence
    array([1, 2, 0])
    """
    u = as_vectors(vectors)
    return Hubness(np.bincount(nearest_rows(u, n_neighbors)[1].ravel(), minlength=len(u)))


def hub_share(vectors: Vectors, degrees: Values, *, n_neighbors: int = 10, top: float = 0.1) -> float:
    """Return the share of nearest neighbours that are hubs, the nodes of highest degree.

    Near ``top``, similarity does not prefer hubs; near 1, everyone is near to hubs only. A node with a zero
    vector is no one's neighbour, and has none.

    Parameters
    ----------
    vectors : array of shape (N, K), or Embedding
    degrees : array of shape (N,), or mapping of node id to degree
        An array is in the order of the vectors; a mapping is for an embedding.
    n_neighbors : int
    top : float
        The share of the nodes that count as hubs, above 0; at least one does. Of nodes of equal degree those that come
        first are taken.
    """
    check_positive("top", check_real("top", top, maximum=1.0))
    u = as_vectors(vectors)
    degree = values_of(vectors, degrees, "degrees").astype(np.float64)
    hub = np.zeros(len(u), dtype=np.bool_)
    hub[np.argsort(-degree, kind="stable")[: max(1, round(top * len(u)))]] = True
    return float(hub[nearest_rows(u, n_neighbors)[1]].mean())
