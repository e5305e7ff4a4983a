from pathlib import Path

import pytest

from residuum.cli.attribute_options import AttributeReader
from residuum.cli.null_options import coordinates_of, erasure_from_options, null_model_from_options
from residuum.errors import InvalidParameterError
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
