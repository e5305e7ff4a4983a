import csv
import json
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from residuum import datasets
from residuum.cli import main
from residuum.cli.provenance import read_provenance

ERASURES = ["none", "linear 0.5", "linear 1", *(f"distribution {s}" for s in ("0.25", "0.5", "0.75", "1"))]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the current folder, with a planted graph as edges.csv and its groups in people.csv."""
    monkeypatch.chdir(tmp_path)
    graph = datasets.planted_groups(120, 2, random_state=0)
    rows, columns = graph.adjacency.nonzero()
    Path("edges.csv").write_text("".join(f"n{i},n{j}\n" for i, j in zip(rows, columns, strict=True) if i < j))
    groups = enumerate(graph.node_attributes["group"])
    Path("people.csv").write_text("node,side\n" + "".join(f"n{node},s{group}\n" for node, group in groups))
    return tmp_path


def frontier(*arguments: str) -> Result:
    command = ["frontier", "edges.csv", "--groups", "people.csv:side", "--dim", "4", "--threads", "1", "-q"]
    return CliRunner().invoke(main, [*command, *arguments])


@pytest.mark.usefixtures("folder")
def test_the_table_the_files_and_the_recommended_command() -> None:
    pytest.importorskip("matplotlib")
    pytest.importorskip("concept_erasure")
    result = frontier("-o", "frontier.csv", "--figure", "frontier.png")
    assert result.exit_code == 0, result.stderr
    with Path("frontier.csv").open(encoding="utf-8") as file:
        rows = {row["erasure"]: row for row in csv.DictReader(file)}
    assert list(rows) == [*ERASURES, "dcSBM null model", "dcSBM, linear", "FairWalk", "CrossWalk", "LEACE"]
    assert read_provenance(Path("frontier.csv"))["command"][0] == "frontier"
    assert float(rows["none"]["leak"]) > float(rows["distribution 1"]["leak"])
    assert 0.0 < float(rows["none"]["link_auc_margin"]) < 0.2
    assert 0.0 < float(rows["distribution 1"]["leak_margin"]) < 0.3
    assert f"{float(rows['none']['link_auc']):.3f} ± {float(rows['none']['link_auc_margin']):.3f}" in result.stdout
    assert read_provenance(Path("frontier.png")) == read_provenance(Path("frontier.csv"))
    assert Path("frontier.png").read_bytes().startswith(b"\x89PNG")
    recommended = result.stdout.split("Recommended: ")[1]
    name, command = recommended.split(",")[0], recommended.splitlines()[1].split()
    assert name in ERASURES[1:]
    assert command[:3] == ["residuum", "embed", "edges.csv"]
    embedded = CliRunner().invoke(main, [*command[1:], "-q"])
    assert embedded.exit_code == 0, embedded.stderr


@pytest.mark.usefixtures("folder")
def test_json_has_the_table_and_the_command_reads_the_files_as_the_frontier_did() -> None:
    people = Path("people.csv").read_text().replace("n0,s0", "n0,?").replace("n0,s1", "n0,?")
    Path("people.csv").write_text(people.replace("node,side", "who,side"))
    edges = Path("edges.csv").read_text().replace(",", ";")
    Path("my edges.csv").write_text(edges)
    reading = ["--delimiter", ";", "--no-header", "--id-column", "who", "--missing", "unknown", "--missing-code", "?"]
    command = [
        "frontier",
        "my edges.csv",
        "--groups",
        "people.csv:side",
        "--dim",
        "4",
        "--threads",
        "1",
        "--json",
        "-q",
    ]
    result = CliRunner().invoke(main, [*command, *reading])
    assert result.exit_code == 0, result.stderr
    facts = json.loads(result.stdout)
    assert [point["erasure"] for point in facts["points"]][: len(ERASURES)] == ERASURES
    assert facts["recommended"] in ERASURES[1:]
    pasted = shlex.split(facts["command"])
    assert pasted[:3] == ["residuum", "embed", "my edges.csv"]
    assert sorted(set(reading) - set(pasted)) == []
    embedded = CliRunner().invoke(main, [*pasted[1:], "-q"])
    assert embedded.exit_code == 0, embedded.stderr


@pytest.mark.usefixtures("folder")
def test_an_existing_file_is_refused_before_the_work() -> None:
    Path("frontier.csv").write_text("mine")
    result = frontier("-o", "frontier.csv")
    assert result.exit_code == 1
    assert "frontier.csv" in result.stderr
    assert Path("frontier.csv").read_text() == "mine"


@pytest.mark.usefixtures("folder")
def test_without_its_package_leace_is_left_out_and_a_note_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == "concept_erasure" else object())
    command = ["frontier", "edges.csv", "--groups", "people.csv:side", "--dim", "4", "--threads", "1", "--json"]
    result = CliRunner().invoke(main, command)
    assert "LEACE" not in [point["erasure"] for point in json.loads(result.stdout)["points"]]
    assert "LEACE is left out, because concept-erasure is not installed: pip install 'residuum[benchmarks]'" in (
        " ".join(result.stderr.split())
    )
