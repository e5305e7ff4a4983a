"""Clusters of nodes with similar random walks, within the groups of the null model."""

import warnings

import numpy as np
from numpy.typing import NDArray

from residuum.nulls import BlockForm, FittedNull
from residuum.walks import WindowProbabilities

__all__ = ["cluster_bytes", "find_clusters"]

_DIMENSIONS = 128
_MOST_STEPS = 5
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
    return 4 * 4 * n_nodes * _DIMENSIONS


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
    reached = probabilities.graph.in_strength > 0
    counts = _shares(np.bincount(form.groups[reached], minlength=form.n_groups), n_clusters)
    labels = np.zeros(len(reached), dtype=np.int64)
    next_label = 0
    features = _features(probabilities, null, rng) if (counts > 1).any() else np.empty((len(reached), 0), np.float32)
    for group, members in enumerate(_members(form)):
        inside = members[reached[members]]
        if len(inside):
            labels[inside] = next_label + _k_means(features[inside], int(counts[group]), rng)
            next_label = int(labels[inside].max()) + 1
        outside = members[~reached[members]]
        labels[outside] = next_label
        next_label += bool(len(outside))
    return np.unique(labels, return_inverse=True)[1].astype(np.int32)


def _members(form: BlockForm) -> list[NDArray[np.int64]]:
    order = np.argsort(form.groups, kind="stable")
    return np.split(order, np.searchsorted(form.groups[order], np.arange(1, form.n_groups)))


def _k_means(features: NDArray[np.float32], n_clusters: int, rng: np.random.Generator) -> NDArray[np.int64]:
    if n_clusters >= len(features):
        return np.arange(len(features))
    if n_clusters == 1:
        return np.zeros(len(features), dtype=np.int64)
    from sklearn.cluster import KMeans
    from sklearn.exceptions import ConvergenceWarning

    seed = int(rng.integers(2**31))
    with warnings.catch_warnings():
        # With fewer distinct rows than clusters, some clusters stay empty.
        warnings.simplefilter("ignore", ConvergenceWarning)
        k_means = KMeans(n_clusters, init="random", n_init=1, max_iter=_ROUNDS, tol=0.0, random_state=seed)
        return np.asarray(k_means.fit_predict(features), dtype=np.int64)


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
    # Relative strengths, whose roots fit into float32 whatever the unit of the weights.
    largest = float(graph.out_strength.max() + graph.in_strength.max())
    strength: NDArray[np.float64] = (graph.out_strength + graph.in_strength) / largest
    root = np.sqrt(np.divide(1.0, strength, out=np.zeros_like(strength), where=strength > 0))
    here = rng.standard_normal((graph.n_nodes, _DIMENSIONS), dtype=np.float32) * root.astype(np.float32)[:, None]
    spare, total = np.empty_like(here), np.zeros_like(here)
    for _ in range(min(len(probabilities.window), _MOST_STEPS)):
        probabilities.undirected_step(here, spare)
        here, spare = spare, here
        total += here
    total -= ((strength / strength.sum()) @ total).astype(np.float32)
    total /= np.maximum(np.linalg.norm(total, axis=1, keepdims=True), np.finfo(np.float32).tiny)
    with np.errstate(divide="ignore", invalid="ignore"):
        surplus = np.log(graph.in_strength / largest) - null.offset
    surplus = np.where(np.isfinite(surplus), surplus, 0.0)
    if np.ptp(surplus[graph.in_strength > 0]) < 1e-6:
        return total
    extra = _EXPECTATION_SCALE * (surplus - surplus.mean())
    return np.concatenate([total, extra[:, None].astype(np.float32)], axis=1)
