import numpy as np
import pytest

from graph_cases import graph_cases, labels_for
from residuum.nulls import Configuration, DegreeCorrectedSBM, Temporal
from residuum.nulls.grouped import fit_groups

GRAPH = graph_cases()["weighted"]
LABELS = labels_for(GRAPH)
YEARS = 2000 + np.arange(20) % 2


def test_product_equals_the_dcsbm_of_pairs():
    both = np.array([f"{label} {year}" for label, year in zip(LABELS, YEARS, strict=True)])
    product = (DegreeCorrectedSBM(LABELS) * Temporal(YEARS)).fit(GRAPH, 3)
    pairs = DegreeCorrectedSBM(both).fit(GRAPH, 3)
    rows, columns = np.meshgrid(np.arange(20), np.arange(20))
    np.testing.assert_allclose(product.log_probability(rows, columns), pairs.log_probability(rows, columns))


def test_only_null_models_with_groups_can_be_multiplied():
    with pytest.raises(TypeError):
        DegreeCorrectedSBM(LABELS) * Configuration()


def test_expected_weight_between_groups_replaces_the_observed_weight():
    codes, grouping = DegreeCorrectedSBM(LABELS).groups_of(GRAPH)
    between = np.array([[1.0, 2.0, 1.0], [0.0, 0.0, 0.0], [3.0, 0.0, 1.0]])
    null = fit_groups(GRAPH, codes, grouping, np.ones(1), between)
    expected = np.zeros((20, 20))
    for i in range(20):
        for j in range(20):
            share = GRAPH.in_strength[j] / GRAPH.in_strength[codes == codes[j]].sum()
            expected[i, j] = share * between[codes[i], codes[j]] / max(between[codes[i]].sum(), 1.0)
    np.testing.assert_allclose(np.exp(null.log_rows(np.arange(20))), expected)
