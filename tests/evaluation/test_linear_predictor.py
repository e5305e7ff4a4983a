import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score

from residuum.evaluation.linear_predictor import LinearPredictor


def groups_of_equal_mean(rng, counts, spreads):
    """Groups that differ in spread alone, with means of exactly zero."""
    vectors = [rng.standard_normal((count, 8)) * spread for count, spread in zip(counts, spreads, strict=True)]
    return np.concatenate([v - v.mean(axis=0) for v in vectors]), np.repeat(np.arange(len(counts)), counts)


def test_equal_means_and_unequal_spreads_are_nothing_to_it():
    x, y = groups_of_equal_mean(np.random.default_rng(0), [300, 60, 40], [1.0, 0.2, 3.0])
    found = LinearPredictor().fit(x, y)
    assert found.constant_
    assert found.loss_ == 1.0
    assert balanced_accuracy_score(y, found.predict(x)) == pytest.approx(1 / 3)


def test_different_means_are_found_as_a_plain_regression_finds_them():
    rng = np.random.default_rng(1)
    y = np.repeat(["a", "b", "c"], 100)
    x = rng.standard_normal((300, 4)) + 1.5 * np.eye(4)[np.repeat([0, 1, 2], 100)]
    found = LinearPredictor().fit(x, y)
    plain = LogisticRegression(class_weight="balanced").fit(x, y)
    assert not found.constant_
    assert 0.3 < found.loss_ < 0.9
    assert np.mean(found.predict(x) == plain.predict(x)) > 0.95


def test_noise_is_nothing_to_it():
    rng = np.random.default_rng(2)
    assert LinearPredictor().fit(rng.standard_normal((200, 16)), rng.integers(4, size=200)).constant_
