import numpy as np
import pytest

from residuum._checkpoint import Store
from residuum.residual import TiledMatrix, krylov, krylov_spaces
from residuum.residual.krylov import factorize, ritz_errors

K = 12


def operator(matrix):
    return TiledMatrix(matrix.columns, 700, symmetric=matrix.symmetric, width=256, memory_limit=1 << 30)


def start(seed=0):
    return np.random.default_rng(seed).standard_normal((700, K + 16)).astype(np.float32)


def test_leading_values_and_residual_match_the_dense_svd(matrix, dense_matrix):
    factors = factorize(operator(matrix), start(), K, 1e-4, Store())
    exact = np.linalg.svd(dense_matrix, compute_uv=False)[:K]
    np.testing.assert_allclose(factors.values, exact, rtol=1e-4)
    assert (np.abs(factors.values - exact) <= factors.errors + 1e-6 * exact[0]).all()
    assert factors.relative_error <= 1e-4


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
    loose = factorize(operator(symmetric_matrix), start(), K, 0.05, Store())
    tight = factorize(operator(symmetric_matrix), start(), K, 1e-5, Store())
    assert loose.passes < tight.passes
    assert tight.relative_error <= 1e-5 < loose.relative_error <= 0.05


@pytest.mark.parametrize("n_blocks", [2, 3])
def test_a_small_basis_restarts_and_converges_to_the_same_factors(matrix, dense_matrix, monkeypatch, n_blocks):
    monkeypatch.setattr(krylov_spaces, "BLOCKS", 3 * n_blocks)
    monkeypatch.setattr(krylov, "_MAX_PRODUCTS", 60)
    factors = factorize(operator(matrix), start(), K, 1e-4, Store())
    assert factors.passes > n_blocks
    np.testing.assert_allclose(factors.values, np.linalg.svd(dense_matrix, compute_uv=False)[:K], rtol=1e-4)
    assert factors.relative_error <= 1e-4


def low_rank(symmetric):
    rng = np.random.default_rng(0)
    X, Y = rng.standard_normal((2, 700, 5)).astype(np.float32)
    return X @ X.T if symmetric else X @ Y.T


@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize("memory_limit", [1 << 30, 1 << 18])
def test_n3_values_and_vectors_beyond_the_rank_are_zero(symmetric, memory_limit):
    dense_matrix = low_rank(symmetric)
    tiles = TiledMatrix(
        lambda nodes: dense_matrix[:, nodes].copy(), 700, symmetric=symmetric, width=64, memory_limit=memory_limit
    )
    factors = factorize(tiles, start(), K, 1e-4, Store())
    assert factors.left.shape == factors.right.shape == (700, K)
    np.testing.assert_allclose(factors.values[:5], np.linalg.svd(dense_matrix, compute_uv=False)[:5], rtol=1e-4)
    assert not factors.values[5:].any()
    assert not factors.left[:, 5:].any()


@pytest.mark.parametrize("symmetric", [True, False])
def test_n4_small_singular_values_below_a_large_constant_are_accurate(symmetric):
    rng = np.random.default_rng(0)
    values = np.concatenate([np.linspace(70, 60, 40), np.linspace(59, 1, 660)])
    left, right = (np.linalg.qr(rng.standard_normal((700, 700)))[0] for _ in range(2))
    right = left if symmetric else right
    dense_matrix = ((left * values) @ right.T - 70.0).astype(np.float32)
    tiles = TiledMatrix(
        lambda nodes: dense_matrix[:, nodes].copy(), 700, symmetric=symmetric, width=64, memory_limit=1 << 30
    )
    factors = factorize(tiles, start(), K, 1e-4, Store())
    np.testing.assert_allclose(factors.values, np.linalg.svd(dense_matrix, compute_uv=False)[:K], rtol=1e-4)


def test_n10_non_symmetric_vectors_are_orthonormal_below_a_large_constant():
    rng = np.random.default_rng(0)
    dense_matrix = (rng.standard_normal((700, 700)) - 3000.0).astype(np.float32)
    tiles = TiledMatrix(
        lambda nodes: dense_matrix[:, nodes].copy(), 700, symmetric=False, width=64, memory_limit=1 << 30
    )
    factors = factorize(tiles, start(), K, 1e-3, Store())
    for vectors in (factors.left, factors.right):
        np.testing.assert_allclose(vectors.T @ vectors, np.eye(K), atol=1e-4)


def test_errors_are_squared_residuals_over_the_gap_between_a_tenth_of_the_residual_and_all_of_it():
    values, lengths = np.array([5.0, 3.0, 1.0, 1.0]), np.array([2.0, 0.01, 1e-9, 0.5])
    np.testing.assert_allclose(ritz_errors(values, lengths, 1e-8), [2.0**2 / 4, 0.001, 0.0, 0.5])
