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


@pytest.mark.parametrize("from_right", [False, True], ids=["(A × B) × C", "A × (B × C)"])
def test_newcomers_of_a_product_of_three_get_the_groups_of_their_own_columns(from_right):
    size = np.where(np.arange(20) % 3 == 0, "large", "small")
    a, b, c = DegreeCorrectedSBM(LABELS), Temporal(YEARS), Multilayer(size)
    null = (a * (b * c) if from_right else a * b * c).fit(GRAPH, 3)
    values = np.array(list(zip(LABELS, YEARS, size, strict=True)), dtype=object)
    edges = sparse.csr_array(GRAPH.adjacency)
    np.testing.assert_array_equal(null.row_groups_of(values, edges), null.blocks.groups)
    with pytest.raises(NullModelError, match=r"needs 3 values of each new node.*got shape \(20, 2\)"):
        null.row_groups_of(values[:, :2], edges)


def test_columns_are_for_the_groupings_that_need_them():
    null = (DegreeCorrectedSBM(LABELS) * DegreeCorrelated() * Temporal(YEARS)).fit(GRAPH, 3)
    values = np.array(list(zip(LABELS, YEARS, strict=True)), dtype=object)
    np.testing.assert_array_equal(null.row_groups_of(values, sparse.csr_array(GRAPH.adjacency)), null.blocks.groups)


def test_a_newcomer_in_a_bin_without_nodes_is_refused():
    null = (Temporal(YEARS, bins=[2000.5, 2050.0]) * DegreeCorrectedSBM(LABELS)).fit(GRAPH, 3)
    with pytest.raises(NullModelError, match="a combination of groups that was not in the graph"):
        null.row_groups_of(np.array([[2060, LABELS[0]]], dtype=object), sparse.csr_array(np.eye(1, 20)))


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
