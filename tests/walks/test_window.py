import pickle

import numpy as np
import pytest
from scipy import sparse

import dense_reference as dense
from graph_cases import graph_cases
from residuum import Graph
from residuum.walks import WindowProbabilities
from residuum.walks.window import tile_width

CASES = graph_cases()
WINDOWS = {"one step": [1.0], "ten steps": np.full(10, 0.1), "custom weights": [0.5, 0.0, 0.2, 0.3]}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("window", WINDOWS)
def test_columns_and_rows_equal_the_sum_of_matrix_powers(case, window):
    graph, weights = CASES[case], WINDOWS[window]
    expected = dense.window_probability(graph.adjacency.toarray(), weights)
    probabilities = WindowProbabilities(graph, weights)
    chosen = np.array([5, 0, graph.n_nodes - 1])
    np.testing.assert_allclose(probabilities.columns(chosen), expected[:, chosen], rtol=2e-5, atol=1e-9)
    np.testing.assert_allclose(probabilities.rows(chosen), expected[chosen], rtol=2e-5, atol=1e-9)


def test_only_the_steps_before_the_end_of_a_walk_are_counted():
    # From 0 half of the walks end at 1 after one step, and half at 3 after two steps.
    graph = Graph([[0, 1, 1, 0], [0, 0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 0]], directed=True)
    probabilities = WindowProbabilities(graph, [0.5, 0.25, 0.25])
    np.testing.assert_allclose(probabilities.completed, [0.625, 0.0, 0.5, 0.0])
    np.testing.assert_allclose(probabilities.rows([0, 1, 2]), [[0, 0.4, 0.4, 0.2], [0, 0, 0, 0], [0, 0, 0, 1]])


def test_rows_sum_to_one_where_walks_end_and_are_zero_at_dangling_nodes():
    graph = CASES["dangling nodes"]
    rows = WindowProbabilities(graph, 7).rows(np.arange(graph.n_nodes))
    np.testing.assert_allclose(rows.sum(axis=1), graph.out_strength > 0, rtol=1e-5)


@pytest.mark.parametrize("case", ["weighted", "isolated nodes", "directed"])
def test_nothing_is_normalized_if_no_walk_ends(case):
    graph = CASES[case]
    assert not np.any((graph.out_strength == 0) & (graph.in_strength > 0))
    assert WindowProbabilities(graph, 3).completed is None


def test_integer_window_has_equal_weights():
    graph = CASES["weighted"]
    weighted = WindowProbabilities(graph, np.full(4, 2.5)).columns([3])
    np.testing.assert_array_equal(WindowProbabilities(graph, 4).columns([3]), weighted)


def test_unreachable_nodes_have_probability_zero():
    graph = CASES["disconnected"]
    assert not WindowProbabilities(graph, 10).columns([15])[:10].any()


def test_continue_from_equals_the_dense_reference():
    graph = CASES["weighted"]
    P = dense.step_matrix(graph.adjacency.toarray())
    first = np.random.default_rng(0).dirichlet(np.ones(graph.n_nodes), size=3).astype(np.float32)
    expected = sum(0.2 * first @ np.linalg.matrix_power(P, t) for t in range(5))
    np.testing.assert_allclose(WindowProbabilities(graph, 5).continue_from(first), expected, rtol=1e-5)


def test_skipping_empty_rows_does_not_change_the_result():
    graph = CASES["weighted"]
    few = WindowProbabilities(graph, 6).columns([4])
    # With all columns in a tile no row is empty, so none is skipped.
    full = WindowProbabilities(graph, 6).columns(np.arange(20))
    np.testing.assert_allclose(few[:, 0], full[:, 4], rtol=1e-6)


@pytest.mark.parametrize("case", ["weighted", "dangling nodes", "isolated nodes"])
def test_spread_equals_the_product_with_the_dense_reference(case):
    graph = CASES[case]
    expected = dense.window_probability(graph.adjacency.toarray(), [0.5, 0.2, 0.3])
    source = np.random.default_rng(0).dirichlet(np.ones(graph.n_nodes))
    spread = WindowProbabilities(graph, [0.5, 0.2, 0.3]).spread(source)
    np.testing.assert_allclose(spread, source @ expected, rtol=1e-5, atol=1e-9)


