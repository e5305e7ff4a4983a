from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from residuum import datasets
from residuum.cli import main


def diagnose(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["diagnose", "edges.csv", *arguments])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("edges.csv").write_text("a,b\nb,c\nc,d\nd,a\na,c\n")
    Path("nodes.csv").write_text("node,[/x],x,y\na,u,0,far\nb,u,1,far\nc,v,2,far\nd,v,3,far\n")
    return tmp_path


@pytest.fixture
def karate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the current folder, with the karate club as edges.csv and node attributes in people.csv."""
    monkeypatch.chdir(tmp_path)
    graph = datasets.karate_club()
    rows, columns = graph.adjacency.nonzero()
    Path("edges.csv").write_text("".join(f"{i},{j}\n" for i, j in zip(rows, columns, strict=True) if i < j))
    clubs = enumerate(graph.node_attributes["club"])
    people = "".join(f"{node},{club},{1990 + node % 4},{node % 6},{node // 6}\n" for node, club in clubs)
    Path("people.csv").write_text(f"node,club,year,x,y\n{people}")
    return tmp_path


@pytest.mark.usefixtures("karate")
def test_every_attribute_is_measured_and_null_models_are_recommended() -> None:
    options = ["--groups", "people.csv:club", "--time", "people.csv:year", "--coordinates", "people.csv:x,y"]
    result = diagnose(*options)
    assert result.exit_code == 0
    for measure in ("friendship-paradox ratio", "assortativity by club", "assortativity by year", "distance decay"):
        assert measure in result.stdout
    assert "--null dcsbm  because assortativity by club" in result.stdout
    assert "add --erase null to remove the label" in result.stdout


@pytest.mark.usefixtures("folder")
def test_without_a_strong_bias_the_default_is_recommended() -> None:
    Path("edges.csv").write_text("a,b\nb,c\nc,a\n")
    result = diagnose()
    assert result.exit_code == 0
    assert result.stdout.endswith("No strong bias; use the default null model, configuration.\n")


@pytest.mark.usefixtures("folder")
def test_coordinates_need_two_columns() -> None:
    result = diagnose("--coordinates", "nodes.csv:x")
    assert result.exit_code == 1
    assert "--coordinates must be FILE:X,Y or FILE:LAT,LON; got 'nodes.csv:x'." in result.stderr


@pytest.mark.usefixtures("folder")
def test_an_error_names_coordinates_that_are_not_numbers() -> None:
    result = diagnose("--coordinates", "nodes.csv:x,y", "-q")
    assert result.exit_code == 1
    assert result.stderr == "error: --coordinates must be numbers; got 'far'.\n"


@pytest.mark.usefixtures("folder")
def test_brackets_in_names_are_printed() -> None:
    result = diagnose("--groups", "nodes.csv:[/x]")
    assert result.exit_code == 0
    assert "[/x]" in result.stdout
