import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from planted_files import write_planted
from residuum.cli import main

SIDE = ("--groups", "people.csv:side")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_planted(tmp_path)
    return tmp_path


def compare(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["compare", "edges.csv", "-k", "4", "--threads", "1", *arguments, "-q"])


def test_methods_null_models_and_erasures_in_a_table_and_a_page() -> None:
    names = ("--methods", "netmf,residual2vec", "--nulls", "configuration,dcsbm", "--erase-level", "distribution")
    result = compare(*names, *SIDE, "-o", "page.html")
    assert result.exit_code == 0, result.stderr
    words = " ".join(result.stdout.replace("│", " ").split())
    for name in ("netmf", "residual2vec", "link AUC", "side", "degree"):
        assert name in words
    page = Path("page.html").read_text("utf-8")
    assert page.count("<canvas") == 5
    assert "residual2vec, dcsbm, distribution erasure" in page


def test_json_has_seconds_and_held_out_edges() -> None:
    result = compare("--methods", "netmf", "--json")
    assert result.exit_code == 0, result.stderr
    summary = json.loads(result.stdout)
    assert list(summary["seconds"]) == ["netmf"]
    assert summary["held_out"] > 0
    assert summary["provenance"]["methods"]["netmf"]["method"] == "NetMF"


def test_without_held_out_edges_the_whole_graph_is_embedded() -> None:
    whole = json.loads(compare("--methods", "netmf", "--hold-out", "0", "--json").stdout)
    assert whole["held_out"] == 0
    assert whole["graph"]["edges"] == len(Path("edges.csv").read_text().splitlines()) - 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--methods", ","], "--methods must name at least one method"),
        (["--methods", "word2vec"], "word2vec"),
        (["--nulls", "nope"], "nope"),
        (["--methods", "fairwalk"], "method fairwalk needs one --groups; got 0"),
        (["--erase-level", "linear"], "--erase-level needs --groups"),
        (["-o", "edges.csv", "--overwrite"], "is an input"),
    ],
)
def test_errors_name_the_problem(arguments: list[str], message: str) -> None:
    result = compare(*arguments)
    assert result.exit_code == 1
    assert message in result.stderr
