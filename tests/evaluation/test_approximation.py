import numpy as np
import pytest
from scipy.stats import pearsonr

from residuum.errors import InvalidParameterError
from residuum.evaluation import log_probability_correlation

RNG = np.random.default_rng(0)
EXACT = RNG.dirichlet(np.ones(30), size=4)


def test_correlation_is_the_mean_of_pearsonr_over_centers():
    approximate = EXACT * RNG.lognormal(0, 0.5, EXACT.shape)
    expected = np.mean([pearsonr(np.log(a), np.log(b))[0] for a, b in zip(approximate, EXACT, strict=True)])
    assert log_probability_correlation(approximate, EXACT) == pytest.approx(expected)
    pooled = pearsonr(np.log(approximate).ravel(), np.log(EXACT).ravel())[0]
    assert log_probability_correlation(approximate, EXACT, pooled=True) == pytest.approx(pooled)


def test_powers_of_the_exact_probabilities_correlate_perfectly_and_noise_does_not():
    assert log_probability_correlation(EXACT**2, EXACT) == pytest.approx(1.0)
    noise = np.random.default_rng(1).dirichlet(np.ones(2000), size=(2, 5))
    assert log_probability_correlation(*noise) == pytest.approx(0.0, abs=0.03)


def test_zero_probabilities_and_constant_rows_are_ignored():
    approximate = EXACT.copy()
    approximate[:, :10] = 0
    expected = log_probability_correlation(EXACT[:, 10:] ** 3, EXACT[:, 10:])
    constant = np.full((1, 30), 1 / 30)
    assert log_probability_correlation(
        np.vstack([approximate**3, constant]), np.vstack([EXACT, constant])
    ) == pytest.approx(expected)
    assert np.isnan(log_probability_correlation(constant, constant))


def test_arrays_of_different_shape_are_rejected():
    with pytest.raises(InvalidParameterError, match="same shape"):
        log_probability_correlation(EXACT, EXACT[:2])


@pytest.mark.parametrize("invalid", [np.nan, -0.1, np.inf])
@pytest.mark.parametrize("pooled", [True, False])
def test_invalid_probabilities_are_rejected(invalid, pooled):
    probabilities = EXACT.copy()
    probabilities[1, 2] = invalid
    with pytest.raises(InvalidParameterError, match=rf"approximate must be .*; entry \(1, 2\) is {invalid}"):
        log_probability_correlation(probabilities, EXACT, pooled=pooled)
    with pytest.raises(InvalidParameterError, match="exact must be finite and non-negative"):
        log_probability_correlation(EXACT, probabilities, pooled=pooled)


def test_rows_that_are_constant_up_to_rounding_are_ignored():
    nearly = np.full((1, 30), 1 / 30) * (1 + 1e-15 * RNG.standard_normal(30))
    assert np.ptp(nearly) > 0
    assert np.isnan(log_probability_correlation(nearly, EXACT[:1]))
    assert np.isnan(log_probability_correlation(EXACT[:1], nearly, pooled=True))
