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
)

LABELS = np.repeat(np.arange(4), 50)
TRUTH = np.eye(4)[LABELS]
NOISE = np.random.default_rng(0).standard_normal((200, 8))


def pagerank_similarity(one, other, alpha=0.9):
    """Gates et al.'s definition: personalised PageRank on the graph that joins the nodes of each cluster."""

    def pagerank(labels):
        same = (labels[:, None] == labels).astype(float)
        walk = same / same.sum(axis=1, keepdims=True)
        return (1 - alpha) * np.linalg.inv(np.eye(len(labels)) - alpha * walk)

    return np.mean(1 - np.abs(pagerank(one) - pagerank(other)).sum(axis=1) / (2 * alpha))


@pytest.mark.parametrize("alpha", [0.5, 0.9])
@pytest.mark.parametrize("counts", [(2, 2), (3, 7), (1, 5), (30, 4)])
def test_element_centric_similarity_is_that_of_pagerank(alpha, counts):
    rng = np.random.default_rng(counts[0])
    one, other = (rng.integers(count, size=60) for count in counts)
    assert element_centric_similarity(one, other) == pytest.approx(pagerank_similarity(one, other, alpha))


def test_element_centric_similarity_leaves_out_what_is_not_labelled():
    one, other = ["a", "a", "b", None, "b", ""], [0.0, 0.0, 1.0, 1.0, np.nan, 0.0]
    assert element_centric_similarity(one, other) == element_centric_similarity(["a", "a", "b"], [0, 0, 1])
    with pytest.raises(InvalidParameterError, match="a node that both label; of 2 nodes there is none"):
        element_centric_similarity(["a", None], [None, "b"])


def test_element_centric_similarity_of_equal_clusterings_is_one():
    assert element_centric_similarity(LABELS, np.array(list("dcba"))[LABELS]) == pytest.approx(1.0)


def test_clusterings_of_different_nodes_are_refused():
    with pytest.raises(InvalidParameterError, match="same nodes; got 3 and 2"):
        element_centric_similarity([0, 1, 2], [0, 1])


def test_auc_over_many_pairs_is_that_over_all_pairs():
    vectors = NOISE + 0.8 * np.pad(TRUTH, ((0, 0), (0, 4)))
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    i, j = np.triu_indices(200, 1)
    expected = roc_auc_score(LABELS[i] == LABELS[j], np.einsum("pk,pk->p", unit[i], unit[j]))
    assert 0.55 < expected < 0.9
    assert community_auc(vectors, LABELS, n_pairs=200_000) == pytest.approx(expected, abs=0.005)
    assert community_auc(Embedding(np.arange(200), vectors), LABELS) == pytest.approx(expected, abs=0.02)


def test_perfect_random_and_degree_only_vectors_get_what_they_must():
    graph = datasets.planted_groups(400, 4, degree_exponent=2.3, mixing=0.1, random_state=0)
    group = graph.node_attributes["group"]
    degree = np.log(graph.out_strength)[:, None] * [1.0, 0.0] + [0.0, 1.0]
    noise = np.random.default_rng(1).standard_normal((400, 16))
    assert community_auc(np.eye(4)[group], group) == 1.0
    for vectors in (noise, degree):
        assert community_auc(vectors, group) == pytest.approx(0.5, abs=0.03)
        found = community_recovery(vectors, group)
        assert found.mutual_information < 0.05
        assert found.element_centric == pytest.approx(0.25, abs=0.08)


def test_clusters_of_perfect_vectors_are_the_communities():
    found = community_recovery(TRUTH * [[1.0, 2.0, 3.0, 4.0]], LABELS)
    assert (found.mutual_information, found.element_centric) == (pytest.approx(1.0), pytest.approx(1.0))


def test_recovery_grades_the_clusters_that_it_returns():
    found = community_recovery(NOISE + 0.8 * np.pad(TRUTH, ((0, 0), (0, 4))), LABELS, n_clusters=6)
    assert len(np.unique(found.clusters)) == 6
    assert found.mutual_information == pytest.approx(normalized_mutual_info_score(LABELS, found.clusters))
    assert found.element_centric == pytest.approx(element_centric_similarity(LABELS, found.clusters))


def test_one_community_has_no_auc():
    with pytest.raises(InvalidParameterError, match="communities must be such"):
        community_auc(NOISE, np.zeros(200))


@pytest.mark.parametrize(("q", "c"), [(2, 5.0), (4, 16.0), (10, 20.0)])
def test_at_the_limit_the_difference_of_degrees_is_that_of_decelle(q, c):
    mixing = detectability_limit(q, c)
    inside, outside = (1 - mixing) * c * q, mixing * c * q / (q - 1)
    assert inside - outside == pytest.approx(q * np.sqrt(c))


# Directions that tell the communities, and lengths that do not and differ by orders of magnitude.
UNEVEN = (NOISE + 1.5 * np.pad(TRUTH, ((0, 0), (0, 4)))) * np.random.default_rng(1).lognormal(0, 1.5, (200, 1))


def test_auc_is_that_of_the_cosine_whatever_the_lengths():
    i, j = np.triu_indices(200, 1)
    same = LABELS[i] == LABELS[j]
    by_cosine, by_product = (
        roc_auc_score(same, np.einsum("pk,pk->p", one[i], one[j])) for one in (normalize(UNEVEN), UNEVEN)
    )
    assert by_cosine > by_product + 0.03
    assert community_auc(UNEVEN, LABELS, n_pairs=200_000) == pytest.approx(by_cosine, abs=0.005)


def test_clusters_are_those_of_scikit_learn_on_unit_vectors_whatever_the_lengths():
    expected = KMeans(4, n_init=10, random_state=0).fit_predict(normalize(UNEVEN))
    found = community_recovery(UNEVEN, LABELS)
    assert element_centric_similarity(found.clusters, expected) == pytest.approx(1.0)
    on_lengths = KMeans(4, n_init=10, random_state=0).fit_predict(UNEVEN)
    assert found.mutual_information > normalized_mutual_info_score(LABELS, on_lengths) + 0.1


@pytest.mark.parametrize("nothing", [None, np.nan, ""], ids=["None", "NaN", "empty"])
def test_nodes_whose_community_is_missing_are_left_out(nothing):
    missing = np.arange(200) % 3 == 0
    labels = np.array(list("abcd"), dtype=object)[LABELS]
    part = UNEVEN[~missing], labels[~missing]
    labels[missing] = nothing
    # What has no community would make a fine one.
    vectors = np.where(missing[:, None], np.eye(8)[7], UNEVEN)
    assert community_auc(vectors, labels) == community_auc(*part)
    found, expected = community_recovery(vectors, labels), community_recovery(*part)
    np.testing.assert_array_equal(found.clusters[~missing], expected.clusters)
    assert set(found.clusters[missing]) == {-1}
    assert found.mutual_information == expected.mutual_information
    assert found.element_centric == expected.element_centric


def test_communities_that_no_one_knows_are_refused():
    with pytest.raises(InvalidParameterError, match="at least two nodes; of 200 they are for 1"):
        community_auc(NOISE, np.r_[1.0, np.full(199, np.nan)])
