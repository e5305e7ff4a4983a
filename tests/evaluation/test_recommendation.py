import numpy as np
import pytest

from residuum import Graph, datasets
from residuum.errors import InvalidParameterError
from residuum.evaluation import hide_edges, recommend

GRAPH = datasets.planted_groups(300, 3, degree_exponent=2.3, random_state=0)
SPLIT = hide_edges(GRAPH, 0.5, np.random.default_rng(0))
TRUTH = GRAPH.adjacency.toarray()


def by_hand(score, node, k):
    """Rank one node's non-neighbours with a plain sort."""
    train = SPLIT.train.adjacency.toarray()
    others = [j for j in range(300) if j != node and train[node, j] == 0]
    first = sorted(others, key=lambda j: -score[node, j])[:k]
    wanted = {int(b if a == node else a) for a, b in SPLIT.hidden.tolist() if node in (a, b)}
    return len(wanted & set(first)), len(wanted)


def test_every_node_gets_what_a_plain_sort_gives_it():
    score = np.random.default_rng(1).random((300, 300)) + 0.3 * TRUTH
    found = recommend(SPLIT.train, SPLIT.hidden, lambda i, j: score[i, j], k=7)
    assert len(found.nodes) == len(np.unique(SPLIT.hidden))
    expected = np.array([by_hand(score, node, 7) for node in found.nodes.tolist()])
    np.testing.assert_array_equal(np.stack([found.found, found.hidden], axis=1), expected)
    np.testing.assert_allclose(found.precision, expected[:, 0] / 7)
    np.testing.assert_allclose(found.recall, expected[:, 0] / expected[:, 1])
    np.testing.assert_array_equal(found.hits, expected[:, 0] > 0)


def test_the_truth_finds_everything():
    found = recommend(SPLIT.train, SPLIT.hidden, lambda i, j: TRUTH[i, j], k=300)
    assert found.recall.mean() == 1.0
    first = recommend(SPLIT.train, SPLIT.hidden, lambda i, j: TRUTH[i, j], k=1)
    assert first.precision.mean() == 1.0


def test_a_constant_score_finds_what_chance_finds():
    found = recommend(SPLIT.train, SPLIT.hidden, lambda i, j: np.zeros(len(i)), k=10)
    open_to = 299 - np.diff(SPLIT.train.adjacency.indptr)[found.nodes]
    expected = np.mean(found.hidden / open_to)
    assert found.precision.mean() == pytest.approx(expected, rel=0.15)


def test_degree_alone_is_better_than_chance_and_worse_than_the_truth():
    degree = SPLIT.train.out_strength
    found = recommend(SPLIT.train, SPLIT.hidden, lambda i, j: degree[i] + degree[j], k=10)
    chance = recommend(SPLIT.train, SPLIT.hidden, lambda i, j: np.zeros(len(i)), k=10)
    assert chance.recall.mean() < found.recall.mean() < 0.9


def test_neighbours_and_the_node_itself_are_never_recommended():
    star = Graph([[0, 1, 1, 0], [1, 0, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1]])
    found = recommend(star, [[0, 3]], lambda i, j: (j != 3) * 5.0, k=1)
    np.testing.assert_array_equal(found.nodes, [0, 3])
    np.testing.assert_array_equal(found.found, [1, 0])


def test_arcs_are_recommended_to_their_sources_only():
    ring = Graph([[0, 1, 0], [0, 0, 1], [1, 0, 0]], directed=True)
    assert recommend(ring, [[1, 0]], lambda i, j: -j, k=1).nodes.tolist() == [1]


def test_a_sample_of_nodes_is_a_part_of_all():
    every = recommend(SPLIT.train, SPLIT.hidden, lambda i, j: TRUTH[i, j], k=5)
    some = recommend(SPLIT.train, SPLIT.hidden, lambda i, j: TRUTH[i, j], k=5, n_nodes=20)
    assert len(some.nodes) == 20
    np.testing.assert_array_equal(some.found, every.found[np.searchsorted(every.nodes, some.nodes)])


def test_nothing_hidden_is_an_error():
    with pytest.raises(InvalidParameterError, match="at least one pair"):
        recommend(GRAPH, np.empty((0, 2)), lambda i, j: i)


def test_a_list_longer_than_the_nodes_that_are_left_finds_all_and_is_precise_in_k():
    star = Graph([[0, 1, 1, 0], [1, 0, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1]])
    found = recommend(star, [[0, 3], [1, 2]], lambda i, j: j - i, k=80)
    np.testing.assert_array_equal(found.found, [1, 1, 1, 1])
    np.testing.assert_array_equal(found.precision, [1 / 80] * 4)
    np.testing.assert_array_equal(found.recall, [1.0] * 4)


def test_nodes_of_the_lowest_score_come_before_neighbours():
    # Node 0 is joined to all but 8 and 9; neither may lose its slot to a neighbour.
    wheel = np.zeros((10, 10))
    wheel[0, 1:8] = wheel[1:8, 0] = wheel[8, 9] = wheel[9, 8] = 1
    for seed in range(5):
        found = recommend(Graph(wheel), [[0, 9]], lambda i, j: np.full(len(i), -np.inf), k=2, random_state=seed)
        assert found.found[0] == 1


def test_a_score_that_is_no_number_is_refused_unless_no_one_asks():
    path = Graph([[0, 1, 0], [1, 0, 1], [0, 1, 0]])
    asked = recommend(path, [[0, 2]], lambda i, j: np.where(np.abs(i - j) < 2, np.nan, 1.0), k=1)
    np.testing.assert_array_equal(asked.recall, [1.0, 1.0])
    with pytest.raises(InvalidParameterError, match="it is NaN for the nodes at 0 and 2"):
        recommend(path, [[0, 2]], lambda i, j: np.full(len(i), np.nan), k=1)
