import numpy as np
import pytest
from scipy import sparse

from graph_cases import graph_cases
from residuum.errors import InvalidParameterError, NullModelError
from residuum.nulls import Temporal

GRAPH = graph_cases()["weighted"]
YEARS = 2000 + np.arange(20) % 4


def n_groups(**arguments):
    return Temporal(**arguments).fit(GRAPH, 2).block_form.weights.shape[0]


def test_each_distinct_time_is_a_group():
    assert n_groups(times=YEARS) == 4


def test_bins_are_a_number_or_borders():
    assert n_groups(times=np.arange(20.0), bins=5) == 5
    assert n_groups(times=YEARS, bins=[2000.5]) == 2


def test_out_of_sample_nodes_are_assigned_to_the_nearest_bin():
    null = Temporal(YEARS).fit(GRAPH, 2)
    np.testing.assert_array_equal(null.groups_of([1990, 2001, 2050], sparse.csr_array(np.eye(3, 20))), [0, 1, 3])


@pytest.mark.parametrize("unit", ["D", "s", "us", "ns"])
def test_time_stamps_of_out_of_sample_nodes_are_converted_as_those_of_the_graph(unit):
    stamps = np.array(["2020-01-01", "2021-01-01", "2022-01-01", "2023-01-01"], dtype="datetime64[D]")
    null = Temporal(stamps[np.arange(20) % 4]).fit(GRAPH, 2)
    groups = null.groups_of(stamps.astype(f"datetime64[{unit}]"), sparse.csr_array(np.eye(4, 20)))
    np.testing.assert_array_equal(groups, [0, 1, 2, 3])


@pytest.mark.parametrize(
    ("times", "message"),
    [
        (None, "needs times"),
        (["last year"] * 20, "times must be numbers; got 'last year'"),
        ([np.nan] + [1.0] * 19, "finite number for every node; node 0 has none"),
    ],
)
def test_invalid_times_raise(times, message):
    with pytest.raises((NullModelError, InvalidParameterError), match=message):
        Temporal(times).fit(GRAPH, 2)


@pytest.mark.parametrize("bins", [[[1.0]], [np.nan], ["x"]])
def test_borders_that_are_no_list_of_numbers_raise(bins):
    with pytest.raises(InvalidParameterError, match=r"^bins must be"):
        Temporal(YEARS, bins).fit(GRAPH, 2)
