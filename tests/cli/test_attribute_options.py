from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from residuum.cli import main
from residuum.cli.attribute_options import AttributeReader
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
