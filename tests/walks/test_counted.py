import numpy as np
import pytest

from graph_cases import graph_cases
from residuum.walks import CountedProbabilities, WindowProbabilities


@pytest.mark.parametrize("case", ["weighted", "directed", "dangling nodes", "isolated nodes", "self-loops"])
def test_counts_converge_to_the_window_probabilities(case):
    graph = graph_cases()[case]
    chain = WindowProbabilities(graph, [0.5, 0.2, 0.3])
    nodes = np.arange(graph.n_nodes)
    exact = chain.columns(nodes)
    n_walks = 4000
    counted = CountedProbabilities(chain, n_walks, seed=1)
    # Five standard errors of a binomial proportion.
    tolerance = 5 * np.sqrt(np.maximum(exact, 1e-3) / n_walks)
    assert (np.abs(counted.columns(nodes) - exact) < tolerance).all()


def test_rows_and_columns_agree():
    graph = graph_cases()["directed"]
    counted = CountedProbabilities(WindowProbabilities(graph, 3), 20, seed=0)
    nodes = np.arange(graph.n_nodes)
    np.testing.assert_array_equal(counted.rows(nodes), counted.columns(nodes))
    np.testing.assert_array_equal(counted.columns([4, 2]), counted.columns(nodes)[:, [4, 2]])


def test_flow_is_symmetric_on_undirected_graphs():
    graph = graph_cases()["weighted"]
    nodes = np.arange(graph.n_nodes)
    flow = graph.out_strength[:, None] * CountedProbabilities(WindowProbabilities(graph, 3), 20, 0).rows(nodes)
    np.testing.assert_allclose(flow, flow.T, rtol=1e-5)


def test_seed_determines_the_counts():
    chain = WindowProbabilities(graph_cases()["weighted"], 3)
    first, repeated, reseeded = (CountedProbabilities(chain, 20, seed).rows([0, 1]) for seed in (0, 0, 1))
    np.testing.assert_array_equal(first, repeated)
    assert (first != reseeded).any()
