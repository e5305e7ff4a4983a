import numpy as np
import pytest

from residuum import Graph, datasets
from residuum.errors import InvalidParameterError
from residuum.evaluation import hide_edges, recommend

GRAPH = datasets.planted_groups(300, 3, degree_exponent=2.3, random_state=0)
SPLIT = hide_edges(GRAPH, 0.5, np.random.default_rng(0))
TRUTH = GRAPH.adjacency.toarray()


def by_hand(score, node, k):
    """Rank one node's non-neighbors with a plain sort."""
    train = SPLIT.train.adjacency.toarray()
    candidates = [j for j in range(300) if j != node and train[node, j] == 0]
    first = sorted(candidates, key=lambda j: -score[node, j])[:k]
    held_out = {int(b if a == node else a) for a, b in SPLIT.hidden.tolist() if node in (a, b)}
    return len(held_out & set(first)), len(held_out)


def test_counts_equal_those_of_a_plain_sort():
    score = np.random.default_rng(1).random((300, 300)) + 0.3 * TRUTH
    lists = recommend(SPLIT.train, SPLIT.hidden, lambda i, j: score[i, j], k=7)
    assert len(lists.nodes) == len(np.unique(SPLIT.hidden))
    expected = np.array([by_hand(score, node, 7) for node in lists.nodes.tolist()])
    np.testing.assert_array_equal(np.stack([lists.n_hits, lists.hidden], axis=1), expected)
    np.testing.assert_allclose(lists.precision, expected[:, 0] / 7)
    np.testing.assert_allclose(lists.recall, expected[:, 0] / expected[:, 1])
    np.testing.assert_array_equal(lists.hits, expected[:, 0] > 0)


def test_true_edges_as_score_reach_full_recall_and_precision():
    lists = recommend(SPLIT.train, SPLIT.hidden, lambda i, j: TRUTH[i, j], k=300)
    assert lists.recall.mean() == 1.0
    first = recommend(SPLIT.train, SPLIT.hidden, lambda i, j: TRUTH[i, j], k=1)
    assert first.precision.mean() == 1.0


def test_the_precision_of_a_constant_score_is_chance():
    lists = recommend(SPLIT.train, SPLIT.hidden, lambda i, j: np.zeros(len(i)), k=10)
    n_candidates = 299 - np.diff(SPLIT.train.adjacency.indptr)[lists.nodes]
    expected = np.mean(lists.hidden / n_candidates)
    assert lists.precision.mean() == pytest.approx(expected, rel=0.15)


def test_degrees_are_better_than_chance_and_worse_than_true_edges():
    degree = SPLIT.train.out_strength
    lists = recommend(SPLIT.train, SPLIT.hidden, lambda i, j: degree[i] + degree[j], k=10)
    chance = recommend(SPLIT.train, SPLIT.hidden, lambda i, j: np.zeros(len(i)), k=10)
    assert chance.recall.mean() < lists.recall.mean() < 0.9


def test_neighbors_and_the_node_itself_are_never_recommended():
    star = Graph([[0, 1, 1, 0], [1, 0, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1]])
    lists = recommend(star, [[0, 3]], lambda i, j: (j != 3) * 5.0, k=1)
    np.testing.assert_array_equal(lists.nodes, [0, 3])
    np.testing.assert_array_equal(lists.n_hits, [1, 0])


def test_arcs_are_recommended_to_their_sources_only():
    ring = Graph([[0, 1, 0], [0, 0, 1], [1, 0, 0]], directed=True)
    assert recommend(ring, [[1, 0]], lambda i, j: -j, k=1).nodes.tolist() == [1]


def test_sampled_nodes_have_the_same_counts_as_all_nodes():
    all_lists = recommend(SPLIT.train, SPLIT.hidden, lambda i, j: TRUTH[i, j], k=5)
    sampled = recommend(SPLIT.train, SPLIT.hidden, lambda i, j: TRUTH[i, j], k=5, n_nodes=20)
    assert len(sampled.nodes) == 20
    np.testing.assert_array_equal(sampled.n_hits, all_lists.n_hits[np.searchsorted(all_lists.nodes, sampled.nodes)])


def test_an_empty_list_of_held_out_edges_is_rejected():
    with pytest.raises(InvalidParameterError, match="at least one pair"):
        recommend(GRAPH, np.empty((0, 2)), lambda i, j: i)


def test_k_above_the_number_of_candidates_gives_full_recall():
    star = Graph([[0, 1, 1, 0], [1, 0, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1]])
    lists = recommend(star, [[0, 3], [1, 2]], lambda i, j: j - i, k=80)
    np.testing.assert_array_equal(lists.n_hits, [1, 1, 1, 1])
    np.testing.assert_array_equal(lists.precision, [1 / 80] * 4)
    np.testing.assert_array_equal(lists.recall, [1.0] * 4)


def test_candidates_of_score_minus_infinity_rank_above_neighbors():
    # Node 0 has an edge to all nodes but 8 and 9, which must rank above its neighbors.
    wheel = np.zeros((10, 10))
    wheel[0, 1:8] = wheel[1:8, 0] = wheel[8, 9] = wheel[9, 8] = 1
    for seed in range(5):
        lists = recommend(Graph(wheel), [[0, 9]], lambda i, j: np.full(len(i), -np.inf), k=2, random_state=seed)
        assert lists.n_hits[0] == 1


def test_nan_scores_are_rejected_for_candidates_only():
    path = Graph([[0, 1, 0], [1, 0, 1], [0, 1, 0]])
    lists = recommend(path, [[0, 2]], lambda i, j: np.where(np.abs(i - j) < 2, np.nan, 1.0), k=1)
    np.testing.assert_array_equal(lists.recall, [1.0, 1.0])
    with pytest.raises(InvalidParameterError, match="it is NaN for the nodes at positions 0 and 2"):
        recommend(path, [[0, 2]], lambda i, j: np.full(len(i), np.nan), k=1)
