import numpy as np
import pytest
from scipy import sparse

from graph_cases import graph_cases, labels_for
from residuum.errors import InvalidParameterError, NullModelError
from residuum.graph import Bins, Labels
from residuum.nulls import DegreeCorrectedSBM, DegreeCorrelated, Multilayer, Temporal
from residuum.nulls.grouping import (
    BinGroups,
    LabelGroups,
    StrengthGroups,
    product_groups,
    require_numbers,
    require_values,
)

GRAPH = graph_cases()["weighted"]
LABELS = labels_for(GRAPH)
YEARS = 2000 + np.arange(20) % 2
NO_EDGES = sparse.csr_array((2, 20))


def test_labels_are_groups():
    grouping = LabelGroups(Labels(np.array(["a", "b", "c"])))
    assert (grouping.n_groups, grouping.n_columns) == (3, 1)
    np.testing.assert_array_equal(grouping.codes_of(["c", "a"], NO_EDGES), [2, 0])
    with pytest.raises(InvalidParameterError, match="'z'"):
        grouping.codes_of(["a", "z"], NO_EDGES)


def test_numbers_are_grouped_by_bin():
    grouping = BinGroups(Bins(np.array([1.0, 2.0])))
    assert (grouping.n_groups, grouping.n_columns) == (3, 1)
    values = np.array([-5.0, 1.5])
    np.testing.assert_array_equal(grouping.codes_of(values, NO_EDGES), [(v > np.array([1, 2])).sum() for v in values])


def test_strengths_follow_from_edges():
    grouping = StrengthGroups(Bins(np.array([1.5, 4.0])))
    edges = sparse.csr_array(np.array([[0.5, 0.5, 0.0], [2.0, 0.0, 2.5], [0.0, 2.0, 0.0], [0.0, 0.0, 0.0]]))
    assert (grouping.n_groups, grouping.n_columns) == (3, 0)
    np.testing.assert_array_equal(grouping.codes_of(None, edges), [0, 2, 1, 0])


def test_no_nodes_have_no_groups():
    nothing = sparse.csr_array((0, 20))
    for grouping in (LabelGroups(Labels(np.array(["a"]))), BinGroups(Bins(np.array([1.0])))):
        assert grouping.codes_of([], nothing).shape == (0,)
    assert StrengthGroups(Bins(np.array([1.0]))).codes_of(None, nothing).shape == (0,)


def test_values_are_required_for_every_node():
    np.testing.assert_array_equal(require_values([3, 4], 2), [3, 4])
    with pytest.raises(NullModelError, match=r"out-of-sample nodes need groups, too: use transform\(edges, groups="):
        require_values(None, 2)
    with pytest.raises(NullModelError, match=r"one value for each of the 2 out-of-sample nodes; got shape \(3,\)"):
        require_values([1, 2, 3], 2)
    with pytest.raises(NullModelError, match=r"got shape \(\)"):
        require_values(1, 2)
    with pytest.raises(NullModelError, match=r"one value for each of the 2 out-of-sample nodes; got shape \(2, 2\)"):
        LabelGroups(Labels(np.array([0, 1]))).codes_of([[0, 1], [1, 0]], NO_EDGES)


def test_numbers_are_required_for_every_node():
    np.testing.assert_array_equal(require_numbers(["3", 4], 2), [3.0, 4.0])
    np.testing.assert_array_equal(require_numbers([[1, 2], [3, 4]], 2, n_columns=2), [[1, 2], [3, 4]])
    with pytest.raises(NullModelError, match=r"2 values for each of the 2 out-of-sample nodes; got shape \(2,\)"):
        require_numbers([1, 2], 2, n_columns=2)
    with pytest.raises(NullModelError, match="groups must be finite numbers"):
        require_numbers([1.0, None], 2)
    with pytest.raises(InvalidParameterError, match="groups must be numbers; got 'a'"):
        require_numbers(["a", "1"], 2)


