import numpy as np
import pytest
from scipy import sparse

import dense_reference as dense
from graph_cases import graph_cases, labels_for
from residuum import Graph
from residuum._threads import thread_limit
from residuum.errors import NullModelError
from residuum.nulls import BlockForm, BlockNull, Configuration, DegreeCorrectedSBM

CASES = graph_cases()
WINDOW = [0.5, 0.2, 0.3]


def fit_dcsbm(case):
    """Return a graph, a fitted dcSBM and its dense ``P_0``."""
    graph = CASES[case]
    labels = labels_for(graph)
    expected = dense.null_probability(graph.adjacency.toarray(), "dcsbm", WINDOW, labels)
    return graph, DegreeCorrectedSBM(labels).fit(graph, WINDOW), expected


@pytest.mark.parametrize("case", ["weighted", "directed", "dangling nodes", "self-loops"])
def test_pairs_rows_and_columns_equal_the_dense_reference(case):
    graph, null, expected = fit_dcsbm(case)
    nodes, centers = np.arange(graph.n_nodes), np.flatnonzero(graph.out_strength > 0)
    for log_probability in (
        null.log_probability(centers[:, None], nodes[None, :]),
        null.log_rows(centers),
        null.log_columns(nodes)[centers],
    ):
        np.testing.assert_allclose(np.exp(log_probability), expected[centers], rtol=1e-9, atol=1e-15)


@pytest.mark.parametrize("case", ["weighted", "directed", "dangling nodes", "weights below one"])
def test_ratios_equal_the_dense_reference(case):
    graph, null, expected = fit_dcsbm(case)
    nodes = np.array([graph.n_nodes - 1, 3, 0])
    observed = np.random.default_rng(0).random((graph.n_nodes, 3)).astype(np.float32)
    lowest, centers = 2.0, graph.out_strength > 0
    columns, rows = observed.copy(), observed.copy()
    null.divide_columns(columns, nodes, lowest)
    ratios = np.maximum(observed[centers] / expected[np.ix_(centers, nodes)], lowest)
    np.testing.assert_allclose(columns[centers], ratios, rtol=1e-5)
    null.divide_rows(rows, nodes, lowest)
    np.testing.assert_allclose(rows, np.maximum(observed / expected[nodes].T, lowest), rtol=1e-5)


def test_offsets_are_logs_of_the_marginals():
    graph, null, expected = fit_dcsbm("dangling nodes")
    source = graph.out_strength / graph.out_strength.sum()
    np.testing.assert_allclose(np.exp(null.source_offset), source)
    np.testing.assert_allclose(np.exp(null.offset), source @ expected)
    assert null.source_offset[4] == -np.inf  # dangling


def test_impossible_pairs_have_log_probability_minus_infinity():
    form = BlockForm(
        groups=np.array([0, 1], dtype=np.int32),
        theta=np.ones(2),
        weights=np.array([[0.0, 1.0], [1.0, 0.0]]),
    )
    null = BlockNull(form, np.array([0.5, 0.5]), symmetric=True)
    np.testing.assert_array_equal(null.log_rows([0, 1]), [[-np.inf, 0.0], [0.0, -np.inf]])
    assert null.grouping is None


def test_out_of_sample_nodes_without_grouping_are_in_group_zero():
    null = Configuration().fit(CASES["weighted"], 2)
    np.testing.assert_array_equal(null.groups_of(None, sparse.csr_array(np.eye(3, 20))), [0, 0, 0])


def test_out_of_sample_nodes_have_the_rows_of_their_groups():
    graph, null, expected = fit_dcsbm("dangling nodes")
    labels = labels_for(graph)
    has_edges = np.flatnonzero(graph.out_strength > 0)
    groups = null.groups_of(labels, sparse.csr_array(graph.adjacency))
    np.testing.assert_array_equal(groups, null.block_form.groups)
    np.testing.assert_allclose(null.block_form.rows_of_groups(groups)[has_edges], expected[has_edges])


@pytest.mark.usefixtures("four_cores")
@pytest.mark.parametrize("case", ["weighted", "dangling nodes"])
def test_sampled_contexts_do_not_depend_on_the_number_of_threads(case):
    graph, null, _ = fit_dcsbm(case)
    centers = np.resize(np.flatnonzero(graph.out_strength > 0), 30_000)
    contexts = []
    for threads in (1, 2):
        with thread_limit(threads):
            contexts.append(null.sample(centers, np.random.default_rng(3)))
    np.testing.assert_array_equal(*contexts)
    # Chunks of centers have different random streams.
    assert (contexts[0][:4096] != contexts[0][4096:8192]).any()


def test_contexts_have_the_shape_of_the_centers():
    null = Configuration().fit(CASES["weighted"], 2)
    assert null.sample([[1, 2], [3, 4], [5, 1]], np.random.default_rng(0)).shape == (3, 2)
    assert null.sample(7, np.random.default_rng(0)).shape == ()
    assert null.sample([], np.random.default_rng(0)).shape == (0,)


def test_contexts_are_never_impossible():
    graph, null, expected = fit_dcsbm("disconnected")
    centers = np.repeat(np.arange(graph.n_nodes), 500)
    contexts = null.sample(centers, np.random.default_rng(0))
    assert (expected[centers, contexts] > 0).all()


def test_sampling_for_a_group_without_out_edges_raises():
    adjacency = np.zeros((6, 6))
    adjacency[2:, 2:] = 1 - np.eye(4)
    null = DegreeCorrectedSBM(["alone", "alone", "x", "x", "y", "y"]).fit(Graph(adjacency), 2)
    with pytest.raises(NullModelError, match="cannot sample a context for the node at position 1: its group has no"):
        null.sample([3, 1, 4], np.random.default_rng(0))
    assert set(null.sample([3] * 50, np.random.default_rng(0))) == {2, 3, 4, 5}


def test_every_generator_samples_other_contexts():
    null = Configuration().fit(CASES["weighted"], 3)
    draws = [null.sample(np.arange(20), np.random.default_rng(seed)).tobytes() for seed in range(200)]
    assert len(set(draws)) == 200
