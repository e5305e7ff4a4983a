import json
import warnings
from pathlib import Path

import numpy as np
import pytest

from graph_cases import graph_cases
from residuum import ProgressEvent, Residual2Vec
from residuum.errors import GraphFileError
from residuum.graph import Graph, read_graph, verify_graph, write_graph
from residuum.graph.disk.folder import origin_of

CASES = graph_cases()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    arcs = np.array([[0.0, 2.0, 0.0], [0.0, 1.0, 1.0], [0.5, 0.0, 0.0]])
    write_graph(Graph(arcs, ["a", "b", "c"], directed=True, node_attributes={"year": [1, 2, 3]}), tmp_path / "g.r2g")
    return tmp_path / "g.r2g"


@pytest.mark.parametrize("name", sorted(CASES))
def test_written_graph_is_read_bit_for_bit(tmp_path: Path, name: str) -> None:
    graph = CASES[name]
    write_graph(graph, tmp_path / "g.r2g")
    back = verify_graph(tmp_path / "g.r2g")
    for ours, theirs in ((back, graph), (back.reversed_adjacency, graph.reversed_adjacency)):
        ours, theirs = (getattr(side, "adjacency", side) for side in (ours, theirs))
        theirs.sort_indices()
        for part in ("indptr", "indices", "data"):
            assert getattr(ours, part).dtype == getattr(theirs, part).dtype
            assert getattr(ours, part).tolist() == getattr(theirs, part).tolist()
    assert (repr(back), back.n_edges, back.directed) == (repr(graph), graph.n_edges, graph.directed)
    assert back.out_strength.tolist() == graph.out_strength.tolist()
    assert back.in_strength.tolist() == graph.in_strength.tolist()
    assert back.node_ids.tolist() == graph.node_ids.tolist()


@pytest.mark.parametrize("name", ["weighted", "directed"])
def test_mapped_graph_has_the_same_vectors(tmp_path: Path, name: str) -> None:
    write_graph(CASES[name], tmp_path / "g.r2g")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        here, there = (
            Residual2Vec(n_components=4, random_state=0).fit_transform(graph)
            for graph in (CASES[name], tmp_path / "g.r2g")
        )
    assert here.tolist() == there.tolist()


def test_ids_attributes_and_direction_are_kept(folder: Path) -> None:
    graph = read_graph(folder)
    assert graph.directed
    assert graph.node_ids.tolist() == ["a", "b", "c"]
    assert graph.positions(["c"]).tolist() == [2]
    assert graph.node_attributes["year"].tolist() == [1, 2, 3]
    undirected = read_graph(folder, directed=False)
    assert undirected.adjacency.toarray().tolist() == [[0, 2, 0.5], [2, 1, 1], [0.5, 1, 0]]
    assert undirected.node_attributes["year"].tolist() == [1, 2, 3]


def test_opening_maps_the_arrays_and_knows_the_sums(folder: Path) -> None:
    graph = read_graph(folder)
    for array in (graph.adjacency.data, graph.reversed_adjacency.indices, graph.in_strength):
        assert not array.flags.owndata
        assert not array.flags.writeable
    assert {"n_edges", "is_weighted", "out_strength", "in_strength", "reversed_adjacency"} <= set(vars(graph))


def test_folder_is_recognized_by_its_header_under_any_name(folder: Path) -> None:
    assert read_graph(folder.rename(folder.with_suffix(".graph"))).n_nodes == 3


def test_origin_is_empty_by_default(folder: Path) -> None:
    assert origin_of(folder) == {}


def test_verification_reports_progress_to_the_end(folder: Path) -> None:
    events: list[ProgressEvent] = []
    verify_graph(folder, events.append)
    assert events[0].done == 0
    assert events[-1].done == events[-1].total > 0


@pytest.mark.parametrize("name", ["indices.npy", "reverse_weights.npy", "out_strength.npy", "nodes.parquet"])
def test_opening_names_a_truncated_file(folder: Path, name: str) -> None:
    file = folder / name
    file.write_bytes(file.read_bytes()[:-1])
    with pytest.raises(GraphFileError, match=rf"{name} has \d+ bytes, but header\.json expects \d+.*residuum convert"):
        read_graph(folder)


@pytest.mark.parametrize("name", ["indices.npy", "nodes.parquet"])
def test_verification_names_a_changed_file(folder: Path, name: str) -> None:
    content = bytearray((folder / name).read_bytes())
    content[-1 if name.endswith("npy") else 30] ^= 1
    (folder / name).write_bytes(content)
    with pytest.raises(GraphFileError, match=rf"{name} (was changed after it was written|is damaged)"):
        verify_graph(folder)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "other"}, r"is not a graph: the format in header\.json is not 'residuum graph'"),
        ({"version": 9}, r"has format version 9, but this residuum reads version 1\. Update residuum"),
        ({"n_nodes": None}, r"header\.json is damaged: 'n_nodes' is missing or has the wrong type"),
        ({"n_nodes": 4}, r"the sizes of the arrays in .* differ from those in header\.json"),
        ({"files": {}}, r"header\.json does not list the file 'indptr.npy'"),
    ],
)
def test_error_names_the_fault_of_the_header(folder: Path, change: dict[str, object], message: str) -> None:
    file = folder / "header.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | change))
    with pytest.raises(GraphFileError, match=message):
        read_graph(folder)


def test_error_names_a_damaged_or_missing_header(folder: Path) -> None:
    (folder / "header.json").write_text("{")
    with pytest.raises(GraphFileError, match=r"header\.json cannot be read: .*residuum convert"):
        read_graph(folder)
    (folder / "header.json").unlink()
    with pytest.raises(GraphFileError, match=r"g\.r2g is not a graph: it has no header\.json"):
        read_graph(folder)
