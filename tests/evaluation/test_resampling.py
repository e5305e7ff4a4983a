import itertools

import numpy as np
import pytest

from residuum.errors import InvalidParameterError
from residuum.evaluation import bootstrap_interval, paired_comparison


def test_interval_is_close_to_that_of_all_resamples():
    values = np.array([1.0, 2.0, 4.0, 9.0])
    means = [np.mean(draw) for draw in itertools.product(values, repeat=4)]
    result = bootstrap_interval(values, confidence=0.8, n_resamples=200_000)
    assert result.mean == 4.0
    np.testing.assert_allclose([result.low, result.high], np.quantile(means, [0.1, 0.9]), atol=0.02)


def test_interval_covers_the_mean_with_its_confidence():
    rng = np.random.default_rng(0)
    covered = [
        interval.low <= 3.0 <= interval.high
        for interval in (bootstrap_interval(rng.normal(3.0, 1.0, 30), n_resamples=1000) for _ in range(400))
    ]
    assert np.mean(covered) == pytest.approx(0.9, abs=0.05)


def test_the_same_seed_gives_the_same_interval():
    assert bootstrap_interval([1.0, 5.0, 2.0]) == bootstrap_interval([1.0, 5.0, 2.0])


@pytest.mark.parametrize("values", [[], [1.0, np.nan], [[1.0]]])
def test_empty_nested_or_nan_values_are_rejected(values):
    with pytest.raises(InvalidParameterError, match="values must be a list of at least one finite number"):
        bootstrap_interval(values)


def test_a_small_consistent_difference_is_detected_across_hard_and_easy_splits():
    rng = np.random.default_rng(0)
    split = rng.normal(0.8, 0.1, 30)
    result = paired_comparison(split + 0.01 + rng.normal(0, 0.002, 30), split)
    assert result.difference.mean == pytest.approx(0.01, abs=0.002)
    assert result.differs
    assert result.wins == 1.0
    assert result.p_value < 0.001


def test_methods_of_equal_quality_do_not_differ():
    rng = np.random.default_rng(1)
    result = paired_comparison(rng.normal(0, 1, 30), rng.normal(0, 1, 30))
    assert not result.differs
    assert result.p_value > 0.05
    same = paired_comparison([0.5, 0.6], [0.5, 0.6])
    assert (same.difference.mean, same.wins, same.p_value) == (0.0, 0.5, 1.0)


def test_p_value_computed_by_hand():
    # Of the eight sums ±1 ±2 ±4, four have an absolute value of at least 5, and six of at least 3.
    assert paired_comparison([2.0, 4.0, 0.0], [0.0, 0.0, 1.0]).p_value == 0.5
    assert paired_comparison([1.0, 2.0, 4.0], [0.0, 4.0, 0.0]).p_value == 0.75


def test_sampled_sign_flips_agree_with_all_sign_flips():
    rng = np.random.default_rng(2)
    difference = rng.normal(0.4, 1.0, 14)
    signs = np.array(list(itertools.product([1, -1], repeat=14)))
    exact = np.mean(np.abs(signs @ difference) >= abs(difference.sum()) - 1e-12)
    result = paired_comparison(difference, np.zeros(14), n_resamples=50_000)
    assert result.p_value == pytest.approx(exact, abs=0.01)


def test_scores_of_different_splits_are_rejected():
    with pytest.raises(InvalidParameterError, match="same splits; got 2 and 1"):
        paired_comparison([1.0, 2.0], [1.0])


def test_the_interval_of_a_comparison_is_that_of_the_differences():
    one, other = np.random.default_rng(0).random((2, 20))
    expected = bootstrap_interval(one - other, confidence=0.9, n_resamples=10_000)
    assert paired_comparison(one, other).difference == expected
    assert paired_comparison(one, other, confidence=0.5).difference.high < expected.high


def test_a_single_split_never_differs_but_two_can():
    assert not paired_comparison([0.9], [0.1]).differs
    assert paired_comparison([0.9, 0.8], [0.1, 0.2]).differs
