import numpy as np
import pytest

from residuum.evaluation import auc_roc
from residuum.links.classifiers import (
    cross_validated,
    grown_trees,
    log_odds,
    logistic_regression,
)
from residuum.links.examples import PairExamples


def pairs_with(truth, n=4000, seed=0):
    """Return examples with three features, whose log odds are a function of them."""
    rng = np.random.default_rng(seed)
    features = rng.standard_normal((n, 3)) * [1.0, 2.0, 3.0]
    is_edge = rng.random(n) < 1 / (1 + np.exp(-truth(*features.T)))
    return PairExamples(np.arange(2 * n).reshape(n, 2), is_edge, features, np.ones(3))


def test_a_regression_of_degree_one_is_linear():
    examples = pairs_with(lambda x, y, z: 2 * x - y + z / 2)
    model = logistic_regression(examples.features, examples.is_edge, 1)
    assert len(model[-1].coef_[0]) == 3
    truth = examples.features @ [2, -1, 0.5]
    assert np.std(log_odds([model], examples.features) - truth) < 0.1 * np.std(truth)


def test_products_of_features_need_degree_two():
    examples = pairs_with(lambda x, y, z: x * y)
    mixture = cross_validated(examples, seed=0)
    assert mixture.degree == 2
    assert mixture.share < 1
    assert mixture.auc > 0.6


def test_few_examples_that_are_linear_need_degree_one():
    examples = pairs_with(lambda x, y, z: x + y, n=100)
    assert cross_validated(examples, seed=0).degree == 1


def test_steps_need_trees():
    examples = pairs_with(lambda x, y, z: 3 * np.sign(np.sin(4 * y)))
    assert cross_validated(examples, seed=0).share > 0


def test_the_auc_is_that_of_pairs_that_were_not_trained_on():
    rng = np.random.default_rng(0)
    noise = PairExamples(
        np.arange(2000).reshape(1000, 2), rng.random(1000) < 0.5, rng.standard_normal((1000, 3)), np.ones(3)
    )
    trees = grown_trees(noise.features, noise.is_edge, [0])
    score = log_odds(trees, noise.features)
    assert auc_roc(score[noise.is_edge], score[~noise.is_edge]) > 0.7
    assert cross_validated(noise, seed=0).auc == pytest.approx(0.5, abs=0.07)


def test_log_odds_of_several_classifiers_are_averaged():
    examples = pairs_with(lambda x, y, z: x)
    trees = grown_trees(examples.features, examples.is_edge, [0, 1])
    both = log_odds(trees, examples.features)
    np.testing.assert_allclose(both, sum(log_odds([tree], examples.features) for tree in trees) / 2)
    assert len(log_odds(trees, np.empty((0, 3)))) == 0
