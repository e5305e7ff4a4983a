import numpy as np
import pytest

from residuum.residual.linalg import (
    Factors,
    factorize_dense,
    fix_signs,
    leading_eigenpairs,
    orthonormal,
    padded,
    qr,
    tall_product,
)


def test_leading_eigenpairs_have_the_largest_magnitudes():
    rng = np.random.default_rng(0)
    basis = np.linalg.qr(rng.standard_normal((5, 5)))[0]
    matrix = (basis * [1.0, -4.0, 0.5, 3.0, -0.1]) @ basis.T
    magnitudes, signs, vectors = leading_eigenpairs(matrix, 3)
    np.testing.assert_allclose(magnitudes, [4.0, 3.0, 1.0])
    np.testing.assert_array_equal(signs, [-1, 1, 1])
    np.testing.assert_allclose(matrix @ vectors, vectors * (signs * magnitudes), atol=1e-12)


def test_qr_reproduces_the_columns_and_drops_dependent_directions():
    X = np.random.default_rng(0).standard_normal((200, 4)).astype(np.float32)
    X = np.concatenate([X, X[:, :1] + X[:, 1:2]], axis=1)
    Q, R = qr(X)
    assert Q.shape == (200, 4)
    np.testing.assert_allclose(Q.T @ Q, np.eye(4), atol=1e-5)
    np.testing.assert_allclose(Q @ R, X, atol=1e-4)


@pytest.mark.parametrize("symmetric", [True, False])
def test_dense_factors_reproduce_the_matrix(symmetric):
    X = np.random.default_rng(0).standard_normal((30, 30))
    X = X + X.T if symmetric else X
    factors = factorize_dense(X.astype(np.float32), 30, symmetric)
    np.testing.assert_allclose((factors.left * factors.values) @ factors.right.T, X, atol=1e-4)
    assert (np.diff(factors.values) <= 1e-9).all()


def test_fixed_signs_make_the_largest_entry_of_each_left_vector_positive():
    left = np.array([[0.1, 0.5], [-0.9, 0.2]], dtype=np.float32)
    fixed, right = fix_signs(left, left.copy())
    np.testing.assert_array_equal(fixed, right)
    assert fixed[1, 0] == np.float32(0.9)
    assert fixed[0, 1] == np.float32(0.5)


def test_orthonormal_basis_spans_the_columns_and_drops_dependent_directions():
    X = np.random.default_rng(0).standard_normal((200, 4)).astype(np.float32)
    Q = orthonormal(np.concatenate([X, X[:, :1] + X[:, 1:2]], axis=1))
    assert np.linalg.matrix_rank(Q.astype(float), tol=1e-3) == 4
    np.testing.assert_allclose(Q @ (Q.T @ X), X, atol=1e-4)


@pytest.mark.parametrize(("precise", "error"), [(True, 1e-12), (False, 1e-6)])
@pytest.mark.parametrize("n_rows", [1, 1000, 70_000])
def test_tall_product_matches_the_float64_product(n_rows, precise, error):
    X, Y = np.random.default_rng(0).standard_normal((2, n_rows, 3)).astype(np.float32)
    expected = X.astype(float).T @ Y.astype(float)
    np.testing.assert_allclose(tall_product(X, Y, precise=precise), expected, atol=error * n_rows)


@pytest.mark.parametrize("errors", [None, np.array([0.1, 0.2])], ids=["exact", "estimated errors"])
def test_padded_factors_have_zero_values_vectors_and_errors_beyond_the_rank(errors):
    left, right = np.linalg.qr(np.random.default_rng(0).standard_normal((2, 6, 2)))[0].astype(np.float32)
    factors = Factors(left, np.array([3.0, 2.0]), right, passes=3, errors=errors)
    assert padded(factors, 2) is factors
    wide = padded(factors, 5)
    np.testing.assert_array_equal(wide.values, [3, 2, 0, 0, 0])
    np.testing.assert_array_equal(wide.left, np.hstack([left, np.zeros((6, 3))]))
    np.testing.assert_array_equal(wide.right, np.hstack([right, np.zeros((6, 3))]))
    assert wide.passes == 3
    assert wide.errors is None if errors is None else wide.errors.tolist() == [0.1, 0.2, 0, 0, 0]


def test_the_lost_share_follows_from_the_errors_of_the_values():
    X, values, errors = np.eye(3, dtype=np.float32), np.array([3.0, 2.0, 1.0]), 1e-6 * np.array([1.0, 4.0, 2.0])
    lost = np.sum((values + errors) ** 2 - values**2)
    assert Factors(X, values, X, errors=errors).lost_share == pytest.approx(np.sqrt(lost / np.sum(values**2)), rel=1e-5)
    assert Factors(X, values, X).lost_share == 0.0
    assert Factors(X, 0 * values, X, errors=errors).lost_share == 0.0
