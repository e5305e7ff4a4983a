import csv
import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from residuum import Embedding
from residuum.cli import main
from residuum.cli.provenance import read_provenance


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("edges.csv").write_text("1,2\n2,3\n3,4\n4,5\n")
    Path("names.csv").write_text("id,name\n1,ann\n2,bob\n3,cid\n4,dan\n5,eve\n")
    vectors = [[1, 0], [0, 0], [0.9, 0], [0, 1], [0, 2]]
    Embedding([1, 2, 3, 4, 5], vectors, vectors, np.arange(5.0)).save("x.npz")


def link(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["link", "edges.csv", "x.npz", *arguments])


def test_each_score_ranks_the_links_of_the_graph() -> None:
    rows = json.loads(link("-n", "1", "--json", "-q").stdout)
    assert [(row["by"], row["rank"], row["source"], row["target"]) for row in rows] == [
        ("residual", 1, 1, 3),
        ("null", 1, 3, 5),
        ("full", 1, 3, 5),
    ]
    assert rows[0]["residual"] == pytest.approx(0.9)
    assert rows[0]["full"] == pytest.approx(rows[0]["residual"] + rows[0]["null"])


def test_a_node_is_found_by_name_and_its_links_have_names() -> None:
    rows = json.loads(link("eve", "-n", "2", "--by", "null", "--names", "names.csv:name", "--json", "-q").stdout)
    assert [(row["source_name"], row["target_name"]) for row in rows] == [("eve", "cid"), ("eve", "bob")]


def test_csv_has_a_record_of_the_command() -> None:
    result = link("-n", "2", "--by", "full", "-o", "links.csv", "-q")
    assert result.exit_code == 0
    with Path("links.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    assert [(row["source"], row["target"]) for row in rows] == [("3", "5"), ("2", "5")]
    record = read_provenance(Path("links.csv"))
    assert record["command"][:3] == ["link", "edges.csv", "x.npz"]
    assert [item["role"] for item in record["inputs"]] == ["graph", "vectors"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["9"], "node '9' is not in the graph of 5 nodes"),
        (["-n", "0"], "n must be at least 1; got 0."),
        (["-o", "links.txt"], "a table must end in .csv, .tsv, .parquet"),
        (["-o", "edges.csv"], "edges.csv is an input"),
    ],
)
def test_errors_print_one_line(arguments: list[str], message: str) -> None:
    result = link(*arguments, "-q")
    assert result.exit_code == 1
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
