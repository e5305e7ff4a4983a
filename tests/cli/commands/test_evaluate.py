import json
import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from residuum import Embedding, datasets, read_graph
from residuum.cli import main
from residuum.evaluation import grade_degree, hide_edges

GRAPH = datasets.planted_groups(120, 3, mixing=0.1, average_degree=10, random_state=0)
GROUP = GRAPH.node_attributes["group"]


def evaluate(*arguments: str):
    """Run the command, and return its result without the lines about what the files were taken for."""
    result = CliRunner().invoke(main, ["evaluate", *arguments])
    notes = [line for line in result.stderr.splitlines(keepends=True) if line.startswith(("note:", "error:"))]
    return SimpleNamespace(exit_code=result.exit_code, stdout=result.stdout, stderr="".join(notes))


def write_edges(name: str, pairs: np.ndarray) -> None:
    Path(name).write_text("source,target\n" + "".join(f"{source},{target}\n" for source, target in pairs))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    split = hide_edges(GRAPH, 0.2, np.random.default_rng(0))
    write_edges("edges.csv", np.argwhere(np.triu(split.train.adjacency.toarray())))
    write_edges("hidden.csv", split.hidden)
    write_edges("loops.csv", np.array([[1, 1], [2, 2]]))
    rows = (f"{node},g{GROUP[node]},{2000 + GROUP[node]},2020-01-01,\n" for node in range(120))
    Path("people.csv").write_text("node,group,year,day,empty\n" + "".join(rows))
    Embedding(range(120), np.eye(3)[GROUP]).save("perfect.npz")
    Embedding(range(120), np.eye(3)[GROUP]).save("perfect.w2v")
    return tmp_path


def test_the_table_has_all_requested_measures(folder: Path) -> None:
    options = ["--hidden", "hidden.csv", "--groups", "people.csv:group", "--numbers", "people.csv:year"]
    result = evaluate("perfect.w2v", "edges.csv", *options)
    assert (result.exit_code, result.stderr) == (0, "")
    for name in ("link AUC, beyond degree", "R² of similarity on degree", "micro-F1 of group", "R² of year"):
        assert name in result.stdout
    assert re.search(r"│ micro-F1 of group +│ 1.000 │", result.stdout)
    assert "-0.000" not in result.stdout


def test_json_has_the_values_of_the_library(folder: Path) -> None:
    rows = json.loads(evaluate("perfect.npz", "edges.csv", "--json", "--seed", "3").stdout)
    expected = grade_degree(Embedding.load("perfect.npz"), read_graph("edges.csv"), random_state=3)
    assert [row["value"] for row in rows] == [finding.value for finding in expected]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--hidden", "edges.csv"], "held-out edges must not be in the embedded graph"),
        (["--numbers", "people.csv:group"], "--numbers people.csv:group must be numbers; got 'g0'."),
        (["--numbers", "people.csv:day"], "numbers must have at least two distinct values"),
        (["--numbers", "people.csv:empty"], "--numbers people.csv:empty: no node has a value"),
        (["--hidden", "loops.csv"], "--hidden loops.csv has only self-loops"),
        (["--groups", "group"], "--groups must be FILE:COLUMN"),
    ],
)
def test_invalid_input_prints_one_line(folder: Path, arguments: list[str], message: str) -> None:
    result = evaluate("perfect.npz", "edges.csv", *arguments)
    assert result.exit_code == 1
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


def test_an_error_names_a_node_without_a_vector(folder: Path) -> None:
    Embedding(range(100), np.ones((100, 2))).save("short.npz")
    result = evaluate("short.npz", "edges.csv")
    assert result.exit_code == 1
    assert "is not in the embedding of 100 nodes" in result.stderr


def test_held_out_edges_of_unknown_nodes_are_refused(folder: Path) -> None:
    write_edges("other.csv", np.array([[0, 999]]))
    result = evaluate("perfect.npz", "edges.csv", "--hidden", "other.csv")
    assert result.exit_code == 1
    assert "999" in result.stderr


@pytest.mark.parametrize("directed", ["--directed", "--undirected"])
def test_held_out_ids_have_the_type_of_the_graph_ids(folder: Path, directed: str) -> None:
    text = Path("edges.csv").read_text().replace("\n0,", "\nroot,").replace(",0\n", ",root\n")
    Path("edges.csv").write_text(text)
    hidden = [line for line in Path("hidden.csv").read_text().split() if "0" not in line.split(",")]
    Path("hidden.csv").write_text("\n".join(hidden) + "\n")
    Embedding(["root", *map(str, range(1, 120))], np.eye(3)[GROUP]).save("named.npz")
    result = evaluate("named.npz", "edges.csv", "--hidden", "hidden.csv", directed)
    assert (result.exit_code, result.stderr) == (0, "")
    assert "link AUC, beyond degree" in result.stdout


