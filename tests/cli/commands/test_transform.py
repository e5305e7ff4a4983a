import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from residuum import Embedding, Residual2Vec, read_graph
from residuum.cli import main
from residuum.cli.provenance import read_provenance

EDGES = [(i, (i + step) % 30) for i in range(30) for step in (1, 2, 5)]


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("edges.csv").write_text("source,target\n" + "".join(f"{i},{j}\n" for i, j in EDGES))
    Path("new.csv").write_text("source,target,weight\nzoe,3,2\nzoe,4,1\nyan,17,1\n")
    Path("people.csv").write_text("id,side\n" + "".join(f"{i},{'ab'[i % 2]}\n" for i in range(30)))
    Path("new_people.csv").write_text("id,side\nzoe,a\nyan,b\n")


def embed(*arguments: str) -> None:
    result = run("embed", "edges.csv", "-o", "x.npz", "--model", "m.r2m", "-k", "4", "-q", *arguments)
    assert (result.exit_code, result.stderr) == (0, "")


def test_new_nodes_get_the_vectors_of_the_model() -> None:
    embed()
    result = run("transform", "m.r2m", "new.csv", "-o", "new.parquet", "-q")
    assert (result.exit_code, result.stdout) == (0, "")
    new = Embedding.load("new.parquet")
    expected = Residual2Vec.load("m.r2m").transform([("zoe", 3, 2.0), ("zoe", 4, 1.0), ("yan", 17, 1.0)])
    np.testing.assert_allclose([new["zoe"], new["yan"]], expected, rtol=1e-5)
    record = read_provenance(Path("new.parquet"))
    assert record["command"] == ["transform", "m.r2m", "new.csv", "-o", "new.parquet", "-q"]
    assert [item["role"] for item in record["inputs"]] == ["model", "edges"]
    assert new.metadata["method"] == "Residual2Vec"


def test_a_node_of_the_graph_gets_about_its_own_vector() -> None:
    embed()
    graph = read_graph("edges.csv")
    neighbors = graph.node_ids[graph.adjacency[[7]].indices]
    Path("new.csv").write_text("source,target\n" + "".join(f"copy,{node}\n" for node in neighbors))
    run("transform", "m.r2m", "new.csv", "-o", "new.npz", "-q")
    copy, original = Embedding.load("new.npz")["copy"], Embedding.load("x.npz")[7]
    assert copy @ original / np.linalg.norm(copy) / np.linalg.norm(original) > 0.95


def test_groups_and_erased_attributes_are_read_by_node() -> None:
    embed("--groups", "people.csv:side", "--erase", "people.csv:side")
    values = ["--groups", "new_people.csv:side", "--attributes", "new_people.csv:side"]
    result = run("transform", "m.r2m", "new.csv", "-o", "new.npz", "-q", *values)
    assert (result.exit_code, result.stderr) == (0, "")
    expected = Residual2Vec.load("m.r2m").transform(
        [("zoe", 3, 2.0), ("zoe", 4, 1.0), ("yan", 17, 1.0)], ["a", "b"], {"side": ["a", "b"]}
    )
    new = Embedding.load("new.npz")
    np.testing.assert_allclose([new["zoe"], new["yan"]], expected, rtol=1e-5)


def test_the_summary_fits_80_columns_and_json_has_the_counts() -> None:
    embed()
    summary = run("transform", "m.r2m", "new.csv", "-o", "new.npz").stdout
    assert summary.startswith("new.npz: 2 new nodes, 4 dimensions, ")
    assert len(summary) <= 80
    facts = json.loads(run("transform", "m.r2m", "new.csv", "-o", "new.npz", "--overwrite", "--json").stdout)
    assert (facts["nodes"], facts["dimensions"], facts["output"]) == (2, 4, "new.npz")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no.r2m", "new.csv", "-o", "y.npz"], "no.r2m does not exist."),
        (["m.r2m", "new.csv", "-o", "y.npz", "--groups", "side"], "--groups must be FILE:COLUMN; got 'side'."),
        (["m.r2m", "edges.csv", "-o", "edges.csv.npz", "--source", "nobody"], "nobody"),
        (["m.r2m", "wrong.csv", "-o", "y.npz"], "node 99 is not in the graph of 30 nodes"),
        (["m.r2m", "new.csv", "-o", "x.npz"], "x.npz exists; use overwrite=True (--overwrite)"),
    ],
)
def test_errors_print_one_line(arguments: list[str], message: str) -> None:
    embed()
    Path("wrong.csv").write_text("zoe,99\n")
    result = run("transform", *arguments, "-q")
    assert result.exit_code == 1
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


def test_missing_groups_are_an_error() -> None:
    embed("--groups", "people.csv:side", "--erase", "null")
    assert "so out-of-sample nodes need groups" in run("transform", "m.r2m", "new.csv", "-o", "y.npz", "-q").stderr
    Path("new_people.csv").write_text("id,side\nzoe,a\n")
    result = run("transform", "m.r2m", "new.csv", "-o", "y.npz", "-q", "--groups", "new_people.csv:side")
    assert "1 of 2 new nodes have no value, such as 'yan'" in result.stderr
