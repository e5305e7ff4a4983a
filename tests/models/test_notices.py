import warnings

import numpy as np
import pytest

from graph_cases import OpaqueNull, graph_cases, labels_for
from residuum import Graph, Residual2Vec, datasets
from residuum.errors import ResiduumWarning
from residuum.models.notices import warn_about_groups, warn_about_structure
from residuum.nulls import Bipartite, Configuration, DegreeCorrectedSBM
from residuum.residual import build_erasure

CASES = graph_cases()
# Walkers reach only later nodes and stay at the last node; no node is dangling.
ONE_WAY = Graph(np.triu(np.ones((5, 5)), 1) + np.diag([0, 0, 0, 0, 1.0]), directed=True)


def message(graph):
    """Return the warning about a graph, or None."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warn_about_structure(graph)
    assert len(caught) <= 1
    assert all(warning.category is ResiduumWarning for warning in caught)
    return str(caught[0].message) if caught else None


@pytest.mark.parametrize("case", ["unweighted", "weighted", "weights below one", "directed", "self-loops"])
def test_a_connected_graph_gives_no_warning(case):
    assert message(CASES[case]) is None


def test_isolated_nodes_are_counted_and_are_not_connected_components():
    assert message(CASES["isolated nodes"]) == "the graph has 2 isolated nodes (zero vectors, offset -inf)."
    A = np.zeros((4, 4))
    A[:3, :3] = 1 - np.eye(3)
    assert message(Graph(A)) == "the graph has 1 isolated node (zero vectors, offset -inf)."


def test_connected_components_are_counted():
    expected = "the graph has 2 connected components (unconnected nodes get the minimum association, the floor)."
    assert message(CASES["disconnected"]) == expected


def test_dangling_nodes_are_counted():
    expected = "the graph has 2 dangling nodes without out-edges (walks end there)."
    assert message(CASES["dangling nodes"]) == expected


def test_a_graph_without_dangling_nodes_need_not_be_strongly_connected():
    assert message(ONE_WAY) is None


def test_several_facts_are_one_warning():
    A = np.zeros((22, 22))
    A[:10, :10] = A[10:20, 10:20] = 1 - np.eye(10)
    text = message(Graph(A))
    assert "2 isolated nodes" in text
    assert "; 2 connected components" in text


def groups_warning(null, floor, erasure=None):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warn_about_groups(null, floor, erasure)
    return [str(warning.message) for warning in caught]


def test_groups_without_erasure_give_a_warning_at_a_negative_floor():
    graph = CASES["weighted"]
    null = DegreeCorrectedSBM(labels_for(graph)).fit(graph, 3)
    (text,) = groups_warning(null, -1.0)
    assert "at a negative floor (-1) a linear model still predicts the groups" in text
    assert "use erase='null', after which no linear model" in text
    assert groups_warning(null, 0.0) == []
    assert groups_warning(null, -1.0, build_erasure(graph, "null", null)) == []


def test_the_sides_of_a_bipartite_graph_give_no_warning():
    graph = Graph([[0, 0, 1, 1], [0, 0, 1, 0], [1, 1, 0, 0], [1, 0, 0, 0]])
    assert groups_warning(Bipartite().fit(graph, 3), -1.0) == []


def test_null_models_without_several_groups_give_no_warning():
    graph = CASES["weighted"]
    assert groups_warning(Configuration().fit(graph, 3), -1.0) == []
    assert groups_warning(DegreeCorrectedSBM(np.zeros(20)).fit(graph, 3), -1.0) == []
    assert groups_warning(OpaqueNull(DegreeCorrectedSBM(labels_for(graph)).fit(graph, 3)), -1.0) == []


def test_a_fit_warns_about_groups_unless_they_are_erased_or_the_floor_is_0():
    graph = datasets.planted_groups(200, 4, random_state=5)
    null_model = DegreeCorrectedSBM("group")
    with pytest.warns(ResiduumWarning, match="use erase='null', after which no linear model"):
        Residual2Vec(8, null_model=null_model, random_state=0).fit(graph)
    Residual2Vec(8, null_model=null_model, floor=0.0, random_state=0).fit(graph)
    Residual2Vec(8, null_model=null_model, erase="null", random_state=0).fit(graph)


def test_warnings_point_to_the_line_that_calls_fit():
    with pytest.warns(ResiduumWarning, match="2 connected components") as caught:
        Residual2Vec(4, random_state=0).fit(CASES["disconnected"])
    assert caught[0].filename == __file__
