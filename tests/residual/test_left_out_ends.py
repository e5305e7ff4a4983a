import numpy as np
import pytest

from graph_cases import graph_cases
from residuum import Graph
from residuum.nulls import Configuration
from residuum.residual import Factors, ResidualMatrix
from residuum.residual.left_out_ends import LocalEnds, sample_edges, sample_rows
from residuum.residual.linalg import factorize_dense
from residuum.walks import WindowProbabilities

CASES = graph_cases()


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


@pytest.mark.parametrize("side", ["rows", "columns"])
@pytest.mark.parametrize("case", ["weighted", "directed"])
def test_coordinates_are_those_of_the_graph_without_the_edge(case, side):
    graph, window, floor = CASES[case], [3, 2, 1], -2.0
    null = Configuration().fit(graph, window)
    matrix = ResidualMatrix(WindowProbabilities(graph, window), null, floor, weighting=0.8)
    factors = factorize_dense(matrix.columns(np.arange(20)), 4, matrix.symmetric)
    edges = np.argwhere(graph.adjacency.toarray() > 0)[[1, 8, 20, 31, 40]]
    nodes = edges[:, 0] if side == "rows" else edges[:, 1]
    found, joined = LocalEnds(matrix, factors).coordinates(edges, nodes, side)
    expected = np.exp(null.log_probability(np.arange(20)[:, None], np.arange(20)[None, :]))
    for number, (i, j) in enumerate(edges):
        A = graph.adjacency.toarray()
        A[i, j] = 0.0
        if not graph.directed:
            A[j, i] = 0.0
        walks = WindowProbabilities(Graph(A, directed=graph.directed), window)
        observed = walks.columns(np.arange(20))
        residual = np.log(np.maximum(observed / expected, np.exp(floor)))
        if side == "rows":
            coordinates = (residual[i] * matrix.column_scale) @ factors.right
        else:
            coordinates = (residual[:, j] * matrix.row_scale) @ factors.left
        np.testing.assert_allclose(found[number], coordinates / np.sqrt(factors.values), rtol=1e-3, atol=1e-3)
        assert joined[number] == (observed[i, j] > 0)


def test_the_inverse_root_is_that_of_every_positive_value():
    graph = CASES["unweighted"]
    matrix = ResidualMatrix(WindowProbabilities(graph, 2), Configuration().fit(graph, 2), floor=-1.0)
    basis = np.eye(graph.n_nodes, 4, dtype=np.float32)
    ends = LocalEnds(matrix, Factors(basis, np.array([4.0, 1.0, 0.25, 0.0]), basis))
    np.testing.assert_allclose(ends.inverse_root, [0.5, 1.0, 2.0, 0.0])
