import numpy as np
import pytest

from residuum.graph import Graph, node_sides, two_sides


def undirected(n_nodes, *edges):
    adjacency = np.zeros((n_nodes, n_nodes))
    for i, j in edges:
        adjacency[i, j] = adjacency[j, i] = 1.0
    return Graph(adjacency)


@pytest.mark.parametrize(
    ("graph", "sides"),
    [
        (undirected(4, (0, 1), (1, 2), (2, 3), (3, 0)), [0, 1, 0, 1]),
        (undirected(6, (0, 1), (1, 2), (2, 0), (3, 5)), [-1, -1, -1, 0, 0, 1]),
        (undirected(2, (0, 0), (0, 1)), [-1, -1]),
        (Graph(np.array([[0, 1, 0], [0, 0, 0], [0, 1, 0]]), directed=True), [0, 1, 0]),
    ],
    ids=["square", "triangle, isolated node and edge", "self-loop", "directed"],
)
def test_sides_of_each_connected_component_without_an_odd_cycle(graph, sides):
    np.testing.assert_array_equal(node_sides(graph), sides)


def test_two_sides_are_none_unless_the_graph_is_bipartite():
    np.testing.assert_array_equal(two_sides(_bipartite_graph()), np.repeat([0, 1], [12, 8]))
    assert two_sides(Graph(np.ones((3, 3)) - np.eye(3))) is None


def test_the_first_node_of_a_connected_component_is_on_side_0():
    path = np.array([[0, 1], [1, 0]])
    graph = Graph(np.block([[path, np.zeros((2, 2))], [np.zeros((2, 2)), path]]))
    np.testing.assert_array_equal(two_sides(graph), [0, 1, 0, 1])


def _bipartite_graph():
    rng = np.random.default_rng(0)
    B = (rng.random((12, 8)) < 0.4).astype(float)
    B[:, 0] = B[0] = 1
    return Graph(np.block([[np.zeros((12, 12)), B], [B.T, np.zeros((8, 8))]]))
