import numpy as np
import pytest

from residuum.graph import Graph, node_sides


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
    ids=["square", "triangle, lone node and pair", "loop", "directed"],
)
def test_sides_are_those_of_each_component_that_has_them(graph, sides):
    np.testing.assert_array_equal(node_sides(graph), sides)
