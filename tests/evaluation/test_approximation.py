import numpy as np
import pytest
from scipy.stats import pearsonr

from residuum.errors import InvalidParameterError
from residuum.evaluation import log_probability_correlation

RNG = np.random.default_rng(0)
EXACT = RNG.dirichlet(np.ones(30), size=4)


def test_correlation_is_the_mean_of_scipys():
    other = EXACT * RNG.lognormal(0, 0.5, EXACT.shape)
    expected = np.mean([pearsonr(np.log(a), np.log(b))[0] for a, b in zip(other, EXACT, strict=True)])
    assert log_probability_correlation(other, EXACT) == pytest.approx(expected)
    pooled = pearsonr(np.log(other).ravel(), np.log(EXACT).ravel())[0]
    assert log_probability_correlation(other, EXACT, pooled=True) == pytest.approx(pooled)


def test_powers_of_the_truth_are_perfect_and_noise_is_nothing():
    assert log_probability_correlation(EXACT**2, EXACT) == pytest.approx(1.0)
    noise = np.random.default_rng(1).dirichlet(np.ones(2000), size=(2, 5))
    assert log_probability_correlation(*noise) == pytest.approx(0.0, abs=0.03)


def test_targets_that_one_cannot_reach_and_rows_without_spread_are_left_out():
    reached = EXACT.copy()
    reached[:, :10] = 0
    expected = log_probability_correlation(EXACT[:, 10:] ** 3, EXACT[:, 10:])
    flat = np.full((1, 30), 1 / 30)
    assert log_probability_correlation(np.vstack([reached**3, flat]), np.vstack([EXACT, flat])) == pytest.approx(
        expected
    )
    assert np.isnan(log_probability_correlation(flat, flat))


def test_arrays_of_different_shape_are_refused():
    with pytest.raises(InvalidParameterError, match="same shape"):
        log_probability_correlation(EXACT, EXACT[:2])


@pytest.mark.parametrize("wrong", [np.nan, -0.1, np.inf])
@pytest.mark.parametrize("pooled", [True, False])
def test_what_is_no_probability_is_refused(wrong, pooled):
    holed = EXACT.copy()
    holed[1, 2] = wrong
    with pytest.raises(InvalidParameterError, match=rf"approximate must be .*; entry \(1, 2\) is {wrong}"):
        log_probability_correlation(holed, EXACT, pooled=pooled)
    with pytest.raises(InvalidParameterError, match="exact must be finite numbers of at least 0"):
        log_probability_correlation(EXACT, holed, pooled=pooled)


def test_rows_that_are_flat_but_for_rounding_are_left_out():
    nearly = np.full((1, 30), 1 / 30) * (1 + 1e-15 * RNG.standard_normal(30))
    assert np.ptp(nearly) > 0
    assert np.isnan(log_probability_correlation(nearly, EXACT[:1]))
    assert np.isnan(log_probability_correlation(EXACT[:1], nearly, pooled=True))
