"""Edge lists in the layouts that people have, read by the commands of the README: what is read is what is meant."""

from collections.abc import Callable
from pathlib import Path

import networkx as nx
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from residuum import Embedding, Residual2Vec, datasets, read_graph
from residuum.cli import main
from residuum.errors import GraphFileError, InvalidParameterError
from residuum.nulls import DegreeCorrectedSBM

NAMES = ["Ann Lee", "Bob", "Cid", "Dora", "Eve", "Finn"]
PAIRS = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3)]
WEIGHTS = [2.5, 1.0, 4.0, 1.5, 1.0, 3.0, 1.0]
TIMES = [1577836800 + 86400 * ((7 * k) % 5) for k in range(7)]


def rows(*columns: list[object], delimiter: str = ",", header: str = "") -> str:
    lines = [header] if header else []
    return "\n".join([*lines, *(delimiter.join(map(str, row)) for row in zip(*columns, strict=True))]) + "\n"


SOURCE, TARGET = ([NAMES[pair[end]] for pair in PAIRS] for end in (0, 1))
NUMBERS = [[pair[end] + 10 for pair in PAIRS] for end in (0, 1)]
QUOTED = [[f'"{name}"' for name in column] for column in (SOURCE, TARGET)]


def write(text: str) -> Callable[[Path], None]:
    return lambda file: file.write_text(text) and None


def frame(**columns: list[object]) -> pd.DataFrame:
    return pd.DataFrame(columns)


def write_graphml(file: Path) -> None:
    network = nx.Graph()
    network.add_weighted_edges_from(zip(SOURCE, TARGET, WEIGHTS, strict=True))
    nx.write_graphml(network, file)


LAYOUTS: dict[str, tuple[str, Callable[[Path], object], bool, bool]] = {
    # name: file name, writer, ids are names, edges have weights
    "csv, text header": ("e.csv", write(rows(SOURCE, TARGET, header="protein1,protein2")), True, False),
    "csv, no header": ("e.csv", write(rows(*NUMBERS)), False, False),
    "csv, weight": ("e.csv", write(rows(SOURCE, TARGET, WEIGHTS, header="follower,followee,weight")), True, True),
    "csv, third column": ("e.csv", write(rows(*NUMBERS, WEIGHTS)), False, True),
    "pandas index": ("e.csv", lambda file: frame(citing=SOURCE, cited=TARGET).to_csv(file), True, False),
    "time stamps": ("e.csv", write(rows(TIMES, *NUMBERS, header="timestamp,user_id,item_id")), False, False),
    "time stamps, no header": ("e.txt", write(rows(*NUMBERS, TIMES, delimiter=" ")), False, False),
    "year": ("e.csv", write(rows(SOURCE, TARGET, [1999 + k for k in range(7)], header="a,b,year")), True, False),
    "semicolons, decimal comma": (
        "e.csv",
        write(
            rows(SOURCE, TARGET, [str(w).replace(".", ",") for w in WEIGHTS], delimiter=";", header="von;nach;weight")
        ),
        True,
        True,
    ),
    "tabs": ("e.tsv", write(rows(SOURCE, TARGET, WEIGHTS, delimiter="\t", header="Node A\tNode B\tCount")), True, True),
    "spaces, quoted names": ("e.txt", write(rows(*QUOTED, delimiter="  ")), True, False),
    "csv, quoted names": ("e.csv", write(rows(*QUOTED, WEIGHTS, header='"from","to","w"')), True, True),
    "parquet": (
        "e.parquet",
        lambda file: pq.write_table(
            pa.table({"year": [1999] * 7, "src": SOURCE, "dst": TARGET, "count": WEIGHTS}), file
        ),
        True,
        True,
    ),
    "graphml": ("e.graphml", write_graphml, True, True),
}


@pytest.fixture(params=LAYOUTS, ids=str)
def layout(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, bool, bool]:
    name, writer, named, weighted = LAYOUTS[request.param]
    writer(tmp_path / name)
    return tmp_path / name, named, weighted


def run(*arguments: object) -> str:
    result = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert result.exit_code == 0, result.output
    return result.output


def test_what_is_read_is_what_is_meant(layout: tuple[Path, bool, bool]) -> None:
    file, named, weighted = layout
    graph = read_graph(file)
    ids = NAMES if named else [number + 10 for number in range(6)]
    assert sorted(graph.node_ids.tolist()) == sorted(ids)
    expected = np.zeros((6, 6))
    for (i, j), weight in zip(PAIRS, WEIGHTS, strict=True):
        expected[i, j] = expected[j, i] = weight if weighted else 1.0
    order = graph.positions(ids)
    np.testing.assert_array_equal(graph.adjacency.toarray()[np.ix_(order, order)], expected)


