"""Clusters of nodes with similar random walks, within the groups of the null model."""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum._random import random_rows
from residuum.graph import Graph
from residuum.nulls import BlockForm, FittedNull
from residuum.walks import WindowProbabilities

__all__ = [
    "DIMENSIONS",
    "MOST_STEPS",
    "cluster_bytes",
    "find_clusters",
    "k_means",
    "labels_by_group",
    "relative_strength",
    "surplus_of",
    "unit_features",
]

#: Columns and steps of the random projection.
DIMENSIONS, MOST_STEPS = 128, 5
_ROUNDS = 5
# Distance between two nodes whose ratios of null-model expectation to in-strength differ by a factor e; the distance of
# unit vectors is at most 2.
_EXPECTATION_SCALE = 0.25


def cluster_bytes(n_nodes: int) -> int:
    """Return the memory of :func:`find_clusters`.

    Parameters
    ----------
    n_nodes : int
        Number of nodes.

    Returns
    -------
    int
        Bytes of the features, two working copies and a copy in k-means.
    """
    return 4 * 4 * n_nodes * DIMENSIONS


def find_clusters(
    probabilities: WindowProbabilities, null: FittedNull, n_clusters: int, rng: np.random.Generator
) -> NDArray[np.int32]:
    """Return the cluster of each node; each cluster lies in one group of the null model.

    Features are a random projection of the rows of ``Σ_t Pᵗ D^(−1/2)``, centered and normalized to unit length. They
    are clustered by k-means within each group, with a number of clusters proportional to the size of the group. In each
    group, nodes without in-edges form a separate cluster.

    Parameters
    ----------
    probabilities : WindowProbabilities
        Window probabilities of the graph.
    null : FittedNull
        Null model in block form.
    n_clusters : int
        Total number of clusters; each group has at least one.
    rng : numpy Generator
        Source of the random projection and of the seeds of k-means.

    Returns
    -------
    int array of shape (N,)
        Cluster of each node, numbered from 0 without gaps.
    """
    form = null.block_form
    assert form is not None
    features: list[NDArray[np.float32]] = []

    def labels_of(nodes: NDArray[np.int64], count: int) -> NDArray[np.int64]:
        return k_means(features[0][nodes], count, rng)[0]

    def prepare() -> None:
        features.append(_features(probabilities, null, rng))

    return labels_by_group(form, probabilities.graph.in_strength > 0, n_clusters, prepare, labels_of)


def labels_by_group(
    form: BlockForm,
    reached: NDArray[np.bool_],
    n_clusters: int,
    prepare: Callable[[], None],
    labels_of: Callable[[NDArray[np.int64], int], NDArray[np.int64]],
) -> NDArray[np.int32]:
    """Return clusters within groups; nodes without in-edges form a separate cluster in each group.

    Parameters
    ----------
    form : BlockForm
        Groups of the null model.
    reached : bool array of shape (N,)
        Nodes with in-edges.
    n_clusters : int
        Total number of clusters; each group has at least one.
    prepare : callable
        Called before a group is divided.
    labels_of : callable
        Returns the clusters of some nodes, numbered from 0, for a number of clusters.

    Returns
    -------
    int array of shape (N,)
        Cluster of each node, numbered from 0 without gaps.
    """
    counts = _shares(np.bincount(form.groups[reached], minlength=form.n_groups), n_clusters)
    labels = np.zeros(len(reached), dtype=np.int64)
    next_label = 0
    if (counts > 1).any():
        prepare()
    for group, members in enumerate(_members(form)):
        inside, count = members[reached[members]], int(counts[group])
        if len(inside):
            simple = np.arange(len(inside)) if count >= len(inside) else np.zeros(len(inside), dtype=np.int64)
            is_divided = 1 < count < len(inside)
            labels[inside] = next_label + (labels_of(inside, count) if is_divided else simple)
            next_label = int(labels[inside].max()) + 1
        outside = members[~reached[members]]
        labels[outside] = next_label
        next_label += bool(len(outside))
    return np.unique(labels, return_inverse=True)[1].astype(np.int32)


def _members(form: BlockForm) -> list[NDArray[np.int64]]:
    order = np.argsort(form.groups, kind="stable")
    return np.split(order, np.searchsorted(form.groups[order], np.arange(1, form.n_groups)))


