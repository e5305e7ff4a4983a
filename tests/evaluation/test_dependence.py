import numpy as np
import pytest

from residuum.evaluation import Dependence, dependence_test, similarity_dependence
from residuum.evaluation.dependence import _permuted_within

RNG = np.random.default_rng(0)
SIDE = np.arange(300) % 2
DEGREE = RNG.pareto(2.0, 300) + 1


def test_the_value_is_that_of_similarity_dependence():
    vectors = np.stack([np.where(SIDE, 1.0, -1.0), RNG.normal(size=300)], axis=1)
    result = dependence_test(vectors, SIDE, random_state=5)
    assert result.r_squared == similarity_dependence(vectors, SIDE, random_state=5)
    assert result.is_dependent
    assert result.excess > 0.1


def test_unrelated_vectors_do_not_depend_on_a_label():
    related = [
        dependence_test(np.random.default_rng(seed).normal(size=(300, 4)), SIDE, random_state=seed).is_dependent
        for seed in range(10)
    ]
    assert sum(related) <= 1


def test_the_interval_covers_the_value_of_a_new_sample_of_nodes():
    def sample(seed):
        rng = np.random.default_rng(seed)
        return np.stack([np.where(SIDE, 0.6, -0.6) + rng.normal(size=300), rng.normal(size=300)], axis=1)

    first = dependence_test(sample(0), SIDE)
    others = [similarity_dependence(sample(seed), SIDE) for seed in range(1, 21)]
    spread = float(np.std(others, ddof=1))
    assert first.margin == pytest.approx(1.96 * spread, rel=0.6)


def test_a_label_that_follows_degree_is_expected_to_matter():
    label = (np.median(DEGREE) < DEGREE).astype(int)
    vectors = np.stack([np.log(DEGREE) - np.log(DEGREE).mean(), np.full(300, 0.5)], axis=1)
    blind, aware = dependence_test(vectors, label), dependence_test(vectors, label, degree=DEGREE)
    assert blind.expected == pytest.approx(0.0, abs=0.02)
    assert aware.expected == pytest.approx(aware.r_squared, abs=0.02)
    assert not aware.is_dependent


def test_numbers_are_permuted_within_bins_of_degree():
    bins = np.array([1, 0, 1, 0, 0, 2])
    order = _permuted_within(bins, np.random.default_rng(0))
    assert sorted(order.tolist()) == list(range(6))
    assert bins[order].tolist() == bins.tolist()


def test_a_value_within_the_interval_of_chance_is_no_dependence():
    assert not Dependence(0.02, 0.015, 0.0, -0.01, 0.01).is_dependent
    assert Dependence(0.03, 0.015, 0.0, -0.01, 0.01).is_dependent
