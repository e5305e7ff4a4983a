import numpy as np
import pytest

from graph_cases import graph_cases
from residuum.errors import InvalidParameterError
from residuum.nulls import Configuration, ErdosRenyi

CASES = graph_cases()


def test_probability_is_proportional_to_in_strength():
    graph = CASES["weighted"]
    null = Configuration().fit(graph, 10)
    share = graph.in_strength / graph.in_strength.sum()
    np.testing.assert_allclose(np.exp(null.log_probability(0, np.arange(20))), share)
    np.testing.assert_allclose(null.offset, np.log(share))


def test_exponent_zero_equals_erdos_renyi():
    graph = CASES["isolated nodes"]
    pairs = np.meshgrid(np.arange(20), np.arange(20))
    np.testing.assert_allclose(
        Configuration(exponent=0.0).fit(graph, 5).log_probability(*pairs),
        ErdosRenyi().fit(graph, 5).log_probability(*pairs),
    )


def test_residual_is_symmetric_for_exponent_one_only():
    assert Configuration().fit(CASES["weighted"], 5).symmetric
    assert not Configuration(0.75).fit(CASES["weighted"], 5).symmetric


def test_exponent_must_be_between_0_and_1():
    with pytest.raises(InvalidParameterError, match=r"exponent must be .* between 0 and 1; got 1\.5"):
        Configuration(1.5).fit(CASES["weighted"], 5)
