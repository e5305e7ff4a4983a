"""Walks without an edge, compared with window probabilities of the graph without this edge."""

import numpy as np
import pytest

from residuum import Graph
from residuum.walks import WindowProbabilities
from residuum.walks.left_out import probabilities_without

WINDOW = [4, 3, 2, 1]


def graph(directed, dangling=False):
    rng = np.random.default_rng(0)
    A = np.triu(rng.random((15, 15)) < 0.4, 1) * rng.uniform(0.5, 2.0, (15, 15))
    A[np.arange(14), np.arange(1, 15)] += 1.0
    A = A + A.T
    if directed:
        A *= rng.random((15, 15)) < 0.8
    if dangling:
        A[-2:] = 0.0
    return Graph(A, directed=directed)


@pytest.mark.parametrize(("directed", "dangling"), [(False, False), (True, False), (True, True)])
@pytest.mark.parametrize("side", ["rows", "columns"])
def test_probabilities_equal_those_of_the_graph_without_the_edge(directed, dangling, side):
    full = graph(directed, dangling)
    walks = WindowProbabilities(full, WINDOW)
    edges = np.argwhere(full.adjacency.toarray() > 0)[[3, 10, 17]]
    nodes = edges[:, 0] if side == "rows" else edges[:, 1]
    found = probabilities_without(walks, edges, nodes, side)
    for s, (i, j) in enumerate(edges):
        A = full.adjacency.toarray()
        A[i, j] = 0.0
        if not directed:
            A[j, i] = 0.0
        without = WindowProbabilities(Graph(A, directed=directed), WINDOW)
        expected = without.rows([nodes[s]])[0] if side == "rows" else without.columns([nodes[s]])[:, 0]
        np.testing.assert_allclose(found[:, s], expected, atol=1e-6)


def test_the_edge_itself_is_not_walked():
    walks = WindowProbabilities(graph(False), 1)
    edge = np.argwhere(walks.graph.adjacency.toarray() > 0)[:1]
    assert probabilities_without(walks, edge, edge[:, 0])[edge[0, 1], 0] == pytest.approx(0.0, abs=1e-7)
    assert walks.rows(edge[:, 0])[0, edge[0, 1]] > 0
