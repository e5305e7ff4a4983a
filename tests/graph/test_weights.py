import numpy as np
import pytest
from scipy import sparse

from residuum.graph.weights import effective_degrees, invalid_weights, narrowed, row_ranges, why_not_a_weight


def test_weights_are_finite_and_not_negative() -> None:
    weights = np.array([0.0, -0.0, 1e300, -1e-300, np.nan, np.inf, -np.inf])
    assert invalid_weights(weights).tolist() == [3, 4, 5, 6]


@pytest.mark.parametrize(
    ("numbers", "reason"),
    [
        ([], None),
        ([1.5, 2000], None),
        ([5, 4, 3], None),
        ([3, 4], None),
        ([1990, 2020], "years"),
        ([1577836800.5, 1577836801.0], "time stamps"),
        ([1577836800, 1577836801], "time stamps"),
        ([19991231, 20000101], "dates"),
        ([7, 8, 9], "row numbers"),
        ([0, 20, 20, 40, 60, 80, 100, 120, 140, 160], "times in order"),
        ([1, 1, 1, 1, 1, 1, 2, 2, 3, 3], None),
    ],
)
def test_i2_numbers_that_are_probably_not_weights(numbers: list[float], reason: str | None) -> None:
    assert why_not_a_weight(np.array(numbers, dtype=np.float64)) == reason


def test_numbers_that_are_not_finite_look_like_nothing():
    assert why_not_a_weight(np.array([np.inf, np.inf])) is None
    assert why_not_a_weight(np.array([np.nan, 1.0])) is None


def test_numbers_whose_differences_overflow_are_compared_without_a_warning():
    assert why_not_a_weight(np.array([-1.7e308, 1.7e308, -1.7e308])) is None
    assert why_not_a_weight(np.array([-1.7e308, *range(10), 1.7e308])) == "times in order"


@pytest.mark.parametrize("unit", [1.0, 1e-300, 1e300])
def test_the_effective_degree_is_the_number_of_equal_weights(unit: float) -> None:
    weights = np.array([[0.0, 1.0, 1.0, 1.0], [1.0, 0.0, 3.0, 0.0], [0.0, 0.0, 0.0, 7.0], [0.0, 0.0, 0.0, 0.0]])
    np.testing.assert_allclose(effective_degrees(sparse.csr_array(unit * weights)), [3.0, 1.6, 1.0, 1.0])


def test_ranges_of_rows_cover_all_rows_and_limit_entries():
    rng = np.random.default_rng(0)
    for _ in range(20):
        indptr = np.concatenate([[0], np.cumsum(rng.integers(0, 15, size=30))])
        ranges = list(row_ranges(indptr, 10))
        assert [begin for begin, _ in ranges] == [0, *(end for _, end in ranges[:-1])]
        assert ranges[-1][1] == 30
        assert all(indptr[end] - indptr[begin] <= 10 or end == begin + 1 for begin, end in ranges)


@pytest.mark.parametrize(
    ("weights", "kind"),
    [
        ([1.0, 2.5], np.float32),
        ([0.1], np.float64),
        ([1e300, 1.0], np.float64),
        ([2.0**24 + 1], np.float64),
        ([], np.float32),
    ],
)
def test_weights_are_narrowed_if_they_stay_the_same(weights: list[float], kind: type) -> None:
    result = narrowed(np.array(weights, dtype=np.float64))
    assert result.dtype == kind
    np.testing.assert_array_equal(result, weights)
    assert narrowed(result) is result
