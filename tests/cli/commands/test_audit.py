import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from planted_files import write_planted
from residuum import read_graph
from residuum.cli import main
from residuum.evaluation import hide_edges

SIDE = ("--groups", "people.csv:side")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_planted(tmp_path)
    return tmp_path


def audit(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["audit", "edges.csv", *arguments, "-q"])


def test_the_page_and_the_card_of_two_files() -> None:
    Path("frontier.csv").write_text(
        "erasure,link_auc,link_auc_margin,leak,leak_margin\nnone,0.9,0.01,0.4,0.02\nlinear 1,0.8,0.01,0.1,0.03\n"
    )
    result = audit(
        *("before.parquet", "after.csv", *SIDE, "--numbers", "people.csv:year", "--frontier", "frontier.csv"),
        *("-o", "report.html", "--card", "card.md", "--title", "My audit"),
    )
    assert result.exit_code == 0, result.stderr
    assert "side, before: red, clear trace" in result.stdout
    assert "side, after: " in result.stdout
    assert "side, after: red" not in result.stdout
    page, card = Path("report.html").read_text("utf-8"), Path("card.md").read_text("utf-8")
    assert "<h1>My audit</h1>" in page
    assert '<td class="number">0.800 ±\xa00.010</td><td class="number">0.100 ±\xa00.030</td>' in page
    assert card.startswith("# My audit\n")
    assert "| side | red: clear trace |" in card


def test_json_has_the_verdicts_and_the_hashes_of_all_files() -> None:
    result = audit("before.parquet", *SIDE, "--json")
    assert result.exit_code == 0, result.stderr
    summary = json.loads(result.stdout)
    assert [subject["name"] for subject in summary["subjects"]] == ["side", "degree"]
    assert summary["subjects"][0]["embeddings"]["before"]["level"] == "red"
    files = {record["file"]: record["sha256"] for record in summary["provenance"]["inputs"]}
    assert set(files) == {"edges.csv", "before.parquet", "people.csv"}
    assert all(len(sha) == 64 for sha in files.values())


def test_page_and_card_can_be_made_again() -> None:
    assert audit("before.parquet", *SIDE, "-o", "report.html", "--card", "card.md").exit_code == 0
    for file in ("report.html", "card.md"):
        shown = CliRunner().invoke(main, ["rerun", file, "--show"]).stdout
        assert shown == (
            "residuum audit edges.csv before.parquet --groups people.csv:side -o report.html --card card.md -q\n"
        )
    result = CliRunner().invoke(main, ["rerun", "report.html", "-o", "again.html"])
    assert result.exit_code == 0, result.stderr
    section = '<section id="verdict"'
    first, second = (Path(file).read_text("utf-8").split(section)[1] for file in ("report.html", "again.html"))
    assert first.split('id="done"')[0] == second.split('id="done"')[0]


def test_held_out_edges_are_predicted() -> None:
    split = hide_edges(read_graph("edges.csv"), 0.1, np.random.default_rng(0))
    ids, kept = split.train.node_ids, np.argwhere(np.triu(split.train.adjacency.toarray()))
    for name, pairs in (("kept.csv", kept), ("hidden.csv", split.hidden)):
        Path(name).write_text("source,target\n" + "".join(f"{ids[i]},{ids[j]}\n" for i, j in pairs))
    Path("kept.csv").replace("edges.csv")
    result = audit("before.parquet", "--hidden", "hidden.csv", "--json")
    assert result.exit_code == 0, result.stderr
    summary = json.loads(result.stdout)
    assert summary["held_out"] == len(split.hidden)
    assert "link AUC" in {row["name"] for row in summary["measures"]}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no.parquet"], "no.parquet does not exist"),
        (["before.parquet", "before.parquet"], "one is given twice"),
        (["before.parquet", "--groups", "people.csv:nope"], "has no column 'nope'"),
        (["before.parquet", "-o", "people.csv"], "people.csv exists"),
        (["before.parquet", "--card", "edges.csv", "--overwrite"], "is an input"),
        (
            ["before.parquet", "--frontier", "people.csv"],
            "expected the columns erasure, leak, leak_margin, link_auc, link_auc_margin of",
        ),
        (["before.parquet", "--groups", "side"], "--groups must be FILE:COLUMN"),
        (["before.parquet", "--groups", "people.csv:side", "--numbers", "people.csv:side"], "numbers"),
    ],
)
def test_errors_name_the_problem(arguments: list[str], message: str) -> None:
    result = audit(*arguments)
    assert result.exit_code == 1
    assert message in result.stderr


def test_a_node_without_a_vector_is_named() -> None:
    text = Path("after.csv").read_text().splitlines()
    Path("short.csv").write_text("\n".join(text[:-1]))
    result = audit("short.csv")
    assert result.exit_code == 1
    assert "'n119'" in result.stderr
