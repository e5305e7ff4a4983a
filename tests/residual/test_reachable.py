"""The residual matrix on the pairs within reach, compared with its columns."""

import numpy as np
import pytest
from scipy import sparse

from residuum import Graph
from residuum.nulls import Configuration, DegreeCorrectedSBM
from residuum.residual import ReachablePairs, ResidualMatrix, count_walks, reachable, sparse_product
from residuum.walks import WindowProbabilities


def graph(directed=False, dangling=False, n_nodes=60, seed=0):
    rng = np.random.default_rng(seed)
    A = (rng.random((n_nodes, n_nodes)) < 2 / n_nodes) * rng.uniform(0.5, 2.0, (n_nodes, n_nodes))
    A[np.arange(n_nodes - 1), np.arange(1, n_nodes)] += 1.0
    A[-1, 0] += 1.0
    A[3, 3] = 2.0
    if dangling:
        A[[7, 30]] = 0.0
    return Graph(A if directed else A + A.T, directed=directed)


def walks_by_powers(full, window):
    pattern = (full.adjacency.toarray() > 0).astype(float)
    return sum(np.linalg.matrix_power(pattern, step).sum() for step in range(1, window + 1))


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("window", [1, 2, 3, 4])
def test_walks_are_counted(directed, window):
    full = graph(directed)
    expected = walks_by_powers(full, window)
    assert count_walks(WindowProbabilities(full, window)) == (expected if expected <= 60**2 else np.inf)


def test_walks_with_dangling_nodes_are_counted():
    path = sparse.csr_array((np.ones(3), ([0, 1, 2], [1, 2, 4])), shape=(6, 6))
    assert count_walks(WindowProbabilities(Graph(path, directed=True), 3)) == 3 + 2 + 1


def test_walks_are_not_counted_beyond_the_number_of_pairs():
    full = graph(directed=True)
    assert count_walks(WindowProbabilities(full, 12)) == np.inf


@pytest.mark.parametrize(("directed", "dangling"), [(False, False), (True, False), (True, True)])
@pytest.mark.parametrize("window", [1, (3, 1)])
@pytest.mark.parametrize("null", [Configuration(), DegreeCorrectedSBM(np.repeat(["a", "b", "c"], 20))])
@pytest.mark.parametrize(("floor", "weighting"), [(0.0, 0.0), (-3.0, 0.5), (-100.0, 1.0)])
def test_products_equal_those_of_the_columns(directed, dangling, window, null, floor, weighting, monkeypatch):
    monkeypatch.setattr(reachable, "_PAIRS_AT_ONCE", 8)  # fewer than the pairs of some rows
    full = graph(directed, dangling)
    probabilities = WindowProbabilities(full, window)
    matrix = ResidualMatrix(probabilities, null.fit(full, window), floor, weighting)
    dense = matrix.columns(np.arange(60)).astype(np.float64)
    pairs = ReachablePairs(matrix)
    X = np.random.default_rng(1).standard_normal((60, 5)).astype(np.float32)
    tolerance = 3e-6 * np.linalg.norm(dense)
    np.testing.assert_allclose(pairs.matmat(X), dense @ X, atol=tolerance)
    np.testing.assert_allclose(pairs.rmatmat(X), dense.T @ X, atol=tolerance)
    both = np.concatenate([dense.T @ X, dense @ (dense.T @ X)], axis=1)
    np.testing.assert_allclose(pairs.gram(X), both, atol=tolerance * np.linalg.norm(dense))
    assert pairs.n_pairs < 60**2


def test_a_sparse_product_equals_that_of_scipy():
    matrix = sparse.random_array((40, 40), density=0.1, rng=0, format="csr", dtype=np.float32)
    X = np.random.default_rng(0).standard_normal((40, 3)).astype(np.float32)
    np.testing.assert_allclose(sparse_product(matrix, matrix.data, X), matrix @ X, rtol=1e-5)
