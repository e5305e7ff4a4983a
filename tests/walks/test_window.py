import numpy as np
import pytest

import dense_reference as dense
from graph_cases import graph_cases
from residuum import Graph
from residuum._threads import thread_limit
from residuum.graph import resolve_teleport
from residuum.walks import WindowProbabilities
from residuum.walks._window_kernels import row_chunks, walk_step

CASES = graph_cases()
WINDOWS = {"one step": [1.0], "ten steps": np.full(10, 0.1), "own weights": [0.5, 0.0, 0.2, 0.3]}


def pieces(graph, teleport_probability=None):
    teleport = resolve_teleport(graph, teleport_probability)
    return teleport, None if teleport is None else (teleport.probability, teleport.target)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("window", WINDOWS)
def test_columns_and_rows_equal_the_sum_of_matrix_powers(case, window):
    graph, weights = CASES[case], WINDOWS[window]
    teleport, reference_teleport = pieces(graph)
    expected = dense.window_probability(graph.adjacency.toarray(), weights, reference_teleport)
    probabilities = WindowProbabilities(graph, weights, teleport)
    chosen = np.array([5, 0, graph.n_nodes - 1])
    np.testing.assert_allclose(probabilities.columns(chosen), expected[:, chosen], rtol=2e-5, atol=1e-9)
    np.testing.assert_allclose(probabilities.rows(chosen), expected[chosen], rtol=2e-5, atol=1e-9)


@pytest.mark.parametrize("tau", [0.0, 0.15, 0.6])
def test_teleporting_walkers_equal_the_dense_chain(tau):
    graph = CASES["dangling nodes"]
    teleport, reference_teleport = pieces(graph, tau)
    expected = dense.window_probability(graph.adjacency.toarray(), np.full(7, 1 / 7), reference_teleport)
    probabilities = WindowProbabilities(graph, 7, teleport)
    everyone = np.arange(graph.n_nodes)
    np.testing.assert_allclose(probabilities.columns(everyone), expected, rtol=2e-5)
    np.testing.assert_allclose(probabilities.rows(everyone), expected, rtol=2e-5)
    np.testing.assert_allclose(probabilities.rows(everyone).sum(axis=1), 1.0, rtol=1e-5)


def test_a_number_of_steps_means_equal_weights():
    graph = CASES["weighted"]
    given = WindowProbabilities(graph, np.full(4, 2.5)).columns([3])
    np.testing.assert_array_equal(WindowProbabilities(graph, 4).columns([3]), given)


def test_unreachable_nodes_have_probability_zero():
    graph = CASES["disconnected"]
    assert not WindowProbabilities(graph, 10).columns([15])[:10].any()


def test_walkers_that_start_elsewhere_go_on_in_the_graph():
    graph = CASES["weighted"]
    P = dense.step_matrix(graph.adjacency.toarray())
    first = np.random.default_rng(0).dirichlet(np.ones(graph.n_nodes), size=3).astype(np.float32)
    expected = sum(0.2 * first @ np.linalg.matrix_power(P, t) for t in range(5))
    np.testing.assert_allclose(WindowProbabilities(graph, 5).continue_from(first), expected, rtol=1e-5)


def test_kernel_equals_numpy_and_is_the_same_for_any_number_of_threads():
    rng = np.random.default_rng(0)
    # One row is longer than the pieces in which the kernel sums.
    dense_matrix = (rng.random((3000, 3000)) < 0.01) * rng.random((3000, 3000)).astype(np.float32)
    dense_matrix[7] = rng.random(3000)
    matrix = Graph(dense_matrix, directed=True).adjacency
    X = rng.random((3000, 5), dtype=np.float32)
    scale = rng.random(3000, dtype=np.float32)
    jump, values = rng.random(3000, dtype=np.float32), rng.random(5, dtype=np.float32)
    results = []
    for threads in (1, 2):
        out = np.empty_like(X)
        with thread_limit(threads):
            walk_step(
                matrix.indptr,
                matrix.indices,
                matrix.data.astype(np.float32),
                scale,
                X,
                np.empty(0, dtype=bool),
                jump,
                values,
                row_chunks(matrix.indptr, 8 * threads),
                out,
            )
        results.append(out)
    np.testing.assert_array_equal(*results)
    expected = scale[:, None].astype(float) * (matrix.astype(float) @ X.astype(float)) + np.outer(jump, values)
    np.testing.assert_allclose(results[0], expected, rtol=1e-5)


def test_passing_over_empty_rows_changes_nothing():
    graph = CASES["weighted"]
    few = WindowProbabilities(graph, 6).columns([4])
    # All columns at once reach every node at the first step, so that none is passed over.
    all_at_once = WindowProbabilities(graph, 6).columns(np.arange(20))
    np.testing.assert_allclose(few[:, 0], all_at_once[:, 4], rtol=1e-6)


def test_chunks_cover_all_rows_once():
    indptr = np.array([0, 100, 100, 101, 102, 103])
    chunks = row_chunks(indptr, 8)
    assert chunks[0] == 0
    assert chunks[-1] == 5
    assert (np.diff(chunks) >= 0).all()


def test_walkers_on_isolated_nodes_stay_where_they_are():
    graph = Graph([[0, 0, 0, 0], [0, 0, 1, 0], [0, 1, 0, 0], [0, 0, 0, 0]])
    probabilities = WindowProbabilities(graph, 3)
    assert probabilities.walk_ends(np.array([0, 3]), np.random.default_rng(0)).tolist() == [0, 3]
    assert set(probabilities.walk_ends(np.ones(50, dtype=int), np.random.default_rng(0))) == {1, 2}
    np.testing.assert_array_equal(probabilities.rows([0, 3]), np.zeros((2, 4)))
