import numpy as np
import pytest

from graph_cases import graph_cases
from residuum import Graph, datasets
from residuum.errors import InvalidGraphError
from residuum.evaluation import degree_matched_non_edges, uniform_non_edges

GRAPH = datasets.planted_groups(300, 3, degree_exponent=2.3, random_state=0)


@pytest.mark.parametrize("draw", [uniform_non_edges, degree_matched_non_edges])
@pytest.mark.parametrize("graph", [GRAPH, graph_cases()["directed"]], ids=["undirected", "directed"])
def test_pairs_are_different_nodes_without_an_edge(draw, graph):
    pairs = draw(graph, 5000, np.random.default_rng(0))
    assert pairs.shape == (5000, 2)
    assert (pairs[:, 0] != pairs[:, 1]).all()
    assert not graph.adjacency.toarray()[*pairs.T].any()


@pytest.mark.parametrize(("draw", "power"), [(uniform_non_edges, 0), (degree_matched_non_edges, 1)])
def test_ends_are_drawn_in_proportion_to_degree_or_not(draw, power):
    degree = np.diff(GRAPH.adjacency.indptr).astype(float)
    chance = np.outer(degree**power, degree**power) * (GRAPH.adjacency.toarray() == 0) * (1 - np.eye(300))
    expected = (chance.sum(axis=1) @ degree) / chance.sum()
    pairs = draw(GRAPH, 20_000, np.random.default_rng(0))
    assert degree[pairs].mean() == pytest.approx(expected, rel=0.02)


def test_a_complete_graph_has_no_non_edges():
    with pytest.raises(InvalidGraphError, match="no pair of nodes without an edge"):
        uniform_non_edges(Graph(np.ones((4, 4)) - np.eye(4)), 3, np.random.default_rng(0))
