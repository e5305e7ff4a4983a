import numpy as np
import pytest

from residuum import datasets
from residuum.errors import InvalidParameterError
from residuum.evaluation import Recommendation, recommend, recommendation_disparity, similarity_disparity

RNG = np.random.default_rng(0)


def test_means_equal_those_over_all_pairs():
    vectors, groups = RNG.standard_normal((40, 5)) + 0.5, RNG.choice(["x", "y", "z"], 40)
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosine, distinct = unit @ unit.T, ~np.eye(40, dtype=bool)
    disparity = similarity_disparity(vectors, groups)
    for a, g in enumerate(disparity.groups):
        for b, h in enumerate(disparity.groups):
            selected = np.outer(groups == g, groups == h) & distinct
            assert disparity.similarity[a, b] == pytest.approx(cosine[selected].mean())
    same = groups[:, None] == groups
    assert disparity.within == pytest.approx(cosine[same & distinct].mean())
    assert disparity.between == pytest.approx(cosine[~same].mean())
    assert disparity.gap == pytest.approx(disparity.within - disparity.between)


def test_random_vectors_have_gap_zero_and_perfect_vectors_gap_one():
    groups = np.repeat([0, 1, 2], 100)
    assert similarity_disparity(RNG.standard_normal((300, 16)), groups).gap == pytest.approx(0.0, abs=0.01)
    assert similarity_disparity(np.eye(3)[groups], groups).gap == pytest.approx(1.0)


def test_spread_is_high_if_one_group_is_more_cohesive():
    tight = np.tile([1.0, 0.0, 0.0], (50, 1)) + 0.01 * RNG.standard_normal((50, 3))
    loose = RNG.standard_normal((50, 3))
    disparity = similarity_disparity(np.vstack([tight, loose]), np.repeat(["tight", "loose"], 50))
    assert disparity.spread > 0.9


def test_zero_vectors_are_ignored_and_groups_of_one_node_have_no_pairs():
    disparity = similarity_disparity([[1, 0], [1, 0], [0, 0], [0, 2]], ["a", "a", "a", "b"])
    np.testing.assert_array_equal(disparity.similarity, [[1.0, 0.0], [0.0, np.nan]])
    assert (disparity.within, disparity.between, disparity.spread) == (1.0, 0.0, 0.0)


def test_degree_only_vectors_have_no_gap_between_groups_of_equal_degrees():
    graph = datasets.planted_groups(400, 4, degree_exponent=2.3, random_state=0)
    vectors = np.stack([np.log(graph.out_strength), np.ones(400)], axis=1)
    assert similarity_disparity(vectors, graph.node_attributes["group"]).gap == pytest.approx(0.0, abs=0.01)
    # Nodes of low and of high degree point in different directions.
    assert similarity_disparity(vectors, graph.out_strength > np.median(graph.out_strength)).gap > 0.01


@pytest.mark.parametrize("missing_value", [None, np.nan, ""], ids=["None", "NaN", "empty"])
def test_nodes_with_a_missing_group_are_ignored(missing_value):
    vectors, groups = RNG.standard_normal((40, 5)) + 0.5, RNG.choice(["x", "y"], 40).astype(object)
    expected = similarity_disparity(vectors[::2], groups[::2])
    groups[1::2] = missing_value
    disparity = similarity_disparity(vectors, groups)
    assert disparity.groups.tolist() == ["x", "y"]
    np.testing.assert_allclose(disparity.similarity, expected.similarity)
    assert disparity.gap == pytest.approx(expected.gap)


def test_groups_of_fewer_than_two_nodes_are_rejected():
    with pytest.raises(InvalidParameterError, match="nonzero vector; 1 of 4 nodes have both"):
        similarity_disparity(np.ones((4, 2)), ["a", None, None, None])


def test_recall_by_group_is_that_of_ranked_lists_written_out_pair_by_pair():
    rng = np.random.default_rng(2)
    graph = datasets.planted_groups(90, 3, average_degree=10, random_state=0)
    score = rng.standard_normal((90, 90))
    score += score.T
    rows, columns = np.triu_indices(90, 1)
    candidates = np.flatnonzero(graph.adjacency.toarray()[rows, columns] == 0)
    hidden = np.column_stack([rows, columns])[rng.choice(candidates, 200, replace=False)]
    groups = np.array(["a", "b", "", "c"])[rng.choice(4, 90, p=[0.5, 0.35, 0.1, 0.05])]
    disparity = recommendation_disparity(recommend(graph, hidden, lambda i, j: score[i, j], 10), groups)
    recalls = {"a": [], "b": []}
    for node in range(90):
        wanted = {int(b) for a, b in hidden if a == node} | {int(a) for a, b in hidden if b == node}
        others = [j for j in range(90) if j != node and graph.adjacency[node, j] == 0]
        top = sorted(others, key=lambda j, node=node: -score[node, j])[:10]
        if wanted and groups[node] in recalls:
            recalls[groups[node]].append(len(wanted & set(top)) / len(wanted))
    assert disparity.groups.tolist() == ["a", "b"]  # nine nodes or fewer have "c", and "" is missing
    assert disparity.n_nodes.tolist() == [len(recalls["a"]), len(recalls["b"])]
    np.testing.assert_allclose(disparity.recall, [np.mean(recalls["a"]), np.mean(recalls["b"])])
    assert disparity.gap == pytest.approx(abs(np.mean(recalls["a"]) - np.mean(recalls["b"])))


def test_a_group_with_worse_recommendations_is_significant_and_equal_groups_are_not():
    rng = np.random.default_rng(3)
    groups = np.arange(300) % 2
    hidden = np.full(300, 5)
    fair = Recommendation(np.arange(300), rng.binomial(5, 0.3, 300), hidden, 10)
    unfair = Recommendation(np.arange(300), rng.binomial(5, np.where(groups == 0, 0.3, 0.15)), hidden, 10)
    assert not recommendation_disparity(fair, groups).is_significant
    disparity = recommendation_disparity(unfair, groups)
    assert disparity.is_significant
    assert disparity.gap == pytest.approx(0.15, abs=0.05)
    assert 0.0 < disparity.chance < disparity.high < 0.1


def test_one_group_has_no_disparity():
    lists = Recommendation(np.arange(15), np.ones(15, dtype=int), np.full(15, 2), 10)
    with pytest.raises(InvalidParameterError, match="at least two groups with 10"):
        recommendation_disparity(lists, ["a"] * 10 + ["b"] * 5)
