"""Contract of all null models on all graph cases, against the dense expected adjacency."""

import numpy as np
import pytest

import dense_reference as dense
from graph_cases import graph_cases, labels_for
from residuum.nulls import (
    Configuration,
    DegreeCorrectedSBM,
    DegreeCorrelated,
    ErdosRenyi,
    FittedNull,
    Multilayer,
    NullModel,
    Spatial,
    Temporal,
)

CASES = graph_cases()
MODELS = {
    "erdos-renyi": (lambda graph: ErdosRenyi(), {"kind": "erdos-renyi"}),
    "configuration": (lambda graph: Configuration(), {"kind": "configuration"}),
    "configuration 0.75": (lambda graph: Configuration(0.75), {"kind": "configuration", "exponent": 0.75}),
    "dcsbm": (lambda graph: DegreeCorrectedSBM(labels_for(graph)), {"kind": "dcsbm"}),
    "multilayer": (lambda graph: Multilayer(labels_for(graph)), {"kind": "dcsbm"}),
    "temporal": (lambda graph: Temporal(years_of(graph), bins=[1995, 1998.5]), {"kind": "dcsbm"}),
    "degree-correlated": (lambda graph: DegreeCorrelated(1.5), {"kind": "dcsbm"}),
    "product": (
        lambda graph: Temporal(years_of(graph), bins=2) * DegreeCorrectedSBM(labels_for(graph)),
        {"kind": "dcsbm"},
    ),
    "spatial": (lambda graph: Spatial(coordinates_of(graph), n_places=6, n_bins=3), {"kind": "spatial"}),
}


def years_of(graph):
    return 1990 + np.arange(graph.n_nodes) * 7 % 13


def coordinates_of(graph):
    return np.random.default_rng(4).random((graph.n_nodes, 2))


def expected_adjacency(graph, model, reference):
    """Return the dense expected adjacency for the groups of the null model."""
    A = graph.adjacency.toarray()
    if reference["kind"] == "spatial":
        null = model.fit(graph, 1)
        member = np.eye(null.block_form.weights.shape[1])[null.block_form.groups]
        between = gravity(A, member, model, graph)
        share_out, share_in = (
            member * s[:, None] / np.maximum(member.T @ s, 1e-300) for s in (A.sum(axis=1), A.sum(axis=0))
        )
        return share_out @ between @ share_in.T
    if isinstance(model, Configuration | ErdosRenyi):
        return dense.expected_adjacency(A, **reference)
    return dense.expected_adjacency(A, "dcsbm", model.groups_of(graph)[0])


def gravity(A, member, model, graph):
    """Return the expected weight between places in the doubly constrained gravity model."""
    centers = (member.T @ coordinates_of(graph)) / np.maximum(member.sum(axis=0), 1)[:, None]
    distance = np.linalg.norm(centers[:, None] - centers[None], axis=2)
    apart = distance[np.triu_indices(len(distance), k=1)]
    borders = np.quantile(apart, np.linspace(0, 1, model.n_bins + 1)[1:-1])
    observed = member.T @ A @ member
    expected = np.outer(observed.sum(axis=1), observed.sum(axis=0))
    weight = np.zeros_like(expected)
    for number in range(model.n_bins + 1):
        inside = np.eye(len(distance), dtype=bool)
        here = inside if number == 0 else (np.searchsorted(borders, distance, side="right") == number - 1) & ~inside
        if expected[here].sum() > 0:
            weight[here] = expected[here] * observed[here].sum() / expected[here].sum()
    for _ in range(3000):
        weight *= (observed.sum(axis=1) / np.maximum(weight.sum(axis=1), 1e-300))[:, None]
        weight *= observed.sum(axis=0) / np.maximum(weight.sum(axis=0), 1e-300)
    return weight


WINDOW = np.array([0.4, 0.3, 0.2, 0.1])


@pytest.fixture(params=[(model, case) for model in MODELS for case in CASES], ids=lambda pair: " on ".join(pair))
def fitted(request):
    model, case = request.param
    graph = CASES[case]
    make, reference = MODELS[model]
    adjacency = expected_adjacency(graph, make(graph), reference)
    expected = dense.window_probability(adjacency, WINDOW)
    return graph, make(graph), make(graph).fit(graph, WINDOW), expected


def test_null_model_implements_the_protocol(fitted):
    _, model, null, _ = fitted
    assert isinstance(model, NullModel)
    assert isinstance(null, FittedNull)


def test_probability_is_the_window_probability_of_the_expected_adjacency(fitted):
    graph, _, null, expected = fitted
    rows, columns = np.meshgrid(np.arange(graph.n_nodes), np.arange(graph.n_nodes), indexing="ij")
    active = expected.sum(axis=1) > 0
    probability = np.exp(null.log_probability(rows, columns))
    np.testing.assert_allclose(probability[active], expected[active], rtol=1e-6, atol=1e-12)


def test_rows_sum_to_one(fitted):
    graph, _, null, expected = fitted
    active = np.flatnonzero(expected.sum(axis=1) > 0)
    total = np.exp(null.log_probability(active[:, None], np.arange(graph.n_nodes)[None, :])).sum(axis=1)
    np.testing.assert_allclose(total, 1.0, rtol=1e-9)


def test_index_arrays_are_broadcast(fitted):
    _, _, null, _ = fitted
    tile = null.log_probability(np.array([1, 2])[:, None], np.array([0, 5, 6])[None, :])
    assert tile.shape == (2, 3)
    assert tile[1, 2] == null.log_probability(2, 6)


def test_offset_is_the_log_of_the_marginal(fitted):
    graph, _, null, expected = fitted
    source = np.exp(null.source_offset)
    assert source.sum() == pytest.approx(1.0)
    isolated = (graph.out_strength == 0) & (graph.in_strength == 0)
    assert np.all(null.offset[isolated] == -np.inf)
    np.testing.assert_allclose(np.exp(null.offset)[~isolated], (source @ expected)[~isolated], rtol=1e-6)


def test_scale_of_the_weights_does_not_matter(fitted):
    graph, model, null, _ = fitted
    scaled = type(graph)(0.01 * graph.adjacency, directed=graph.directed)
    refitted = model.fit(scaled, WINDOW)
    rows, columns = np.meshgrid(np.arange(graph.n_nodes), np.arange(graph.n_nodes))
    # At this scale no weight is subnormal.
    np.testing.assert_allclose(refitted.log_probability(rows, columns), null.log_probability(rows, columns), rtol=1e-5)


def test_sampled_contexts_have_positive_probability_and_depend_on_the_seed_only(fitted):
    _, _, null, expected = fitted
    active = np.flatnonzero(expected.sum(axis=1) > 0)
    centers = np.repeat(active, 50)
    contexts = null.sample(centers, np.random.default_rng(0))
    assert np.isfinite(null.log_probability(centers, contexts)).all()
    np.testing.assert_array_equal(contexts, null.sample(centers, np.random.default_rng(0)))


def test_fit_does_not_modify_the_graph(fitted):
    graph, model, _, _ = fitted
    before = graph.adjacency.copy()
    model.fit(graph, 3)
    assert (before != graph.adjacency).nnz == 0
