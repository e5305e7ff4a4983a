"""The share of triangles that degrees explain."""

from math import comb

import numpy as np
import pytest

from residuum import Graph, datasets
from residuum.graph import triangles, triangles_by_degree
from residuum.graph.triangles import Wedges, has_entries


def random_graph(n_nodes, mean_degree, seed=0):
    upper = np.triu(np.random.default_rng(seed).random((n_nodes, n_nodes)) < mean_degree / n_nodes, k=1)
    return upper | upper.T


def bipartite(n_nodes=60, seed=0):
    matrix = random_graph(n_nodes, 20, seed)
    half = n_nodes // 2
    matrix[:half, :half] = matrix[half:, half:] = False
    return matrix


def hubs(n_nodes=90):
    """Six hubs that are not connected, and few other edges."""
    upper = np.triu(
        np.random.default_rng(0).random((n_nodes, n_nodes)) < np.where(np.arange(n_nodes) < 6, 0.6, 0.03)[:, None], k=1
    )
    upper[:6, :6] = False
    return upper | upper.T


def dense_share(matrix):
    """The formula over all walks of two steps that do not turn back, as a walker takes them."""
    entries = (matrix != 0).sum(axis=1)
    matrix = (matrix != 0) * (1 - np.eye(len(matrix)))
    degree = matrix.sum(axis=1)
    closed = expected = pairs = 0.0
    for center, i, j in np.ndindex(matrix.shape + matrix.shape[:1]):
        if i != j and matrix[center, i] and matrix[center, j]:
            odds = (degree[i] - 1) * (degree[j] - 1) / degree.sum()
            closed += matrix[i, j] / (entries[center] - 1)
            expected += odds / (1 + odds) / (entries[center] - 1)
            pairs += odds / (1 + odds) / 2
    return min(1.0, expected * (1 + 2 * np.sqrt(3 / pairs)) / closed) if closed else 1.0


def test_all_wedges_of_a_small_graph_are_listed_once():
    wedges = Wedges.sample(np.array([4, 0, 1, 3]))
    pairs = list(zip(wedges.centers, wedges.first, wedges.second, strict=True))
    assert len(pairs) == len(set(pairs)) == comb(4, 2) + comb(3, 2)
    assert all(0 <= p < q < {0: 4, 3: 3}[center] for center, p, q in pairs)
    np.testing.assert_allclose(wedges.weights, np.where(wedges.centers == 0, 1 / 3, 1 / 2))


def test_wedges_of_a_large_graph_are_those_of_walks():
    entries = np.array([30_000, 1, 100_000, 2, 0, 50_000])
    wedges = Wedges.sample(entries)
    assert len(wedges.centers) == len(wedges.weights) == 1 << 18
    assert set(wedges.weights) == {1.0}
    assert (wedges.first != wedges.second).all()
    assert (np.maximum(wedges.first, wedges.second) < entries[wedges.centers]).all()
    assert np.minimum(wedges.first, wedges.second).min() == 0
    assert np.mean(wedges.centers == 2) == pytest.approx(100 / 180, abs=0.01)
    for places in (wedges.first, wedges.second):
        assert places[wedges.centers == 2].mean() / 100_000 == pytest.approx(1 / 2, abs=0.01)


def test_more_wedges_than_integers_are_sampled():
    wedges = Wedges.sample(np.full(4, 2**32))
    assert len(wedges.centers) == 1 << 18
    assert wedges.first.min() >= 0


@pytest.mark.parametrize(
    "matrix",
    [
        bipartite(),
        random_graph(60, 12),
        random_graph(60, 12) | np.eye(60, dtype=bool),
        hubs(60),
        np.ones((9, 9)),
        np.zeros((3, 3)) + np.eye(3, k=1) + np.eye(3, k=-1),
    ],
)
def test_the_share_is_that_of_all_triangles(matrix):
    assert triangles_by_degree(Graph(matrix)) == pytest.approx(dense_share(matrix))


def test_a_sample_is_close_to_all_triangles(monkeypatch):
    graph = Graph(np.kron(np.eye(8), random_graph(40, 20)) + hubs(320))
    exact = triangles_by_degree(graph)
    monkeypatch.setattr(triangles, "_MOST_WEDGES", 10_000)
    assert 0.1 < exact < 0.9
    assert triangles_by_degree(graph) == pytest.approx(exact, rel=0.1)


def test_weights_self_loops_and_isolated_nodes_do_not_count():
    matrix = np.zeros((62, 62))
    matrix[:60, :60] = np.kron(np.eye(3), random_graph(20, 10))
    changed = matrix * np.random.default_rng(1).random(62)[:, None]
    changed = changed + changed.T + np.diag(np.arange(62.0))
    share = triangles_by_degree(Graph(matrix))
    assert share < 0.9
    # A self-loop makes a row longer and each of its wedges a little rarer.
    assert triangles_by_degree(Graph(changed)) == pytest.approx(share, rel=0.1)


def test_degrees_explain_random_graphs_and_hubs_but_not_groups():
    rng = np.random.default_rng(0)
    assert triangles_by_degree(Graph(random_graph(600, 20))) > 0.95
    expected = np.outer(propensity := rng.pareto(2.5, 600) + 1, propensity) * 12 / propensity.sum() / propensity.mean()
    upper = np.triu(rng.random((600, 600)) < expected / (1 + expected), k=1)
    assert triangles_by_degree(Graph(upper | upper.T)) > 0.85
    assert triangles_by_degree(datasets.planted_groups(600, 30, random_state=0)) < 0.5


def test_hubs_do_not_hide_the_triangles_of_other_nodes():
    """A star over a graph of cliques: most pairs of neighbors are those of the hub, most walks are within cliques."""
    matrix = np.kron(np.eye(60), np.ones((6, 6)) - np.eye(6))
    matrix[0, 1:] = matrix[1:, 0] = 1.0
    assert triangles_by_degree(Graph(matrix)) < 0.2


@pytest.mark.parametrize(
    "matrix", [np.eye(4), np.eye(5)[[1, 0, 3, 2, 4]], bipartite()], ids=["loops", "pairs", "bipartite"]
)
def test_a_graph_without_triangles_has_all_that_its_degrees_explain(matrix):
    assert triangles_by_degree(Graph(matrix)) == 1.0


def test_entries_of_a_matrix():
    matrix = Graph(bipartite()).adjacency
    rows, columns = np.indices(matrix.shape).reshape(2, -1)
    np.testing.assert_array_equal(has_entries(matrix, rows, columns), matrix.toarray().ravel() != 0)
    assert has_entries(matrix, rows[:0], columns[:0]).shape == (0,)
