import numpy as np
import pytest

from residuum.evaluation import similarity_dependence


def test_vectors_that_are_the_attribute_depend_on_it():
    x = np.random.default_rng(0).uniform(0, 1.5, 500)
    circle = np.stack([np.cos(x), np.sin(x)], axis=1)
    assert similarity_dependence(circle, x) > 0.9


def test_random_vectors_do_not():
    rng = np.random.default_rng(0)
    assert similarity_dependence(rng.standard_normal((500, 8)), rng.random(500)) == pytest.approx(0.0, abs=0.01)


def test_zero_vectors_are_left_out():
    rng = np.random.default_rng(0)
    vectors = rng.standard_normal((300, 4))
    vectors[:100] = 0
    attribute = np.r_[np.full(100, 1e9), rng.random(200)]
    assert np.isfinite(similarity_dependence(vectors, attribute))
    assert similarity_dependence(vectors, attribute) == pytest.approx(0.0, abs=0.02)
