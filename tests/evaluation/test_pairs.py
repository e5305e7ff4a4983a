import numpy as np
import pytest
from scipy.sparse.csgraph import shortest_path

from graph_cases import graph_cases
from residuum import Graph, datasets
from residuum.errors import InvalidGraphError, InvalidParameterError
from residuum.evaluation import degree_matched_non_edges, non_edges_at_distance, uniform_non_edges

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


@pytest.mark.parametrize("graph", [GRAPH, graph_cases()["directed"]], ids=["undirected", "directed"])
@pytest.mark.parametrize("distance", [2, 3])
def test_pairs_at_a_distance_are_at_that_distance(graph, distance):
    length = shortest_path(graph.adjacency, unweighted=True)
    pairs = non_edges_at_distance(graph, 500, distance, np.random.default_rng(0))
    assert (length[*pairs.T] == distance).all()


def test_pairs_at_a_distance_are_all_alike():
    path = Graph(np.diag(np.ones(5), 1) + np.diag(np.ones(5), -1))
    pairs = non_edges_at_distance(path, 40_000, 2, np.random.default_rng(0))
    _, counts = np.unique(pairs, axis=0, return_counts=True)
    np.testing.assert_allclose(counts, 10_000, rtol=0.04)


def test_a_distance_that_does_not_occur_is_an_error():
    with pytest.raises(InvalidGraphError, match="no pair of nodes 7 steps apart"):
        non_edges_at_distance(GRAPH, 3, 7, np.random.default_rng(0))
    with pytest.raises(InvalidParameterError, match="distance must be at least 2"):
        non_edges_at_distance(GRAPH, 3, 1, np.random.default_rng(0))
