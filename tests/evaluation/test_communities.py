import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.metrics import normalized_mutual_info_score, roc_auc_score
from sklearn.preprocessing import normalize

from residuum import Embedding, datasets
from residuum.errors import InvalidParameterError
from residuum.evaluation import (
    community_auc,
    community_recovery,
    detectability_limit,
    element_centric_similarity,
    partition_recovery,
)

LABELS = np.repeat(np.arange(4), 50)
TRUTH = np.eye(4)[LABELS]
NOISE = np.random.default_rng(0).standard_normal((200, 8))


def pagerank_similarity(one, other, alpha=0.9):
    """Gates et al.'s definition: personalized PageRank on the graph that connects the nodes of each cluster."""

    def pagerank(labels):
        same = (labels[:, None] == labels).astype(float)
        walk = same / same.sum(axis=1, keepdims=True)
        return (1 - alpha) * np.linalg.inv(np.eye(len(labels)) - alpha * walk)

    return np.mean(1 - np.abs(pagerank(one) - pagerank(other)).sum(axis=1) / (2 * alpha))


@pytest.mark.parametrize("alpha", [0.5, 0.9])
@pytest.mark.parametrize("counts", [(2, 2), (3, 7), (1, 5), (30, 4)])
def test_element_centric_similarity_equals_the_pagerank_definition(alpha, counts):
    rng = np.random.default_rng(counts[0])
    one, other = (rng.integers(count, size=60) for count in counts)
    assert element_centric_similarity(one, other) == pytest.approx(pagerank_similarity(one, other, alpha))


def test_element_centric_similarity_ignores_unlabeled_nodes():
    one, other = ["a", "a", "b", None, "b", ""], [0.0, 0.0, 1.0, 1.0, np.nan, 0.0]
    assert element_centric_similarity(one, other) == element_centric_similarity(["a", "a", "b"], [0, 0, 1])
    with pytest.raises(InvalidParameterError, match="must both label at least one node; none of the 2 nodes"):
        element_centric_similarity(["a", None], [None, "b"])


def test_element_centric_similarity_of_equal_clusterings_is_one():
    assert element_centric_similarity(LABELS, np.array(list("dcba"))[LABELS]) == pytest.approx(1.0)


@pytest.mark.parametrize("counts", [(2, 2), (3, 7), (1, 5), (30, 4)])
def test_the_adjustment_is_the_mean_over_permutations(counts):
    rng = np.random.default_rng(counts[0])
    one, other = (rng.integers(count, size=60) for count in counts)
    expected = np.mean([element_centric_similarity(one, rng.permutation(other)) for _ in range(2000)])
    similarity = element_centric_similarity(one, other)
    adjusted = element_centric_similarity(one, other, adjusted=True)
    assert adjusted == pytest.approx((similarity - expected) / (1 - expected), abs=0.01)


def test_adjusted_similarity_is_one_for_equal_clusterings_and_zero_for_one_cluster():
    assert element_centric_similarity(LABELS, LABELS, adjusted=True) == pytest.approx(1.0)
    assert element_centric_similarity(LABELS, np.zeros_like(LABELS), adjusted=True) == pytest.approx(0.0)
    assert element_centric_similarity([1, 1], [2, 2], adjusted=True) == 1.0


@pytest.mark.parametrize("counts", [(3, 7), (30, 4)])
def test_element_centric_similarity_equals_clusim(counts):
    clusim = pytest.importorskip("clusim.clustering", reason="clusim is not installed: pip install clusim")
    from clusim.sim import element_sim

    rng = np.random.default_rng(counts[0])
    one, other = (rng.integers(count, size=60) for count in counts)

    def similarity_to(labels):
        first, second = (clusim.Clustering().from_membership_list(each.tolist()) for each in (one, labels))
        return element_sim(first, second)

    similarity = similarity_to(other)
    assert element_centric_similarity(one, other) == pytest.approx(similarity)
    expected = np.mean([similarity_to(rng.permutation(other)) for _ in range(100)])
    adjusted = (similarity - expected) / (1 - expected)
    assert element_centric_similarity(one, other, adjusted=True) == pytest.approx(adjusted, abs=0.02)


def test_clusters_of_a_partition_are_compared_on_labeled_nodes():
    recovery = partition_recovery([9, 9, 4, 4, 4], ["a", "a", "b", "b", None])
    assert (recovery.mutual_information, recovery.element_centric) == (pytest.approx(1.0), pytest.approx(1.0))
    assert recovery.adjusted_element_centric == pytest.approx(1.0)
    assert recovery.clusters[-1] == -1


def test_clusterings_of_different_nodes_are_rejected():
    with pytest.raises(InvalidParameterError, match="other must have one value for each of the 3 nodes; got 2"):
        element_centric_similarity([0, 1, 2], [0, 1])


def test_labels_by_node_id_are_matched_by_id():
    clusters, communities = {"x": 1, "y": 1, "z": 2}, {"z": "b", "x": "a", "y": "a"}
    assert partition_recovery(clusters, communities).element_centric == pytest.approx(1.0)
    assert element_centric_similarity(clusters, communities) == pytest.approx(1.0)
    with pytest.raises(InvalidParameterError, match="must label at least one node"):
        partition_recovery([], [])


