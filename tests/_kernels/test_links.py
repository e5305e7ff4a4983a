import numpy as np
import pytest

from kernel_ranges import uneven_ranges
from residuum._kernels.links import link_gradient


def edges(n_edges, n_negatives, seed=0, n_nodes=20, scale=1.0):
    rng = np.random.default_rng(seed)
    H = (scale * rng.normal(size=(n_nodes, 6))).astype(np.float32)
    sources, targets = rng.integers(n_nodes, size=(2, n_edges))
    negatives = rng.integers(n_nodes, size=(n_edges, n_negatives))
    return H, sources, targets, negatives, rng.random(n_edges).astype(np.float32)


def reference(H, sources, targets, negatives, weights):
    """Return the loss and its gradient, pair by pair in float64."""
    H, gradient, loss = H.astype(float), np.zeros(H.shape), 0.0
    for i, j, others, w in zip(sources, targets, negatives, weights, strict=True):
        for node, sign in [(j, -1.0), *((n, 1.0) for n in others)]:
            x = sign * (H[i] @ H[node])
            loss += w * np.logaddexp(0.0, x)
            slope = w * sign / (1.0 + np.exp(-x))
            gradient[i] += slope * H[node]
            gradient[node] += slope * H[i]
    return loss, gradient


def computed(arrays, n_ranges=1):
    """Return the loss and its gradient, summed over ranges of edges."""
    H, sources = arrays[:2]
    loss, total = 0.0, np.zeros_like(H)
    for begin, end in uneven_ranges(len(sources), n_ranges):
        gradient = np.full_like(H, np.nan)
        loss += link_gradient(*arrays, gradient, begin, end)
        total += gradient
    return loss, total


@pytest.mark.parametrize("n_ranges", [1, 2, 5])
@pytest.mark.parametrize("n_negatives", [0, 1, 3])
@pytest.mark.parametrize("n_edges", [0, 1, 57])
def test_the_loss_and_its_gradient_equal_the_sum_over_pairs(n_edges, n_negatives, n_ranges):
    arrays = edges(n_edges, n_negatives)
    loss, gradient = computed(arrays, n_ranges)
    expected_loss, expected_gradient = reference(*arrays)
    np.testing.assert_allclose(loss, expected_loss, rtol=1e-5)
    np.testing.assert_allclose(gradient, expected_gradient, rtol=1e-4, atol=1e-5)


def test_the_gradient_equals_finite_differences_also_for_self_loops():
    H, sources, targets, negatives, weights = edges(9, 2, n_nodes=5)
    targets[0], negatives[1, 0] = sources[0], sources[1]
    _, gradient = computed((H, sources, targets, negatives, weights))
    step = 1e-5
    for place in np.ndindex(*H.shape):
        above, below = H.astype(float), H.astype(float)
        above[place] += step
        below[place] -= step
        difference = [reference(moved, sources, targets, negatives, weights)[0] for moved in (above, below)]
        assert gradient[place] == pytest.approx((difference[0] - difference[1]) / (2 * step), rel=1e-3, abs=1e-4)


def test_long_vectors_do_not_overflow():
    arrays = edges(57, 2, scale=20.0)
    assert np.abs(arrays[0] @ arrays[0].T).max() > 1000
    loss, gradient = computed(arrays)
    with np.errstate(over="ignore"):
        expected_loss, expected_gradient = reference(*arrays)
    np.testing.assert_allclose(loss, expected_loss, rtol=1e-5)
    np.testing.assert_allclose(gradient, expected_gradient, rtol=1e-4, atol=1e-3)