def test_a_product_keeps_nanoseconds():
    stamps = np.array(["2020-01-01", "2021-01-01"], dtype="datetime64[ns]")
    null = Temporal(stamps[np.arange(20) % 2]) * DegreeCorrelated()
    groups = null.fit(GRAPH, 2).groups_of(stamps, GRAPH.adjacency[:2])
    np.testing.assert_array_equal(groups, null.fit(GRAPH, 2).block_form.groups[:2])


def test_product_numbers_the_pairs_that_occur():
    rng = np.random.default_rng(0)
    first, second = rng.integers(4, size=15).astype(np.int32), rng.integers(3, size=15).astype(np.int32)
    groupings = [BinGroups(Bins(np.arange(n - 1) + 0.5)) for n in (4, 3)]
    codes, product = product_groups((first, groupings[0]), (second, groupings[1]))
    pairs = sorted(set(zip(first.tolist(), second.tolist(), strict=True)))
    assert codes.tolist() == [pairs.index(pair) for pair in zip(first.tolist(), second.tolist(), strict=True)]
    assert product.n_groups == len(pairs) < 12
    assert product.number.shape == (4, 3)
    assert (product.number >= 0).sum() == len(pairs)
    values = np.stack([first, second], axis=1)
    np.testing.assert_array_equal(product.codes_of(values, sparse.csr_array((15, 20))), codes)


def test_out_of_sample_nodes_of_a_product_need_both_values():
    product = (DegreeCorrectedSBM(LABELS) * Temporal(YEARS)).fit(GRAPH, 3)
    values = np.array([[LABELS[0], YEARS[0]], [LABELS[7], YEARS[7]]], dtype=object)
    edges = sparse.csr_array(np.eye(2, 20))
    np.testing.assert_array_equal(product.groups_of(values, edges), product.block_form.groups[[0, 7]])
    with pytest.raises(NullModelError, match="out-of-sample nodes need groups, too"):
        product.groups_of(None, edges)


def test_out_of_sample_nodes_of_degree_times_label_need_only_the_label():
    product = (DegreeCorrelated() * DegreeCorrectedSBM(LABELS)).fit(GRAPH, 3)
    edges = sparse.csr_array(GRAPH.adjacency[:4])
    np.testing.assert_array_equal(product.groups_of(LABELS[:4], edges), product.block_form.groups[:4])


@pytest.mark.parametrize("from_right", [False, True], ids=["(A × B) × C", "A × (B × C)"])
def test_products_of_three_use_the_columns_in_order(from_right):
    size = np.where(np.arange(20) % 3 == 0, "large", "small")
    a, b, c = DegreeCorrectedSBM(LABELS), Temporal(YEARS), Multilayer(size)
    null = (a * (b * c) if from_right else a * b * c).fit(GRAPH, 3)
    values = np.array(list(zip(LABELS, YEARS, size, strict=True)), dtype=object)
    edges = sparse.csr_array(GRAPH.adjacency)
    np.testing.assert_array_equal(null.groups_of(values, edges), null.block_form.groups)
    with pytest.raises(NullModelError, match=r"groups must have shape \(m, 3\).*got shape \(20, 2\)"):
        null.groups_of(values[:, :2], edges)


def test_groupings_that_follow_from_edges_have_no_column():
    null = (DegreeCorrectedSBM(LABELS) * DegreeCorrelated() * Temporal(YEARS)).fit(GRAPH, 3)
    assert null.grouping.n_columns == 2
    values = np.array(list(zip(LABELS, YEARS, strict=True)), dtype=object)
    np.testing.assert_array_equal(null.groups_of(values, sparse.csr_array(GRAPH.adjacency)), null.block_form.groups)


def test_pair_that_does_not_occur_in_the_graph_raises():
    null = (Temporal(YEARS, bins=[2000.5, 2050.0]) * DegreeCorrectedSBM(LABELS)).fit(GRAPH, 3)
    with pytest.raises(NullModelError, match="a combination of groups that does not occur in the graph"):
        null.groups_of(np.array([[2060, LABELS[0]]], dtype=object), sparse.csr_array(np.eye(1, 20)))
