"""Reweighted singular values, compared with the formula."""

import numpy as np
import pytest

from residuum import Residual2Vec, datasets
from residuum.residual import reweighted

GRAPH = datasets.karate_club()
VALUES = np.array([9.0, 4.0, 1.0])


@pytest.mark.parametrize(
    ("power", "shrinkage"), [(1.0, 0.0), (1.5, 0.0), (0.5, 0.0), (1.0, 0.9), (2.0, 0.5), (1.0, 3.0)]
)
def test_values_follow_the_formula_and_keep_their_sum(power, shrinkage):
    expected = VALUES ** (power - 1) * np.maximum(VALUES - shrinkage * VALUES[-1], 0.0)
    values = reweighted(VALUES, power, shrinkage)
    np.testing.assert_allclose(values / values[0], expected / expected[0])
    assert values.sum() == pytest.approx(VALUES.sum())


def test_zero_values_stay_zero():
    np.testing.assert_array_equal(reweighted(np.zeros(3), 2.0, 0.5), np.zeros(3))
    np.testing.assert_allclose(reweighted(np.array([2.0, 1.0, 0.0]), 2.0, 0.5), [18 / 7, 3 / 7, 0.0])


@pytest.mark.filterwarnings("error")
def test_a_shrinkage_beyond_all_numbers_keeps_the_largest_value():
    np.testing.assert_allclose(reweighted(np.array([4.0, 2.0]), 1.0, 1.7e308), [6.0, 0.0])


def test_the_largest_value_remains_at_any_shrinkage():
    np.testing.assert_allclose(reweighted(VALUES, 1.0, 1e6), [14.0, 0.0, 0.0])


@pytest.mark.parametrize("alpha", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("erase", [None, "degree"])
def test_reweighting_applies_to_associations_and_out_of_sample_vectors(alpha, erase):
    common = {"n_components": 6, "alpha": alpha, "erase": erase, "weighting": 0.0, "scale": 1.0, "random_state": 0}
    plain, changed = (Residual2Vec(**common, power=p, shrinkage=c).fit(GRAPH) for p, c in ((1.0, 0.0), (1.3, 0.6)))
    values = reweighted(plain.singular_values_, 1.3, 0.6)
    np.testing.assert_allclose(changed.singular_values_, plain.singular_values_)
    np.testing.assert_allclose(
        changed.embedding_ @ changed.context_embedding_.T,
        plain.embedding_ * (values / plain.singular_values_) @ plain.context_embedding_.T,
        atol=1e-4,
    )
    attributes = {} if erase is None else {"attributes": {"degree": GRAPH.out_strength[:3]}}
    rows = GRAPH.adjacency[:3]
    factor = (values / plain.singular_values_) ** alpha
    expected = plain.transform(rows, **attributes) * factor
    np.testing.assert_allclose(changed.transform(rows, **attributes), expected, rtol=1e-3, atol=1e-4)
