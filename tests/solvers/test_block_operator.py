import numpy as np
import pytest

import dense_reference as dense
from graph_cases import graph_cases
from residuum import datasets
from residuum._checkpoint import Store
from residuum.nulls import Configuration, DegreeCorrectedSBM, ErdosRenyi
from residuum.residual import ResidualMatrix
from residuum.solvers.block_operator import BlockOperator, missed_share, operator_bytes
from residuum.solvers.block_walk import BlockWalk
from residuum.walks import WindowProbabilities

CASES = graph_cases()
WINDOW = np.array([0.4, 0.3, 0.2, 0.1])
NODES = np.arange(20)


def operator_of(graph, null_model, labels, *, floor=-1.0, exact_steps=1, weighting=0.0, limit=1 << 30):
    probabilities = WindowProbabilities(graph, WINDOW)
    matrix = ResidualMatrix(probabilities, null_model.fit(graph, WINDOW), floor, weighting)
    walk = BlockWalk(probabilities, np.asarray(labels, dtype=np.int32), exact_steps)
    return BlockOperator(matrix, walk, limit, Store())


def dense_operator(operator):
    """``R̃`` of the dense P_d, which the operator equals where the floor does not cut through a cluster."""
    matrix, walk = operator.matrix, operator.walk
    graph = matrix.probabilities.graph
    everyone = np.arange(graph.n_nodes)
    observed = dense.block_probability(graph.adjacency.toarray(), WINDOW, walk.labels, walk.exact_steps)
    expected = np.exp(matrix.null.log_probability(everyone[:, None], everyone[None, :]))
    R = dense.residual(observed, expected, matrix.floor, matrix.row_scale > 0, matrix.column_scale > 0)
    R = R * np.outer(matrix.row_scale, matrix.column_scale)
    return (R + R.T) / 2 if matrix.symmetric else R


def labels_within(groups, n_clusters, seed=0):
    fine = np.random.default_rng(seed).integers(0, n_clusters, len(groups))
    return np.unique(groups * n_clusters + fine, return_inverse=True)[1]


UNDIRECTED = [name for name, graph in CASES.items() if not graph.directed]


@pytest.mark.parametrize("weighting", [0.0, 0.7])
@pytest.mark.parametrize("exact_steps", [1, 3])
@pytest.mark.parametrize("floor", [0.0, -1.0, -30.0])
@pytest.mark.parametrize("case", UNDIRECTED)
def test_products_match_the_dense_matrix(case, floor, exact_steps, weighting):
    graph = CASES[case]
    groups = np.arange(graph.n_nodes) % 2
    operator = operator_of(
        graph,
        DegreeCorrectedSBM(groups),
        labels_within(groups, 3),
        floor=floor,
        exact_steps=exact_steps,
        weighting=weighting,
    )
    expected = dense_operator(operator)
    X = np.random.default_rng(1).standard_normal((graph.n_nodes, 3)).astype(np.float32)
    np.testing.assert_allclose(operator.matmat(X), expected @ X, atol=2e-4)
    np.testing.assert_allclose(operator.rmatmat(X), expected.T @ X, atol=2e-4)
    both = operator.gram(X)
    np.testing.assert_allclose(both, np.concatenate([expected.T @ X, expected @ expected.T @ X], axis=1), atol=1e-2)


@pytest.mark.parametrize("null_model", [ErdosRenyi(), Configuration(0.75)], ids=repr)
@pytest.mark.parametrize("case", ["unweighted", "weighted", "self-loops"])
def test_null_models_not_proportional_to_strength_are_exact_above_the_floor(case, null_model):
    operator = operator_of(CASES[case], null_model, np.arange(CASES[case].n_nodes) % 4, floor=-30.0)
    assert not operator.symmetric
    expected = dense_operator(operator)
    np.testing.assert_allclose(operator.matmat(np.eye(len(expected))), expected, atol=1e-4)
    np.testing.assert_allclose(operator.rmatmat(np.eye(len(expected))), expected.T, atol=1e-4)


