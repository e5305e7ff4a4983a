import numpy as np
import pytest
from scipy import sparse

from kernel_ranges import over_ranges, uneven_ranges
from residuum._kernels.attention import attend, attend_back


def neighborhood(n, density, seed=0):
    """Return the CSR arrays of an undirected graph with self-loops."""
    A = np.random.default_rng(seed).random((n, n)) < density
    matrix = sparse.csr_array(A | A.T | np.eye(n, dtype=bool))
    return matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64)


def inputs(n, n_heads=2, width=3, scale=1.0, seed=1):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, n_heads, width)).astype(np.float32)
    source, target = (scale * rng.normal(size=(2, n, n_heads))).astype(np.float32)
    return X, source, target


def reference(indptr, indices, X, source, target):
    """Return y and the log of the normalizing constant, node by node in float64."""
    X, source, target = (array.astype(float) for array in (X, source, target))
    y, log_total = np.empty_like(X), np.empty_like(source)
    for i in range(len(X)):
        neighbors = indices[indptr[i] : indptr[i + 1]]
        z = source[neighbors] + target[i]
        z = np.where(z > 0, z, 0.2 * z)
        log_total[i] = np.logaddexp.reduce(z, axis=0)
        y[i] = np.einsum("jh,jhc->hc", np.exp(z - log_total[i]), X[neighbors])
    return y, log_total


def attended(graph, arrays, n_ranges=1):
    out, log_total = np.full_like(arrays[0], np.nan), np.full_like(arrays[1], np.nan)
    over_ranges(attend, *graph, *arrays, out, log_total, length=len(out), n_ranges=n_ranges)
    return out, log_total


def gradients(graph, arrays, G, n_ranges=1):
    """Return the gradients with respect to X and s, and the contribution of each range to that with respect to t."""
    X, source, _ = arrays
    out, log_total = attended(graph, arrays)
    mean_dot = (G * out).sum(axis=2)
    X_back, source_back = np.full_like(X, np.nan), np.full_like(source, np.nan)
    target_backs = np.full((n_ranges, *source.shape), np.nan, dtype=np.float32)
    for target_back, (begin, end) in zip(target_backs, uneven_ranges(len(X), n_ranges), strict=True):
        attend_back(*graph, *arrays, mean_dot, log_total, G, X_back, source_back, target_back, begin, end)
    return X_back, source_back, target_backs


@pytest.mark.parametrize("n", [1, 2, 15])
@pytest.mark.parametrize("scale", [0.0, 1.0, 300.0])
def test_attention_equals_the_softmax_over_neighbors(scale, n):
    graph, arrays = neighborhood(n, 0.3), inputs(n, scale=scale)
    out, log_total = attended(graph, arrays)
    expected, expected_log = reference(*graph, *arrays)
    np.testing.assert_allclose(out, expected, rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(log_total, expected_log, rtol=1e-5, atol=1e-5)


def test_a_node_with_one_neighbor_copies_it():
    graph, (X, source, target) = (np.array([0, 1, 2]), np.array([1, 0])), inputs(2, scale=50.0)
    np.testing.assert_array_equal(attended(graph, (X, source, target))[0], X[[1, 0]])


@pytest.mark.parametrize("n_ranges", [1, 3, 20])
def test_gradients_equal_finite_differences(n_ranges):
    graph, arrays = neighborhood(7, 0.3), inputs(7)
    G = np.random.default_rng(2).normal(size=arrays[0].shape).astype(np.float32)
    X_back, source_back, target_backs = gradients(graph, arrays, G, n_ranges)
    exact = [array.astype(float) for array in arrays]
    for moved, gradient in zip(exact, (X_back, source_back, target_backs.sum(axis=0)), strict=True):
        expected = np.empty_like(moved)
        for place in np.ndindex(*moved.shape):
            kept, values = moved[place], []
            for step in (1e-6, -1e-6):
                moved[place] = kept + step
                values.append((G * reference(*graph, *exact)[0]).sum())
            moved[place] = kept
            expected[place] = (values[0] - values[1]) / 2e-6
        np.testing.assert_allclose(gradient, expected, rtol=1e-3, atol=1e-4)


def test_large_scores_do_not_overflow_in_the_gradient():
    graph, arrays = neighborhood(15, 0.3), inputs(15, scale=300.0)
    for gradient in gradients(graph, arrays, np.ones_like(arrays[0])):
        assert np.isfinite(gradient).all()


def test_the_result_does_not_depend_on_the_ranges():
    graph, arrays = neighborhood(120, 0.1), inputs(120)
    G = np.random.default_rng(2).normal(size=arrays[0].shape).astype(np.float32)
    for once, parts in zip(attended(graph, arrays), attended(graph, arrays, 5), strict=True):
        np.testing.assert_array_equal(once, parts)
    *once, target_back = gradients(graph, arrays, G)
    *parts, target_backs = gradients(graph, arrays, G, 5)
    np.testing.assert_array_equal(once[0], parts[0])
    np.testing.assert_array_equal(once[1], parts[1])
    np.testing.assert_allclose(target_backs.sum(axis=0), target_back[0], rtol=1e-4, atol=1e-5)
