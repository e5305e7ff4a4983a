import numpy as np
import pytest

from residuum.evaluation import label_predictability, similarity_dependence


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


def test_labels_are_an_attribute_too():
    labels = np.repeat(["a", "b"], 150)
    vectors = np.where(labels[:, None] == "a", [1.0, 0.0], [0.0, 1.0])
    assert similarity_dependence(vectors, labels) == pytest.approx(1.0)


def test_predictors_find_what_they_can_and_nothing_else():
    rng = np.random.default_rng(0)
    labels = np.repeat([0, 1], 300)
    noise = rng.standard_normal((600, 3))
    ring = rng.uniform(0, 2 * np.pi, 600)
    radius = np.where(labels == 1, 2.0, 1.0)
    inside = np.stack([radius * np.cos(ring), radius * np.sin(ring)], axis=1)
    found = {
        "noise": label_predictability(noise, labels),
        "line": label_predictability(noise + labels[:, None], labels),
        "ring": label_predictability(inside, labels),
    }
    assert all(value.accuracy < 0.58 for value in found["noise"].values())
    assert found["line"]["linear"].above_chance
    assert found["ring"]["linear"].accuracy < 0.58
    assert found["ring"]["nearest neighbours"].accuracy > 0.95
    assert found["ring"]["boosted trees"].accuracy > 0.9
    assert found["ring"]["linear"].chance == 0.5
