import numpy as np

from residuum.links.standard import Standard, signed_log


def test_logarithms_keep_sign_and_order():
    values = np.array([-1e308, -2.0, 0.0, 1e-9, 3.0, 1e308])
    logs = signed_log(values)
    assert np.isfinite(logs).all()
    assert (np.diff(logs) > 0).all()
    np.testing.assert_allclose(signed_log(-values), -logs)


def test_pairs_have_mean_zero_and_deviation_one():
    features = np.random.default_rng(0).lognormal(size=(500, 3)) * [1.0, 1e3, 1e-3]
    scaled = Standard.of(features)(features)
    np.testing.assert_allclose(scaled.mean(axis=0), 0.0, atol=1e-9)
    np.testing.assert_allclose(scaled.std(axis=0), 1.0)


def test_numbers_that_grow_by_a_factor_everywhere_are_the_same():
    paths = np.random.default_rng(0).lognormal(8.0, 1.0, size=(500, 2))
    np.testing.assert_allclose(Standard.of(1.5 * paths)(1.5 * paths), Standard.of(paths)(paths), atol=0.01)


def test_a_feature_that_does_not_vary_is_not_blown_up():
    features = np.full((100, 1), 0.1) + np.random.default_rng(0).choice([0.0, 1e-16], (100, 1))
    assert np.abs(Standard.of(features)(features)).max() < 1e-12


def test_features_of_any_size_are_finite():
    features = np.array([[1e308, -1e308, 1e-308], [0.0, 1.0, -1.0]] * 50)
    assert np.isfinite(Standard.of(features)(features)).all()
