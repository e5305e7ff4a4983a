import numpy as np
import pandas as pd
import pytest

from residuum import Graph
from residuum.errors import InvalidParameterError
from residuum.graph import group_codes, node_numbers, node_values

IDS = list("abcd")
GRAPH = Graph([[0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0]], IDS)


def as_mapping(values):
    return dict(zip(IDS, values, strict=True))


@pytest.mark.parametrize("form", [list, tuple, as_mapping, lambda values: np.array(values, dtype=object)])
@pytest.mark.parametrize("missing", [np.nan, None])
@pytest.mark.parametrize("labels", [["x", "x", "y"], [1, 1, 2], [1.0, 1.0, 2.0]])
def test_a_missing_label_is_refused(form, missing, labels):
    with pytest.raises(InvalidParameterError, match=r"node 'b' has none \(1 in total\)"):
        group_codes(GRAPH, form([labels[0], missing, *labels[1:]]))


@pytest.mark.parametrize("form", [list, as_mapping])
def test_a_number_and_its_string_are_different_labels(form):
    codes, labels = group_codes(GRAPH, form([1, "1", "1", 2]))
    assert labels.values.tolist() == [1, 2, "1"]
    assert codes.tolist() == [0, 2, 2, 1]


@pytest.mark.parametrize(
    ("values", "kind"),
    [(["x", "y", "x", "y"], "U"), ([1, 2, 1, 2], "i"), ([1, 2.5, 1, 2.5], "f"), ([True, False] * 2, "b")],
)
def test_labels_of_one_type_keep_their_type(values, kind):
    for form in (list, as_mapping):
        codes, labels = group_codes(GRAPH, form(values))
        assert labels.values.dtype.kind == kind
        assert labels.values[codes].tolist() == values


def test_labels_of_the_wrong_length_are_refused():
    for values in ([1, 2], [[1, 2]] * 4):
        with pytest.raises(InvalidParameterError, match="one value for each of the 4 nodes"):
            group_codes(GRAPH, values)


def test_a_series_is_matched_by_its_index():
    shuffled = pd.Series([4, 3, 2, 1], index=list("dcba"))
    assert node_values(GRAPH, shuffled, "x").tolist() == [1, 2, 3, 4]
    with pytest.raises(InvalidParameterError, match="1 have none, such as 'd'"):
        node_values(GRAPH, shuffled[1:], "x")
    with pytest.raises(InvalidParameterError, match="the index of the Series contains 'a' twice"):
        node_values(GRAPH, pd.Series(range(5), index=list("aabcd")), "x")


def test_time_stamps_become_days():
    days = np.array(["1970-01-01", "1970-01-02", "1971-01-01", "1969-12-31"], dtype="datetime64[D]")
    for form in (days, days.astype("datetime64[ns]"), pd.Series(days, index=IDS), days.astype(object)):
        assert node_numbers(GRAPH, form, "times").tolist() == [0, 1, 365, -1]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (["1", "two", "3", "4"], "times must be numbers; got 'two'"),
        ([1.0, np.nan, 2.0, np.inf], r"a finite number for every node; node 'b' has none \(2 in total\)"),
        ([1.0, None, 2.0, 3.0], "node 'b' has none"),
    ],
)
def test_numbers_must_be_present_and_finite(values, message):
    with pytest.raises(InvalidParameterError, match=message):
        node_numbers(GRAPH, values, "times")
