from pathlib import Path

import networkx as nx
import pytest
from click.testing import CliRunner

from residuum.cli import main
from residuum.nulls import null_model_names


def run(*arguments: str):
    return CliRunner().invoke(main, list(arguments))


def test_nulls_lists_every_null_model_with_a_line() -> None:
    lines = run("nulls").stdout.splitlines()
    assert [line.split()[0] for line in lines] == null_model_names()
    assert all(len(line.split()) > 1 for line in lines)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    graph = nx.karate_club_graph()
    Path("edges.csv").write_text("source,target\n" + "".join(f"{u},{v}\n" for u, v in graph.edges))
    rows = "".join(f"{v},{graph.nodes[v]['club'][:3]},{1990 + v % 4},{v % 6},{v // 6}\n" for v in graph)
    Path("people.csv").write_text("node,club,year,x,y\n" + rows)
    return tmp_path


def test_diagnose_measures_and_recommends(folder: Path) -> None:
    result = run(
        "diagnose",
        "edges.csv",
        "--groups",
        "people.csv:club",
        "--time",
        "people.csv:year",
        "--coordinates",
        "people.csv:x,y",
    )
    assert result.exit_code == 0
    for what in ("friendship-paradox ratio", "assortativity by club", "assortativity by year", "distance decay"):
        assert what in result.stdout
    assert "--null dcsbm  because assortativity by club" in result.stdout
    assert "--erase null" in result.stdout


def test_diagnose_names_a_bad_option(folder: Path) -> None:
    result = run("diagnose", "edges.csv", "--coordinates", "people.csv:x")
    assert result.exit_code == 1
    assert "FILE:X,Y" in result.stderr


@pytest.mark.parametrize(
    ("options", "shown"),
    [
        (["--groups", "people.csv:club", "--erase", "null"], "null erased"),
        (["--erase", "people.csv:club", "--erase", "degree"], "club and degree erased"),
        (["--time", "people.csv:year"], "Temporal"),
        (
            ["--null", "degree-correlated", "--groups", "people.csv:club"],
            "DegreeCorrelated(ratio=2) * DegreeCorrectedSBM",
        ),
        (["--groups", "people.csv:club", "--time", "people.csv:year"], "Temporal(times=dict) * DegreeCorrectedSBM"),
        (["--coordinates", "people.csv:x,y"], "Spatial(metric='euclidean')"),
        (["--null", "rewired"], "SampledNull(rewire"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_embed_makes_the_null_model_and_erasure_that_options_ask_for(
    folder: Path, options: list[str], shown: str
) -> None:
    result = run("embed", "edges.csv", "-o", "out.npz", "-k", "4", *options)
    assert result.exit_code == 0, result.stderr
    assert shown in result.stdout