@pytest.mark.parametrize("case", ["weighted", "directed", "isolated nodes"])
def test_undirected_step_equals_the_dense_reference(case):
    graph = CASES[case]
    X = np.random.default_rng(0).random((graph.n_nodes, 3), dtype=np.float32)
    out = np.empty_like(X)
    WindowProbabilities(graph, 1).undirected_step(X, out)
    A = graph.adjacency.toarray()
    np.testing.assert_allclose(out, dense.step_matrix(A + A.T) @ X, rtol=1e-5, atol=1e-9)


@pytest.mark.parametrize("case", ["directed", "dangling nodes"])
def test_edges_of_a_node_as_an_out_of_sample_node_give_its_row(case):
    graph = CASES[case]
    probabilities = WindowProbabilities(graph, 4)
    edges = sparse.vstack([graph.adjacency[:5], sparse.csr_array((1, graph.n_nodes))]).tocsr()
    rows = probabilities.rows_from(edges)
    np.testing.assert_allclose(rows[:5], probabilities.rows(np.arange(5)), rtol=1e-5)
    assert not rows[5].any()


@pytest.mark.parametrize(
    ("n_nodes", "width"), [(1, 1), (50, 50), (1000, 256), (18_000, 144), (30_000, 80), (10**8, 64)]
)
def test_tiles_fit_into_the_cache(n_nodes, width):
    assert tile_width(n_nodes) == width


def test_pickles_have_no_work_arrays():
    probabilities = WindowProbabilities(CASES["weighted"], 3)
    expected = probabilities.columns([0])
    size = len(pickle.dumps(probabilities))
    probabilities.columns(np.arange(20))
    assert len(probabilities._work_tiles) == 1
    assert len(pickle.dumps(probabilities)) == size
    copy = pickle.loads(pickle.dumps(probabilities))
    assert len(copy._work_tiles) == 0
    np.testing.assert_array_equal(copy.columns([0]), expected)


@pytest.mark.parametrize("scale", [1e-300, 1e-39, 1e39, 1e300])
@pytest.mark.parametrize("case", ["weighted", "directed", "dangling nodes"])
def test_n9_probabilities_do_not_depend_on_the_unit_of_the_weights(case, scale):
    graph = CASES[case]
    plain, scaled = (
        WindowProbabilities(each, 4) for each in (graph, Graph(scale * graph.adjacency, directed=graph.directed))
    )
    nodes = np.arange(graph.n_nodes)
    np.testing.assert_allclose(scaled.columns(nodes), plain.columns(nodes), rtol=1e-5, atol=1e-9)
    np.testing.assert_allclose(scaled.rows(nodes), plain.rows(nodes), rtol=1e-5, atol=1e-9)
    X = np.eye(graph.n_nodes, dtype=np.float32)
    results = [np.empty_like(X), np.empty_like(X)]
    for probabilities, out in zip((plain, scaled), results, strict=True):
        probabilities.undirected_step(X, out)
    np.testing.assert_allclose(results[1], results[0], rtol=1e-5)


def test_weights_below_the_normal_range_have_the_probabilities_of_other_weights():
    A = np.ones((3, 3)) - np.eye(3)
    plain, smallest = (WindowProbabilities(Graph(weight * A), 2) for weight in (1.0, 5e-324))
    np.testing.assert_array_equal(smallest.rows([0, 1, 2]), plain.rows([0, 1, 2]))
    X, out = np.eye(3, dtype=np.float32), np.empty((3, 3), dtype=np.float32)
    smallest.undirected_step(X, out)
    np.testing.assert_allclose(out, A / 2)


def test_rows_are_finite_if_strengths_differ_by_more_than_the_range_of_float32():
    rows = WindowProbabilities(Graph(np.diag([1e20, 1e-20])), 2).rows([0, 1])
    np.testing.assert_allclose(rows, np.eye(2), rtol=1e-6)


def test_walks_that_end_are_counted_without_overflow_for_weights_near_the_smallest_number() -> None:
    weights = np.array([[0.0, 1.0, 2.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]])
    tiny = WindowProbabilities(Graph(1e-320 * weights, directed=True), 3)
    np.testing.assert_allclose(
        tiny.completed, WindowProbabilities(Graph(weights, directed=True), 3).completed, rtol=1e-3
    )
