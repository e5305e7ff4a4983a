import numpy as np
import pytest

from kernel_ranges import over_ranges
from residuum._kernels.ratios import divide_by_expected, floor_and_scale

LOWEST = np.float32(np.exp(-3.0))


def sides(n, m, n_groups, seed=0):
    """Return observed probabilities, and the factors, weights and groups of the null model."""
    rng = np.random.default_rng(seed)
    P = (rng.random((n, m)) * (rng.random((n, m)) < 0.7)).astype(np.float32)
    factors = [rng.random(size).astype(np.float32) for size in (n, m)]
    weights = rng.random((n_groups, n_groups)).astype(np.float32)
    groups = [rng.integers(n_groups, size=size).astype(np.int32) for size in (n, m)]
    return P, *factors, weights, *groups


def expected_ratios(P, a, b, W, g, h):
    null = np.outer(a, b).astype(float) * W[np.ix_(g, h)]
    ratio = np.divide(P, null, out=np.zeros(P.shape), where=null > 0)
    return np.maximum(ratio, LOWEST)


@pytest.mark.parametrize("shape", [(9, 6), (1, 1), (0, 3), (3, 0)])
@pytest.mark.parametrize("n_groups", [1, 3])
def test_ratios_equal_the_dense_formula(n_groups, shape):
    P, *null = sides(*shape, n_groups)
    expected = expected_ratios(P, *null)
    divide_by_expected(P, *null, LOWEST, 0, len(P))
    np.testing.assert_allclose(P, expected, rtol=1e-5)


@pytest.mark.parametrize("n_groups", [1, 3])
def test_pairs_that_the_null_model_excludes_get_the_lowest_ratio(n_groups):
    P, a, b, *null = sides(9, 6, n_groups)
    P[:] = 1.0
    a[2] = b[4] = 0.0
    divide_by_expected(P, a, b, *null, LOWEST, 0, len(P))
    assert (P[2] == LOWEST).all()
    assert (P[:, 4] == LOWEST).all()
    assert np.isfinite(P).all()


@pytest.mark.parametrize("n_groups", [1, 3])
def test_tiny_probabilities_have_the_right_ratio(n_groups):
    P, a, b, W, *groups = sides(9, 6, n_groups)
    P, b = P * np.float32(1e-30), b * np.float32(1e-30)
    expected = expected_ratios(P, a, b, W, *groups)
    divide_by_expected(P, a, b, W, *groups, LOWEST, 0, len(P))
    np.testing.assert_allclose(P, expected, rtol=1e-5)


def test_residuals_are_floored_and_scaled():
    R = np.array([[-5.0, -1.0, 2.0], [-np.inf, 0.0, 1e30]], dtype=np.float32)
    s, t = np.array([1.0, 0.5], dtype=np.float32), np.array([1.0, 2.0, 3.0], dtype=np.float32)
    expected = np.outer(s, t) * np.maximum(R, -3.0)
    floor_and_scale(R, s, t, np.float32(-3.0), 0, len(R))
    np.testing.assert_allclose(R, expected, rtol=1e-6)


def test_a_scale_of_zero_clears_rows_and_columns():
    R = np.random.default_rng(0).normal(size=(5, 4)).astype(np.float32)
    R[2, 3] = -np.inf
    s, t = np.ones(5, dtype=np.float32), np.ones(4, dtype=np.float32)
    s[2] = t[0] = 0.0
    floor_and_scale(R, s, t, np.float32(-1.0), 0, len(R))
    assert not R[2].any()
    assert not R[:, 0].any()
    assert R[[0, 1, 3, 4], 1:].all()


@pytest.mark.parametrize("n_groups", [1, 3])
def test_the_result_does_not_depend_on_the_ranges(n_groups):
    results = []
    for n_ranges in (1, 5):
        P, *null = sides(200, 50, n_groups)
        over_ranges(divide_by_expected, P, *null, LOWEST, length=200, n_ranges=n_ranges)
        R = np.log(P)
        over_ranges(floor_and_scale, R, null[0], null[1], np.float32(-2.0), length=200, n_ranges=n_ranges)
        results.append((P, R))
    for once, parts in zip(*results, strict=True):
        np.testing.assert_array_equal(once, parts)
