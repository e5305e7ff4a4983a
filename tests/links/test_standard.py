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
    rounded = np.random.default_rng(0).choice([0.0, 3e-8], (100, 1))
    features = 0.1 + rounded
    assert np.abs(Standard.of(features)(features)).max() < 1e-6


def test_limits_are_those_of_training():
    rng = np.random.default_rng(0)
    seen = rng.uniform(-1.0, 3.0, size=(50, 2))
    standard = Standard.of(rng.lognormal(size=(100, 2)) * [1.0, 1e-3]).limited_by(np.array([0.1, 0.2]), seen)
    np.testing.assert_allclose(standard.deviation[1], 0.1)
    scores = standard(np.array([[1e300, 1e300], [-1e300, -1e300]]))
    width = np.ptp(seen, axis=0)
    np.testing.assert_allclose(scores, [seen.max(axis=0) + width, seen.min(axis=0) - width])


def test_features_of_any_size_are_finite():
    features = np.array([[1e308, -1e308, 1e-308], [0.0, 1.0, -1.0]] * 50)
    assert np.isfinite(Standard.of(features)(features)).all()