def k_means(
    features: NDArray[np.float32], n_clusters: int, rng: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Return the clusters of some rows, and their centers, after a few rounds.

    Parameters
    ----------
    features : float32 array of shape (n, d)
        Rows, more than clusters.
    n_clusters : int
        Number of clusters.
    rng : numpy Generator
        Source of the seed.

    Returns
    -------
    labels : int array of shape (n,)
        Cluster of each row.
    centers : float32 array of shape (n_clusters, d)
        Centers.
    """
    from sklearn.cluster import KMeans
    from sklearn.exceptions import ConvergenceWarning

    seed = int(rng.integers(2**31))
    with warnings.catch_warnings():
        # With fewer distinct rows than clusters, some clusters stay empty.
        warnings.simplefilter("ignore", ConvergenceWarning)
        fitted = KMeans(n_clusters, init="random", n_init=1, max_iter=_ROUNDS, tol=0.0, random_state=seed).fit(features)
    return np.asarray(fitted.labels_, dtype=np.int64), np.asarray(fitted.cluster_centers_, dtype=np.float32)


def _shares(sizes: NDArray[np.int64], total: int) -> NDArray[np.int64]:
    """Divide ``total`` in proportion to ``sizes``: at least 1 and at most the size for each part, 0 if it is empty.

    >>> _shares(np.array([60, 30, 10, 0]), 10)
    array([6, 3, 1, 0])
    """
    ideal = sizes * (total / max(int(sizes.sum()), 1))
    shares = np.minimum(np.maximum(np.floor(ideal).astype(np.int64), 1), sizes)
    order = np.argsort(shares - ideal, kind="stable")
    order = order[shares[order] < sizes[order]]
    shares[order[: max(total - int(shares.sum()), 0)]] += 1
    return np.asarray(shares)


def _features(probabilities: WindowProbabilities, null: FittedNull, rng: np.random.Generator) -> NDArray[np.float32]:
    """Return the projected walks and, if it varies, the log ratio of in-strength to null-model expectation."""
    graph = probabilities.graph
    strength, root = relative_strength(graph)
    here = random_rows(int(rng.integers(2**63)), 0, graph.n_nodes, DIMENSIONS) * root[:, None]
    spare, total = np.empty_like(here), np.zeros_like(here)
    for _ in range(min(len(probabilities.window), MOST_STEPS)):
        probabilities.undirected_step(here, spare)
        here, spare = spare, here
        total += here
    return unit_features(total, (strength / strength.sum()) @ total, surplus_of(graph, null))


def relative_strength(graph: Graph) -> tuple[NDArray[np.float64], NDArray[np.float32]]:
    """Return strengths in units of the largest, and the inverse of their roots, which fit into float32.

    Parameters
    ----------
    graph : Graph
        The graph.

    Returns
    -------
    strength : array of shape (N,)
        Relative strengths.
    root : float32 array of shape (N,)
        ``strength^(−1/2)``; 0 for nodes without edges.
    """
    largest = float(graph.out_strength.max() + graph.in_strength.max())
    strength: NDArray[np.float64] = (graph.out_strength + graph.in_strength) / largest
    root = np.sqrt(np.divide(1.0, strength, out=np.zeros_like(strength), where=strength > 0))
    return strength, root.astype(np.float32)


def surplus_of(graph: Graph, null: FittedNull) -> NDArray[np.float32]:
    """Return the scaled log ratio of in-strength to null-model expectation, or an empty array if it does not vary.

    Parameters
    ----------
    graph : Graph
        The graph.
    null : FittedNull
        Null model.

    Returns
    -------
    float32 array of shape (N,) or (0,)
        Ratios, centered.
    """
    largest = float(graph.out_strength.max() + graph.in_strength.max())
    with np.errstate(divide="ignore", invalid="ignore"):
        surplus = np.log(graph.in_strength / largest) - null.offset
    surplus = np.where(np.isfinite(surplus), surplus, 0.0)
    if np.ptp(surplus[graph.in_strength > 0]) < 1e-6:
        return np.empty(0, dtype=np.float32)
    return np.asarray(_EXPECTATION_SCALE * (surplus - surplus.mean()), dtype=np.float32)


def unit_features(
    total: NDArray[np.float32], mean: NDArray[np.floating[Any]], surplus: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return centered walks of unit length, with the surplus as another column.

    Parameters
    ----------
    total : float32 array of shape (n, d)
        Projected walks; overwritten.
    mean : array of shape (d,)
        Mean of all nodes.
    surplus : float32 array of shape (n,) or (0,)
        Result of :func:`surplus_of` at these nodes.

    Returns
    -------
    float32 array of shape (n, d) or (n, d + 1)
        Features.
    """
    total -= mean.astype(np.float32)
    total /= np.maximum(np.linalg.norm(total, axis=1, keepdims=True), np.finfo(np.float32).tiny)
    return np.concatenate([total, surplus[:, None]], axis=1) if len(surplus) else total
