import math

import numpy as np
import pytest

from residuum._validation import (
    check_choice,
    check_integer,
    check_positive,
    check_real,
    import_extra,
    window_weights,
)
from residuum.errors import InvalidParameterError, MissingExtraError


@pytest.mark.parametrize("value", [3, np.int32(3), np.uint8(3)])
def test_an_integer_is_returned_as_int(value: object) -> None:
    assert type(check_integer("n", value, minimum=3)) is int


@pytest.mark.parametrize("value", [3.0, "3", True, None, np.bool_(True)])
def test_a_value_that_is_not_an_integer_raises(value: object) -> None:
    with pytest.raises(InvalidParameterError, match=r"^n must be an integer of at least 1; got "):
        check_integer("n", value, minimum=1)


def test_an_integer_below_the_minimum_raises() -> None:
    with pytest.raises(InvalidParameterError, match=r"^n must be at least 2; got 1\.$"):
        check_integer("n", 1, minimum=2)


def test_an_integer_above_the_maximum_raises() -> None:
    assert check_integer("n", 5, minimum=2, maximum=5) == 5
    with pytest.raises(InvalidParameterError, match=r"^n must be at most 1,000; got 1001\.$"):
        check_integer("n", 1001, minimum=2, maximum=1000)


@pytest.mark.parametrize("value", [0, 1, 0.5, np.float32(0.5), np.int64(1)])
def test_a_number_within_the_bounds_is_returned_as_float(value: object) -> None:
    result = check_real("x", value, minimum=0, maximum=1)
    assert type(result) is float
    assert result == value


@pytest.mark.parametrize(
    ("value", "bounds", "rule"),
    [
        (math.nan, {}, "a finite number; got nan"),
        (math.inf, {}, "a finite number; got inf"),
        ("1", {}, "a finite number; got '1'"),
        (True, {}, "a finite number; got True"),
        (-1, {"minimum": 0}, "a finite number of at least 0; got -1"),
        (3, {"maximum": 2}, "a finite number of at most 2; got 3"),
        (3.5, {"minimum": 0, "maximum": 1}, r"a finite number between 0 and 1; got 3\.5"),
        (2, {"maximum": 0, "why": "a logarithm"}, r"of at most 0 \(a logarithm\); got 2"),
    ],
)
def test_a_number_outside_the_bounds_raises(value: object, bounds: dict[str, float], rule: str) -> None:
    with pytest.raises(InvalidParameterError, match=f"^x must be .*{rule}"):
        check_real("x", value, **bounds)


@pytest.mark.parametrize("value", [0, 0.0, -0.0])
def test_zero_is_not_positive(value: float) -> None:
    assert check_positive("x", 1e-300) == 1e-300
    with pytest.raises(InvalidParameterError, match=r"^x must be above 0; got -?0(\.0)?\.$"):
        check_positive("x", value)


def test_a_choice_must_be_one_of_the_options() -> None:
    assert check_choice("solver", "exact", ["exact", "auto"]) == "exact"
    with pytest.raises(InvalidParameterError, match=r"^solver must be one of 'exact', 'auto'; got 'Exact'\.$"):
        check_choice("solver", "Exact", ["exact", "auto"])


@pytest.mark.parametrize(
    ("window", "weights"),
    [(1, [1.0]), (4, [0.25] * 4), ([3, 1], [0.75, 0.25]), (np.array([0.0, 2.0]), [0, 1]), ([7], [1])],
)
def test_window_weights_sum_to_one(window: object, weights: list[float]) -> None:
    assert window_weights(window).tolist() == weights


def test_the_window_argument_is_not_modified() -> None:
    window = np.array([3.0, 1.0])
    window_weights(window)[:] = 9
    assert window.tolist() == [3, 1]


@pytest.mark.parametrize(
    ("window", "rule"),
    [
        (0, "window must be at least 1; got 0"),
        (np.array([1j, 1.0]), "window must be a number of steps or a list of weights"),
        (2.5, r"window must be an integer of at least 1; got 2\.5"),
        ([], r"a number of steps or a list of weights; got an array of shape \(0,\)"),
        ([[1, 1]], r"a list of weights; got an array of shape \(1, 2\)"),
        ([1, -1, 1], "finite and non-negative"),
        ([1, math.nan], "finite and non-negative"),
        ([1, 0], "the last weight positive .drop trailing zeros"),
    ],
)
def test_an_invalid_window_raises(window: object, rule: str) -> None:
    with pytest.raises(InvalidParameterError, match=rule):
        window_weights(window)


def test_an_installed_extra_is_imported() -> None:
    assert import_extra("math", "maths") is math


def test_a_missing_extra_raises_with_the_install_command() -> None:
    with pytest.raises(MissingExtraError, match=r"needs no_such_thing, .*pip install 'residuum\[extra\]'"):
        import_extra("no_such_thing.inside", "extra")
