import numpy as np
import pytest

from kernel_ranges import over_ranges
from residuum._kernels.nearest import largest_entries


@pytest.mark.parametrize("n_ranges", [1, 3])
def test_columns_of_the_largest_entries_in_descending_order(n_ranges):
    scores = np.random.default_rng(0).standard_normal((20, 30))
    columns = np.empty((20, 6), dtype=np.int64)
    over_ranges(largest_entries, scores, np.full(20, -1), columns, length=20, n_ranges=n_ranges)
    np.testing.assert_array_equal(columns, np.argsort(-scores, axis=1, kind="stable")[:, :6])


def test_the_excluded_column_is_left_out():
    columns = np.empty((2, 1), dtype=np.int64)
    largest_entries(np.array([[1.0, 3.0, 2.0], [1.0, 3.0, 2.0]]), np.array([1, -1]), columns, 0, 2)
    assert columns.tolist() == [[2], [1]]


def test_of_equal_entries_the_first_columns_are_kept():
    columns = np.empty((1, 2), dtype=np.int64)
    largest_entries(np.array([[5.0, 5.0, 5.0, 1.0]]), np.array([-1]), columns, 0, 1)
    assert columns.tolist() == [[0, 1]]
