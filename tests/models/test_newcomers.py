"""Vectors of unseen nodes."""

import numpy as np
import pandas as pd
import pytest

import dense_reference as dense
from graph_cases import graph_cases, labels_for
from residuum import Residual2Vec, datasets
from residuum.errors import InvalidGraphError, NullModelError, ResiduumWarning, UnknownNodeError
from residuum.nulls import DegreeCorrectedSBM

CASES = graph_cases()


# Groups without erasure at the default floor are warned of, which is a test of its own.
pytestmark = pytest.mark.filterwarnings("ignore:a null model with groups")


@pytest.mark.parametrize("null_model", ["configuration", "erdos-renyi"])
@pytest.mark.parametrize("case", ["weighted", "directed"])
def test_a_known_node_asked_for_by_its_edges_gets_its_own_vector(case, null_model):
    graph = CASES[case]
    model = Residual2Vec(7, null_model=null_model, random_state=0).fit(graph)
    np.testing.assert_allclose(model.transform(graph.adjacency), model.embedding_, atol=2e-3)


def test_the_vector_is_the_projection_of_the_dense_residual_row():
    graph = CASES["weighted"]
    model = Residual2Vec(6, window=4, floor=-2.0, weighting=0.0, random_state=0).fit(graph)
    p = np.random.default_rng(0).dirichlet(np.ones(20))
    P = dense.step_matrix(graph.adjacency.toarray())
    observed = sum(0.25 * p @ np.linalg.matrix_power(P, t) for t in range(4))
    row = np.maximum(np.log(observed) - model.offset_, -2.0)
    expected = np.linalg.lstsq(model.context_embedding_.astype(float), row, rcond=None)[0]
    np.testing.assert_allclose(model.transform(7.0 * p[None, :])[0], expected, atol=1e-3)


def test_groups_of_new_nodes_decide_what_is_expected():
    graph = CASES["weighted"]
    labels = labels_for(graph)
    model = Residual2Vec(7, null_model=DegreeCorrectedSBM(labels), random_state=0).fit(graph)
    np.testing.assert_allclose(model.transform(graph.adjacency, groups=labels), model.embedding_, atol=2e-3)
    with pytest.raises(NullModelError, match="new nodes need theirs"):
        model.transform(graph.adjacency)


def test_an_edge_table_names_new_and_known_nodes():
    graph = datasets.les_miserables()
    model = Residual2Vec(7, random_state=0).fit(graph)
    table = pd.DataFrame(
        {"source": ["Hugo", "Hugo", "Sand"], "target": ["Valjean", "Javert", "Fantine"], "weight": [3.0, 1.0, 2.0]}
    )
    edges = np.zeros((2, graph.n_nodes))
    edges[0, graph.positions(["Valjean", "Javert"])] = [3, 1]
    edges[1, graph.positions(["Fantine"])] = 2
    np.testing.assert_array_equal(model.transform(table), model.transform(edges))


def test_a_new_node_is_near_its_neighbours_group():
    graph = datasets.planted_groups(600, 3, mixing=0.1, random_state=0)
    group = graph.node_attributes["group"]
    model = Residual2Vec(8, random_state=0).fit(graph)
    edges = np.zeros((3, 600))
    for number in range(3):
        edges[number, np.flatnonzero(group == number)[:10]] = 1
    association = model.transform(edges) @ model.context_embedding_.T
    means = np.array([[row[group == number].mean() for number in range(3)] for row in association])
    np.testing.assert_array_equal(means.argmax(axis=1), [0, 1, 2])


def test_a_new_node_without_edges_has_a_zero_vector_and_a_warning():
    model = Residual2Vec(4, random_state=0).fit(CASES["weighted"])
    with pytest.warns(ResiduumWarning, match="1 of 2 new nodes have no edge"):
        vectors = model.transform(np.eye(2, 20, k=0) * [[1], [0]])
    assert vectors[0].any()
    assert not vectors[1].any()


def test_bad_edges_are_named():
    model = Residual2Vec(4, random_state=0).fit(CASES["weighted"])
    with pytest.raises(InvalidGraphError, match=r"one column for each of the 20 known nodes; got shape \(2, 3\)"):
        model.transform(np.ones((2, 3)))
    with pytest.raises(InvalidGraphError, match=r"finite and not negative; got -1\.0"):
        model.transform(-np.eye(1, 20))
    with pytest.raises(UnknownNodeError, match=r"node 99 is not in the graph .* new node in its first column"):
        model.transform(pd.DataFrame({"source": ["new"], "target": [99]}))