@pytest.mark.parametrize("case", ["unweighted", "weighted", "self-loops"])
def test_a_chord_replaces_clipping_where_the_floor_cuts_through_a_cluster(case):
    operator = operator_of(CASES[case], ErdosRenyi(), np.arange(CASES[case].n_nodes) % 4, floor=0.0)
    exact = dense_operator(operator)
    values = operator.matmat(np.eye(len(exact)))
    spread = (operator._sums.high - operator._sums.low).max()
    assert (values - exact >= -1e-5).all()
    assert (values - exact <= spread / 4 + 1e-5).all()
    assert values.max() == pytest.approx(exact.max(), abs=1e-5)
    edges = CASES[case].adjacency.toarray() > 0
    np.testing.assert_allclose(values[edges], exact[edges], atol=1e-5)


@pytest.mark.parametrize("null_model", [ErdosRenyi(), Configuration(), DegreeCorrectedSBM(NODES % 3)], ids=repr)
@pytest.mark.parametrize("case", [*UNDIRECTED[:3], "directed", "dangling nodes"])
def test_operator_is_exact_if_every_node_is_a_cluster(case, null_model):
    operator = operator_of(CASES[case], null_model, NODES, floor=-2.0)
    exact = operator.matrix.columns(NODES)
    np.testing.assert_allclose(operator.matmat(np.eye(20)), exact, atol=1e-4)
    np.testing.assert_allclose(operator.rmatmat(np.eye(20)), exact.T, atol=1e-4)


@pytest.mark.parametrize("case", ["directed", "dangling nodes"])
def test_products_of_directed_graphs_match_the_dense_matrix(case):
    graph = CASES[case]
    operator = operator_of(graph, Configuration(), NODES % 6, floor=-3.0)
    expected = dense_operator(operator)
    np.testing.assert_allclose(operator.matmat(np.eye(20)), expected, atol=1e-4)
    np.testing.assert_allclose(operator.rmatmat(np.eye(20)), expected.T, atol=1e-4)


@pytest.fixture(scope="module")
def planted():
    return datasets.planted_groups(900, 4, random_state=1)


def test_products_keep_float32_and_do_not_depend_on_the_memory_limit(planted):
    labels = np.arange(900) % 600
    free, tight = (operator_of(planted, Configuration(), labels, limit=limit) for limit in (1 << 30, 4 * 900 * 256))
    assert free.kept_share == 1.0
    assert tight.kept_share == pytest.approx(1 / 3)
    X = np.random.default_rng(0).standard_normal((900, 4)).astype(np.float32)
    assert free.matmat(X).dtype == np.float32
    np.testing.assert_allclose(tight.matmat(X), free.matmat(X), atol=1e-5 * np.abs(free.matmat(X)).max())


@pytest.mark.parametrize("weighting", [0.0, 0.7])
@pytest.mark.parametrize("case", ["weighted", "directed", "isolated nodes"])
def test_the_missed_share_is_relative_to_the_variation_of_the_matrix(case, weighting):
    graph = CASES[case]
    operator = operator_of(graph, Configuration(), np.arange(20) % 4, floor=-3.0, weighting=weighting)
    matrix = operator.matrix
    exact, approximation = matrix.columns(NODES).astype(float), operator.matmat(np.eye(20, dtype=np.float32))
    variation = dense.variation(exact, matrix.row_scale.astype(float), matrix.column_scale.astype(float))
    expected = np.linalg.norm(exact - approximation) / variation
    assert missed_share(operator, 20, np.random.default_rng(0)) == pytest.approx(expected, rel=1e-4)
    assert expected > 0.1


@pytest.mark.parametrize(("symmetric", "copies"), [(True, 1), (False, 2)])
def test_corrections_of_edges_need_memory_once_for_each_direction(symmetric, copies):
    few, many = (operator_bytes(1000, n_entries, 50, symmetric) for n_entries in (10_000, 30_000))
    assert many - few == copies * 4 * 20_000
    assert few > copies * 4 * 10_000 + 4 * 1000 * 50
