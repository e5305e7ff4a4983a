import numpy as np
import pytest

import dense_reference as dense
from graph_cases import graph_cases
from residuum.graph import resolve_teleport
from residuum.residual.block_chain import BlockChain, choose_exact_steps
from residuum.walks import WindowProbabilities

CASES = graph_cases()
WINDOW = np.array([0.4, 0.3, 0.2, 0.1])


def chain_of(graph, labels, exact_steps, window=WINDOW):
    probabilities = WindowProbabilities(graph, window, resolve_teleport(graph, None))
    return BlockChain(probabilities, labels.astype(np.int32), exact_steps)


def probability(chain):
    """All pairs, from the parts."""
    Q = chain.columns(0, chain.n_blocks)
    first = dense.step_matrix(chain.probabilities.graph.adjacency.toarray())
    tau = 0.0 if chain.probabilities.teleport is None else chain.probabilities.teleport.probability
    edges = np.asarray(1 - tau).reshape(-1, 1) * first
    later = chain.share * Q[:, chain.labels] + np.outer(chain.jumps(), chain.target)
    return chain.probabilities.window[0] * edges + later


def jumps_of(graph):
    teleport = resolve_teleport(graph, None)
    return None if teleport is None else (teleport.probability, teleport.target)


@pytest.mark.parametrize("exact_steps", [1, 2, 4])
@pytest.mark.parametrize("case", CASES)
def test_probability_is_the_dense_one(case, exact_steps):
    graph = CASES[case]
    labels = np.random.default_rng(0).integers(0, 5, graph.n_nodes)
    expected = dense.block_probability(graph.adjacency.toarray(), WINDOW, labels, exact_steps, jumps_of(graph))
    np.testing.assert_allclose(probability(chain_of(graph, labels, exact_steps)), expected, atol=1e-6)


@pytest.mark.parametrize("exact_steps", [1, 3])
@pytest.mark.parametrize("case", CASES)
def test_rows_sum_to_one(case, exact_steps):
    graph = CASES[case]
    labels = np.arange(graph.n_nodes) % 4
    active = (graph.out_strength > 0) | (graph.in_strength > 0)
    total = probability(chain_of(graph, labels, exact_steps)).sum(axis=1)
    np.testing.assert_allclose(total[active], 1.0, atol=1e-5)


@pytest.mark.parametrize("case", CASES)
def test_it_is_exact_if_every_node_is_a_block(case):
    graph = CASES[case]
    exact = dense.window_probability(graph.adjacency.toarray(), WINDOW, jumps_of(graph))
    np.testing.assert_allclose(probability(chain_of(graph, np.arange(graph.n_nodes), 1)), exact, atol=1e-6)


def test_blocks_are_exact_for_a_window_of_one_step():
    graph = CASES["weighted"]
    chain = chain_of(graph, np.arange(20) % 3, 1, np.ones(1))
    np.testing.assert_allclose(probability(chain), dense.step_matrix(graph.adjacency.toarray()), atol=1e-6)


@pytest.mark.parametrize("case", ["weighted", "dangling nodes"])
def test_both_ways_of_the_first_step_agree(case):
    graph = CASES[case]
    chain = chain_of(graph, np.arange(20) % 7, 1)
    found = []
    for dense_way in (True, False):
        chain._dense = dense_way
        found.append(chain.columns(2, 5))
    np.testing.assert_allclose(*found, atol=1e-6)


def test_more_steps_are_exact_the_cheaper_they_are():
    probabilities = WindowProbabilities(CASES["weighted"], 10)
    assert choose_exact_steps(probabilities, 5) == 10
    assert choose_exact_steps(probabilities, 10**8) == 1
    assert 1 < choose_exact_steps(probabilities, 3 * 10**7) < 10
