"""Every null model on every kind of graph, against the dense expected adjacency."""

import dense_reference as dense
import numpy as np
import pytest
from graph_cases import graph_cases, labels_for

from residuum.graph import resolve_teleport
from residuum.nulls import Configuration, DegreeCorrectedSBM, ErdosRenyi, FittedNull, NullModel

CASES = graph_cases()
MODELS = {
    "erdos-renyi": (lambda graph: ErdosRenyi(), {"kind": "erdos-renyi"}),
    "configuration": (lambda graph: Configuration(), {"kind": "configuration"}),
    "configuration 0.75": (lambda graph: Configuration(0.75), {"kind": "configuration", "exponent": 0.75}),
    "dcsbm": (lambda graph: DegreeCorrectedSBM(labels_for(graph)), {"kind": "dcsbm"}),
}
WINDOW = np.array([0.4, 0.3, 0.2, 0.1])


@pytest.fixture(params=[(model, case) for model in MODELS for case in CASES], ids=lambda pair: " on ".join(pair))
def fitted(request):
    model, case = request.param
    graph = CASES[case]
    make, reference = MODELS[model]
    teleport = resolve_teleport(graph, None)
    jump = None if teleport is None else (teleport.probability, teleport.target)
    groups = labels_for(graph) if reference["kind"] == "dcsbm" else None
    expected = dense.null_probability(
        graph.adjacency.toarray(), weights=WINDOW, groups=groups, teleport=jump, **reference
    )
    return graph, make(graph), make(graph).fit(graph, WINDOW, teleport), expected


def test_it_keeps_the_protocol(fitted):
    _, model, null, _ = fitted
    assert isinstance(model, NullModel)
    assert isinstance(null, FittedNull)


def test_probability_is_the_window_probability_of_the_expected_adjacency(fitted):
    graph, _, null, expected = fitted
    rows, columns = np.meshgrid(np.arange(graph.n_nodes), np.arange(graph.n_nodes), indexing="ij")
    active = expected.sum(axis=1) > 0
    np.testing.assert_allclose(np.exp(null.log_probability(rows, columns))[active], expected[active], rtol=1e-9)


def test_rows_sum_to_one(fitted):
    graph, _, null, expected = fitted
    active = np.flatnonzero(expected.sum(axis=1) > 0)
    total = np.exp(null.log_probability(active[:, None], np.arange(graph.n_nodes)[None, :])).sum(axis=1)
    np.testing.assert_allclose(total, 1.0, rtol=1e-9)


def test_index_arrays_are_broadcast(fitted):
    _, _, null, _ = fitted
    block = null.log_probability(np.array([1, 2])[:, None], np.array([0, 5, 6])[None, :])
    assert block.shape == (2, 3)
    assert block[1, 2] == null.log_probability(2, 6)


def test_offset_is_the_log_of_the_marginal(fitted):
    graph, _, null, expected = fitted
    source = np.exp(null.source_offset)
    assert source.sum() == pytest.approx(1.0)
    isolated = (graph.out_strength == 0) & (graph.in_strength == 0)
    assert np.all(null.offset[isolated] == -np.inf)
    np.testing.assert_allclose(np.exp(null.offset)[~isolated], (source @ expected)[~isolated], rtol=1e-9)


def test_scaling_the_weights_changes_nothing(fitted):
    graph, model, null, _ = fitted
    scaled = type(graph)(0.01 * graph.adjacency, directed=graph.directed)
    again = model.fit(scaled, WINDOW, resolve_teleport(scaled, None))
    rows, columns = np.meshgrid(np.arange(graph.n_nodes), np.arange(graph.n_nodes))
    # Subnormal weights would round; these do not.
    np.testing.assert_allclose(again.log_probability(rows, columns), null.log_probability(rows, columns), rtol=1e-5)


def test_samples_are_contexts_that_can_be_reached(fitted):
    graph, _, null, expected = fitted
    active = np.flatnonzero(expected.sum(axis=1) > 0)
    centers = np.repeat(active, 50)
    contexts = null.sample(centers, np.random.default_rng(0))
    assert np.isfinite(null.log_probability(centers, contexts)).all()
    np.testing.assert_array_equal(contexts, null.sample(centers, np.random.default_rng(0)))


def test_the_graph_is_not_changed(fitted):
    graph, model, _, _ = fitted
    before = graph.adjacency.copy()
    model.fit(graph, 3, resolve_teleport(graph, None))
    assert (before != graph.adjacency).nnz == 0
