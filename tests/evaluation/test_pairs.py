import numpy as np
import pytest
from scipy.sparse.csgraph import shortest_path

from graph_cases import graph_cases
from residuum import Graph, datasets
from residuum.errors import InvalidGraphError, InvalidParameterError
from residuum.evaluation import auc_roc, degree_matched_non_edges, non_edges_at_distance, uniform_non_edges

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


def test_a_loop_is_not_a_pair():
    # Path with a loop at its end: as many edges as there are pairs, and yet (0, 2) is none.
    looped = Graph([[1, 1, 0], [1, 0, 1], [0, 1, 0]])
    for draw in (uniform_non_edges, degree_matched_non_edges):
        assert draw(looped, 3, np.random.default_rng(0)).tolist() == [[0, 2]] * 3


def test_degree_matched_pairs_cannot_be_drawn_if_only_isolated_nodes_lack_edges():
    adjacency = np.ones((6, 6)) - np.eye(6)
    adjacency[5] = adjacency[:, 5] = 0
    with pytest.raises(InvalidGraphError, match="no pair of nodes that have edges without an edge"):
        degree_matched_non_edges(Graph(adjacency), 3, np.random.default_rng(0))
    assert uniform_non_edges(Graph(adjacency), 50, np.random.default_rng(0))[:, 1].tolist() == [5] * 50


def test_in_a_directed_graph_degrees_do_not_tell_arcs_from_degree_matched_pairs():
    rng = np.random.default_rng(0)
    leaving, arriving = (np.minimum(rng.pareto(1.5, 1000) + 1, 50) for _ in range(2))
    arcs = np.stack([rng.choice(1000, 8000, p=p / p.sum()) for p in (leaving, arriving)], axis=1)
    adjacency = np.zeros((1000, 1000))
    adjacency[*arcs[arcs[:, 0] != arcs[:, 1]].T] = 1.0
    graph = Graph(adjacency, directed=True)
    out, into = adjacency.sum(axis=1), adjacency.sum(axis=0)
    edges = np.argwhere(adjacency)
    drawn = degree_matched_non_edges(graph, len(edges), rng)
    by_degree = [np.log1p(out[i]) + np.log1p(into[j]) for i, j in (edges.T, drawn.T)]
    assert auc_roc(*by_degree) == pytest.approx(0.5, abs=0.04)


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
