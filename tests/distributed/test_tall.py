import numpy as np
import pytest

from residuum.distributed.grid import Grid
from residuum.distributed.stages import Stages
from residuum.distributed.tall import TallMatrix
from residuum.residual.linalg import qr


@pytest.fixture
def tall(cluster, tmp_path):
    """Return a matrix of rank 5 with 6 columns, on storage and in memory."""
    X = np.random.default_rng(0).standard_normal((50, 6)).astype(np.float32)
    X[:, 5] = X[:, 0] - 2 * X[:, 1]
    stages = Stages(tmp_path)
    grid = Grid(stages, stages, (0, 20, 21, 50), directed=False)
    for part in range(3):
        stages.save(f"x-{part}", X[grid.nodes(part)])
    return TallMatrix(cluster, grid, "x", 6), X


def content(matrix):
    return np.concatenate([matrix.grid.stages.load(f"{matrix.name}-{part}") for part in range(3)])


def test_gram_and_products_are_those_of_the_whole_matrix(tall):
    matrix, X = tall
    T = np.arange(12.0).reshape(6, 2)
    product = matrix.times(T, "y")
    np.testing.assert_allclose(content(product), X @ T, rtol=1e-5, atol=1e-4)
    np.testing.assert_allclose(matrix.gram(product), X.T @ (X @ T), rtol=1e-4, atol=1e-3)
    np.testing.assert_allclose(matrix.gram(), X.T @ X, rtol=1e-4, atol=1e-3)


def test_the_basis_is_orthonormal_and_spans_the_columns(tall):
    matrix, X = tall
    Q, R = matrix.qr("q")
    basis = content(Q).astype(np.float64)
    np.testing.assert_allclose(basis.T @ basis, np.eye(5), atol=1e-6)
    np.testing.assert_allclose(basis @ R, X, atol=1e-5)
    assert qr(X)[0].shape == basis.shape


def test_extremes_are_the_entries_with_the_largest_magnitude(tall):
    matrix, X = tall
    np.testing.assert_array_equal(matrix.extremes(), X[np.abs(X).argmax(axis=0), np.arange(6)])
