import numpy as np
import pytest
from scipy.stats import chisquare

from graph_cases import graph_cases
from residuum import Graph
from residuum.walks import WindowProbabilities, walk_ends

CASES = graph_cases()


def test_walkers_on_isolated_and_dangling_nodes_stay():
    graph = Graph([[0, 0, 0, 0], [0, 0, 1, 1], [0, 1, 0, 0], [0, 0, 0, 0]], directed=True)
    probabilities = WindowProbabilities(graph, 3)
    assert walk_ends(probabilities, np.array([0, 3]), np.random.default_rng(0)).tolist() == [0, 3]
    assert set(walk_ends(probabilities, np.ones(50, dtype=int), np.random.default_rng(0))) == {1, 2, 3}
    np.testing.assert_array_equal(probabilities.rows([0, 3]), np.zeros((2, 4)))


def test_walkers_that_cannot_take_the_counted_steps_stay():
    graph = Graph([[0, 1, 0], [0, 0, 0], [1, 0, 0]], directed=True)
    probabilities = WindowProbabilities(graph, [0.0, 1.0])
    assert walk_ends(probabilities, np.array([0, 1, 2]), np.random.default_rng(0)).tolist() == [0, 1, 1]


def test_a_walk_that_hardly_ever_goes_on_is_sampled_from_the_probabilities():
    graph = Graph([[0, 1, 1e20, 0], [0, 0, 2, 1], [0, 0, 0, 0], [0, 0, 0, 0]], directed=True)
    probabilities = WindowProbabilities(graph, [0.0, 1.0])
    ends = walk_ends(probabilities, np.array([0] * 3000 + [1]), np.random.default_rng(0))
    assert chisquare(np.bincount(ends[:-1], minlength=4)[2:], [2000, 1000]).pvalue > 1e-3
    assert ends[-1] == 1


def test_walks_whose_probability_is_too_small_for_single_precision_are_none():
    graph = Graph([[0, 1, 1e40, 0], [0, 0, 2, 1], [0, 0, 0, 0], [0, 0, 0, 0]], directed=True)
    probabilities = WindowProbabilities(graph, [0.0, 1.0])
    np.testing.assert_array_equal(probabilities.rows([0, 1]), np.zeros((2, 4)))
    assert not probabilities.takes_steps.any()
    assert walk_ends(probabilities, np.array([0, 1]), np.random.default_rng(0)).tolist() == [0, 1]


@pytest.mark.parametrize("directed", [False, True])
def test_nodes_with_too_little_weight_for_single_precision_take_no_steps(directed):
    weights = np.zeros((6, 6))
    for i, weight in ((0, 1e30), (2, 1e-30), (4, 1.0)):
        weights[i, i + 1] = weights[i + 1, i] = weight
    probabilities = WindowProbabilities(Graph(weights, directed=directed), 2)
    np.testing.assert_allclose(probabilities.rows(np.arange(6)).sum(axis=1), probabilities.takes_steps)
    assert probabilities.takes_steps.tolist() == [True, True, False, False, True, True]
    assert walk_ends(probabilities, np.array([2, 3]), np.random.default_rng(0)).tolist() == [2, 3]


def test_large_weights_of_other_nodes_do_not_round_off_small_ones():
    weights = np.zeros((6, 6))
    weights[:3, :3] = 1e18
    weights[3, 4], weights[3, 5] = weights[4, 3], weights[5, 3] = 1.0, 2.0
    probabilities = WindowProbabilities(Graph(weights), 1)
    ends = walk_ends(probabilities, np.full(3000, 3), np.random.default_rng(0))
    assert chisquare(np.bincount(ends, minlength=6)[4:], [1000, 2000]).pvalue > 1e-3


@pytest.mark.parametrize(("case", "start"), [("weighted", 2), ("dangling nodes", 0)])
def test_walk_ends_follow_the_window_probabilities(case, start):
    graph = CASES[case]
    probabilities = WindowProbabilities(graph, [0.5, 0.2, 0.3])
    ends = walk_ends(probabilities, np.full(40_000, start), np.random.default_rng(0))
    expected = probabilities.rows([start])[0].astype(float)
    counts = np.bincount(ends, minlength=graph.n_nodes)
    assert counts[expected == 0].sum() == 0
    assert chisquare(counts[expected > 0], 40_000 * expected[expected > 0] / expected.sum()).pvalue > 1e-3
