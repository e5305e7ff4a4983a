from pathlib import Path

import pytest
from click.testing import CliRunner

from residuum.cli import main


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("edges.csv").write_text("a,b\nb,c\nc,d\nd,a\na,c\n")
    Path("nodes.csv").write_text("node,[/x],x,y\na,u,0,far\nb,u,1,far\nc,v,2,far\nd,v,3,far\n")
    return tmp_path


def test_coordinates_that_are_no_numbers_are_one_line(folder: Path) -> None:
    result = CliRunner().invoke(main, ["diagnose", "edges.csv", "--coordinates", "nodes.csv:x,y"])
    assert result.exit_code == 1
    assert result.stderr == "error: --coordinates: y must be numbers; got values such as 'far'.\n"


def test_brackets_are_shown_as_they_are(folder: Path) -> None:
    result = CliRunner().invoke(main, ["diagnose", "edges.csv", "--groups", "nodes.csv:[/x]"])
    assert result.exit_code == 0
    assert "[/x]" in result.stdout
