import numpy as np

from residuum import datasets
from residuum.nulls import Configuration
from residuum.residual.contexts import Pairs
from residuum.residual.measured import column_losses, measured_columns, measured_nodes, pair_losses
from residuum.residual.null_columns import NullColumns

RNG = np.random.default_rng(0)
X, Y = (RNG.standard_normal((n, 3)).astype(np.float32) for n in (4, 7))


def test_all_nodes_of_a_small_graph_measure_the_loss_with_their_shares():
    shares = np.array([0.5, 0.0, 0.3, 0.2])
    nodes, weights = measured_nodes(shares, np.random.default_rng(0))
    assert nodes.tolist() == [0, 2, 3]
    np.testing.assert_allclose(weights, [0.5, 0.3, 0.2])


def test_measured_columns_have_the_probabilities_of_the_null_model():
    graph = datasets.karate_club()
    form = Configuration().fit(graph, 3).block_form
    shares = graph.out_strength / graph.out_strength.sum()
    columns = NullColumns.of(form, shares, shares, shares, size=100)
    contexts, table = measured_columns(columns, np.array([0, 5]), np.random.default_rng(0))
    assert contexts.tolist() == list(range(34))
    np.testing.assert_allclose(table, np.stack([shares, shares]), rtol=1e-5)


def test_losses_of_pairs_and_of_columns_are_those_of_the_formula():
    scores = (X @ Y.T).astype(float)
    table = RNG.random((4, 7), dtype=np.float32)
    np.testing.assert_allclose(column_losses(X, Y, table), (table * np.log1p(np.exp(scores))).sum(axis=1), rtol=1e-5)
    borders, others = np.arange(0, 29, 7), np.tile(np.arange(7, dtype=np.int32), 4)
    scale = np.arange(1, 5, dtype=np.float32)
    pairs = Pairs(borders, others, table.ravel(), scale)
    expected = scale * (table * np.log1p(np.exp(-scores))).sum(axis=1)
    np.testing.assert_allclose(pair_losses(pairs, X, Y, -1.0), expected, rtol=1e-5)
