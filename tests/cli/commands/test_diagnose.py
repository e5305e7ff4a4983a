import json
import shlex
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from residuum import Embedding, datasets
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
def test_every_attribute_is_measured_and_one_null_model_is_recommended() -> None:
    options = ["--groups", "people.csv:club", "--time", "people.csv:year", "--coordinates", "people.csv:x,y"]
    result = diagnose(*options)
    assert result.exit_code == 0
    for measure in ("friendship-paradox ratio", "assortativity by club", "assortativity by year", "distance decay"):
        assert measure in result.stdout
    assert "Recommended null model: dcsbm, because assortativity by club is 0.72 (p = 0.001)." in result.stdout


def recommended(*arguments: str) -> list[str]:
    """Run diagnose, and return the arguments of the one command that it prints."""
    result = diagnose(*arguments)
    assert result.exit_code == 0, result.stderr
    (line,) = [line for line in result.stdout.splitlines() if line.startswith("  residuum ")]
    return shlex.split(line)[1:]


def run(arguments: list[str]) -> None:
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.stderr


def random_attributes(n_nodes: int) -> None:
    """Write attributes that have nothing to do with the edges to people.csv."""
    rng = np.random.default_rng(3)
    rows = zip(range(n_nodes), rng.integers(3, size=n_nodes), rng.integers(1990, 1995, n_nodes), strict=True)
    people = "".join(f"{node},g{group},{year},{rng.random()},{rng.random()}\n" for node, group, year in rows)
    Path("people.csv").write_text(f"node,group,year,x,y\n{people}")


@pytest.mark.usefixtures("karate")
def test_u1_the_recommended_command_works_as_is() -> None:
    command = recommended("--groups", "people.csv:club", "--time", "people.csv:year", "--undirected", "--no-header")
    options = ["--undirected", "--no-header", "--groups", "people.csv:club", "--erase", "null"]
    assert command == ["embed", "edges.csv", "-o", "vectors.parquet", *options]
    run(command)
    assert Embedding.load("vectors.parquet").metadata["erased"] == ["null"]


@pytest.mark.usefixtures("karate")
def test_u1_the_recommended_command_works_if_labels_are_missing() -> None:
    text = Path("people.csv").read_text().replace("\n3,Mr. Hi,", "\n3,,")
    Path("people.csv").write_text(text)
    assert "\n3,," in text
    command = recommended("--groups", "people.csv:club")
    assert command[-2:] == ["--missing", "unknown"]
    run(command)


def test_u1_two_significant_labels_are_removed_by_one_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    graph = datasets.planted_groups(120, 4, mixing=0.1, average_degree=10, random_state=0)
    rows, columns = graph.adjacency.nonzero()
    Path("edges.csv").write_text("".join(f"{i},{j}\n" for i, j in zip(rows, columns, strict=True) if i < j))
    groups = enumerate(graph.node_attributes["group"])
    people = "".join(f"{node},{group},{2000 + group % 2}\n" for node, group in groups)
    Path("people.csv").write_text(f"node,group,year\n{people}")
    command = recommended("--groups", "people.csv:group", "--time", "people.csv:year")
    assert command[4:] == ["--groups", "people.csv:group", "--time", "people.csv:year", "--erase", "null"]
    run(command)


@pytest.mark.usefixtures("karate")
def test_u1_random_attributes_are_not_recommended_for_removal() -> None:
    random_attributes(34)
    options = ["--groups", "people.csv:group", "--time", "people.csv:year", "--coordinates", "people.csv:x,y"]
    command = recommended(*options)
    assert command == ["embed", "edges.csv", "-o", "vectors.parquet"]
    assert "no attribute is strongly and significantly related to the edges" in diagnose(*options).stdout
    run(command)


@pytest.mark.usefixtures("folder")
def test_u1_a_bipartite_graph_gets_the_bipartite_null_model() -> None:
    Path("edges.csv").write_text("".join(f"u{i},v{j}\n" for i in range(6) for j in range(5) if (i + j) % 3))
    command = recommended()
    assert command[-2:] == ["--null", "bipartite"]
    run(command)


@pytest.mark.usefixtures("karate")
def test_u14_an_attribute_is_measured_once() -> None:
    arguments = ["--groups", "people.csv:year", "--groups", "people.csv:year", "--time", "people.csv:year"]
    assert diagnose(*arguments).stdout.count("assortativity by year") == 1


@pytest.mark.usefixtures("folder")
def test_without_a_strong_bias_the_default_is_recommended() -> None:
    Path("edges.csv").write_text("a,b\nb,c\nc,a\n")
    result = diagnose()
    assert result.exit_code == 0
    assert "Recommended null model: configuration, the default, which removes degree.\n" in result.stdout


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


def test_json_has_findings_and_the_command(karate: Path) -> None:
    facts = json.loads(diagnose("--groups", "people.csv:club", "--json", "-q").stdout)
    assert facts["graph"] == "Graph(34 nodes, 78 edges, undirected, unweighted)"
    assert {"name", "value", "meaning", "p_value", "null_model"} <= set(facts["findings"][0])
    assert facts["command"][:3] == ["residuum", "embed", "edges.csv"]
    assert facts["recommendation"]
