from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from residuum.cli import main
from residuum.cli.attribute_options import (
    AttributeReader,
    coordinates_of,
    erasure_from_options,
    null_model_from_options,
)
from residuum.errors import InvalidParameterError, ResiduumWarning
from residuum.graph import Graph

GRAPH = Graph([[0, 1], [1, 0]], ["a", "b"])
READER = AttributeReader(GRAPH, quiet=True)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p1.csv").write_text("node,label,degree\na,x,1\nb,y,2\n")
    (tmp_path / "p2.csv").write_text("node,label,degree\na,u,3\nb,v,4\n")
    return tmp_path


def test_columns_of_the_same_name_are_all_erased(folder: Path) -> None:
    erased = erasure_from_options(READER, ("p1.csv:label", "p2.csv:label"))
    assert erased == {"label": {"a": "x", "b": "y"}, "p2.csv:label": {"a": "u", "b": "v"}}


@pytest.mark.parametrize("erase", [("degree", "p1.csv:degree"), ("p1.csv:degree", "degree")])
def test_a_column_named_degree_is_erased_in_addition_to_the_degree(folder: Path, erase: tuple[str, ...]) -> None:
    assert erasure_from_options(READER, erase) == {"degree": "degree", "p1.csv:degree": {"a": 1, "b": 2}}


def test_erasure_without_options_is_none() -> None:
    assert erasure_from_options(READER, ()) is None


@pytest.mark.parametrize(
    "command",
    [
        ["embed", "edges.csv", "-o", "out.npz", "--groups", "gaps.csv:label"],
        ["embed", "edges.csv", "-o", "out.npz", "--erase", "gaps.csv:label"],
        ["evaluate", "vectors.npz", "edges.csv", "--groups", "gaps.csv:label", "--missing", "error"],
        ["diagnose", "edges.csv", "--groups", "gaps.csv:label", "--missing", "error"],
        ["diagnose", "edges.csv", "--coordinates", "gaps.csv:age,age"],
    ],
)
def test_an_error_names_a_node_with_an_empty_cell(folder: Path, command: list[str]) -> None:
    Path("edges.csv").write_text("a,b\nb,c\n")
    Path("gaps.csv").write_text("node,label,age\na,x,1\nb,,\nc,y,3\n")
    result = CliRunner().invoke(main, command)
    assert result.exit_code == 1
    assert "1 of 3 nodes has no value, such as 'b'. Fill in all" in result.stderr


def test_an_attribute_of_the_graph_with_a_gap_is_refused_unless_it_may_be_unknown() -> None:
    graph = Graph([[0, 1], [1, 0]], node_attributes={"club": np.array(["x", None], dtype=object), "age": [3.0, np.nan]})
    with pytest.raises(InvalidParameterError, match="--groups club: 1 of 2 nodes has no value, such as 1"):
        AttributeReader(graph).labels("club", "--groups")
    unknown = AttributeReader(graph, missing="unknown")
    assert unknown.labels("club", "--groups") == {0: "x", 1: "unknown"}
    with pytest.raises(InvalidParameterError, match="a missing number cannot be unknown"):
        unknown.labels("age", "--erase")
    with pytest.raises(InvalidParameterError, match="Fill in all numbers, or remove these nodes"):
        unknown.numbers("age", "--time")


def test_an_attribute_without_gaps_is_passed_by_name() -> None:
    graph = Graph([[0, 1], [1, 0]], node_attributes={"club": ["x", "y"]})
    assert AttributeReader(graph).labels("club", "--groups") == "club"


@pytest.mark.parametrize("code", ["0", "0.0"])
def test_i6_a_code_for_missing_can_be_named(folder: Path, code: str) -> None:
    Path("fb.csv").write_text("node,gender\na,0\nb,2\n")
    reader = AttributeReader(GRAPH, missing="unknown", missing_code=(code,), quiet=True)
    assert reader.labels("fb.csv:gender", "--groups") == {"a": "unknown", "b": 2}
    with pytest.warns(ResiduumWarning, match="1 of 2 nodes has no value, such as 'a'; they are left out"):
        assert reader.measured_labels("fb.csv:gender", "--groups") == {"a": None, "b": "2"}


