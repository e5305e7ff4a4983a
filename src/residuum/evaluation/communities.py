"""Communities: whether nodes of the same one are similar, and whether clustering the vectors finds them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.cluster import KMeans
from sklearn.metrics import normalized_mutual_info_score

from residuum._random import as_generator
from residuum._validation import check_integer, check_real
from residuum.errors import InvalidParameterError
from residuum.evaluation.link_prediction import auc_roc
from residuum.evaluation.values import Values, codes_of, values_of
from residuum.evaluation.vectors import Vectors, as_vectors, pair_scores, unit_rows

__all__ = ["Recovery", "community_auc", "community_recovery", "detectability_limit", "element_centric_similarity"]


def community_auc(
    vectors: Vectors,
    communities: Values,
    *,
    n_pairs: int = 10_000,
    random_state: int | np.random.Generator | None = 0,
) -> float:
    """Return the chance that ``cos(u_i, u_j)`` is higher for two nodes of one community than for two of different ones.

    The paper's measure: random pairs of different nodes, those in the same community against the others. Nodes whose
    community is missing (None, NaN or an empty text) are left out.

    Parameters
    ----------
    vectors : array of shape (N, K), or Embedding
    communities : array of shape (N,), or mapping of node id to community
        An array is in the order of the vectors; a mapping is for an embedding.
    n_pairs : int
    random_state : int, Generator or None

    Examples
    --------
    >>> community_auc([[1, 0], [1, 0], [0, 1], [0, 1]], [0, 0, 1, 1])
    1.0
    """
    u, labels, _ = _known(vectors, communities)
    check_integer("n_pairs", n_pairs, minimum=1)
    rng = as_generator(random_state)
    i = rng.integers(len(u), size=n_pairs)
    # A step of 1 to N − 1 around the circle of nodes: any other node, all alike.
    j = (i + rng.integers(1, len(u), size=n_pairs)) % len(u)
    cosine = np.asarray(pair_scores(u)["cosine"](i, j))
    same = labels[i] == labels[j]
    if same.all() or not same.any():
        raise InvalidParameterError(
            "communities must be such that random pairs fall into the same one as well as into different ones."
        )
    return auc_roc(cosine[same], cosine[~same])


@dataclass(frozen=True)
class Recovery:
    """How close clusters of the vectors are to communities.

    Attributes
    ----------
    clusters : array of shape (N,)
        Found by k-means; −1 for nodes whose community is missing.
    mutual_information : float
        Normalised by the mean of the two entropies.
    element_centric : float
        :func:`element_centric_similarity`.
    """

    clusters: NDArray[np.int64]
    mutual_information: float
    element_centric: float


def community_recovery(
    vectors: Vectors, communities: Values, *, n_clusters: int | None = None, random_state: int = 0
) -> Recovery:
    """Cluster the unit vectors by k-means (ten starts) and compare with communities.

    Nodes whose community is missing (None, NaN or an empty text) are left out.

    Parameters
    ----------
    vectors : array of shape (N, K), or Embedding
    communities : array of shape (N,), or mapping of node id to community
        An array is in the order of the vectors; a mapping is for an embedding.
    n_clusters : int, optional
        By default as many as there are communities.
    random_state : int
    """
    u, labels, known = _known(vectors, communities)
    count = len(np.unique(labels)) if n_clusters is None else check_integer("n_clusters", n_clusters, minimum=1)
    clusters = KMeans(count, n_init=10, random_state=random_state).fit_predict(unit_rows(u))
    of_all = np.full(len(known), -1, dtype=np.int64)
    of_all[known] = clusters
    return Recovery(
        of_all,
        float(normalized_mutual_info_score(labels, clusters)),
        element_centric_similarity(labels, clusters),
    )


def element_centric_similarity(one: ArrayLike, other: ArrayLike) -> float:
    r"""Return the mean over nodes of ``|C_i ∩ C'_i| / max(|C_i|, |C'_i|)``, C and C' the clusters that hold node i.

    For disjoint clusters this is the closed form of ``1 − Σ_j |p_ij − p'_ij| / 2α``, where p_i is the personalised
    PageRank of i on the graph that joins the nodes of a cluster to each other; α drops out. Nodes whose label is
    missing in one of the two (None, NaN or an empty text) are left out.

    Parameters
    ----------
    one, other : arrays of shape (N,)
        Labels of clusters.

    References
    ----------
    Gates, Wood, Hetrick, Ahn: Element-centric clustering comparison unifies overlaps and hierarchy.
    Scientific Reports 9, 8574 (2019).

    Examples
    --------
    >>> element_centric_similarity([0, 0, 1, 1], [0, 0, 0, 0])
    0.5
    """
    first, second = codes_of(np.asarray(one))[1], codes_of(np.asarray(other))[1]
    if len(first) != len(second):
        raise InvalidParameterError(
            f"two clusterings must be of the same nodes; got {len(first)} and {len(second)} labels."
        )
    known = (first >= 0) & (second >= 0)
    if not known.any():
        raise InvalidParameterError(
            f"two clusterings must have a node that both label; of {len(known)} nodes there is none."
        )
    first, second = first[known], second[known]
    overlap = sparse.coo_array(sparse.csr_array((np.ones(len(first)), (first, second))))
    larger = np.maximum(np.bincount(first)[overlap.row], np.bincount(second)[overlap.col])
    return float(np.sum(overlap.data**2 / larger) / len(first))


def detectability_limit(n_groups: int, branching: float) -> float:
    """Return ``μ* = (1 − 1/q) (1 − 1/√c)``, the mixing beyond which no fast method is known to find q equal groups.

    Kesten and Stigum's threshold ``c λ² = 1`` with ``λ = 1 − μ q / (q − 1)``; μ is the share of a node's edges that
    leave its group. For two groups it is proved that nothing, however slow, finds them beyond it; with five or more a
    slow search can.

    Parameters
    ----------
    n_groups : int
        q.
    branching : float
        c, the mean degree of a graph of equal expected degrees; for others the mean excess degree,
        ``⟨d²⟩ / ⟨d⟩ − 1``.

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
    check_real("branching", branching, minimum=1.0, why="a sparser graph falls apart")
    return float((1.0 - 1.0 / n_groups) * (1.0 - 1.0 / np.sqrt(branching)))


def _known(vectors: Vectors, communities: Values) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.bool_]]:
    """Return the vectors and communities of the nodes whose community is not missing, and which these are."""
    u = as_vectors(vectors)
    codes = codes_of(values_of(vectors, communities, "communities"))[1]
    known = codes >= 0
    if known.sum() < 2:
        raise InvalidParameterError(
            f"communities must be known for at least two nodes; of {len(codes)} they are for {int(known.sum())}."
        )
    return u[known], codes[known], known
