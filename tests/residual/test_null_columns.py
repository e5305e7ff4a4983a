from dataclasses import FrozenInstanceError, fields

import numpy as np
import pytest

from graph_cases import graph_cases, labels_for
from residuum.nulls import DegreeCorrectedSBM
from residuum.residual.null_columns import ColumnWeights, NodeSample, NullColumns, center_weights, context_weights

CASES = graph_cases()


@pytest.mark.parametrize("size", [1, 3, 8, 19, 20, 100])
def test_nodes_are_sampled_with_their_probabilities(size):
    shares = np.random.default_rng(0).pareto(1.0, size=20) + 0.01
    shares /= shares.sum()
    sample = NodeSample.of(shares, size)
    assert sample.probability.sum() == pytest.approx(min(size, 20))
    assert (sample.probability <= 1.0).all()
    rng = np.random.default_rng(1)
    drawn = np.zeros(20)
    for _ in range(4000):
        nodes = sample.draw(rng)
        assert abs(len(nodes) - min(size, 20)) <= 1
        drawn[nodes] += 1
    np.testing.assert_allclose(drawn / 4000, sample.probability, atol=0.04)


def test_shares_that_differ_by_orders_of_magnitude_have_probabilities_up_to_1():
    # Each round finds a few nodes that are certain, and there are more than 30 rounds of them.
    sample = NodeSample.of(4.0 ** -np.arange(120.0), 110)
    assert sample.probability.max() == 1.0


def test_nodes_without_probability_are_never_sampled():
    sample = NodeSample.of(np.array([0.0, 0.5, 0.0, 0.5, 0.0]), 100)
    assert sample.draw(np.random.default_rng(0)).tolist() == [1, 3]


@pytest.mark.parametrize("case", ["weighted", "directed", "dangling nodes"])
def test_weights_are_probabilities_of_the_null_model(case):
    graph = CASES[case]
    null = DegreeCorrectedSBM(labels_for(graph)).fit(graph, 3)
    expected = np.exp(null.log_probability(np.arange(20)[:, None], np.arange(20)[None, :]))
    rows = slice(4, 13)
    shares = np.random.default_rng(0).random(20)
    sample = NodeSample.of(shares / shares.sum(), 9)
    nodes = sample.draw(np.random.default_rng(0))
    weights = context_weights(null.block_form, rows, nodes, sample).dense()
    np.testing.assert_allclose(weights, expected[rows][:, nodes] / sample.probability[nodes], rtol=1e-5)
    mass = np.where(np.arange(20) == 5, 0.0, 2.0)
    weights = center_weights(null.block_form, rows, nodes, sample, shares, mass)
    wanted = (shares / sample.probability)[:, None] * expected / np.where(mass > 0, mass, np.inf)
    np.testing.assert_allclose(weights.dense(), wanted[nodes][:, rows].T, rtol=1e-5)
    factors = np.arange(9, dtype=np.float32)
    np.testing.assert_allclose(weights.rescaled(factors).dense(), factors[:, None] * weights.dense(), rtol=1e-6)


@pytest.mark.parametrize("kind", [NodeSample, ColumnWeights, NullColumns])
def test_samples_and_weights_cannot_be_changed(kind):
    names = [field.name for field in fields(kind)]
    sample = kind(*names)
    for name in names:
        with pytest.raises(FrozenInstanceError):
            setattr(sample, name, None)


def test_columns_are_sampled_where_they_have_weight():
    graph = CASES["dangling nodes"]
    form = DegreeCorrectedSBM(labels_for(graph)).fit(graph, 3).block_form
    shares = graph.out_strength / graph.out_strength.sum()
    mass = np.where(np.arange(20) % 6 == 1, 0.0, graph.in_strength)
    columns = NullColumns.of(form, shares, form.marginal(shares), mass, size=100)
    P = form.rows_of_groups(form.groups)
    contexts, weights = columns.draw("centers", slice(0, 20), np.random.default_rng(0))
    assert contexts.tolist() == np.flatnonzero(mass > 0).tolist()
    np.testing.assert_allclose(weights.dense(), (shares > 0)[:, None] * P[:, contexts], rtol=1e-5)
    centers, weights = columns.draw("contexts", slice(0, 20), np.random.default_rng(0))
    assert centers.tolist() == np.flatnonzero(shares > 0).tolist()
    expected = np.divide(shares[:, None] * P, mass, out=np.zeros((20, 20)), where=mass > 0)
    np.testing.assert_allclose(weights.dense(), expected[centers].T, rtol=1e-5)
