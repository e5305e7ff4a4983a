import numpy as np
import pytest

from residuum._store import Store
from residuum.residual import ExactResidual
from residuum.residual.krylov import factorise, factorise_dense, fix_signs, orthonormal, tall_product

K = 12


def start(seed=0):
    return np.random.default_rng(seed).standard_normal((700, K + 16)).astype(np.float32)


def test_leading_values_and_the_residual_are_those_of_the_dense_svd(matrix, dense_matrix):
    factors = factorise(ExactResidual(matrix, 1 << 30), start(), K, 1e-4, Store())
    exact = np.linalg.svd(dense_matrix, compute_uv=False)[:K]
    np.testing.assert_allclose(factors.values, exact, rtol=1e-4)
    missing = dense_matrix @ factors.right - factors.left * factors.values
    assert np.linalg.norm(missing) / np.linalg.norm(exact) == pytest.approx(factors.residual, abs=1e-4)
    assert factors.residual <= 1e-4


def test_vectors_are_orthonormal_and_rebuild_the_best_approximation(matrix, dense_matrix):
    factors = factorise(ExactResidual(matrix, 1 << 30), start(), K, 1e-4, Store())
    for vectors in (factors.left, factors.right):
        np.testing.assert_allclose(vectors.T @ vectors, np.eye(K), atol=1e-4)
    best = np.linalg.svd(dense_matrix)
    approximation = (factors.left * factors.values) @ factors.right.T
    optimum = (best[0][:, :K] * best[1][:K]) @ best[2][:K]
    assert np.linalg.norm(approximation - optimum) < 1e-2 * np.linalg.norm(optimum)


def test_symmetric_form_has_right_vectors_equal_to_left_up_to_sign(symmetric_matrix):
    factors = factorise(ExactResidual(symmetric_matrix, 1 << 30), start(), K, 1e-3, Store())
    signs = np.sign(np.sum(factors.left * factors.right, axis=0))
    np.testing.assert_array_equal(factors.right, factors.left * signs.astype(np.float32))
    assert (signs < 0).any()


def test_it_stops_at_the_tolerance(symmetric_matrix):
    loose = factorise(ExactResidual(symmetric_matrix, 1 << 30), start(), K, 0.2, Store())
    tight = factorise(ExactResidual(symmetric_matrix, 1 << 30), start(), K, 1e-3, Store())
    assert loose.passes < tight.passes
    assert loose.residual <= 0.2


@pytest.mark.parametrize("symmetric", [True, False])
def test_dense_factorisation_is_lapacks(symmetric):
    X = np.random.default_rng(0).standard_normal((30, 30))
    X = X + X.T if symmetric else X
    factors = factorise_dense(X.astype(np.float32), 30, symmetric)
    np.testing.assert_allclose((factors.left * factors.values) @ factors.right.T, X, atol=1e-4)
    assert (np.diff(factors.values) <= 1e-9).all()


def test_signs_make_the_largest_entry_of_each_left_vector_positive():
    left = np.array([[0.1, 0.5], [-0.9, 0.2]], dtype=np.float32)
    turned, right = fix_signs(left, left.copy())
    np.testing.assert_array_equal(turned, right)
    assert turned[1, 0] == np.float32(0.9)
    assert turned[0, 1] == np.float32(0.5)


def test_orthonormal_basis_spans_the_columns_and_drops_what_is_not_there():
    X = np.random.default_rng(0).standard_normal((200, 4)).astype(np.float32)
    Q = orthonormal(np.concatenate([X, X[:, :1] + X[:, 1:2]], axis=1))
    assert np.linalg.matrix_rank(Q.astype(float), tol=1e-3) == 4
    np.testing.assert_allclose(Q @ (Q.T @ X), X, atol=1e-4)


def test_tall_product_is_the_float64_product():
    X = np.random.default_rng(0).standard_normal((10_000, 3)).astype(np.float32)
    np.testing.assert_allclose(tall_product(X, X), X.astype(float).T @ X.astype(float), rtol=1e-5, atol=1e-2)
