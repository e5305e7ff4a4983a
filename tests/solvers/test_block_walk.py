import numpy as np
import pytest

import dense_reference as dense
from graph_cases import graph_cases
from residuum.solvers.block_walk import BlockWalk, choose_exact_steps
from residuum.walks import WindowProbabilities

CASES = graph_cases()
WINDOW = np.array([0.4, 0.3, 0.2, 0.1])


def walk_of(graph, labels, exact_steps, window=WINDOW):
    probabilities = WindowProbabilities(graph, window)
    return BlockWalk(probabilities, labels.astype(np.int32), exact_steps)


def probability(walk):
    """P_d of all pairs."""
    Q = walk.columns(0, walk.n_clusters)
    first = dense.step_matrix(walk.probabilities.graph.adjacency.toarray())
    if walk.inverse_completed is not None:
        first = first * walk.inverse_completed[:, None]
    return walk.probabilities.window[0] * first + walk.share * Q[:, walk.labels]


@pytest.mark.parametrize("exact_steps", [1, 2, 4])
@pytest.mark.parametrize("case", CASES)
def test_probability_matches_the_dense_reference(case, exact_steps):
    graph = CASES[case]
    labels = np.random.default_rng(0).integers(0, 5, graph.n_nodes)
    expected = dense.block_probability(graph.adjacency.toarray(), WINDOW, labels, exact_steps)
    np.testing.assert_allclose(probability(walk_of(graph, labels, exact_steps)), expected, atol=1e-6)


@pytest.mark.parametrize("exact_steps", [1, 3])
@pytest.mark.parametrize("case", CASES)
def test_rows_sum_to_one(case, exact_steps):
    graph = CASES[case]
    labels = np.arange(graph.n_nodes) % 4
    active = graph.out_strength > 0
    total = probability(walk_of(graph, labels, exact_steps)).sum(axis=1)
    np.testing.assert_allclose(total[active], 1.0, atol=1e-5)


@pytest.mark.parametrize("case", CASES)
def test_walk_is_exact_if_every_node_is_a_cluster(case):
    graph = CASES[case]
    exact = dense.window_probability(graph.adjacency.toarray(), WINDOW)
    np.testing.assert_allclose(probability(walk_of(graph, np.arange(graph.n_nodes), 1)), exact, atol=1e-6)


def test_walk_is_exact_for_a_window_of_one_step():
    graph = CASES["weighted"]
    walk = walk_of(graph, np.arange(20) % 3, 1, np.ones(1))
    np.testing.assert_allclose(probability(walk), dense.step_matrix(graph.adjacency.toarray()), atol=1e-6)


@pytest.mark.parametrize("case", ["weighted", "dangling nodes"])
def test_dense_and_sparse_products_of_the_first_step_agree(case):
    graph = CASES[case]
    walk = walk_of(graph, np.arange(20) % 7, 1)
    columns = []
    for is_dense in (True, False):
        walk._dense = is_dense
        columns.append(walk.columns(2, 5))
    np.testing.assert_allclose(*columns, atol=1e-6)


def test_fewer_clusters_allow_more_exact_steps():
    probabilities = WindowProbabilities(CASES["weighted"], 10)
    assert choose_exact_steps(probabilities, 5) == 10
    assert choose_exact_steps(probabilities, 10**8) == choose_exact_steps(probabilities, 10**10) == 1
    assert 1 < choose_exact_steps(probabilities, 3 * 10**7) < 10
