from typing import Any

import numpy as np
import pytest

from residuum.errors import InvalidParameterError
from residuum.graph import Graph, Labels
from residuum.models.parts import NotSaved, decode, encode

GRAPH = Graph([[0, 1], [1, 0]])


def round_trip(value: Any) -> Any:
    arrays: dict[str, Any] = {}
    return decode(encode(value, GRAPH, arrays), GRAPH, arrays)


@pytest.mark.parametrize(
    "value", [None, True, 3, 2.5, "x", [1, [2]], (1, (2, "a")), {"a": 1, (1, 2): [None]}, {1: {2: 3}}]
)
def test_plain_values_keep_their_type(value: Any) -> None:
    assert round_trip(value) == value


def test_arrays_keep_dtype_and_objects() -> None:
    for array in (np.arange(3, dtype=np.int32), np.array(["2020-01-01"], dtype="datetime64[D]"), np.zeros((2, 0))):
        restored = round_trip(array)
        assert restored.dtype == array.dtype
        np.testing.assert_array_equal(restored, array)
    labels = round_trip(Labels(np.array(["a", 1, None], dtype=object)))
    assert labels.values.tolist() == ["a", 1, None]


def test_an_array_that_occurs_twice_is_one_array() -> None:
    array = np.zeros(2)
    first, second = round_trip([array, array])
    assert first is second


def test_the_graph_is_not_copied() -> None:
    assert round_trip([GRAPH])[0] is GRAPH


def test_other_objects_are_an_error() -> None:
    with pytest.raises(InvalidParameterError, match=r"builtins\.object cannot be saved without pickle"):
        round_trip(object())


@pytest.mark.parametrize(
    "code",
    [
        {"class": "Popen", "arguments": {}},
        {"class": "Labels", "arguments": {"other": 1}},
        {"array": "7"},
        {"eval": "1"},
        [1],
    ],
)
def test_unknown_code_is_an_error(code: Any) -> None:
    with pytest.raises((ValueError, KeyError)):
        decode(code, GRAPH, {})


def test_a_parameter_that_is_not_saved_shows_its_description() -> None:
    assert repr(NotSaved("Spatial(...)")) == "Spatial(...)"
