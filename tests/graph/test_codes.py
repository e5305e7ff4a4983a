import numpy as np
import pandas as pd
import pytest

from residuum.errors import InvalidParameterError
from residuum.graph import Bins, Labels, is_known
from residuum.graph.codes import object_array


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (np.array(["a", "", "b"]), [True, False, True]),
        (np.array([0.0, np.nan, np.inf]), [True, False, False]),
        (np.array([0, 1]), [True, True]),
        (np.array([False, True]), [True, True]),
        (np.array([None, "a", np.nan, 0, ""], dtype=object), [False, True, False, True, False]),
        (np.array(["2020-01-01", "NaT"], dtype="datetime64[D]"), [True, False]),
        (np.array([pd.NA, "a", pd.NaT], dtype=object), [False, True, False]),
        (np.array([]), []),
        (np.array([], dtype=object), []),
    ],
)
def test_none_nan_infinity_and_empty_strings_are_missing(values, expected):
    assert is_known(values).tolist() == expected


def test_codes_are_positions_in_sorted_order_and_minus_one_for_missing_labels():
    labels, codes = Labels.of(np.array(["b", None, "a", np.nan, "", "b"], dtype=object))
    assert labels.values.tolist() == ["a", "b"]
    assert codes.tolist() == [1, -1, 0, -1, -1, 1]


def test_labels_of_an_array_without_values_are_empty():
    labels, codes = Labels.of(np.array([np.nan, np.nan]))
    assert len(labels) == 0
    assert codes.tolist() == [-1, -1]


@pytest.mark.parametrize("values", [[3, 1, 2, 1], ["x", "y", "x"], [1, "1", 2.5, "1"], [(1, 2), (0, 1), (1, 2)]])
def test_labels_can_be_recovered_from_codes(values):
    labels, codes = Labels.of(object_array(values))
    assert [labels.values[code] for code in codes] == values
    assert len(labels) == len(set(values))
    assert labels.codes(values, "labels").tolist() == codes.tolist()


def test_error_names_an_unknown_label_and_the_first_five_labels():
    labels, _ = Labels.of(np.arange(7))
    with pytest.raises(InvalidParameterError, match=r"x: no node .* label 9; the labels are 0, 1, 2, 3, 4, …\."):
        labels.codes([1, 9], "x")


def test_object_array_keeps_sequences_as_entries():
    array = object_array([[1, 2], [3, 4]])
    assert array.shape == (2,)
    assert array.tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize("borders", [[], [2.0], [-1.0, 0.0, 1e300], [1e-300, 2e-300]])
def test_bin_of_a_number_is_the_number_of_borders_at_or_below_it(borders):
    bins = Bins(np.array(borders))
    values = [-np.inf, -1.0, 0.0, 1.5e-300, 2.0, 3.0, 1e300, np.inf]
    assert bins.codes(values).tolist() == [sum(border <= value for border in borders) for value in values]
    assert len(bins) == len(borders) + 1


@pytest.mark.parametrize("values", [[3.0, 1.0, 3.0], [5.0], [1e-12, 2e-12, 1e12], [-1.0, 0.0, 1.0]])
def test_distinct_bins_contain_one_value_each(values):
    bins = Bins.distinct(np.array(values))
    assert bins.codes(values).tolist() == [sorted(set(values)).index(value) for value in values]
    assert len(bins) == len(set(values))


def test_numbers_beyond_the_borders_belong_to_the_outer_bins():
    assert Bins.distinct(np.array([3.0, 1.0, 3.0])).codes([0.0, 1.0, 3.0, 9.0]).tolist() == [0, 0, 1, 1]


@pytest.mark.parametrize("n_bins", [1, 2, 7, 10])
def test_bins_of_distinct_values_have_equal_counts(n_bins):
    values = np.random.default_rng(0).lognormal(size=1000)
    counts = np.bincount(Bins.equal_counts(values, n_bins).codes(values))
    assert len(counts) == n_bins
    assert counts.max() - counts.min() <= 2


@pytest.mark.parametrize("n_bins", [2, 4, 50])
def test_bins_never_split_equal_values(n_bins):
    values = np.repeat([1.0, 2.0, 3.0, 10.0], [50, 1, 1, 50])
    bins = Bins.equal_counts(values, n_bins)
    assert 2 <= len(bins) <= 4
    assert (np.diff(bins.codes([1.0, 2.0, 3.0, 10.0])) >= 0).all()
    distinct = np.unique(values)
    assert not np.isin(bins.borders, distinct).any()


def test_equal_values_share_a_single_bin():
    assert len(Bins.equal_counts(np.full(9, 2.5), 4)) == 1
