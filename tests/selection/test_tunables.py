import numpy as np
import pytest

from residuum import datasets
from residuum.errors import InvalidParameterError
from residuum.models.defaults import geometric_window, read_window
from residuum.nulls import Configuration
from residuum.selection import TUNABLES
from residuum.selection.tunables import as_parameters, resolve_search, shown

GRAPH = datasets.planted_groups(200, 2, average_degree=12, random_state=0)


def test_every_start_is_among_its_values():
    assert all(tunable.start in tunable.values for tunable in TUNABLES.values())


def test_all_but_the_exponent_are_tuned_by_default():
    assert set(resolve_search(None, GRAPH, factorizes=True)) == set(TUNABLES) - {"exponent"}
    assert set(resolve_search(None, GRAPH, factorizes=False)) == {"window", "scale"}
    assert "exponent" in resolve_search({"exponent": [0.5, 1.0]}, GRAPH, factorizes=True)


def test_values_of_the_user_replace_those_of_the_table():
    tuned = resolve_search({"floor": [-1.0, -2.0, -5.0], "window": [8]}, GRAPH, factorizes=True)
    assert tuned["floor"].values == (-1.0, -2.0, -5.0)
    assert tuned["floor"].start == -2.0
    assert (tuned["window"].values, tuned["window"].variants) == ((8,), None)
    assert tuned["weighting"] == TUNABLES["weighting"]


def test_windows_are_read_off_the_graph_and_have_two_shapes():
    window = resolve_search(None, GRAPH, factorizes=True)["window"]
    assert window.start == tuple(read_window(GRAPH)[0])
    assert window.start in window.values
    lengths = [len(weights) for weights in window.values]
    assert lengths == sorted(lengths)
    assert len(lengths) == len(set(lengths)) == 4
    assert window.variants is not None
    (flat,) = window.variants(tuple(geometric_window(5.0)))
    assert flat == 9
    (falling,) = window.variants(9)
    np.testing.assert_allclose(falling, geometric_window(5.0))


@pytest.mark.parametrize(
    ("search", "factorizes", "message"),
    [
        ({"alpha": [0.5]}, True, "'alpha' cannot be tuned; use one of window, weighting"),
        ({"floor": []}, True, "'floor' must be a list of at least one value"),
        ({"floor": "auto"}, True, "'floor' must be a list of at least one value; got 'auto'"),
        ({"floor": -3.0}, True, "'floor' must be a list of at least one value; got -3.0"),
        ({"floor": [-3.0]}, False, "'floor' needs a solver that factorizes the matrix"),
    ],
)
def test_an_invalid_search_is_named(search, factorizes, message):
    with pytest.raises(InvalidParameterError, match=message):
        resolve_search(search, GRAPH, factorizes=factorizes)


def test_an_exponent_becomes_a_configuration_null_model():
    parameters = as_parameters({"window": 5, "exponent": 0.5})
    assert parameters["window"] == 5
    assert isinstance(parameters["null_model"], Configuration)
    assert parameters["null_model"].exponent == 0.5


def test_weights_of_a_window_are_shown_by_their_number():
    assert shown(tuple(geometric_window(4 / 3))) == "4 (decreasing weights)"
    assert (shown(5), shown(0.30000001)) == ("5", "0.3")
