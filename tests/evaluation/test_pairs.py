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


def test_degree_matched_ends_have_the_degrees_of_edge_ends():
    degree = np.diff(GRAPH.adjacency.indptr)
    at_edges = (degree**2).sum() / degree.sum()
    means = [
        degree[draw(GRAPH, 20_000, np.random.default_rng(0))].mean()
        for draw in (uniform_non_edges, degree_matched_non_edges)
    ]
    assert means[0] == pytest.approx(degree.mean(), rel=0.05)
    # Hubs have fewer non-neighbours to be paired with, so that the match is close, not exact.
    assert means[1] == pytest.approx(at_edges, rel=0.12)


def test_a_complete_graph_has_no_non_edges():
    with pytest.raises(InvalidGraphError, match="no pair of nodes without an edge"):
        uniform_non_edges(Graph(np.ones((4, 4)) - np.eye(4)), 3, np.random.default_rng(0))
