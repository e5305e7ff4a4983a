"""Similarity of nodes in the same community, and recovery of communities by clusters."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.metrics import normalized_mutual_info_score

from residuum._random import as_generator
from residuum._validation import check_integer, check_real
from residuum.embedding.kmeans import KMeansClusters
from residuum.embedding.nearest import unit_rows
from residuum.errors import InvalidParameterError
from residuum.evaluation.link_prediction import auc_roc
from residuum.evaluation.values import Values, values_of
from residuum.evaluation.vectors import Vectors, as_vectors, pair_scores
from residuum.graph import Labels
from residuum.graph.attributes import values_by_id
from residuum.graph.graph import attribute_array

__all__ = [
    "Recovery",
    "community_auc",
    "community_recovery",
    "detectability_limit",
    "element_centric_similarity",
    "partition_recovery",
]

# Random starts of k-means.
_STARTS = 10


def community_auc(
    vectors: Vectors,
    communities: Values,
    *,
    n_pairs: int = 10_000,
    random_state: int | np.random.Generator | None = 0,
) -> float:
    """Return the probability that ``cos(u_i, u_j)`` is higher for a pair within a community than for other pairs.

    This is the measure of the paper: random pairs of distinct nodes, those within a community compared with those
    between communities. Nodes with a missing community (None, NaN or an empty string) are ignored.

    Parameters
    ----------
    vectors : array of shape (N, K), or Embedding
        One vector per node.
    communities : array of shape (N,), or mapping of node id to community
        In the order of the vectors if they are an array, by node id if they are an Embedding.
    n_pairs : int
        Number of random pairs.
    random_state : int, Generator or None
        Seed of the pairs.

    Returns
    -------
    float
        Area under the ROC curve, ties counting half; 0.5 is chance.

    Examples
    --------
    >>> community_auc([[1, 0], [1, 0], [0, 1], [0, 1]], [0, 0, 1, 1])
    1.0
    """
    u, labels, _ = _labeled_nodes(vectors, communities)
    check_integer("n_pairs", n_pairs, minimum=1)
    rng = as_generator(random_state)
    i = rng.integers(len(u), size=n_pairs)
    # A shift by 1 to N − 1 modulo N: each other node with the same probability.
    j = (i + rng.integers(1, len(u), size=n_pairs)) % len(u)
    cosine = np.asarray(pair_scores(u).cosine(i, j))
    same = labels[i] == labels[j]
    if same.all() or not same.any():
        raise InvalidParameterError(
            "communities must have pairs of nodes both within and between communities; all of the "
            f"{n_pairs} random pairs are {'within' if same.all() else 'between'} communities. Increase n_pairs, or use "
            "fewer or larger communities, at least two."
        )
    return auc_roc(cosine[same], cosine[~same])


@dataclass(frozen=True)
class Recovery:
    """Agreement of k-means clusters of the vectors with communities.

    Attributes
    ----------
    clusters : array of shape (N,)
        Cluster of each node; −1 for nodes with a missing community.
    mutual_information : float
        Mutual information, normalized by the mean of the two entropies.
    element_centric, adjusted_element_centric : float
        Similarity as defined by :func:`element_centric_similarity`, and the same corrected for chance.

    Examples
    --------
    >>> recovery = community_recovery([[1, 0], [2, 0], [0, 1], [0, 3]], ["a", "a", "b", None])
    >>> recovery.mutual_information, recovery.clusters[3].item()
    (1.0, -1)
    """

    clusters: NDArray[np.int64]
    mutual_information: float
    element_centric: float
    adjusted_element_centric: float


def community_recovery(
    vectors: Vectors, communities: Values, *, n_clusters: int | None = None, random_state: int = 0
) -> Recovery:
    """Cluster the unit vectors by k-means and compare the clusters with communities.

    k-means starts from ten random choices of centers and from Ward's hierarchy; the clusters with the smallest sum of
    squares count.

    Nodes with a missing community (None, NaN or an empty string) are ignored.

    Parameters
    ----------
    vectors : array of shape (N, K), or Embedding
        One vector per node.
    communities : array of shape (N,), or mapping of node id to community
        In the order of the vectors if they are an array, by node id if they are an Embedding.
    n_clusters : int, optional
        Number of clusters; by default the number of communities.
    random_state : int
        Seed of k-means.

    Returns
    -------
    Recovery
        Clusters, and their similarity to the communities.

    Examples
    --------
    >>> from residuum import Residual2Vec, datasets
    >>> graph = datasets.karate_club()
    >>> vectors = Residual2Vec(4, random_state=0).fit_transform(graph)
    >>> round(community_recovery(vectors, graph.node_attributes["club"]).element_centric, 1)
    0.9
    """
    u, labels, labeled = _labeled_nodes(vectors, communities)
    count = len(np.unique(labels)) if n_clusters is None else check_integer("n_clusters", n_clusters, minimum=1)
    # k-means warns if there are fewer different vectors than clusters.
    unit = unit_rows(u)
    count = min(count, len(np.unique(unit, axis=0)))
    clusters = KMeansClusters(unit, random_state).labels(count, _STARTS)
    cluster_of_node = np.full(len(labeled), -1, dtype=np.int64)
    cluster_of_node[labeled] = clusters
    return _recovery(cluster_of_node, labels, clusters)


def partition_recovery(clusters: Values, communities: Values) -> Recovery:
    """Compare the clusters of a community detection method with communities.

    Parameters
    ----------
    clusters : array of shape (N,)
        Cluster of each node.
    communities : array of shape (N,)
        Community of each node. Nodes with a missing community (None, NaN or an empty string) are ignored.

    Returns
    -------
    Recovery
        Clusters, and their similarity to the communities.

    Examples
    --------
    >>> partition_recovery([5, 5, 7, 7], ["a", "a", "b", "b"]).mutual_information
    1.0
    """
    codes, labels = _paired_codes(clusters, communities, ("clusters", "communities"))
    labeled = labels >= 0
    return _recovery(np.where(labeled, codes, -1).astype(np.int64), labels[labeled], codes[labeled])


def _recovery(cluster_of_node: NDArray[np.int64], labels: NDArray[Any], clusters: NDArray[Any]) -> Recovery:
    return Recovery(
        cluster_of_node,
        float(normalized_mutual_info_score(labels, clusters)),
        element_centric_similarity(labels, clusters),
        element_centric_similarity(labels, clusters, adjusted=True),
    )


def element_centric_similarity(one: ArrayLike, other: ArrayLike, *, adjusted: bool = False) -> float:
    r"""Return the mean over nodes i of ``|C_i ∩ C'_i| / max(|C_i|, |C'_i|)``, with C_i and C'_i the clusters of i.

    For disjoint clusters this equals the mean of ``1 − Σ_j |p_ij − p'_ij| / 2α``, where p_i is the personalized
    PageRank of i on the graph that connects all nodes of a cluster with each other; α cancels. Nodes with a missing
    label (None, NaN or an empty string) in either clustering are ignored.

    Parameters
    ----------
    one, other : arrays of shape (N,)
        Cluster labels of the same nodes.
    adjusted : bool, default False
        Whether to correct for chance: ``(S − E[S]) / (1 − E[S])``, with the exact expectation over random permutations
        of the labels, which keep the sizes of the clusters.

    Returns
    -------
    float
        Similarity between 0 and 1; 1 for identical clusterings. Adjusted, 0 is chance, and less is below chance.

    References
    ----------
    Gates, Wood, Hetrick, Ahn: Element-centric clustering comparison unifies overlaps and hierarchy.
    Scientific Reports 9, 8574 (2019).

    Examples
    --------
    >>> element_centric_similarity([0, 0, 1, 1], [0, 0, 0, 0])
    0.5
    >>> element_centric_similarity([0, 0, 1, 1], [0, 0, 0, 0], adjusted=True)
    0.0
    """
    first, second = _paired_codes(one, other, ("one", "other"))
    labeled = (first >= 0) & (second >= 0)
    if not labeled.any():
        raise InvalidParameterError(
            f"one and other must both label at least one node; none of the {len(labeled)} nodes has two labels."
        )
    first, second = first[labeled], second[labeled]
    overlap = sparse.coo_array(sparse.csr_array((np.ones(len(first)), (first, second))))
    sizes, other_sizes = np.bincount(first), np.bincount(second)
    larger = np.maximum(sizes[overlap.row], other_sizes[overlap.col])
    similarity = float(np.sum(overlap.data**2 / larger) / len(first))
    if not adjusted:
        return similarity
    expected = _expected_similarity(sizes[sizes > 0], other_sizes[other_sizes > 0])
    return 1.0 if expected == 1.0 else (similarity - expected) / (1.0 - expected)


def _expected_similarity(sizes: NDArray[np.int64], other_sizes: NDArray[np.int64]) -> float:
    """Return the expected similarity of random clusters of these sizes, whose overlaps are hypergeometric."""
    n_nodes = int(sizes.sum())
    a, b = sizes[:, None].astype(np.float64), other_sizes.astype(np.float64)
    # E[n (n − 1)] + E[n] of the hypergeometric overlap n.
    squares = a * b / n_nodes * (1.0 + (a - 1.0) * (b - 1.0) / max(n_nodes - 1, 1))
    return float(np.sum(squares / np.maximum(a, b)) / n_nodes)


def detectability_limit(n_groups: int, branching: float) -> float:
    """Return ``μ* = (1 − 1/q) (1 − 1/√c)``, the mixing above which no efficient algorithm is known to find q groups.

    This is the Kesten–Stigum threshold ``c λ² = 1`` with ``λ = 1 − μ q / (q − 1)`` for groups of equal size; μ is the
    fraction of a node's edges that leave its group. For two groups, detection above the limit is proved to be
    impossible; for five or more, inefficient algorithms can succeed.

    Parameters
    ----------
    n_groups : int
        Number of groups q.
    branching : float
        The mean degree c if all expected degrees are equal, else the mean excess degree ``⟨d²⟩ / ⟨d⟩ − 1``.

    Returns
    -------
    float
        The limit μ*, between 0 and 1.

    References
    ----------
    Decelle, Krzakala, Moore, Zdeborová: Inference and phase transitions in the detection of modules in sparse
    networks. Physical Review Letters 107, 065701 (2011).

    Examples
    --------
    >>> detectability_limit(2, 16.0)
    0.375
    """
    check_integer("n_groups", n_groups, minimum=2)
    check_real("branching", branching, minimum=1.0, why="sparser graphs have no giant connected component")
    return float((1.0 - 1.0 / n_groups) * (1.0 - 1.0 / np.sqrt(branching)))


def _paired_codes(one: Values, other: Values, names: tuple[str, str]) -> list[NDArray[np.int32]]:
    """Return the codes of two labels of each node, −1 for missing labels; mappings are matched by node id."""
    arrays = [values for values in (one, other) if not isinstance(values, Mapping)]
    ids = range(len(attribute_array(arrays[0]))) if arrays else list(one)  # type: ignore[arg-type]
    if not len(ids):
        raise InvalidParameterError(f"{names[0]} and {names[1]} must label at least one node; got none.")
    return [Labels.of(values_by_id(ids, values, name))[1] for values, name in zip((one, other), names, strict=True)]


def _labeled_nodes(
    vectors: Vectors, communities: Values
) -> tuple[NDArray[np.float64], NDArray[np.int32], NDArray[np.bool_]]:
    """Return the vectors and community codes of the nodes that have a community, and the mask of these nodes."""
    u = as_vectors(vectors)
    codes = Labels.of(values_of(vectors, communities, "communities"))[1]
    labeled = codes >= 0
    if labeled.sum() < 2:
        raise InvalidParameterError(
            f"communities must label at least two nodes; {int(labeled.sum())} of {len(codes)} nodes have a label."
        )
    return u[labeled], codes[labeled], labeled
