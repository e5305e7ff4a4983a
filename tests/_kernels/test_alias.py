import numpy as np
import pytest

from residuum._kernels.alias import alias_of, draw_place

NO_TABLES = np.empty(0, dtype=np.float32), np.empty(0, dtype=np.int32)
ALMOST_ONE = 1.0 - 2.0**-53


def held_by(threshold, alias):
    """Return the probability of each entry of one segment, from its tables."""
    held = threshold.astype(float)
    np.add.at(held, alias, 1.0 - threshold)
    return held / len(held)


@pytest.mark.parametrize("size", [1, 2, 3, 17, 1000])
def test_alias_tables_hold_the_weights(size):
    rng = np.random.default_rng(size)
    weights = rng.pareto(1.0, 2 * size) * (rng.random(2 * size) < 0.7)
    weights[[0, size]] = 1.0
    threshold, alias = alias_of(np.array([0, size, 2 * size]), weights)
    for segment in (slice(0, size), slice(size, 2 * size)):
        expected = weights[segment] / weights[segment].sum()
        held = held_by(threshold[segment], alias[segment])
        np.testing.assert_allclose(held, expected, rtol=1e-5, atol=1e-7 / size)
        assert not held[expected == 0].any()


@pytest.mark.parametrize("scale", [1e-280, 1e-30, 1e30, 1e280])
def test_the_scale_of_the_weights_does_not_matter(scale):
    weights = np.array([3.0, 1.0, 0.0, 4.0, 8.0])
    held = held_by(*alias_of(np.array([0, 5]), scale * weights))
    np.testing.assert_allclose(held, weights / 16, rtol=1e-6)


def test_weights_of_very_different_size_are_held():
    weights = np.array([1e-20, 1.0, 1e20, 1e-300])
    held = held_by(*alias_of(np.array([0, 4]), weights))
    np.testing.assert_allclose(held, weights / weights.sum(), atol=1e-12)


def test_empty_segments_and_segments_of_zeros_do_not_change_the_others():
    weights = np.array([1.0, 3.0, 0.0, 0.0, 2.0, 2.0, 4.0])
    threshold, alias = alias_of(np.array([0, 2, 2, 4, 7]), weights)
    np.testing.assert_allclose(held_by(threshold[:2], alias[:2]), [0.25, 0.75])
    np.testing.assert_allclose(held_by(threshold[4:], alias[4:]), [0.25, 0.25, 0.5])
    assert ((alias[2:4] >= 0) & (alias[2:4] < 2)).all()


def test_without_weights_the_tables_are_empty():
    threshold, alias = alias_of(np.array([0, 0, 0]), np.empty(0))
    assert threshold.shape == alias.shape == (0,)
    assert (threshold.dtype, alias.dtype) == (np.float32, np.int32)


def test_a_grid_of_uniform_numbers_has_the_frequencies_of_the_weights():
    weights = np.array([9.0, 9.0, 5.0, 0.0, 1.0, 2.0, 9.0, 9.0])
    begin, end, n = 2, 6, 10_000
    tables = alias_of(np.array([0, begin, end, 8]), weights)
    indices = [draw_place(begin, end, (k + 0.5) / n, *tables) for k in range(n)]
    frequency = np.bincount(indices, minlength=8) / n
    np.testing.assert_allclose(frequency, [0, 0, 5 / 8, 0, 1 / 8, 2 / 8, 0, 0], atol=4 / n)


def test_without_tables_the_index_is_uniform():
    indices = [draw_place(3, 7, (k + 0.5) / 400, *NO_TABLES) for k in range(400)]
    np.testing.assert_array_equal(np.bincount(indices), [0, 0, 0, 100, 100, 100, 100])


def test_an_index_is_always_inside_its_segment():
    assert draw_place(3, 10, ALMOST_ONE, *NO_TABLES) == 9
    assert draw_place(3, 10, 0.0, *NO_TABLES) == 3
    assert draw_place(0, 3_000_001, ALMOST_ONE, *NO_TABLES) == 3_000_000
