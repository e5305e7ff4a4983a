import errno
from pathlib import Path

import numpy as np
import pytest

from residuum.errors import GraphFileError, InvalidGraphError, InvalidParameterError
from residuum.graph import Graph, read_graph, write_graph
from residuum.graph.disk.rows import Rows
from residuum.graph.disk.writer import GraphWriter, graph_folder

PAIR = Graph([[0, 1], [1, 0]])


def test_rows_may_be_appended_in_runs_of_any_length(tmp_path: Path) -> None:
    with graph_folder(tmp_path / "g.r2g", overwrite=False) as folder:
        writer = GraphWriter(folder, 4, directed=True)
        writer.append(Rows(np.array([2, 0]), np.array([1, 3]), np.array([2.0, 0.5])))
        writer.append(Rows(np.array([1]), np.array([2]), np.array([1.0])))
        writer.append(Rows(np.array([1]), np.array([0]), np.array([4.0])))
        writer.finish(np.arange(4), {"year": np.array([1, 2, 3, 4])}, origin={"by": "hand"})
    graph = read_graph(tmp_path / "g.r2g")
    assert graph.adjacency.toarray().tolist() == [[0, 2, 0, 0.5], [0, 0, 0, 0], [0, 0, 1, 0], [4, 0, 0, 0]]
    assert graph.reversed_adjacency.toarray().tolist() == graph.adjacency.toarray().T.tolist()
    assert graph.out_strength.tolist() == [2.5, 0, 1, 4]
    assert graph.in_strength.tolist() == [4, 2, 1, 0.5]
    assert graph.node_attributes["year"].tolist() == [1, 2, 3, 4]


def test_graph_without_an_edge_is_refused(tmp_path: Path) -> None:
    writer = GraphWriter(tmp_path, 2, directed=False)
    writer.append(Rows(np.array([0, 0]), np.empty(0, dtype=np.int32), np.empty(0)))
    with pytest.raises(InvalidGraphError, match="the graph is empty: 2 nodes, but no edge"):
        writer.finish(np.arange(2))


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("g.npz", r"must end in \.r2g; got '.*g\.npz'"),
        ("nowhere/g.r2g", r"the folder .*nowhere does not exist; create it first"),
        ("other.r2g", r"other\.r2g exists and is not a residuum graph; move or remove it"),
        ("old.r2g", r"old\.r2g exists; use overwrite=True \(--overwrite\)"),
    ],
)
def test_invalid_path_is_refused_before_any_work(tmp_path: Path, path: str, message: str) -> None:
    (tmp_path / "other.r2g").mkdir()
    write_graph(PAIR, tmp_path / "old.r2g")
    with pytest.raises(InvalidParameterError, match=message):
        write_graph(PAIR, tmp_path / path, overwrite=path == "other.r2g")


def test_overwriting_replaces_the_graph(tmp_path: Path) -> None:
    write_graph(PAIR, tmp_path / "g.r2g")
    write_graph(Graph(np.ones((3, 3))), tmp_path / "g.r2g", overwrite=True)
    assert read_graph(tmp_path / "g.r2g").n_nodes == 3
    assert [file.name for file in tmp_path.iterdir()] == ["g.r2g"]


def test_full_disk_raises_an_error_and_leaves_no_files(tmp_path: Path) -> None:
    def fill() -> None:
        with graph_folder(tmp_path / "g.r2g", overwrite=False) as folder:
            (folder / "half").touch()
            raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(GraphFileError, match=r"the disk of .* is full; the unfinished g\.r2g was removed\. Free"):
        fill()
    assert list(tmp_path.iterdir()) == []


def test_other_system_errors_pass_through(tmp_path: Path) -> None:
    with pytest.raises(PermissionError), graph_folder(tmp_path / "g.r2g", overwrite=False):
        raise PermissionError(errno.EACCES, "no")
    assert list(tmp_path.iterdir()) == []
