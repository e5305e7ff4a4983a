import numpy as np
import pytest

from graph_cases import graph_cases
from residuum.graph import resolve_teleport
from residuum.walks import WalkedProbabilities, WindowProbabilities


@pytest.mark.parametrize("case", ["weighted", "directed", "dangling nodes", "isolated nodes", "self-loops"])
def test_the_counts_converge_to_the_window_probabilities(case):
    graph = graph_cases()[case]
    chain = WindowProbabilities(graph, [0.5, 0.2, 0.3], resolve_teleport(graph, None))
    everyone = np.arange(graph.n_nodes)
    exact = chain.columns(everyone)
    n_walks = 4000
    walked = WalkedProbabilities(chain, n_walks, seed=1)
    # Five standard errors of a binomial share.
    tolerance = 5 * np.sqrt(np.maximum(exact, 1e-3) / n_walks)
    assert (np.abs(walked.columns(everyone) - exact) < tolerance).all()


def test_rows_and_columns_are_of_one_estimate():
    graph = graph_cases()["directed"]
    walked = WalkedProbabilities(WindowProbabilities(graph, 3, resolve_teleport(graph, None)), 20, seed=0)
    everyone = np.arange(graph.n_nodes)
    np.testing.assert_array_equal(walked.rows(everyone), walked.columns(everyone))
    np.testing.assert_array_equal(walked.columns([4, 2]), walked.columns(everyone)[:, [4, 2]])


def test_both_directions_are_counted_together():
    graph = graph_cases()["weighted"]
    everyone = np.arange(graph.n_nodes)
    flow = graph.out_strength[:, None] * WalkedProbabilities(WindowProbabilities(graph, 3), 20, 0).rows(everyone)
    np.testing.assert_allclose(flow, flow.T, rtol=1e-5)


def test_the_seed_decides():
    chain = WindowProbabilities(graph_cases()["weighted"], 3)
    first, again, other = (WalkedProbabilities(chain, 20, seed).rows([0, 1]) for seed in (0, 0, 1))
    np.testing.assert_array_equal(first, again)
    assert (first != other).any()
