import numpy as np
import pytest

from residuum._checkpoint import Store
from residuum.residual import TiledMatrix, krylov
from residuum.residual.krylov import factorize

K = 12


def operator(matrix):
    return TiledMatrix(matrix.columns, 700, symmetric=matrix.symmetric, width=256, memory_limit=1 << 30)


def start(seed=0):
    return np.random.default_rng(seed).standard_normal((700, K + 16)).astype(np.float32)


def test_leading_values_and_residual_match_the_dense_svd(matrix, dense_matrix):
    factors = factorize(operator(matrix), start(), K, 1e-4, Store())
    exact = np.linalg.svd(dense_matrix, compute_uv=False)[:K]
    np.testing.assert_allclose(factors.values, exact, rtol=1e-4)
    missing = dense_matrix @ factors.right - factors.left * factors.values
    assert np.linalg.norm(missing) / np.linalg.norm(exact) == pytest.approx(factors.residual, abs=1e-4)
    assert factors.residual <= 1e-4


def test_vectors_are_orthonormal_and_reproduce_the_best_approximation(matrix, dense_matrix):
    factors = factorize(operator(matrix), start(), K, 1e-4, Store())
    for vectors in (factors.left, factors.right):
        np.testing.assert_allclose(vectors.T @ vectors, np.eye(K), atol=1e-4)
    best = np.linalg.svd(dense_matrix)
    approximation = (factors.left * factors.values) @ factors.right.T
    optimum = (best[0][:, :K] * best[1][:K]) @ best[2][:K]
    assert np.linalg.norm(approximation - optimum) < 1e-2 * np.linalg.norm(optimum)


def test_right_vectors_of_a_symmetric_matrix_equal_the_left_up_to_sign(symmetric_matrix):
    factors = factorize(operator(symmetric_matrix), start(), K, 1e-3, Store())
    signs = np.sign(np.sum(factors.left * factors.right, axis=0))
    np.testing.assert_array_equal(factors.right, factors.left * signs.astype(np.float32))
    assert (signs < 0).any()


def test_iteration_stops_at_the_tolerance(symmetric_matrix):
    loose = factorize(operator(symmetric_matrix), start(), K, 0.2, Store())
    tight = factorize(operator(symmetric_matrix), start(), K, 1e-3, Store())
    assert loose.passes < tight.passes
    assert loose.residual <= 0.2


@pytest.mark.parametrize("n_blocks", [2, 3])
def test_a_small_basis_restarts_and_converges_to_the_same_factors(matrix, dense_matrix, monkeypatch, n_blocks):
    monkeypatch.setattr(krylov, "_BLOCKS", 3 * n_blocks)
    monkeypatch.setattr(krylov, "_MAX_PRODUCTS", 60)
    factors = factorize(operator(matrix), start(), K, 1e-4, Store())
    assert factors.passes > n_blocks
    np.testing.assert_allclose(factors.values, np.linalg.svd(dense_matrix, compute_uv=False)[:K], rtol=1e-4)
    assert factors.residual <= 1e-4