def test_nodes_without_a_number_are_nan_and_warned_about(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    graded: list[dict[int, float]] = []
    monkeypatch.setattr(
        "residuum.evaluation.grade_numbers",
        lambda _, __, numbers, *___, **____: graded.append(numbers) or [],
    )
    rows = (f"{node},{'' if node == 7 else node}\n" for node in range(120))
    Path("ages.csv").write_text("node,age\n" + "".join(rows))
    result = evaluate("perfect.npz", "edges.csv", "--numbers", "ages.csv:age")
    assert result.exit_code == 0
    assert result.stderr == (
        "note: --numbers ages.csv:age: 1 of 120 nodes has no value, such as 7; they are left out.\n"
    )
    assert [node for node, number in graded[0].items() if number != node] == [7]
    assert np.isnan(graded[0][7])


def test_brackets_in_names_are_printed(folder: Path) -> None:
    Path("marked.csv").write_text(Path("people.csv").read_text().replace("group", "[/b]"))
    result = evaluate("perfect.npz", "edges.csv", "--groups", "marked.csv:[/b]")
    assert result.exit_code == 0
    assert "micro-F1 of [/b]" in result.stdout


def test_i7_held_out_edges_of_nodes_that_lost_all_edges_are_left_out_and_counted(folder: Path) -> None:
    write_edges("lost.csv", np.concatenate([pd.read_csv("hidden.csv").to_numpy(), [[0, 999], [998, 997]]]))
    result = evaluate("perfect.npz", "edges.csv", "--hidden", "lost.csv")
    assert result.exit_code == 0, result.stderr
    assert "2 of 101 edges have a node without edges in the graph (3 such nodes, for example 997)" in result.stderr
    assert "keep one edge of each node when you split the edges" in result.stderr
    without = evaluate("perfect.npz", "edges.csv", "--hidden", "hidden.csv")
    assert result.stdout == without.stdout


def test_i6_unknown_labels_are_left_out_of_the_grades(folder: Path) -> None:
    rows = (f"{node},{0 if node % 10 == 0 else GROUP[node] + 1}\n" for node in range(120))
    Path("codes.csv").write_text("node,group\n" + "".join(rows))
    result = evaluate("perfect.npz", "edges.csv", "--groups", "codes.csv:group", "--missing-code", "0")
    assert result.exit_code == 0, result.stderr
    assert "12 of 120 nodes have no value, such as 0; they are left out" in result.stderr
    assert re.search(r"│ micro-F1 of group +│ 1.000 │", result.stdout)
    refused = evaluate(
        "perfect.npz", "edges.csv", "--groups", "codes.csv:group", "--missing-code", "0", "--missing", "error"
    )
    assert "12 of 120 nodes have no value, such as 0. Fill in all values" in refused.stderr


def test_u14_no_measure_appears_twice(folder: Path) -> None:
    attribute, copy = "people.csv:year", "copy.csv:year"
    Path("copy.csv").write_text(Path("people.csv").read_text())
    repeated = ["--groups", attribute, "--groups", attribute, "--groups", copy, "--numbers", attribute]
    rows = json.loads(evaluate("perfect.npz", "edges.csv", "--json", *repeated).stdout)
    names = [row["name"] for row in rows]
    assert len(set(names)) == len(names)
    assert {"R² of similarity on same people.csv:year", "R² of similarity on year"} <= set(names)


def test_u3_an_auc_below_chance_is_explained(folder: Path) -> None:
    # Equal group means: the training folds of a linear predictor point away from its test fold.
    vectors = np.random.default_rng(0).standard_normal((120, 20))
    for group in range(3):
        vectors[group == GROUP] -= vectors[group == GROUP].mean(axis=0)
    Embedding(range(120), vectors).save("erased.npz")
    rows = json.loads(evaluate("erased.npz", "edges.csv", "--json", "--groups", "people.csv:group").stdout)
    (linear,) = [row for row in rows if row["name"] == "AUC of group, linear"]
    assert linear["value"] < 0.4
    reversed_auc = f"{1 - linear['value']:.3f}"
    assert f"below chance (0.5), as after erasure; reversed, it has AUC {reversed_auc}" in linear["meaning"]


def test_u4_quiet_hides_notes(folder: Path) -> None:
    rows = (f"{node},{'' if node == 7 else node}\n" for node in range(120))
    Path("ages.csv").write_text("node,age\n" + "".join(rows))
    result = CliRunner().invoke(main, ["evaluate", "perfect.npz", "edges.csv", "--numbers", "ages.csv:age", "-q"])
    assert (result.exit_code, result.stderr) == (0, "")


def test_the_strongest_attacker_is_reported_after_and_before_erasure(folder: Path) -> None:
    erased = ["--erase", "people.csv:group", "--erase-level", "distribution"]
    embed = ["embed", "edges.csv", "--dim", "4", "--threads", "1", "-q"]
    assert CliRunner().invoke(main, [*embed, "-o", "fair.npz", *erased]).exit_code == 0
    assert CliRunner().invoke(main, [*embed, "-o", "plain.npz"]).exit_code == 0
    fair, skipped, plain = (
        next(row for row in rows if row["name"] == "strongest attacker on group")
        for rows in (
            json.loads(evaluate(file, "edges.csv", "--groups", "people.csv:group", "--json", *options).stdout)
            for file, options in (("fair.npz", []), ("fair.npz", ["--no-before"]), ("plain.npz", []))
        )
    )
    before = re.search(r"before erasure [a-z0-9 ]+ (0\.\d+|1\.0+) ± ", fair["meaning"])
    assert before is not None
    assert float(before[1]) == pytest.approx(plain["value"], abs=0.001)
    assert fair["value"] < float(before[1]) - 0.2
    assert fair["value"] == skipped["value"]
    assert "before" not in skipped["meaning"]
    assert "before" not in plain["meaning"]