def test_embed_diagnose_and_evaluate_read_the_same_graph(layout: tuple[Path, bool, bool]) -> None:
    file, named, weighted = layout
    vectors, people = file.with_name("vectors.npz"), file.with_name("people.csv")
    ids = NAMES if named else range(10, 16)
    people.write_text("club;member\n" + "".join(f"{'red' if k < 3 else 'blue'};{node}\n" for k, node in enumerate(ids)))
    graph = f"Graph(6 nodes, 7 edges, undirected, {'weighted' if weighted else 'unweighted'})"
    assert graph in run("embed", file, "-o", vectors, "-k", 2, "-t", 2, "--groups", f"{people}:club", "--erase", "null")
    assert sorted(Embedding.load(vectors).ids.tolist()) == sorted(ids)
    assert "ids in column 'member', 6 of 6 nodes" in run("diagnose", file, "--groups", f"{people}:club")
    assert graph in run("evaluate", vectors, file)


def test_i1_labels_are_removed_from_the_nodes_they_belong_to(tmp_path: Path) -> None:
    club = datasets.karate_club()
    edges = np.argwhere(np.triu(club.adjacency.toarray()))
    order = np.random.default_rng(0).permutation(len(edges))
    pd.DataFrame(edges[order], columns=["source", "target"]).to_csv(tmp_path / "e.csv", index=False)
    graph = read_graph(tmp_path / "e.csv")
    labels = club.node_attributes["club"]
    forms = {
        "array": labels,
        "series": pd.Series(labels, index=club.node_ids)[::-1],
        "dict": dict(zip(club.node_ids.tolist(), labels, strict=True)),
    }
    vectors = {}
    for name, groups in forms.items():
        model = Residual2Vec(4, null_model=DegreeCorrectedSBM(groups), erase="null", window=3, random_state=0).fit(
            graph
        )
        vectors[name] = model.embedding_
    np.testing.assert_array_equal(vectors["series"], vectors["dict"])
    np.testing.assert_array_equal(vectors["array"], vectors["dict"])
    means = [vectors["dict"][labels == label].mean(axis=0) for label in np.unique(labels)]
    np.testing.assert_allclose(means[0], means[1], atol=1e-5)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"source,source\na,b\n", "column name 'source' occurs twice"),
        ("a,b\nb,c\n".encode("utf-16-le"), "line 1: contains NUL characters"),
        (b"1,2\n3,nan\n", "line 2: the id 'nan' is a missing value among integer ids"),
        (b'a,b\nb," "\n', "line 2: the edge has no target"),
    ],
)
def test_i4_input_that_is_not_understood_is_refused(tmp_path: Path, content: bytes, problem: str) -> None:
    (tmp_path / "e.csv").write_bytes(content)
    with pytest.raises(GraphFileError, match=problem):
        read_graph(tmp_path / "e.csv")


@pytest.mark.parametrize(
    ("content", "ids"), [("16,2\n0x10,3\n", ["16", "2", "0x10", "3"]), ("0,2\n-0,3\n", ["0", "2", "-0", "3"])]
)
def test_i4_ids_that_are_spelled_differently_are_different_nodes(tmp_path: Path, content: str, ids: list[str]) -> None:
    (tmp_path / "e.csv").write_text(content)
    assert read_graph(tmp_path / "e.csv").node_ids.tolist() == ids


@pytest.mark.parametrize(
    "parameters",
    [
        {"window": ["a"]},
        {"window": 10**12},
        {"erase": []},
        {"erase": {}},
        {"erase": "nope"},
        {"checkpoint": 1},
        {"memory_limit": "9" * 400 + "GiB"},
        {"progress": True},
    ],
    ids=lambda parameters: next(iter(parameters)),
)
def test_i11_invalid_parameters_raise_an_error_that_names_them(parameters: dict[str, object]) -> None:
    with pytest.raises(InvalidParameterError, match=next(iter(parameters))):
        Residual2Vec(2, **parameters).fit(datasets.karate_club())


def test_i9_a_pair_of_names_is_a_single_pair() -> None:
    model = Residual2Vec(2, window=2, random_state=0).fit(
        [("Valjean", "Javert"), ("Javert", "Cosette"), ("Cosette", "x")]
    )
    score = model.score_pairs("Valjean", "Javert")
    assert score.shape == ()
    assert score == model.score_pairs(["Valjean"], ["Javert"])[0]
    assert score == model.to_embedding().score_pairs("Valjean", "Javert")
    assert model.score_pairs("Valjean", ["Javert", "Cosette"]).shape == (2,)


def test_u12_neighbors_are_plain_python_values() -> None:
    model = Residual2Vec(2, window=2, random_state=0).fit(np.array([[1, 2], [2, 3], [3, 4]]))
    assert "np." not in repr(model.neighbors(1, 2))
    assert "np." not in repr(model.to_embedding().neighbors(1, 2))
