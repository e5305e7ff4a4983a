import numpy as np
import pytest
from scipy.sparse.csgraph import shortest_path

from graph_cases import graph_cases
from residuum import Graph, datasets
from residuum.errors import InvalidGraphError, InvalidParameterError
from residuum.evaluation import auc_roc, degree_matched_non_edges, non_edges_at_distance, uniform_non_edges

GRAPH = datasets.planted_groups(300, 3, degree_exponent=2.3, random_state=0)


@pytest.mark.parametrize("sample", [uniform_non_edges, degree_matched_non_edges])
@pytest.mark.parametrize("graph", [GRAPH, graph_cases()["directed"]], ids=["undirected", "directed"])
def test_pairs_are_distinct_nodes_without_an_edge(sample, graph):
    pairs = sample(graph, 5000, np.random.default_rng(0))
    assert pairs.shape == (5000, 2)
    assert (pairs[:, 0] != pairs[:, 1]).all()
    assert not graph.adjacency.toarray()[*pairs.T].any()


@pytest.mark.parametrize(("sample", "power"), [(uniform_non_edges, 0), (degree_matched_non_edges, 1)])
def test_nodes_are_sampled_uniformly_or_in_proportion_to_degree(sample, power):
    degree = np.diff(GRAPH.adjacency.indptr).astype(float)
    probability = np.outer(degree**power, degree**power) * (GRAPH.adjacency.toarray() == 0) * (1 - np.eye(300))
    expected = (probability.sum(axis=1) @ degree) / probability.sum()
    pairs = sample(GRAPH, 20_000, np.random.default_rng(0))
    assert degree[pairs].mean() == pytest.approx(expected, rel=0.02)


def test_a_complete_graph_is_rejected():
    with pytest.raises(InvalidGraphError, match="every pair of nodes is joined by an edge"):
        uniform_non_edges(Graph(np.ones((4, 4)) - np.eye(4)), 3, np.random.default_rng(0))


def test_self_loops_do_not_count_as_pairs():
    # A path with a self-loop: as many edges as pairs, but (0, 2) is not an edge.
    looped = Graph([[1, 1, 0], [1, 0, 1], [0, 1, 0]])
    for sample in (uniform_non_edges, degree_matched_non_edges):
        assert sample(looped, 3, np.random.default_rng(0)).tolist() == [[0, 2]] * 3


def test_degree_matched_pairs_are_rejected_if_only_isolated_nodes_lack_edges():
    adjacency = np.ones((6, 6)) - np.eye(6)
    adjacency[5] = adjacency[:, 5] = 0
    with pytest.raises(InvalidGraphError, match="every pair of non-isolated nodes is joined by an edge"):
        degree_matched_non_edges(Graph(adjacency), 3, np.random.default_rng(0))
    assert uniform_non_edges(Graph(adjacency), 50, np.random.default_rng(0))[:, 1].tolist() == [5] * 50


def test_degrees_do_not_separate_arcs_from_degree_matched_pairs():
    rng = np.random.default_rng(0)
    out_weight, in_weight = (np.minimum(rng.pareto(1.5, 1000) + 1, 50) for _ in range(2))
    arcs = np.stack([rng.choice(1000, 8000, p=p / p.sum()) for p in (out_weight, in_weight)], axis=1)
    adjacency = np.zeros((1000, 1000))
    adjacency[*arcs[arcs[:, 0] != arcs[:, 1]].T] = 1.0
    graph = Graph(adjacency, directed=True)
    out, into = adjacency.sum(axis=1), adjacency.sum(axis=0)
    edges = np.argwhere(adjacency)
    sampled = degree_matched_non_edges(graph, len(edges), rng)
    by_degree = [np.log1p(out[i]) + np.log1p(into[j]) for i, j in (edges.T, sampled.T)]
    assert auc_roc(*by_degree) == pytest.approx(0.5, abs=0.04)


@pytest.mark.parametrize("graph", [GRAPH, graph_cases()["directed"]], ids=["undirected", "directed"])
@pytest.mark.parametrize("distance", [2, 3])
def test_pairs_have_the_requested_distance(graph, distance):
    length = shortest_path(graph.adjacency, unweighted=True)
    pairs = non_edges_at_distance(graph, 500, distance, np.random.default_rng(0))
    assert (length[*pairs.T] == distance).all()


def test_pairs_at_a_distance_are_sampled_uniformly():
    path = Graph(np.diag(np.ones(5), 1) + np.diag(np.ones(5), -1))
    pairs = non_edges_at_distance(path, 40_000, 2, np.random.default_rng(0))
    _, counts = np.unique(pairs, axis=0, return_counts=True)
    np.testing.assert_allclose(counts, 10_000, rtol=0.04)


def test_a_distance_without_pairs_or_below_two_is_rejected():
    with pytest.raises(InvalidGraphError, match="no pair of nodes at distance 7"):
        non_edges_at_distance(GRAPH, 3, 7, np.random.default_rng(0))
    with pytest.raises(InvalidParameterError, match="distance must be at least 2"):
        non_edges_at_distance(GRAPH, 3, 1, np.random.default_rng(0))
