import numpy as np
import pytest

from residuum import datasets
from residuum.errors import InvalidParameterError
from residuum.evaluation import (
    attribute_auc,
    community_auc,
    community_recovery,
    group_mix,
    hub_share,
    label_predictability,
    predict_classes,
    predict_numbers,
    similarity_dependence,
    similarity_disparity,
)
from residuum.evaluation.values import is_known

GRAPH = datasets.karate_club()
VECTORS = np.random.default_rng(0).standard_normal((34, 4))


@pytest.mark.parametrize(
    "measure",
    [
        attribute_auc,
        community_auc,
        community_recovery,
        lambda vectors, values: group_mix(vectors, values, GRAPH),
        hub_share,
        label_predictability,
        predict_classes,
        predict_numbers,
        similarity_dependence,
        similarity_disparity,
    ],
)
@pytest.mark.parametrize("length", [30, 40])
def test_values_of_another_number_of_nodes_are_refused(measure, length):
    with pytest.raises(
        InvalidParameterError, match=f"one value for each of the 34 vectors, in their order; got {length}"
    ):
        measure(VECTORS, np.arange(length) % 2)


def test_a_table_is_not_one_value_for_each_node():
    with pytest.raises(InvalidParameterError, match=r"got shape \(34, 2\)"):
        similarity_dependence(VECTORS, np.ones((34, 2)))


@pytest.mark.parametrize(
    ("values", "known"),
    [
        (np.array(["a", "", "b"]), [True, False, True]),
        (np.array([0.0, np.nan, np.inf]), [True, False, False]),
        (np.array([0, 1]), [True, True]),
        (np.array([False, True]), [True, True]),
        (np.array([None, "a", np.nan, 0, ""], dtype=object), [False, True, False, True, False]),
    ],
)
def test_what_is_missing(values, known):
    assert is_known(values).tolist() == known
