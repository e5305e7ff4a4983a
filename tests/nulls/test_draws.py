"""Alias tables of P_0; tests/statistical compares the frequencies of sampled contexts with P_0."""

import itertools

import numpy as np
import pytest

from graph_cases import graph_cases, labels_for
from residuum._kernels.drawing import draw_contexts
from residuum.nulls import BlockForm, Configuration, DegreeCorrectedSBM, ErdosRenyi, draw_tables, no_tables
from residuum.solvers.negatives import Negatives

CASES = graph_cases()


def alias_distribution(threshold, alias, begin, end):
    """Return the distribution that an alias table samples from in a segment; empty tables are uniform."""
    if len(threshold) == 0:
        return np.full(end - begin, 1 / (end - begin))
    probability = threshold[begin:end].astype(float)
    np.add.at(probability, alias[begin:end], 1.0 - threshold[begin:end])
    return probability / (end - begin)


def table_probability(tables, n_nodes):
    """Return the P_0 that tables sample from."""
    groups_of, choice, choice_alias, nodes, borders, member, member_alias = tables
    n_groups = len(borders) - 1
    P = np.zeros((n_nodes, n_nodes))
    for i in range(n_nodes):
        groups = np.array([1.0])
        if len(choice):
            begin = groups_of[i] * n_groups
            groups = alias_distribution(choice, choice_alias, begin, begin + n_groups)
        for group, (begin, end) in enumerate(itertools.pairwise(borders)):
            if end > begin:
                P[i, nodes[begin:end]] += groups[group] * alias_distribution(member, member_alias, begin, end)
    return P


@pytest.mark.parametrize("case", ["weighted", "directed", "dangling nodes", "isolated nodes", "weights below one"])
@pytest.mark.parametrize("model", ["erdos-renyi", "configuration", "dcsbm"])
def test_tables_hold_the_probabilities(model, case):
    graph = CASES[case]
    null_model = {
        "erdos-renyi": ErdosRenyi(),
        "configuration": Configuration(0.75),
        "dcsbm": DegreeCorrectedSBM(labels_for(graph)),
    }[model]
    form = null_model.fit(graph, 3).block_form
    P = table_probability(draw_tables(form), graph.n_nodes)
    np.testing.assert_allclose(P, form.rows_of_groups(form.groups), atol=1e-6)


def test_groups_without_probability_are_never_sampled():
    form = BlockForm(
        groups=np.array([0, 0, 1, 2], dtype=np.int32),
        theta=np.array([0.25, 0.75, 0.0, 1.0]),
        weights=np.array([[0.5, 0.3, 0.2], [0.0, 0.0, 0.0], [0.0, 0.9, 0.1]]),
    )
    P = table_probability(draw_tables(form), 4)
    expected = form.rows_of_groups(form.groups)
    has_contexts = np.array([0, 1, 3])
    expected = expected[has_contexts] / expected[has_contexts].sum(axis=1, keepdims=True)
    np.testing.assert_allclose(P[has_contexts], expected, atol=1e-6)
    # Node 2 has no contexts, but kernels must be able to read its table.
    np.testing.assert_allclose(P[2].sum(), 1.0)


def test_a_last_group_without_probability_has_no_nodes_in_the_tables():
    form = BlockForm(
        groups=np.array([0, 0, 1, 2], dtype=np.int32),
        theta=np.array([0.25, 0.75, 0.0, 0.0]),
        weights=np.array([[1.0, 0.5, 0.5], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]),
    )
    tables = draw_tables(form)
    assert tables[4].tolist() == [0, 2, 2, 2]
    np.testing.assert_allclose(table_probability(tables, 4), np.tile([0.25, 0.75, 0, 0], (4, 1)), atol=1e-6)


def test_uniform_probabilities_need_no_tables():
    tables = draw_tables(ErdosRenyi().fit(CASES["weighted"], 3).block_form)
    assert [len(table) for table in tables] == [20, 0, 0, 20, 2, 0, 0]


def test_nodes_without_probability_are_not_in_the_tables():
    *_, nodes, _, _, _ = draw_tables(Configuration().fit(CASES["isolated nodes"], 3).block_form)
    np.testing.assert_array_equal(nodes, np.setdiff1d(np.arange(20), [3, 19]))


def test_empty_tables_have_the_dtypes_of_full_tables():
    tables = draw_tables(DegreeCorrectedSBM(labels_for(CASES["weighted"])).fit(CASES["weighted"], 3).block_form)
    assert [table.dtype for table in no_tables(20)] == [table.dtype for table in tables]
    assert [len(table) for table in no_tables(20)] == [20, 0, 0, 0, 1, 0, 0]
    contexts = np.empty(0, dtype=np.int64)
    draw_contexts(np.empty(0, dtype=np.int64), np.uint64(1), *no_tables(20), contexts, 0, 0)


def test_skip_gram_uses_the_tables_of_the_null_model():
    graph = CASES["weighted"]
    null = Configuration().fit(graph, 2)
    arrays = Negatives(null, graph.out_strength > 0, np.random.default_rng(0)).arrays
    for array, table in zip(arrays, null._tables, strict=False):
        np.testing.assert_array_equal(array, table)
