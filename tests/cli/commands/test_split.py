import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from residuum import read_graph
from residuum.cli import main


@pytest.fixture
def edges(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    pairs = [(i, j) for i in range(8) for j in range(i)]
    Path("edges.csv").write_text("source,target,weight\n" + "".join(f"n{i},n{j},{i + j}\n" for i, j in pairs))
    return Path("edges.csv")


def split(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["split", *arguments])


def edge_weights(file: str, directed: bool = False) -> dict[tuple[str, str], float]:
    graph = read_graph(file, directed=directed)
    entries, ids = graph.adjacency.tocoo(), graph.node_ids.tolist()
    return {
        (ids[i], ids[j]): float(w)
        for i, j, w in zip(entries.row, entries.col, entries.data, strict=True)
        if directed or ids[i] <= ids[j]
    }


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet"])
def test_both_parts_together_are_the_graph(edges: Path, ending: str) -> None:
    result = split("edges.csv", "-o", f"train.{ending}", "--hidden", f"held.{ending}", "--fraction", "0.5")
    assert result.exit_code == 0
    assert result.stdout == f"14 training edges, 14 held out\ntrain.{ending}, held.{ending}\n"
    train, held_out = edge_weights(f"train.{ending}"), edge_weights(f"held.{ending}")
    assert not train.keys() & held_out.keys()
    assert train | held_out == edge_weights("edges.csv")


def test_arcs_of_a_directed_graph_keep_their_direction(edges: Path) -> None:
    result = split("edges.csv", "-o", "train.csv", "--hidden", "held.csv", "--directed")
    assert "use --directed" in result.stdout
    both = edge_weights("train.csv", directed=True) | edge_weights("held.csv", directed=True)
    assert both == edge_weights("edges.csv", directed=True)


def test_the_training_graph_may_be_on_disk(edges: Path) -> None:
    assert split("edges.csv", "-o", "train.r2g", "--hidden", "held.csv", "-q").exit_code == 0
    assert edge_weights("train.r2g") | edge_weights("held.csv") == edge_weights("edges.csv")


def test_evaluate_takes_both_parts(edges: Path) -> None:
    # Not a clique: evaluation needs non-edges.
    edges.write_text("".join(f"{i},{(i + step) % 20}\n" for i in range(20) for step in (1, 2, 3)))
    split("edges.csv", "-o", "train.csv", "--hidden", "held.csv", "-q")
    embedded = CliRunner().invoke(main, ["embed", "train.csv", "-o", "x.npz", "-k", "2", "-q"])
    assert embedded.exit_code == 0
    result = CliRunner().invoke(main, ["evaluate", "x.npz", "train.csv", "--hidden", "held.csv", "--json"])
    assert result.exit_code == 0
    assert "link AUC" in [finding["name"] for finding in json.loads(result.stdout)]


def test_the_seed_decides(edges: Path) -> None:
    for name, seed in (("a", "1"), ("b", "1"), ("c", "2")):
        split("edges.csv", "-o", f"{name}1.csv", "--hidden", f"{name}2.csv", "--seed", seed)
    assert Path("a2.csv").read_text() == Path("b2.csv").read_text() != Path("c2.csv").read_text()


def test_a_part_alone_has_the_same_edges(edges: Path) -> None:
    split("edges.csv", "-o", "train.csv", "--hidden", "held.csv")
    assert split("edges.csv", "-o", "train2.csv").stdout == "22 training edges, 6 held out\ntrain2.csv\n"
    split("edges.csv", "--hidden", "held2.csv")
    assert Path("train2.csv").read_text() == Path("train.csv").read_text()
    assert Path("held2.csv").read_text() == Path("held.csv").read_text()


def test_json_has_the_counts(edges: Path) -> None:
    facts = json.loads(split("edges.csv", "-o", "train.csv", "--hidden", "held.csv", "--json").stdout)
    assert facts == {"train": "train.csv", "held_out": "held.csv", "edges": [22, 6], "nodes": 8, "directed": False}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "the outputs are missing; use -o TRAIN"),
        (["-o", "x.csv", "--hidden", "x.csv"], "TRAIN and HELD_OUT must be two files"),
        (["-o", "edges.csv"], "edges.csv is an input, which is never replaced"),
        (["--hidden", "x.npz"], "a table must end in .csv, .tsv, .parquet"),
        (["-o", "x.csv", "--hidden", "y.csv", "--fraction", "0"], "no edge can be held out with --fraction 0"),
        (["-o", "x.csv", "--hidden", "y.csv", "--fraction", "2"], "must be a finite number between 0 and 1; got 2.0"),
    ],
)
def test_errors_print_one_line(edges: Path, arguments: list[str], message: str) -> None:
    result = split("edges.csv", *arguments, "-q")
    assert result.exit_code == 1
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
