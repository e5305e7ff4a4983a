import numpy as np

from graph_cases import graph_cases
from residuum.nulls import ErdosRenyi


def test_all_contexts_are_equally_likely():
    null = ErdosRenyi().fit(graph_cases()["weighted"], 10)
    np.testing.assert_allclose(null.log_probability(3, np.arange(20)), -np.log(20))


def test_isolated_nodes_have_probability_zero():
    null = ErdosRenyi().fit(graph_cases()["isolated nodes"], 10)
    assert null.offset[3] == -np.inf
    np.testing.assert_allclose(np.delete(null.offset, [3, 19]), -np.log(18))
