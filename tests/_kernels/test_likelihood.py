import numpy as np
import pytest

from kernel_ranges import over_ranges
from residuum._kernels.likelihood import negate_and_clip, slopes

LARGEST = np.float32(30.0)


def scores_and_ratios(shape, seed=0):
    rng = np.random.default_rng(seed)
    scores = rng.normal(scale=4.0, size=shape).astype(np.float32)
    ratios = (rng.pareto(1.0, size=shape) * (rng.random(shape) < 0.6)).astype(np.float32)
    return scores, ratios, rng.random(shape[0]).astype(np.float32)


def to_slopes(scores, ratios, weights, n_ranges=1):
    """Replace scores by slopes in place, and return the clipped scores."""
    over_ranges(negate_and_clip, scores, LARGEST, length=len(scores), n_ranges=n_ranges)
    clipped = scores.copy()
    np.exp(scores, out=scores)
    over_ranges(slopes, scores, ratios, weights, length=len(scores), n_ranges=n_ranges)
    return clipped


@pytest.mark.parametrize("shape", [(7, 5), (1, 1), (0, 4), (3, 0)])
def test_the_two_kernels_and_an_exponential_give_the_slope_of_the_likelihood(shape):
    scores, ratios, weights = scores_and_ratios(shape)
    sigma = 1 / (1 + np.exp(-scores.astype(float)))
    expected = weights[:, None] * (ratios * (1 - sigma) - sigma)
    to_slopes(scores, ratios, weights)
    np.testing.assert_allclose(scores, expected, rtol=1e-5, atol=1e-6)


def test_scores_are_negated_and_clipped():
    scores = np.array([[-1e30, -31, -30, -0.5, 0, 2, 30, 1e30, np.inf, -np.inf]], dtype=np.float32)
    expected = np.clip(-scores, -30, 30)
    negate_and_clip(scores, LARGEST, 0, 1)
    np.testing.assert_array_equal(scores, expected)


def test_slopes_of_extreme_scores_are_finite():
    scores = np.array([[-1e6, 1e6, -1e6, 1e6]], dtype=np.float32)
    ratios = np.array([[0, 0, 1e6, 1e6]], dtype=np.float32)
    to_slopes(scores, ratios, np.ones(1, dtype=np.float32))
    np.testing.assert_allclose(scores, [[0, -1, 1e6, -1]], rtol=1e-5, atol=1e-6)


def test_the_result_does_not_depend_on_the_ranges():
    results = []
    for n_ranges in (1, 5):
        scores, ratios, weights = scores_and_ratios((300, 40))
        results.append((to_slopes(scores, ratios, weights, n_ranges), scores))
    for once, parts in zip(*results, strict=True):
        np.testing.assert_array_equal(once, parts)
