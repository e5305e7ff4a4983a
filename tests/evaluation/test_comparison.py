import numpy as np
import pytest
from scipy import stats

from residuum.errors import InvalidParameterError
from residuum.evaluation import mean_interval, paired_comparison


def test_interval_and_p_value_are_those_of_scipy():
    one, other = np.random.default_rng(0).random((2, 7))
    reference = stats.ttest_rel(one, other)
    result = paired_comparison(one, other, confidence=0.8)
    expected = reference.confidence_interval(0.8)
    np.testing.assert_allclose([result.difference.low, result.difference.high], [expected.low, expected.high])
    assert result.p_value == pytest.approx(reference.pvalue)
    assert result.difference == mean_interval(one - other, confidence=0.8)


@pytest.mark.parametrize("n_runs", [2, 3, 5, 30])
@pytest.mark.parametrize("draw", ["normal", "uniform", "laplace"])
def test_n7_a_90_percent_interval_covers_the_mean_in_90_percent_of_cases(n_runs, draw):
    # Standard error of the coverage: 0.005. The percentile bootstrap covers 0.78 at 5 normal runs.
    rng = np.random.default_rng(n_runs)
    centered = {"normal": rng.normal, "uniform": lambda size: rng.uniform(-1, 1, size), "laplace": rng.laplace}[draw]
    intervals = [mean_interval(3.0 + run) for run in centered(size=(4000, n_runs))]
    covered = np.mean([interval.low <= 3.0 <= interval.high for interval in intervals])
    # Tails heavier or lighter than normal shift the coverage of very few runs a little.
    assert covered == pytest.approx(0.9, abs=0.02 if draw == "normal" or n_runs >= 5 else 0.06)
    if n_runs == 5:
        assert 0.87 <= covered <= 0.93


@pytest.mark.parametrize("n_runs", [2, 3, 5, 30])
def test_n7_methods_of_equal_quality_differ_in_10_percent_of_cases(n_runs):
    scores = np.random.default_rng(10 + n_runs).normal(0.8, 0.05, (4000, 2, n_runs))
    differ = np.mean([paired_comparison(one, other).differs for one, other in scores])
    assert differ == pytest.approx(0.1, abs=0.02)


def test_n7_the_test_rejects_exactly_if_the_interval_excludes_zero():
    for one, other in np.random.default_rng(0).normal(0.5, 1.0, (500, 2, 4)):
        comparison = paired_comparison(one + 0.7, other)
        assert comparison.differs == (comparison.p_value < 0.1)


def test_n7_a_single_split_has_no_interval_and_cannot_be_tested():
    comparison = paired_comparison([0.9], [0.1])
    assert (comparison.testable, comparison.differs) == (False, False)
    assert np.isnan([comparison.p_value, comparison.difference.low, comparison.difference.high]).all()
    assert comparison.difference.mean == pytest.approx(0.8)
    two = paired_comparison([0.9, 0.8], [0.1, 0.2])
    assert (two.testable, two.differs) == (True, True)


@pytest.mark.parametrize("values", [[], [1.0, np.nan], [[1.0]]])
def test_empty_nested_or_nan_values_are_rejected(values):
    with pytest.raises(InvalidParameterError, match="values must be a list of at least one number between"):
        mean_interval(values)


def test_a_small_consistent_difference_is_detected_across_hard_and_easy_splits():
    rng = np.random.default_rng(0)
    split = rng.normal(0.8, 0.1, 30)
    result = paired_comparison(split + 0.01 + rng.normal(0, 0.002, 30), split)
    assert result.difference.mean == pytest.approx(0.01, abs=0.002)
    assert result.differs
    assert result.wins == 1.0
    assert result.p_value < 0.001


def test_constant_differences_have_a_point_as_interval():
    same = paired_comparison([0.5, 0.6], [0.5, 0.6])
    assert (same.difference.mean, same.wins, same.p_value, same.differs) == (0.0, 0.5, 1.0, False)
    shifted = paired_comparison([1.5, 2.5], [1.0, 2.0])
    assert (shifted.difference.low, shifted.difference.high, shifted.p_value) == (0.5, 0.5, 0.0)


def test_scores_of_different_splits_are_rejected():
    with pytest.raises(InvalidParameterError, match="same splits; got 2 and 1"):
        paired_comparison([1.0, 2.0], [1.0])


@pytest.mark.parametrize("values", [[1e155, 2.0], ["x", "y"], [np.nan, 1.0], [], [[1.0]]])
def test_values_that_are_no_scores_are_refused(values):
    with pytest.raises(InvalidParameterError, match="values"):
        mean_interval(values)
    assert paired_comparison([1e100, 0.0], [-1e100, 0.0]).difference.mean == 1e100
