import numpy as np
import pytest

from graph_cases import graph_cases, labels_for
from residuum.nulls import BlockForm, DegreeCorrectedSBM
from residuum.nulls.block_form import window_form

CASES = graph_cases()


def random_form(n_nodes=11, n_groups=3, seed=0):
    rng = np.random.default_rng(seed)
    return BlockForm(
        groups=rng.integers(n_groups, size=n_nodes).astype(np.int32),
        theta=rng.random(n_nodes),
        weights=rng.random((n_groups, n_groups)) * (rng.random((n_groups, n_groups)) < 0.7),
    )


def dense_probability(form):
    """Return ``θ_j W[g_i, g_j]`` entry by entry."""
    n_nodes = len(form.theta)
    P = np.empty((n_nodes, n_nodes))
    for i in range(n_nodes):
        for j in range(n_nodes):
            P[i, j] = form.theta[j] * form.weights[form.groups[i], form.groups[j]]
    return P


def test_probability_and_marginal_equal_the_formula():
    form = random_form()
    P = dense_probability(form)
    rows, columns = np.meshgrid(form.groups, np.arange(11), indexing="ij")
    np.testing.assert_allclose(form.probability(rows, columns), P)
    np.testing.assert_allclose(form.rows_of_groups(form.groups[[3, 0]]), P[[3, 0]])
    source = np.random.default_rng(1).dirichlet(np.ones(11))
    np.testing.assert_allclose(form.marginal(source), source @ P)
    assert form.n_groups == 3


def test_index_arrays_are_broadcast():
    form = random_form()
    assert form.probability(0, 1).shape == ()
    assert form.probability(np.array([[0], [1]]), np.array([2, 3, 4])).shape == (2, 3)
    assert form.rows_of_groups(np.empty(0, dtype=np.int32)).shape == (0, 11)


def test_division_by_the_sides_of_a_tile_equals_the_dense_ratio():
    form = random_form()
    P = dense_probability(form)
    nodes = np.array([7, 2, 2, 10])
    observed = np.random.default_rng(2).random((11, 4)).astype(np.float32)
    lowest = 0.3
    for rows, columns, weights, expected in (
        (form.centers(), form.contexts(nodes), form.weights, P[:, nodes]),
        (form.contexts(), form.centers(nodes), form.weights.T, P[nodes].T),
    ):
        values = observed.copy()
        rows.divide(values, columns, weights, lowest)
        with np.errstate(divide="ignore"):
            ratio = np.where(expected > 0, np.maximum(observed / expected, lowest), lowest)
        np.testing.assert_allclose(values, ratio, rtol=1e-5)


def test_sides_of_slices_and_index_arrays_agree():
    form = random_form()
    for side in (form.centers, form.contexts):
        by_slice, by_index = side(slice(2, 5)), side(np.arange(2, 5))
        np.testing.assert_array_equal(by_slice.factor, by_index.factor)
        np.testing.assert_array_equal(by_slice.groups, by_index.groups)


def test_division_of_an_empty_tile_does_nothing():
    form = random_form()
    values = np.empty((11, 0), dtype=np.float32)
    form.centers().divide(values, form.contexts(np.empty(0, dtype=np.int64)), form.weights, 0.1)
    assert values.shape == (11, 0)


def chain(groups, theta, mixing):
    """Return the dense step matrix of the null walkers."""
    return mixing[groups][:, groups] * theta


def lumped_chain(n_nodes, n_groups, seed=0):
    rng = np.random.default_rng(seed)
    groups = np.concatenate([np.arange(n_groups), rng.integers(n_groups, size=n_nodes - n_groups)]).astype(np.int32)
    strength = rng.pareto(1.0, n_nodes) + 0.01
    theta = strength / np.bincount(groups, weights=strength)[groups]
    return groups, theta, rng.dirichlet(np.ones(n_groups), size=n_groups)


@pytest.mark.parametrize("weights", [[1.0], [0.0, 1.0], [0.5, 0.2, 0.3], np.full(10, 0.1)])
@pytest.mark.parametrize(("n_nodes", "n_groups"), [(1, 1), (9, 1), (9, 4), (9, 9)])
def test_window_form_equals_the_powers_of_the_dense_chain(n_nodes, n_groups, weights):
    groups, theta, mixing = lumped_chain(n_nodes, n_groups)
    form = window_form(groups, theta, mixing, np.asarray(weights), np.zeros(n_nodes, dtype=bool))
    P = chain(groups, theta, mixing)
    expected = sum(w * np.linalg.matrix_power(P, t) for t, w in enumerate(weights, start=1))
    np.testing.assert_allclose(dense_probability(form), expected, rtol=1e-10)


@pytest.mark.parametrize("weights", [[1.0], [0.5, 0.2, 0.3]])
@pytest.mark.parametrize("n_groups", [1, 4])
def test_walks_of_the_null_model_end_at_dangling_nodes_and_rows_are_normalized(n_groups, weights):
    groups, theta, mixing = lumped_chain(9, n_groups)
    dangling = np.arange(9) % 3 == 1
    form = window_form(groups, theta, mixing, np.asarray(weights), dangling)
    first = chain(groups, theta, mixing)
    P = np.where(dangling[:, None], 0.0, first)
    taken = sum(w * first @ np.linalg.matrix_power(P, t) for t, w in enumerate(weights))
    np.testing.assert_allclose(dense_probability(form), taken / taken.sum(axis=1, keepdims=True), rtol=1e-10)


def test_groups_without_out_edges_have_rows_of_zeros():
    groups = np.array([0, 0, 1], dtype=np.int32)
    mixing = np.array([[0.6, 0.4], [0.0, 0.0]])
    form = window_form(groups, np.array([0.5, 0.5, 1.0]), mixing, np.array([0.5, 0.5]), np.zeros(3, dtype=bool))
    np.testing.assert_allclose(form.weights, 0.5 * mixing + 0.5 * mixing @ mixing)
    assert not form.weights[1].any()


@pytest.mark.parametrize("scale", [1e-30, 1e30])
def test_form_of_a_fitted_null_model_does_not_depend_on_the_scale_of_weights(scale):
    graph = CASES["weighted"]
    scaled = type(graph)(scale * graph.adjacency)
    forms = [DegreeCorrectedSBM(labels_for(graph)).fit(g, 4).block_form for g in (graph, scaled)]
    np.testing.assert_allclose(forms[0].theta, forms[1].theta, rtol=1e-6)
    np.testing.assert_allclose(forms[0].weights, forms[1].weights, rtol=1e-6)


def test_rows_of_the_form_sum_to_one_with_dangling_nodes():
    graph = CASES["dangling nodes"]
    null = DegreeCorrectedSBM(labels_for(graph)).fit(graph, 4)
    np.testing.assert_allclose(null.block_form.rows_of_groups(null.block_form.groups).sum(axis=1), 1.0)
