"""Triangles compared with those of the configuration model."""

from math import comb

import networkx as nx
import numpy as np
import pytest

from residuum import Graph, datasets
from residuum.graph import triangle_deficit, triangles
from residuum.graph.triangles import WedgeCounts, Wedges, has_entries


def random_graph(n_nodes, mean_degree, seed=0):
    upper = np.triu(np.random.default_rng(seed).random((n_nodes, n_nodes)) < mean_degree / n_nodes, k=1)
    return upper | upper.T


def bipartite(n_nodes=60, seed=0):
    matrix = random_graph(n_nodes, 20, seed)
    half = n_nodes // 2
    matrix[:half, :half] = matrix[half:, half:] = False
    return matrix


def dense_deficit(matrix):
    """The formula, with all triangles."""
    network = nx.from_numpy_array(matrix * (1 - np.eye(len(matrix))))
    degree = np.array([d for _, d in network.degree])
    wedges = sum(comb(d, 2) for d in degree)
    closed = sum(nx.triangles(network).values())
    expected = wedges * (degree * (degree - 1)).sum() ** 2 / degree.sum() ** 3
    return max(1.0, (expected - 2 * np.sqrt(expected)) / max(closed, 1))


def test_all_wedges_of_a_small_graph_are_listed_once():
    wedges = Wedges.sample(np.array([4, 0, 1, 3]))
    pairs = list(zip(wedges.centers, wedges.first, wedges.second, strict=True))
    assert len(pairs) == len(set(pairs)) == comb(4, 2) + comb(3, 2)
    assert all(0 <= p < q < {0: 4, 3: 3}[center] for center, p, q in pairs)


def test_wedges_of_a_large_graph_are_a_uniform_sample():
    entries = np.array([3, 100_000, 2, 50_000])
    wedges = Wedges.sample(entries)
    assert len(wedges.centers) == 1 << 18
    assert (wedges.first < wedges.second).all()
    assert (wedges.second < entries[wedges.centers]).all()
    assert np.mean(wedges.centers == 1) == pytest.approx(0.8, abs=0.01)
    in_hub = wedges.centers == 1
    assert wedges.first[in_hub].mean() / 100_000 == pytest.approx(1 / 3, abs=0.01)
    assert wedges.second[in_hub].mean() / 100_000 == pytest.approx(2 / 3, abs=0.01)


@pytest.mark.parametrize(
    "matrix",
    [
        bipartite(),
        random_graph(60, 12),
        np.ones((9, 9)),
        np.zeros((3, 3)) + np.eye(3, k=1) + np.eye(3, k=-1),
    ],
)
def test_the_deficit_is_that_of_all_triangles(matrix):
    assert triangle_deficit(Graph(matrix)) == pytest.approx(dense_deficit(matrix))


def test_a_sample_is_close_to_all_triangles(monkeypatch):
    graph = Graph(bipartite(400) | random_graph(400, 1))
    exact = triangle_deficit(graph)
    monkeypatch.setattr(triangles, "_MOST_WEDGES", 40_000)
    assert exact > 2
    assert triangle_deficit(graph) == pytest.approx(exact, rel=0.15)


def test_weights_self_loops_and_isolated_nodes_do_not_count():
    matrix = np.zeros((62, 62))
    matrix[:60, :60] = bipartite()
    changed = matrix * np.random.default_rng(1).random(62)[:, None]
    changed = changed + changed.T + np.diag(np.arange(62.0))
    assert triangle_deficit(Graph(changed)) == pytest.approx(triangle_deficit(Graph(matrix)))


def test_a_graph_with_communities_has_no_deficit_and_few_expected_triangles_are_chance():
    assert triangle_deficit(datasets.planted_groups(300, 5, random_state=0)) == 1.0
    assert WedgeCounts(wedges=10, closed=0, degrees=20.0, pairs=20.0).deficit == 1.0


def test_a_graph_of_self_loops_has_no_deficit():
    assert triangle_deficit(Graph(np.eye(4))) == 1.0


def test_entries_of_a_matrix():
    matrix = Graph(bipartite()).adjacency
    rows, columns = np.indices(matrix.shape).reshape(2, -1)
    np.testing.assert_array_equal(has_entries(matrix, rows, columns), matrix.toarray().ravel() != 0)
    assert has_entries(matrix, rows[:0], columns[:0]).shape == (0,)
