import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from residuum.cli import main
from residuum.graph import read_graph


@pytest.fixture
def edges(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("edges.csv").write_text("source,target,weight\nann,bob,2\nbob,cid,1\nann,bob,1\n")
    return tmp_path / "edges.csv"


@pytest.mark.usefixtures("edges")
def test_a_graph_is_written_and_summarized() -> None:
    result = CliRunner().invoke(
        main, ["convert", "edges.csv", "-o", "g.r2g", "--directed", "--verify", "--memory", "100MiB"]
    )
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("Graph(3 nodes, 2 edges, directed, weighted): ")
    assert "KiB, verified, " in result.stdout
    assert result.stdout.endswith(" s -> g.r2g\n")
    assert read_graph("g.r2g").adjacency[0, 1] == 3


@pytest.mark.usefixtures("edges")
def test_json_has_the_graph_and_its_size() -> None:
    facts = json.loads(CliRunner().invoke(main, ["convert", "edges.csv", "-o", "g.r2g", "--json"]).stdout)
    assert (facts["graph"], facts["folder"]) == ("Graph(3 nodes, 2 edges, undirected, weighted)", "g.r2g")
    assert facts["bytes"] == sum(file.stat().st_size for file in Path("g.r2g").iterdir())
    assert facts["verified"] is False


@pytest.mark.usefixtures("edges")
def test_quiet_prints_nothing() -> None:
    result = CliRunner().invoke(main, ["convert", "edges.csv", "-o", "g.r2g", "-q"])
    assert (result.exit_code, result.output) == (0, "")


@pytest.mark.usefixtures("edges")
def test_an_existing_graph_is_replaced_only_with_overwrite() -> None:
    CliRunner().invoke(main, ["convert", "edges.csv", "-o", "g.r2g"])
    result = CliRunner().invoke(main, ["convert", "edges.csv", "-o", "g.r2g"])
    assert result.exit_code == 1
    assert result.stderr == "error: g.r2g exists; use overwrite=True (--overwrite) to replace it.\n"
    assert CliRunner().invoke(main, ["convert", "edges.csv", "-o", "g.r2g", "--overwrite"]).exit_code == 0


@pytest.mark.usefixtures("edges")
def test_verify_without_an_output_detects_a_changed_file() -> None:
    CliRunner().invoke(main, ["convert", "edges.csv", "-o", "g.r2g"])
    result = CliRunner().invoke(main, ["convert", "g.r2g", "--verify"])
    assert result.exit_code == 0
    assert "verified" in result.stdout
    content = bytearray(Path("g.r2g/weights.npy").read_bytes())
    content[-1] ^= 1
    Path("g.r2g/weights.npy").write_bytes(content)
    result = CliRunner().invoke(main, ["convert", "g.r2g", "--verify"])
    assert result.exit_code == 1
    assert "weights.npy was changed after it was written" in result.stderr


@pytest.mark.usefixtures("edges")
def test_a_missing_output_is_an_error() -> None:
    result = CliRunner().invoke(main, ["convert", "edges.csv"])
    assert result.exit_code == 1
    assert "the output is missing; use residuum convert GRAPH -o OUT.r2g" in result.stderr


@pytest.mark.usefixtures("edges")
def test_an_interrupt_removes_the_incomplete_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("residuum.graph.disk.sorting._append", interrupt)
    result = CliRunner().invoke(main, ["convert", "edges.csv", "-o", "g.r2g"])
    assert result.exit_code == 130
    assert "stopped: the command was interrupted; incomplete files were removed." in result.stderr
    assert [file.name for file in Path().iterdir()] == ["edges.csv"]


@pytest.mark.usefixtures("edges")
def test_other_commands_open_the_folder() -> None:
    CliRunner().invoke(main, ["convert", "edges.csv", "-o", "g.r2g"])
    result = CliRunner().invoke(main, ["embed", "g.r2g", "-o", "vectors.npz", "--dim", "1"])
    assert result.exit_code == 0, result.output
    assert "Graph(3 nodes, 2 edges, undirected, weighted)" in result.stderr
