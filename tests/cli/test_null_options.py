from pathlib import Path

import pytest

from residuum.cli.null_options import erasure_from_options
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
