import numpy as np
import pytest
from scipy import sparse

from graph_cases import graph_cases, labels_for
from residuum.errors import NullModelError
from residuum.nulls import Configuration, DegreeCorrectedSBM, DegreeCorrelated, Multilayer, Temporal

GRAPH = graph_cases()["weighted"]
LABELS = labels_for(GRAPH)
YEARS = 2000 + np.arange(20) % 2


def test_a_product_groups_by_pairs():
    both = np.array([f"{label} {year}" for label, year in zip(LABELS, YEARS, strict=True)])
    product = (DegreeCorrectedSBM(LABELS) * Temporal(YEARS)).fit(GRAPH, 3)
    pairs = DegreeCorrectedSBM(both).fit(GRAPH, 3)
    rows, columns = np.meshgrid(np.arange(20), np.arange(20))
    np.testing.assert_allclose(product.log_probability(rows, columns), pairs.log_probability(rows, columns))


def test_newcomers_of_a_product_need_both_values():
    product = (DegreeCorrectedSBM(LABELS) * Temporal(YEARS)).fit(GRAPH, 3)
    values = np.array([[LABELS[0], YEARS[0]], [LABELS[7], YEARS[7]]], dtype=object)
    edges = sparse.csr_array(np.eye(2, 20))
    np.testing.assert_array_equal(product.row_groups_of(values, edges), product.blocks.groups[[0, 7]])
    with pytest.raises(NullModelError, match="new nodes need theirs"):
        product.row_groups_of(None, edges)


def test_newcomers_of_degree_times_label_need_only_the_label():
    product = (DegreeCorrelated() * DegreeCorrectedSBM(LABELS)).fit(GRAPH, 3)
    edges = sparse.csr_array(GRAPH.adjacency[:4])
    np.testing.assert_array_equal(product.row_groups_of(LABELS[:4], edges), product.blocks.groups[:4])


def test_only_null_models_of_groups_can_be_multiplied():
    with pytest.raises(TypeError):
        DegreeCorrectedSBM(LABELS) * Configuration()


def test_multilayer_is_the_dcsbm_of_the_layers():
    rows, columns = np.meshgrid(np.arange(20), np.arange(20))
    np.testing.assert_array_equal(
        Multilayer(LABELS).fit(GRAPH, 3).log_probability(rows, columns),
        DegreeCorrectedSBM(LABELS).fit(GRAPH, 3).log_probability(rows, columns),
    )
    with pytest.raises(NullModelError, match="Multilayer needs groups"):
        Multilayer().fit(GRAPH, 3)
