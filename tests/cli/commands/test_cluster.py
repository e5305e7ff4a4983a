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
    noise = 0.05 * np.random.default_rng(0).normal(size=(12, 3))
    Embedding([f"n{i}" for i in range(12)], np.eye(3)[np.repeat([0, 1, 2], [6, 4, 2])] + noise).save("x.npz")


def cluster(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["cluster", "x.npz", *arguments])


def test_a_table_has_the_cluster_of_each_node_and_its_record() -> None:
    result = cluster("-o", "clusters.csv")
    assert result.stdout == "3 clusters of 6 to 2 nodes, number chosen by silhouette\nclusters.csv\n"
    lines = Path("clusters.csv").read_text().splitlines()
    assert lines[0] == "node,cluster"
    assert lines[1:] == [f"n{i},{cluster}" for i, cluster in enumerate(np.repeat([0, 1, 2], [6, 4, 2]))]
    record = read_provenance(Path("clusters.csv"))
    assert (record["sizes"], record["chosen_by"], record["seed"]) == ([6, 4, 2], "silhouette", 0)


def test_json_and_a_given_number() -> None:
    rows = json.loads(cluster("-n", "2", "--json").stdout)
    assert len(rows) == 12
    assert {row["cluster"] for row in rows} == {0, 1}


def test_leiden_takes_a_resolution() -> None:
    result = cluster("--method", "leiden", "--neighbors", "1", "--resolution", "1", "-o", "clusters.parquet")
    assert result.exit_code == 0
    assert "chosen" not in result.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-n", "99"], "--number must be at most 12"),
        (["--resolution", "1"], "resolution is for --method leiden"),
        (["-o", "x.npz"], "a table must end in"),
    ],
)
def test_errors_print_one_line(arguments: list[str], message: str) -> None:
    result = cluster(*arguments)
    assert result.exit_code == 1
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
