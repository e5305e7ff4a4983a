import numpy as np
import pytest
from scipy import sparse

from graph_cases import graph_cases
from residuum.errors import NullModelError
from residuum.nulls import Temporal

GRAPH = graph_cases()["weighted"]
YEARS = 2000 + np.arange(20) % 4


def n_groups(**arguments):
    return Temporal(**arguments).fit(GRAPH, 2).blocks.weights.shape[0]


def test_each_distinct_time_is_a_group_of_its_own():
    assert n_groups(times=YEARS) == 4


def test_bins_are_counted_or_given():
    assert n_groups(times=np.arange(20.0), bins=5) == 5
    assert n_groups(times=YEARS, bins=[2000.5]) == 2


def test_newcomers_fall_into_the_nearest_bin():
    null = Temporal(YEARS).fit(GRAPH, 2)
    np.testing.assert_array_equal(null.row_groups_of([1990, 2001, 2050], sparse.csr_array(np.eye(3, 20))), [0, 1, 3])


@pytest.mark.parametrize(
    ("times", "message"),
    [
        (None, "needs times"),
        (["last year"] * 20, "times must be numbers; got values such as 'last year'"),
        ([np.nan] + [1.0] * 19, "finite number for every node; node 0 has none"),
    ],
)
def test_bad_times_are_named(times, message):
    with pytest.raises(NullModelError, match=message):
        Temporal(times).fit(GRAPH, 2)
