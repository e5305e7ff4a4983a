import numpy as np

from residuum import datasets
from residuum.nulls import Configuration
from residuum.residual import ResidualMatrix
from residuum.solvers.block_walk import BlockWalk
from residuum.solvers.cluster_sums import ClusterSums
from residuum.walks import WindowProbabilities

GRAPH = datasets.karate_club()
LABELS = (np.arange(34) % 5).astype(np.int32)


def sums_of(exponent):
    null = Configuration(exponent).fit(GRAPH, 3)
    matrix = ResidualMatrix(WindowProbabilities(GRAPH, 3), null, -2.0)
    return ClusterSums.of(matrix, BlockWalk(matrix.probabilities, LABELS, 1)), null


def test_a_null_model_proportional_to_degree_has_no_deviations():
    assert sums_of(1.0)[0].is_even
    assert not sums_of(0.5)[0].is_even


def test_deviations_compare_shares_within_clusters():
    sums, null = sums_of(0.5)
    np.testing.assert_allclose(sums.theta, np.bincount(LABELS, null.block_form.theta), rtol=1e-5)
    inside = LABELS == 2
    shares = [values[inside] / values[inside].sum() for values in (GRAPH.in_strength, np.exp(null.offset))]
    np.testing.assert_allclose(sums.delta[inside], np.log(shares[0] / shares[1]), atol=1e-5)
    assert sums.low[2] == sums.delta[inside].min()
    np.testing.assert_array_equal(sums.per_cluster[:, 2], sums.high)


def test_slopes_are_between_0_and_1():
    sums, _ = sums_of(0.5)
    tile = np.linspace(-2.0, 3.0, 10, dtype=np.float32).reshape(2, 5)
    slope = sums.slope(tile, slice(0, 5), -2.0)
    assert slope[0, 0] == 0.0
    assert slope.max() == 1.0