def test_i5_the_id_column_can_be_named(folder: Path) -> None:
    Path("people.csv").write_text("twin,node,club\nb,a,x\na,b,y\n")
    assert READER.labels("people.csv:club", "--groups") == {"a": "x", "b": "y"}
    assert AttributeReader(GRAPH, "twin", quiet=True).labels("people.csv:club", "--groups") == {"a": "y", "b": "x"}


def test_numbers_that_are_measured_may_be_missing(folder: Path) -> None:
    Path("ages.csv").write_text("node,age\na,30\nb,\n")
    reader = AttributeReader(GRAPH, missing="unknown", quiet=True)
    with pytest.warns(ResiduumWarning, match="1 of 2 nodes has no value"):
        assert reader.measured_numbers("ages.csv:age", "--numbers")["a"] == 30
    Path("none.csv").write_text("node,age\na,\nb,\n")
    with pytest.raises(InvalidParameterError, match="no node has a value; name another column"):
        reader.measured_numbers("none.csv:age", "--numbers")


def null_model(**options: object) -> str:
    defaults = {"null_name": None, "gamma": None, "groups": (), "time": None, "coordinates": None}
    return repr(null_model_from_options(READER, **(defaults | options)))


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, "Configuration(exponent=1.0)"),
        ({"gamma": 0.75}, "Configuration(exponent=0.75)"),
        ({"null_name": "rewired"}, "SampledNull(rewire"),
        ({"groups": ("p1.csv:label",)}, "DegreeCorrectedSBM(groups=dict)"),
        ({"time": "p1.csv:degree"}, "Temporal(times=dict)"),
        (
            {"groups": ("p1.csv:label",), "time": "p1.csv:degree"},
            "Temporal(times=dict) * DegreeCorrectedSBM(groups=dict)",
        ),
        (
            {"null_name": "degree-correlated", "groups": ("p1.csv:label",)},
            "DegreeCorrelated(ratio=2) * DegreeCorrectedSBM(groups=dict)",
        ),
        (
            {"groups": ("p1.csv:label", "p2.csv:label")},
            "DegreeCorrectedSBM(groups=dict) * DegreeCorrectedSBM(groups=dict)",
        ),
        ({"coordinates": "p1.csv:degree,degree"}, "Spatial(metric='euclidean')"),
    ],
    ids=str,
)
def test_options_select_the_null_model(options: dict[str, object], expected: str) -> None:
    assert null_model(**options).startswith(expected)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"null_name": "dcsbm", "gamma": 1.0}, "--gamma is for the configuration null model; got --null dcsbm."),
        (
            {"null_name": "dcsbm", "coordinates": "p1.csv:degree,degree"},
            "--coordinates needs --null spatial, without --groups and --time; got --null dcsbm.",
        ),
        (
            {"coordinates": "p1.csv:degree,degree", "time": "p1.csv:degree"},
            "--null spatial does not accept --groups or --time; leave them out.",
        ),
        (
            {"null_name": "configuration", "groups": ("p1.csv:label",)},
            "--groups and --time need a null model with groups; got Configuration",
        ),
    ],
    ids=str,
)
def test_options_that_exclude_each_other_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidParameterError) as caught:
        null_model(**options)
    assert message in str(caught.value)


@pytest.mark.usefixtures("folder")
def test_the_name_of_the_first_axis_sets_the_metric() -> None:
    Path("places.csv").write_text("node,x,y,Lat,lon\na,1,2,3,4\nb,5,6,7,8\n")
    assert coordinates_of(READER, "places.csv:x,y") == ({"a": (1, 2), "b": (5, 6)}, "euclidean")
    assert coordinates_of(READER, "places.csv:Lat,lon") == ({"a": (3, 4), "b": (7, 8)}, "great-circle")
