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


def test_the_directed_version_has_the_arcs(folder: Path) -> None:
    graph = datasets.load("tiny", directed=True)
    assert graph.directed
    assert sorted(zip(*graph.adjacency.nonzero(), strict=True)) == [(0, 1), (3, 1)]


def test_a_graph_without_attributes_loads(folder: Path) -> None:
    graph = datasets.load("plain")
    assert (graph.n_nodes, graph.n_edges, graph.node_attributes) == (2, 1, {})


def test_a_missing_directed_version_is_an_error(folder: Path) -> None:
    with pytest.raises(DatasetError, match="'plain' has no directed version; use directed=False"):
        datasets.load("plain", directed=True)


def test_a_directed_version_cannot_be_downloaded(folder: Path) -> None:
    with pytest.raises(DatasetError, match="'wiki-vote' can only be downloaded without directions; use directed=False"):
        datasets.load("wiki-vote", directed=True)


def test_names_are_those_in_the_folder_and_of_the_publishers(folder: Path) -> None:
    assert datasets.data_folder() == folder
    assert datasets.names() == ["ca-hepth", "plain", "tiny", "web-notredame", "wiki-vote"]


def test_an_unknown_name_is_rejected_with_the_available_names(folder: Path) -> None:
    with pytest.raises(DatasetError, match=r"no graph 'huge' in .*; available graphs are ca-hepth, plain, tiny,"):
        datasets.load("huge")


def test_an_unknown_name_without_a_folder_names_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(datasets.DATA_VARIABLE, raising=False)
    assert datasets.data_folder() is None
    with pytest.raises(DatasetError, match=r"no graph 'huge' for download, and RESIDUUM_DATA is not set"):
        datasets.load("huge")


def test_a_variable_that_is_not_a_folder_is_rejected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(datasets.DATA_VARIABLE, str(tmp_path / "no"))
    with pytest.raises(DatasetError, match=r"RESIDUUM_DATA must be a folder; .*no is not"):
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
def test_graphs_of_the_paper_have_the_published_sizes(
    real_graphs: list[str], name: str, n_nodes: int, n_edges: int
) -> None:
    assert name in real_graphs
    graph = datasets.load(name)
    assert (graph.n_nodes, graph.n_edges) == (n_nodes, n_edges)
