import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score

from residuum.evaluation.linear_predictor import LinearPredictor


def groups_of_equal_mean(rng, counts, spreads):
    """Return groups with a mean of exactly zero that differ only in spread."""
    vectors = [rng.standard_normal((count, 8)) * spread for count, spread in zip(counts, spreads, strict=True)]
    return np.concatenate([v - v.mean(axis=0) for v in vectors]), np.repeat(np.arange(len(counts)), counts)


def test_groups_with_equal_means_and_unequal_spreads_give_the_constant():
    x, y = groups_of_equal_mean(np.random.default_rng(0), [300, 60, 40], [1.0, 0.2, 3.0])
    predictor = LinearPredictor().fit(x, y)
    assert predictor.constant_
    assert predictor.loss_ == 1.0
    assert balanced_accuracy_score(y, predictor.predict(x)) == pytest.approx(1 / 3)


def test_different_means_are_predicted_as_by_logistic_regression():
    rng = np.random.default_rng(1)
    y = np.repeat(["a", "b", "c"], 100)
    x = rng.standard_normal((300, 4)) + 1.5 * np.eye(4)[np.repeat([0, 1, 2], 100)]
    predictor = LinearPredictor().fit(x, y)
    regression = LogisticRegression(class_weight="balanced").fit(x, y)
    assert not predictor.constant_
    assert 0.3 < predictor.loss_ < 0.9
    assert np.mean(predictor.predict(x) == regression.predict(x)) > 0.95


def test_noise_gives_the_constant():
    rng = np.random.default_rng(2)
    assert LinearPredictor().fit(rng.standard_normal((200, 16)), rng.integers(4, size=200)).constant_
