"""Vectors of out-of-sample nodes."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from scipy.optimize import minimize

import dense_reference as dense
from graph_cases import graph_cases, labels_for
from residuum import Graph, Residual2Vec, datasets
from residuum.errors import InvalidGraphError, NullModelError, ResiduumWarning, UnknownNodeError
from residuum.nulls import Configuration, DegreeCorrectedSBM
from residuum.residual import LogisticRows, ProjectedRows, ResidualMatrix
from residuum.walks import WindowProbabilities

CASES = graph_cases()

# The warning about groups without erasure at the default floor is tested with the estimator.
pytestmark = pytest.mark.filterwarnings("ignore:a null model with groups")


@pytest.mark.parametrize("null_model", ["configuration", "erdos-renyi"])
@pytest.mark.parametrize("case", ["weighted", "directed"])
def test_the_edges_of_a_node_reproduce_its_vector(case, null_model):
    graph = CASES[case]
    model = Residual2Vec(7, null_model=null_model, random_state=0).fit(graph)
    np.testing.assert_allclose(model.transform(graph.adjacency), model.embedding_, atol=2e-3)


def test_the_vector_is_the_projection_of_the_dense_residual_row():
    graph = CASES["weighted"]
    parameters = {"window": 4, "floor": -2.0, "weighting": 0.0, "shrinkage": 0.0, "scale": 1.0}
    model = Residual2Vec(6, **parameters, random_state=0).fit(graph)
    p = np.random.default_rng(0).dirichlet(np.ones(20))
    P = dense.step_matrix(graph.adjacency.toarray())
    observed = sum(0.25 * p @ np.linalg.matrix_power(P, t) for t in range(4))
    row = np.maximum(np.log(observed) - model.offset_, -2.0)
    expected = np.linalg.lstsq(model.context_embedding_.astype(float), row, rcond=None)[0]
    np.testing.assert_allclose(model.transform(7.0 * p[None, :])[0], expected, atol=1e-3)


def test_out_of_sample_nodes_need_groups_if_the_null_model_has_groups():
    graph = CASES["weighted"]
    labels = labels_for(graph)
    model = Residual2Vec(7, null_model=DegreeCorrectedSBM(labels), random_state=0).fit(graph)
    np.testing.assert_allclose(model.transform(graph.adjacency, groups=labels), model.embedding_, atol=2e-3)
    with pytest.raises(NullModelError, match="out-of-sample nodes need groups, too"):
        model.transform(graph.adjacency)


def test_an_edge_table_is_equivalent_to_a_matrix_of_edges():
    graph = datasets.les_miserables()
    model = Residual2Vec(7, random_state=0).fit(graph)
    table = pd.DataFrame(
        {"source": ["Hugo", "Hugo", "Sand"], "target": ["Valjean", "Javert", "Fantine"], "weight": [3.0, 1.0, 2.0]}
    )
    edges = np.zeros((2, graph.n_nodes))
    edges[0, graph.positions(["Valjean", "Javert"])] = [3, 1]
    edges[1, graph.positions(["Fantine"])] = 2
    np.testing.assert_array_equal(model.transform(table), model.transform(edges))


def test_an_out_of_sample_node_is_associated_with_the_group_of_its_neighbors():
    graph = datasets.planted_groups(600, 3, mixing=0.1, random_state=0)
    group = graph.node_attributes["group"]
    model = Residual2Vec(8, random_state=0).fit(graph)
    edges = np.zeros((3, 600))
    for number in range(3):
        edges[number, np.flatnonzero(group == number)[:10]] = 1
    association = model.transform(edges) @ model.context_embedding_.T
    means = np.array([[row[group == number].mean() for number in range(3)] for row in association])
    np.testing.assert_array_equal(means.argmax(axis=1), [0, 1, 2])


def test_an_out_of_sample_node_without_edges_has_a_zero_vector_and_a_warning():
    model = Residual2Vec(4, random_state=0).fit(CASES["weighted"])
    with pytest.warns(ResiduumWarning, match="1 of 2 out-of-sample nodes have no edge"):
        vectors = model.transform(np.eye(2, 20, k=0) * [[1], [0]])
    assert vectors[0].any()
    assert not vectors[1].any()


def test_invalid_edges_are_rejected():
    model = Residual2Vec(4, random_state=0).fit(CASES["weighted"])
    with pytest.raises(
        InvalidGraphError, match=r"one column for each of the 20 nodes of the graph; got shape \(2, 3\)"
    ):
        model.transform(np.ones((2, 3)))
    with pytest.raises(InvalidGraphError, match=r"finite and non-negative; the edge from row 0 to 0 has -1\.0"):
        model.transform(-np.eye(1, 20))
    with pytest.raises(UnknownNodeError, match=r"node 99 is not in the graph .* the new node first"):
        model.transform(pd.DataFrame({"source": ["new"], "target": [99]}))


@pytest.mark.filterwarnings("ignore:the graph has")
@pytest.mark.parametrize("case", ["directed", "dangling nodes"])
def test_walks_of_out_of_sample_nodes_end_at_dangling_nodes(case):
    graph = CASES[case]
    model = Residual2Vec(7, window=4, random_state=0).fit(graph)
    leaving = graph.out_strength > 0
    vectors = model.transform(graph.adjacency[leaving])
    np.testing.assert_allclose(vectors, model.embedding_[leaving], atol=2e-3)


@pytest.mark.parametrize(("n_negatives", "regularization"), [(1.0, 0.0), (5.0, 0.0), (3.0, 2.0)])
def test_logistic_rows_minimize_the_loss_of_skip_gram(n_negatives, regularization):
    graph, weights = CASES["weighted"], np.array([0.5, 0.3, 0.2])
    matrix = ResidualMatrix(WindowProbabilities(graph, weights), Configuration().fit(graph, weights), -2.0)
    rng = np.random.default_rng(0)
    V = rng.normal(size=(20, 3)).astype(np.float32)
    edges = np.where(rng.random((4, 20)) < 0.3, rng.random((4, 20)), 0.0)
    towards = np.array([1.0, 2.0, 0.5])
    vectors = LogisticRows(matrix, V, n_negatives, regularization, towards).embed(sparse.csr_array(edges))
    P = dense.step_matrix(graph.adjacency.toarray())
    expected = graph.in_strength / graph.in_strength.sum()
    for row, vector in zip(edges, vectors, strict=True):
        start = row / row.sum()
        observed = sum(w * start @ np.linalg.matrix_power(P, t) for t, w in enumerate(weights))

        def loss(u, observed=observed, start=start):
            prior = regularization * np.sum(start**2) * (u @ u) / 2
            pairs = observed @ np.logaddexp(0, -V @ u) + n_negatives * expected @ np.logaddexp(0, V @ u)
            return pairs + prior

        best = minimize(loss, np.zeros(3), tol=1e-10).x
        np.testing.assert_allclose(vector / towards, best, atol=2e-3)


@pytest.mark.parametrize("weights", [[1e-300, 1.0, 1e20], [1e-18, 1e-19, 1.0, 1e19], [1e-21, 1.0, 1e19]])
def test_rows_of_weights_far_apart_are_those_of_the_matrix(weights):
    graph = Graph(sparse.diags_array(weights))
    matrix = ResidualMatrix(WindowProbabilities(graph, 1), Configuration().fit(graph, 1), floor=-3.0, weighting=0.0)
    n_nodes = graph.n_nodes
    projected = ProjectedRows(matrix, np.eye(n_nodes, dtype=np.float32), np.ones(n_nodes, dtype=np.float32))
    # The matrix has no walks from nodes whose strength is too small for float32; a new node with this edge has.
    walks = np.flatnonzero(matrix.probabilities.leaving > 0)
    rows = projected.embed(graph.adjacency)
    np.testing.assert_allclose(rows[walks], matrix.rows(walks), rtol=1e-5, atol=1e-6)
    assert rows.max() <= np.log(np.finfo(np.float32).max)
    np.testing.assert_array_equal(rows[~np.eye(n_nodes, dtype=bool)], -3.0)


def test_rows_of_a_probability_that_is_zero_in_single_precision_are_those_of_the_matrix():
    path = np.zeros((4, 4))
    path[0, 1], path[1, 2], path[2, 3] = 1e-30, 1.0, 1e18
    graph = Graph(path + path.T)
    matrix = ResidualMatrix(WindowProbabilities(graph, 1), Configuration().fit(graph, 1), floor=-3.0, weighting=0.0)
    rows = ProjectedRows(matrix, np.eye(4, dtype=np.float32), np.ones(4, dtype=np.float32)).embed(graph.adjacency)
    assert rows[1, 0] == -3.0
    np.testing.assert_allclose(rows[1], matrix.columns(np.arange(4))[1], rtol=1e-5)


@pytest.mark.parametrize("case", ["weighted", "directed"])
def test_edges_and_erased_attribute_of_a_node_reproduce_its_vector(case):
    graph = CASES[case]
    labels = labels_for(graph)
    model = Residual2Vec(6, erase={"kind": labels}, random_state=0).fit(graph)
    vectors = model.transform(graph.adjacency, attributes={"kind": labels})
    np.testing.assert_allclose(vectors, model.embedding_, atol=2e-3)
    with pytest.warns(ResiduumWarning, match="1 of 1 out-of-sample nodes have no edge"):
        assert not model.transform(np.zeros((1, 20)), attributes={"kind": ["a"]}).any()
