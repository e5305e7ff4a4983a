from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from residuum.cli import main
from residuum.cli.null_options import attribute, erasure_from_options
from residuum.errors import InvalidParameterError
from residuum.graph import Graph

GRAPH = Graph([[0, 1], [1, 0]], ["a", "b"])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p1.csv").write_text("node,label,degree\na,x,1\nb,y,2\n")
    (tmp_path / "p2.csv").write_text("node,label,degree\na,u,3\nb,v,4\n")
    return tmp_path


def test_columns_of_the_same_name_are_all_erased(folder: Path) -> None:
    found = erasure_from_options(GRAPH, ("p1.csv:label", "p2.csv:label"))
    assert found == {"label": {"a": "x", "b": "y"}, "p2.csv:label": {"a": "u", "b": "v"}}


@pytest.mark.parametrize("erase", [("degree", "p1.csv:degree"), ("p1.csv:degree", "degree")])
def test_a_column_called_degree_is_erased_beside_the_degree(folder: Path, erase: tuple[str, ...]) -> None:
    assert erasure_from_options(GRAPH, erase) == {"degree": "degree", "p1.csv:degree": {"a": 1, "b": 2}}


def test_nothing_to_erase_is_none() -> None:
    assert erasure_from_options(GRAPH, ()) is None


@pytest.mark.parametrize(
    "command",
    [
        ["embed", "edges.csv", "-o", "out.npz", "--groups", "gaps.csv:label"],
        ["embed", "edges.csv", "-o", "out.npz", "--erase", "gaps.csv:label"],
        ["evaluate", "vectors.npz", "edges.csv", "--groups", "gaps.csv:label"],
        ["diagnose", "edges.csv", "--groups", "gaps.csv:label"],
        ["diagnose", "edges.csv", "--coordinates", "gaps.csv:age,age"],
    ],
)
def test_a_node_with_an_empty_cell_is_named(folder: Path, command: list[str]) -> None:
    Path("edges.csv").write_text("a,b\nb,c\n")
    Path("gaps.csv").write_text("node,label,age\na,x,1\nb,,\nc,y,3\n")
    result = CliRunner().invoke(main, command)
    assert result.exit_code == 1
    assert "node 'b' has no value (1 such in all). Fill them;" in result.stderr


def test_a_gap_in_a_node_attribute_is_named() -> None:
    graph = Graph([[0, 1], [1, 0]], node_attributes={"age": np.array([3.0, np.nan])})
    with pytest.raises(InvalidParameterError, match="--groups age: node 1 has no value"):
        attribute(graph, "age", "--groups")
    assert attribute(graph, "age", "--numbers", complete=False) == "age"
