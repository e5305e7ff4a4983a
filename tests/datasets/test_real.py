import gzip
from pathlib import Path

import pytest

from residuum import datasets
from residuum.errors import DatasetError


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in {
        "tiny.csv": "source,target\n3,1\n1,0\n",
        "tiny.directed.csv": "source,target\n3,1\n0,1\n",
        "tiny.nodes.csv": "node,club,year\n3,red,1\n0,blue,2\n1,red,3\n2,green,4\n4,red,5\n",
        "plain.csv": "source,target\n0,1\n",
    }.items():
        (tmp_path / f"{name}.gz").write_bytes(gzip.compress(text.encode()))
    monkeypatch.setenv(datasets.DATA_VARIABLE, str(tmp_path))
    return tmp_path


def test_node_k_is_at_row_k_with_its_attributes(folder: Path) -> None:
    graph = datasets.load("tiny")
    assert graph.node_ids.tolist() == [0, 1, 2, 3, 4]
    assert sorted(zip(*graph.adjacency.nonzero(), strict=True)) == [(0, 1), (1, 0), (1, 3), (3, 1)]
    assert graph.node_attributes["club"].tolist() == ["blue", "red", "green", "red", "red"]
    assert graph.node_attributes["year"].tolist() == [2, 3, 4, 1, 5]


def test_directed_graph_has_the_arcs(folder: Path) -> None:
    graph = datasets.load("tiny", directed=True)
    assert graph.directed
    assert sorted(zip(*graph.adjacency.nonzero(), strict=True)) == [(0, 1), (3, 1)]


def test_graph_without_attributes_loads(folder: Path) -> None:
    graph = datasets.load("plain")
    assert (graph.n_nodes, graph.n_edges, graph.node_attributes) == (2, 1, {})


def test_graph_without_directions_says_so(folder: Path) -> None:
    with pytest.raises(DatasetError, match="'plain' has no directions; leave directed out"):
        datasets.load("plain", directed=True)


def test_graph_of_a_publisher_has_no_directions_and_says_so(folder: Path) -> None:
    with pytest.raises(DatasetError, match=r"'wiki-vote' is downloaded without directions; leave directed out, or let"):
        datasets.load("wiki-vote", directed=True)


def test_names_are_those_in_the_folder_and_those_of_publishers(folder: Path) -> None:
    assert datasets.data_folder() == folder
    assert datasets.names() == ["ca-hepth", "plain", "tiny", "web-notredame", "wiki-vote"]


def test_unknown_name_is_refused_with_those_there_are(folder: Path) -> None:
    with pytest.raises(DatasetError, match=r"no graph 'huge' in .*; known are ca-hepth, plain, tiny,"):
        datasets.load("huge")


def test_without_folder_the_variable_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(datasets.DATA_VARIABLE, raising=False)
    assert datasets.data_folder() is None
    with pytest.raises(DatasetError, match=r"no graph 'huge' .*RESIDUUM_DATA names no folder"):
        datasets.load("huge")


def test_folder_that_is_none_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(datasets.DATA_VARIABLE, str(tmp_path / "no"))
    with pytest.raises(DatasetError, match=r"RESIDUUM_DATA names .*no, which is not a folder"):
        datasets.names()


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "n_nodes", "n_edges"),
    [
        ("airport", 3188, 18833),
        ("ppi", 3852, 37841),
        ("wiki-vote", 7066, 100736),
        ("ca-hepth", 8638, 24806),
        ("dblp-cite", 12495, 49563),
        ("ca-astroph", 17903, 196972),
    ],
)
def test_graphs_of_the_paper_have_its_sizes(real_graphs: list[str], name: str, n_nodes: int, n_edges: int) -> None:
    assert name in real_graphs
    graph = datasets.load(name)
    assert (graph.n_nodes, graph.n_edges) == (n_nodes, n_edges)
