import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from residuum import Embedding, Node2Vec, Residual2Vec, datasets
from residuum.cli import main
from residuum.graph import read_graph
from residuum.models import describe_methods, method_names
from residuum.solvers import SkipGram


def run(*arguments: str):
    return CliRunner().invoke(main, list(arguments))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    graph = datasets.karate_club()
    rows, columns = graph.adjacency.nonzero()
    Path("edges.csv").write_text("".join(f"{u},{v}\n" for u, v in zip(rows, columns, strict=True) if u < v))
    clubs = enumerate(graph.node_attributes["club"])
    Path("people.csv").write_text("node,club\n" + "".join(f"{node},{club}\n" for node, club in clubs))
    return tmp_path


def embed(*arguments: str):
    return run("embed", "edges.csv", "-o", "out.npz", "-k", "4", "--threads", "1", *arguments)


def test_every_method_has_a_description() -> None:
    lines = run("methods").stdout.splitlines()
    assert [line.split()[0] for line in lines] == method_names()
    assert all(len(line.split()) > 1 for line in lines)


@pytest.mark.parametrize("name", method_names())
def test_every_method_embeds(folder: Path, name: str, request: pytest.FixtureRequest) -> None:
    if name in {"gcn", "gat", "graphsage"}:
        request.getfixturevalue("gnn")
    extra = ["--groups", "people.csv:club"] if name in ("crosswalk", "fairwalk") else []
    result = embed("--method", name, *extra)
    assert result.exit_code == 0, result.stderr
    assert "note:" not in result.stderr
    assert Embedding.load("out.npz").vectors.shape == (34, 4)
    assert result.stdout.count("\n") == 1


def test_node2vec_vectors_equal_those_of_the_library(folder: Path) -> None:
    arguments = ["-m", "node2vec", "--q", "0.5", "--gamma", "1", "--walks", "2", "--walk-length", "9", "--epochs", "2"]
    assert embed(*arguments, "-t", "3", "--seed", "5").exit_code == 0
    model = Node2Vec(4, q=0.5, exponent=1.0, n_walks=2, walk_length=9, epochs=2, window=3, n_jobs=1, random_state=5)
    np.testing.assert_array_equal(Embedding.load("out.npz").vectors, model.fit_transform(read_graph(Path("edges.csv"))))


def test_skipgram_vectors_equal_those_of_the_library(folder: Path) -> None:
    assert embed("--solver", "skipgram", "--walks", "2", "--epochs", "1", "--null", "erdos-renyi").exit_code == 0
    solver = SkipGram(n_walks=2, epochs=1)
    model = Residual2Vec(4, null_model="erdos-renyi", solver=solver, n_jobs=1, random_state=0)
    model.fit(read_graph(Path("edges.csv")))
    np.testing.assert_array_equal(Embedding.load("out.npz").vectors, model.embedding_)


def test_json_has_every_method() -> None:
    described = json.loads(CliRunner().invoke(main, ["methods", "--json"]).stdout)
    assert described == describe_methods()
