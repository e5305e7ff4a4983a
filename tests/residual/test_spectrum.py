"""Singular values by power and shrinkage, against the formula."""

import numpy as np
import pytest

from residuum import Residual2Vec, datasets
from residuum.residual import reweighted

GRAPH = datasets.karate_club()
VALUES = np.array([9.0, 4.0, 1.0])


@pytest.mark.parametrize(("power", "shrinkage"), [(1.0, 0.0), (1.5, 0.0), (0.5, 0.0), (1.0, 0.9), (2.0, 0.5)])
def test_values_follow_the_formula_and_keep_their_sum(power, shrinkage):
    expected = VALUES ** (power - 1) * (VALUES - shrinkage * VALUES[-1])
    found = reweighted(VALUES, power, shrinkage)
    np.testing.assert_allclose(found / found[0], expected / expected[0])
    assert found.sum() == pytest.approx(VALUES.sum())


def test_zeros_stay_zeros():
    np.testing.assert_array_equal(reweighted(np.zeros(3), 2.0, 0.5), np.zeros(3))
    found = reweighted(np.array([2.0, 1.0, 0.0]), 2.0, 0.5)
    np.testing.assert_allclose(found, [2.4, 0.6, 0.0])


@pytest.mark.parametrize("alpha", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("erase", [None, "degree"])
def test_associations_have_the_new_values_and_newcomers_the_same_vectors(alpha, erase):
    common = {"n_components": 6, "alpha": alpha, "erase": erase, "weighting": 0.0, "random_state": 0}
    plain, changed = (Residual2Vec(**common, power=p, shrinkage=c).fit(GRAPH) for p, c in ((1.0, 0.0), (1.3, 0.6)))
    values = reweighted(plain.singular_values_, 1.3, 0.6)
    np.testing.assert_allclose(changed.singular_values_, plain.singular_values_)
    np.testing.assert_allclose(
        changed.embedding_ @ changed.context_embedding_.T,
        plain.embedding_ * (values / plain.singular_values_) @ plain.context_embedding_.T,
        atol=1e-4,
    )
    given = {} if erase is None else {"attributes": {"degree": GRAPH.out_strength[:3]}}
    rows = GRAPH.adjacency[:3]
    factor = (values / plain.singular_values_) ** alpha
    expected = plain.transform(rows, **given) * factor
    np.testing.assert_allclose(changed.transform(rows, **given), expected, rtol=1e-3, atol=1e-4)


def test_spectral_choices_are_told_by_the_file(tmp_path):
    embedding = Residual2Vec(4, power=1.2, shrinkage=0.3, random_state=0).fit(GRAPH).to_embedding()
    assert (embedding.metadata["power"], embedding.metadata["shrinkage"]) == (1.2, 0.3)
