import numpy as np
import pytest

import dense_reference as dense
from graph_cases import OpaqueNull, graph_cases
from residuum.nulls import Configuration
from residuum.residual.contexts import Pairs, WalkContexts, null_contexts
from residuum.walks import WindowProbabilities

CASES = graph_cases()
WINDOW = np.array([0.4, 0.3, 0.2, 0.1])


def dense_weights(pairs, n_nodes):
    weights = np.zeros((len(pairs.scale), n_nodes))
    rows = np.repeat(np.arange(len(pairs.scale)), np.diff(pairs.borders))
    part = slice(pairs.borders[0], pairs.borders[-1])
    np.add.at(weights, (rows, pairs.others[part]), pairs.weights[part] if len(pairs.weights) else 1.0)
    return weights * pairs.scale[:, None]


@pytest.mark.parametrize("case", CASES)
def test_contexts_and_first_steps_are_the_window_probabilities(case):
    graph = CASES[case]
    A = graph.adjacency.toarray()
    probabilities = WindowProbabilities(graph, WINDOW)
    active = probabilities.takes_steps
    walks = WalkContexts(probabilities, active, n_contexts=20_000)
    taken = (
        np.ones(graph.n_nodes) if probabilities.completed is None else np.where(active, probabilities.completed, 1.0)
    )
    first = WINDOW[0] * dense.step_matrix(A) / taken[:, None]
    weights = dense_weights(walks.sample(np.arange(graph.n_nodes), seed=3), graph.n_nodes)
    expected = np.where(active[:, None], dense.window_probability(A, WINDOW), 0.0)
    np.testing.assert_allclose(first + weights, expected, atol=0.02)


def test_nodes_of_high_degree_have_more_walks():
    graph = CASES["unweighted"]
    walks = WalkContexts(WindowProbabilities(graph, WINDOW), graph.out_strength > 0, n_contexts=600)
    degree = np.diff(graph.adjacency.indptr)
    np.testing.assert_allclose(
        walks.plan.n_walks / walks.plan.n_walks.mean(), np.sqrt(degree) / np.sqrt(degree).mean(), rtol=0.02
    )


def test_the_mean_number_of_contexts_is_as_specified():
    graph = CASES["weighted"]
    for window in (np.full(3, 1 / 3), np.arange(40, 0, -1) / 820, np.array([0.6, 0.4])):
        walks = WalkContexts(WindowProbabilities(graph, window), graph.out_strength > 0, n_contexts=500)
        n_contexts = np.diff(walks.sample(np.arange(20), 0).borders).mean()
        assert n_contexts == pytest.approx(500, rel=0.05)


def test_a_window_of_one_step_has_no_sampled_contexts():
    graph = CASES["weighted"]
    walks = WalkContexts(WindowProbabilities(graph, 1), graph.out_strength > 0, n_contexts=100)
    assert len(walks.sample(np.arange(20), 0).others) == 0


def test_transposed_and_joined_pairs_keep_their_weights():
    graph = CASES["directed"]
    walks = WalkContexts(WindowProbabilities(graph, WINDOW), graph.out_strength > 0, n_contexts=50)
    pairs = Pairs.joined([walks.sample(np.arange(begin, begin + 5), 7) for begin in range(0, 20, 5)])
    whole = walks.sample(np.arange(20), 7)
    for name in ("borders", "others", "scale"):
        np.testing.assert_array_equal(getattr(pairs, name), getattr(whole, name))
    factors = np.random.default_rng(0).random(20)
    expected = (factors[:, None] * dense_weights(pairs, 20)).T
    np.testing.assert_allclose(dense_weights(pairs.transposed(factors, 20), 20), expected, rtol=1e-5)
    np.testing.assert_allclose(
        dense_weights(pairs.rescaled(factors), 20), factors[:, None] * dense_weights(pairs, 20), rtol=1e-5
    )
    np.testing.assert_allclose(dense_weights(pairs.part(5, 9), 20), dense_weights(pairs, 20)[5:9])


def test_null_models_without_block_form_are_sampled():
    graph = CASES["isolated nodes"]
    null = OpaqueNull(Configuration().fit(graph, WINDOW))
    active = graph.out_strength > 0
    weights = dense_weights(null_contexts(null, active, 5_000, np.random.default_rng(0)), 20)
    expected = np.where(active[:, None], graph.in_strength / graph.in_strength.sum(), 0.0)
    np.testing.assert_allclose(weights, expected, atol=0.03)