def test_auc_of_sampled_pairs_is_close_to_that_of_all_pairs():
    vectors = NOISE + 0.8 * np.pad(TRUTH, ((0, 0), (0, 4)))
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    i, j = np.triu_indices(200, 1)
    expected = roc_auc_score(LABELS[i] == LABELS[j], np.einsum("pk,pk->p", unit[i], unit[j]))
    assert 0.55 < expected < 0.9
    assert community_auc(vectors, LABELS, n_pairs=200_000) == pytest.approx(expected, abs=0.005)
    assert community_auc(Embedding(np.arange(200), vectors), LABELS) == pytest.approx(expected, abs=0.02)


def test_communities_are_recovered_from_perfect_but_not_from_random_or_degree_only_vectors():
    graph = datasets.planted_groups(400, 4, degree_exponent=2.3, mixing=0.1, random_state=0)
    group = graph.node_attributes["group"]
    degree = np.log(graph.out_strength)[:, None] * [1.0, 0.0] + [0.0, 1.0]
    noise = np.random.default_rng(1).standard_normal((400, 16))
    assert community_auc(np.eye(4)[group], group) == 1.0
    for vectors in (noise, degree):
        assert community_auc(vectors, group) == pytest.approx(0.5, abs=0.03)
        recovery = community_recovery(vectors, group)
        assert recovery.mutual_information < 0.05
        assert recovery.element_centric == pytest.approx(0.25, abs=0.08)


def test_clusters_of_perfect_vectors_are_the_communities():
    recovery = community_recovery(TRUTH * [[1.0, 2.0, 3.0, 4.0]], LABELS)
    assert (recovery.mutual_information, recovery.element_centric) == (pytest.approx(1.0), pytest.approx(1.0))


def test_recovery_measures_the_returned_clusters():
    recovery = community_recovery(NOISE + 0.8 * np.pad(TRUTH, ((0, 0), (0, 4))), LABELS, n_clusters=6)
    assert len(np.unique(recovery.clusters)) == 6
    assert recovery.mutual_information == pytest.approx(normalized_mutual_info_score(LABELS, recovery.clusters))
    assert recovery.element_centric == pytest.approx(element_centric_similarity(LABELS, recovery.clusters))


def test_pairs_only_within_or_only_between_communities_are_rejected():
    with pytest.raises(InvalidParameterError, match="all of the 10000 random pairs are within communities"):
        community_auc(NOISE, np.zeros(200))
    with pytest.raises(InvalidParameterError, match="all of the 50 random pairs are between communities"):
        community_auc(NOISE, np.arange(200), n_pairs=50)


@pytest.mark.parametrize(("q", "c"), [(2, 5.0), (4, 16.0), (10, 20.0)])
def test_the_limit_is_the_threshold_of_decelle_et_al(q, c):
    mixing = detectability_limit(q, c)
    inside, outside = (1 - mixing) * c * q, mixing * c * q / (q - 1)
    assert inside - outside == pytest.approx(q * np.sqrt(c))


# Directions encode the communities; lengths do not, and differ by orders of magnitude.
UNEVEN = (NOISE + 1.5 * np.pad(TRUTH, ((0, 0), (0, 4)))) * np.random.default_rng(1).lognormal(0, 1.5, (200, 1))


def test_auc_does_not_depend_on_the_lengths_of_vectors():
    i, j = np.triu_indices(200, 1)
    same = LABELS[i] == LABELS[j]
    by_cosine, by_product = (
        roc_auc_score(same, np.einsum("pk,pk->p", vectors[i], vectors[j])) for vectors in (normalize(UNEVEN), UNEVEN)
    )
    assert by_cosine > by_product + 0.03
    assert community_auc(UNEVEN, LABELS, n_pairs=200_000) == pytest.approx(by_cosine, abs=0.005)


def test_clusters_equal_scikit_learn_on_unit_vectors():
    expected = KMeans(4, n_init=10, random_state=0).fit_predict(normalize(UNEVEN))
    recovery = community_recovery(UNEVEN, LABELS)
    assert element_centric_similarity(recovery.clusters, expected) == pytest.approx(1.0)
    on_lengths = KMeans(4, n_init=10, random_state=0).fit_predict(UNEVEN)
    assert recovery.mutual_information > normalized_mutual_info_score(LABELS, on_lengths) + 0.1


@pytest.mark.parametrize("missing_value", [None, np.nan, ""], ids=["None", "NaN", "empty"])
def test_nodes_with_a_missing_community_are_ignored(missing_value):
    missing = np.arange(200) % 3 == 0
    labels = np.array(list("abcd"), dtype=object)[LABELS]
    part = UNEVEN[~missing], labels[~missing]
    labels[missing] = missing_value
    # Nodes without a community would form a clear cluster.
    vectors = np.where(missing[:, None], np.eye(8)[7], UNEVEN)
    assert community_auc(vectors, labels) == community_auc(*part)
    recovery, expected = community_recovery(vectors, labels), community_recovery(*part)
    np.testing.assert_array_equal(recovery.clusters[~missing], expected.clusters)
    assert set(recovery.clusters[missing]) == {-1}
    assert recovery.mutual_information == expected.mutual_information
    assert recovery.element_centric == expected.element_centric


def test_communities_of_fewer_than_two_nodes_are_rejected():
    with pytest.raises(InvalidParameterError, match="must label at least two nodes; 1 of 200 nodes"):
        community_auc(NOISE, np.r_[1.0, np.full(199, np.nan)])
