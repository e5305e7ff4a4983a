import numpy as np
import pytest

from residuum import Graph
from residuum.residual import Factors
from residuum.residual.left_out_ends import LocalEnds, sample_edges, sample_rows


@pytest.mark.parametrize("directed", [False, True])
def test_sampled_edges_are_distinct_and_leave_other_edges_at_their_ends(directed):
    A = np.triu(np.random.default_rng(1).random((40, 40)) < 0.1, 1).astype(float)
    A[np.arange(39), np.arange(1, 40)] = 1.0
    graph = Graph(A if directed else A + A.T, directed=directed)
    edges = sample_edges(graph, 30, np.random.default_rng(0))
    assert len(np.unique(np.sort(edges, axis=1) if not directed else edges, axis=0)) == len(edges) > 10
    dense = graph.adjacency.toarray()
    assert (dense[edges[:, 0], edges[:, 1]] > 0).all()
    assert ((dense > 0).sum(axis=1)[edges[:, 0]] > 1).all()
    assert ((dense > 0).sum(axis=0)[edges[:, 1]] > 1).all()


def test_edges_are_sampled_in_proportion_to_their_weights():
    A = np.zeros((6, 6))
    A[[0, 0, 1, 2, 3], [1, 2, 2, 3, 0]] = [1.0, 3.0, 2.0, 1.0, 1.0]
    A[[1, 2, 3, 0], [0, 1, 1, 3]] = 1.0
    graph, rng = Graph(A, directed=True), np.random.default_rng(0)
    counts = np.zeros((6, 6))
    for _ in range(4000):
        rows, within = sample_rows(graph.out_strength, 1, rng)
        assert 0 <= within[0] < graph.out_strength[rows[0]]
        counts[rows[0]] += 1 / 4000
    np.testing.assert_allclose(counts[:, 0], graph.out_strength / graph.out_strength.sum(), atol=0.03)
    found = {tuple(edge) for _ in range(200) for edge in sample_edges(graph, 1, rng).tolist()}
    degrees = (A > 0).sum(axis=1), (A > 0).sum(axis=0)
    expected = {(i, j) for i, j in np.argwhere(A > 0).tolist() if degrees[0][i] > 1 and degrees[1][j] > 1}
    assert found == expected


def test_signs_compare_the_right_vectors_with_the_left():
    left = np.linalg.qr(np.random.default_rng(0).standard_normal((9, 4)))[0].astype(np.float32)
    signs = np.array([1, -1, -1, 1], dtype=np.float32)
    ends = LocalEnds(None, Factors(left, np.array([4.0, 3.0, 2.0, 1.0]), left * signs))
    np.testing.assert_array_equal(ends.signs, signs)
