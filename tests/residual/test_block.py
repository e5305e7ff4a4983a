import numpy as np
import pytest

import dense_reference as dense
from graph_cases import graph_cases
from residuum import datasets
from residuum._store import Store
from residuum.errors import MemoryLimitError
from residuum.graph import resolve_teleport
from residuum.nulls import Configuration, DegreeCorrectedSBM, ErdosRenyi
from residuum.residual import ResidualMatrix
from residuum.residual.block import BlockResidual
from residuum.residual.block_chain import BlockChain
from residuum.walks import WindowProbabilities

CASES = graph_cases()
WINDOW = np.array([0.4, 0.3, 0.2, 0.1])
NODES = np.arange(20)


def operator_of(graph, null_model, labels, *, floor=-1.0, exact_steps=1, weighting=0.0, limit=1 << 30):
    teleport = resolve_teleport(graph, None)
    probabilities = WindowProbabilities(graph, WINDOW, teleport)
    matrix = ResidualMatrix(probabilities, null_model.fit(graph, WINDOW, teleport), floor, weighting)
    chain = BlockChain(probabilities, np.asarray(labels, dtype=np.int32), exact_steps)
    return BlockResidual(matrix, chain, limit, Store())


def dense_operator(operator):
    """``R̃`` of the dense P_d; only where the block form is not bent by the floor."""
    matrix, chain = operator.matrix, operator.chain
    graph = matrix.probabilities.graph
    teleport = matrix.probabilities.teleport
    jump = None if teleport is None else (teleport.probability, teleport.target)
    everyone = np.arange(graph.n_nodes)
    observed = dense.block_probability(graph.adjacency.toarray(), WINDOW, chain.labels, chain.exact_steps, jump)
    expected = np.exp(matrix.null.log_probability(everyone[:, None], everyone[None, :]))
    R = dense.residual(observed, expected, matrix.floor, matrix.row_scale > 0, matrix.column_scale > 0)
    R = R * np.outer(matrix.row_scale, matrix.column_scale)
    return (R + R.T) / 2 if matrix.symmetric else R


def labels_within(groups, n_blocks, seed=0):
    fine = np.random.default_rng(seed).integers(0, n_blocks, len(groups))
    return np.unique(groups * n_blocks + fine, return_inverse=True)[1]


UNDIRECTED = [name for name, graph in CASES.items() if not graph.directed]


@pytest.mark.parametrize("weighting", [0.0, 0.7])
@pytest.mark.parametrize("exact_steps", [1, 3])
@pytest.mark.parametrize("floor", [0.0, -1.0, -30.0])
@pytest.mark.parametrize("case", UNDIRECTED)
def test_products_are_those_of_the_dense_matrix(case, floor, exact_steps, weighting):
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
    np.testing.assert_allclose(operator @ X, expected @ X, atol=2e-4)
    np.testing.assert_allclose(operator.T @ X, expected.T @ X, atol=2e-4)
    np.testing.assert_allclose(operator @ X[:, 0], expected @ X[:, 0], atol=2e-4)
    both = operator.gram(X)
    np.testing.assert_allclose(both, np.concatenate([expected.T @ X, expected @ expected.T @ X], axis=1), atol=1e-2)


@pytest.mark.parametrize("null_model", [ErdosRenyi(), Configuration(0.75)], ids=repr)
@pytest.mark.parametrize("case", ["unweighted", "weighted", "self-loops"])
def test_nulls_that_do_not_follow_the_strength_are_exact_above_the_floor(case, null_model):
    operator = operator_of(CASES[case], null_model, np.arange(CASES[case].n_nodes) % 4, floor=-30.0)
    assert not operator.symmetric
    expected = dense_operator(operator)
    np.testing.assert_allclose(operator @ np.eye(len(expected), dtype=np.float32), expected, atol=1e-4)
    np.testing.assert_allclose(operator.T @ np.eye(len(expected), dtype=np.float32), expected.T, atol=1e-4)


@pytest.mark.parametrize("case", ["unweighted", "weighted", "self-loops"])
def test_where_the_floor_cuts_through_a_block_the_chord_stands_for_the_kink(case):
    operator = operator_of(CASES[case], ErdosRenyi(), np.arange(CASES[case].n_nodes) % 4, floor=0.0)
    exact = dense_operator(operator)
    found = operator @ np.eye(len(exact), dtype=np.float32)
    spread = (operator._high - operator._low).max()
    assert (found - exact >= -1e-5).all()
    assert (found - exact <= spread / 4 + 1e-5).all()
    assert found.max() == pytest.approx(exact.max(), abs=1e-5)
    edges = CASES[case].adjacency.toarray() > 0
    np.testing.assert_allclose(found[edges], exact[edges], atol=1e-5)


@pytest.mark.parametrize("null_model", [ErdosRenyi(), Configuration(), DegreeCorrectedSBM(NODES % 3)], ids=repr)
@pytest.mark.parametrize("case", [*UNDIRECTED[:3], "directed", "dangling nodes"])
def test_it_is_the_exact_matrix_if_every_node_is_a_block(case, null_model):
    operator = operator_of(CASES[case], null_model, NODES, floor=-2.0)
    exact = operator.matrix.columns(NODES)
    np.testing.assert_allclose(operator @ np.eye(20, dtype=np.float32), exact, atol=1e-4)
    np.testing.assert_allclose(operator.T @ np.eye(20, dtype=np.float32), exact.T, atol=1e-4)


@pytest.mark.parametrize("case", ["directed", "dangling nodes"])
def test_jumps_leave_directed_values_close_and_edges_exact(case):
    graph = CASES[case]
    operator = operator_of(graph, Configuration(), NODES % 6, floor=-3.0)
    expected = dense_operator(operator)
    found = operator @ np.eye(20, dtype=np.float32)
    np.testing.assert_allclose(operator.T @ np.eye(20, dtype=np.float32), found.T, atol=1e-5)
    edges = graph.adjacency.toarray() > 0
    np.testing.assert_allclose(found[edges], expected[edges], atol=1e-4)
    assert found.min() >= -3.0 - 1e-5
    assert np.abs(found - expected).mean() < 0.05
    assert np.corrcoef(found.ravel(), expected.ravel())[0, 1] > 0.98


@pytest.fixture(scope="module")
def planted():
    return datasets.planted_groups(900, 4, random_state=1)


def test_products_keep_float32_and_do_not_depend_on_the_memory_limit(planted):
    labels = np.arange(900) % 600
    free, tight = (
        operator_of(planted, Configuration(), labels, limit=limit)
        for limit in (1 << 30, 4 * planted.adjacency.nnz + 4 * 4 * 900 * 256)
    )
    assert free.kept_share == 1.0
    assert tight.kept_share == pytest.approx(1 / 3)
    X = np.random.default_rng(0).standard_normal((900, 4)).astype(np.float32)
    assert (free @ X).dtype == np.float32
    np.testing.assert_allclose(tight @ X, free @ X, atol=1e-5 * np.abs(free @ X).max())


def test_too_small_a_limit_is_an_error_before_the_work(planted):
    with pytest.raises(
        MemoryLimitError, match=r"the block solver needs at least .* and 600 blocks, .*leaves 1000 bytes"
    ):
        operator_of(planted, Configuration(), np.arange(900) % 600, limit=1000)
