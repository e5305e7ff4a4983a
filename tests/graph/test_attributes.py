import numpy as np
import pandas as pd
import pytest

from residuum import Graph
from residuum.errors import InvalidParameterError
from residuum.graph import group_codes, node_numbers, node_values
from residuum.graph.attributes import as_numbers, values_by_id, with_unknown

IDS = [2, 3, 5, 7]
RING = [[0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0]]
GRAPH = Graph(RING, IDS)


def as_mapping(values):
    return dict(zip(IDS, values, strict=True))


def as_series(values):
    return pd.Series(values, index=IDS)[::-1]


@pytest.mark.parametrize("form", [list, tuple, as_mapping, as_series, lambda values: np.array(values, dtype=object)])
@pytest.mark.parametrize("missing", [np.nan, None])
@pytest.mark.parametrize("labels", [["x", "x", "y"], [1, 1, 2], [1.0, 1.0, 2.0]])
def test_a_missing_label_is_refused(form, missing, labels):
    with pytest.raises(InvalidParameterError, match=r"node 3 has none \(1 in total\)"):
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
    shuffled = pd.Series([4, 3, 2, 1], index=[7, 5, 3, 2])
    assert node_values(GRAPH, shuffled, "x").tolist() == [1, 2, 3, 4]
    with pytest.raises(InvalidParameterError, match="1 have none, such as 7"):
        node_values(GRAPH, shuffled[1:], "x")
    with pytest.raises(InvalidParameterError, match="the index of the Series contains 2 twice"):
        node_values(GRAPH, pd.Series(range(5), index=[2, *IDS]), "x")


def test_time_stamps_become_days():
    days = np.array(["1970-01-01", "1970-01-02", "1971-01-01", "1969-12-31"], dtype="datetime64[D]")
    for form in (days, days.astype("datetime64[ns]"), pd.Series(days, index=IDS), days.astype(object)):
        assert node_numbers(GRAPH, form, "times").tolist() == [0, 1, 365, -1]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (["1", "two", "3", "4"], "times must be numbers; got 'two'"),
        ([1.0, np.nan, 2.0, np.inf], r"a finite number for every node; node 3 has none \(2 in total\)"),
        ([1.0, None, 2.0, 3.0], "node 3 has none"),
    ],
)
def test_numbers_must_be_present_and_finite(values, message):
    with pytest.raises(InvalidParameterError, match=message):
        node_numbers(GRAPH, values, "times")


@pytest.mark.parametrize("ids", [list("abcd"), [7, 2, 3, 5]], ids=["strings", "not ascending"])
@pytest.mark.parametrize("form", [list, np.array])
def test_i1_an_array_that_cannot_be_matched_to_ids_is_refused(ids, form):
    graph = Graph(RING, ids)
    with pytest.raises(InvalidParameterError, match=r"groups: an array has no node ids, .* dict\(zip\(graph.node_ids"):
        group_codes(graph, form([1, 1, 2, 2]))
    assert node_values(graph, dict(zip(ids, [1, 2, 3, 4], strict=True)), "x").tolist() == [1, 2, 3, 4]
    assert node_values(graph, pd.Series([4, 3, 2, 1], index=ids[::-1]), "x").tolist() == [1, 2, 3, 4]


def test_i1_an_array_is_in_ascending_order_of_integer_ids():
    assert node_values(GRAPH, np.array([1, 2, 3, 4]), "x").tolist() == [1, 2, 3, 4]


def test_i1_keys_of_another_type_are_named():
    with pytest.raises(InvalidParameterError, match=r"ids begin with 2 \(int\), the keys of x with '2' \(str\)"):
        node_values(GRAPH, {str(node): 0 for node in IDS}, "x")


@pytest.mark.parametrize(
    "groups", [{2: "x", 3: "y"}, {2: "x", 3: "y", 5: None, 7: ""}, ["x", "y", None, float("nan")]], ids=str
)
def test_i6_missing_labels_may_be_a_group_of_their_own(groups):
    codes, labels = group_codes(GRAPH, groups, missing="group")
    assert labels.values[codes].tolist() == ["x", "y", "unknown", "unknown"]
    with pytest.raises(InvalidParameterError):
        group_codes(GRAPH, groups)
    with pytest.raises(InvalidParameterError, match="missing must be one of 'error', 'group'; got 'drop'"):
        group_codes(GRAPH, groups, missing="drop")


def test_labels_that_are_present_stay_as_they_are():
    assert with_unknown(np.array([1.0, np.nan])).tolist() == [1.0, "unknown"]


def test_a_missing_time_stamp_of_pandas_is_nan() -> None:
    stamps = pd.Series([pd.Timestamp("1970-01-03"), pd.NaT]).astype(object).to_numpy()
    np.testing.assert_array_equal(as_numbers(stamps, "times"), [2.0, np.nan])


def test_values_that_are_sequences_are_refused_in_a_mapping_as_in_an_array():
    with pytest.raises(InvalidParameterError, match=r"one value for each of the 2 nodes; got shape \(2, 2\)"):
        values_by_id(["a", "b"], {"a": [1, 2], "b": [3, 4]}, "labels")
    with pytest.raises(InvalidParameterError, match=r"one value for each of the 2 nodes; got shape \(2, 2\)"):
        values_by_id(["a", "b"], [[1, 2], [3, 4]], "labels")


def test_complex_numbers_are_refused():
    with pytest.raises(InvalidParameterError, match=r"x must be numbers; got \(1\+2j\)"):
        as_numbers(np.array([1 + 2j, 3]), "x")
