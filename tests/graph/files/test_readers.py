import gzip
from pathlib import Path

import networkx as nx
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import scipy.io
from scipy import sparse

from residuum.errors import GraphFileError, InvalidGraphError, MissingExtraError, ResiduumWarning
from residuum.graph import read_graph
from residuum.graph.files.readers import first_edges

SYMMETRIC = np.array([[0.0, 2.0], [2.0, 1.0]])
ARCS = np.array([[0.0, 2.0], [0.0, 1.0]])


def test_parquet_file_is_read_as_an_edge_table(tmp_path: Path) -> None:
    table = pa.table({"a": ["x", "y"], "b": ["y", "z"], "count": [2, 3], "more": [1, 1]})
    pq.write_table(table, tmp_path / "edges.parquet")
    graph = read_graph(tmp_path / "edges.parquet")
    assert graph.node_ids.tolist() == ["x", "y", "z"]
    assert graph.adjacency[1, 2] == graph.adjacency[2, 1] == 3
    arcs = read_graph(tmp_path / "edges.parquet", directed=True, source="b", target="a", weight="more")
    assert arcs.node_ids.tolist() == ["y", "x", "z"]
    assert arcs.adjacency.toarray().tolist() == [[0, 1, 0], [0, 0, 0], [1, 0, 0]]


@pytest.mark.parametrize(("matrix", "directed"), [(SYMMETRIC, False), (ARCS, True)])
@pytest.mark.parametrize("ending", [".mtx", ".mtx.gz", ".npz"])
def test_matrix_files_are_directed_unless_symmetric(
    tmp_path: Path, ending: str, matrix: np.ndarray, directed: bool
) -> None:
    file = tmp_path / f"graph{ending}"
    if ending == ".npz":
        sparse.save_npz(file, sparse.csr_array(matrix))
    else:
        scipy.io.mmwrite(tmp_path / "graph.mtx", sparse.coo_array(matrix))
    if ending == ".mtx.gz":
        file.write_bytes(gzip.compress((tmp_path / "graph.mtx").read_bytes(), mtime=0))
    graph = read_graph(file)
    assert graph.adjacency.toarray().tolist() == matrix.tolist()
    assert graph.directed is directed


@pytest.mark.parametrize(("ending", "write"), [(".graphml", nx.write_graphml), (".gml", nx.write_gml)])
@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph])
def test_networkx_files_keep_direction_weights_and_attributes(
    tmp_path: Path, ending: str, write: object, kind: type
) -> None:
    network = kind()
    network.add_node("ann", club="red")
    network.add_node("bob", club="blue")
    network.add_edge("ann", "bob", weight=2.5, miles=4.0)
    write(network, tmp_path / f"g{ending}")  # type: ignore[operator]
    graph = read_graph(tmp_path / f"g{ending}")
    assert graph.directed is (kind is nx.DiGraph)
    assert graph.node_ids.tolist() == ["ann", "bob"]
    assert graph.node_attributes["club"].tolist() == ["red", "blue"]
    assert graph.adjacency[0, 1] == 2.5
    assert read_graph(tmp_path / f"g{ending}", weight="miles").adjacency[0, 1] == 4


def test_path_may_be_a_string(tmp_path: Path) -> None:
    (tmp_path / "edges.csv").write_text("1,2\n")
    assert read_graph(str(tmp_path / "edges.csv")).n_nodes == 2


def test_error_names_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(GraphFileError, match=r"nowhere\.csv does not exist"):
        read_graph(tmp_path / "nowhere.csv")


def test_error_names_a_folder(tmp_path: Path) -> None:
    with pytest.raises(GraphFileError, match=rf"{tmp_path.name} is a folder, not a file"):
        read_graph(tmp_path)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("x.parquet", b"PAR1 no more"),
        ("x.parquet", b""),
        ("x.mtx", b"not a matrix"),
        ("x.mtx.gz", gzip.compress(b"%%MatrixMarket matrix coordinate real general\n2 2 1\n", mtime=0)[:-9]),
        ("x.npz", b"PK\x03\x04 cut off"),
        ("x.npz", b""),
        ("x.graphml", b"<graphml><graph>"),
        ("x.gml", b"graph [ node [ id"),
    ],
)
def test_error_names_a_damaged_file(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(GraphFileError, match=rf"{name}( cannot be read: .|, line \d+: )"):
        read_graph(tmp_path / name)


def test_error_names_the_line_of_a_damaged_matrix_market_file(tmp_path: Path) -> None:
    file = tmp_path / "x.mtx"
    file.write_text("%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 1.0\n2 one 1.0\n")
    with pytest.raises(GraphFileError, match=r"x\.mtx, line 4: the column is not an integer"):
        read_graph(file)


def test_error_names_an_npz_file_without_a_sparse_matrix(tmp_path: Path) -> None:
    np.savez(tmp_path / "x.npz", vectors=np.eye(2))
    with pytest.raises(GraphFileError, match=r"x\.npz is not a sparse matrix"):
        read_graph(tmp_path / "x.npz")


@pytest.mark.parametrize("name", ["shape", "indices", "indptr"])
def test_positions_of_a_sparse_matrix_that_are_not_integers_are_refused(tmp_path: Path, name: str) -> None:
    matrix = sparse.csr_array([[0.0, 1.0], [1.0, 0.0]])
    arrays = {"format": b"csr", "shape": (2, 2), "data": matrix.data, "indices": matrix.indices}
    arrays["indptr"] = matrix.indptr
    np.savez(tmp_path / "x.npz", **(arrays | {name: np.array(arrays[name]) + 0.25}))
    with pytest.raises(
        GraphFileError, match=f"x.npz: '{name}' of a sparse matrix must be integers; got the type float"
    ):
        read_graph(tmp_path / "x.npz")


def test_a_remark_of_networkx_is_a_warning_that_names_the_file(tmp_path: Path) -> None:
    nx.write_graphml(nx.path_graph(3), tmp_path / "x.graphml")
    text = (tmp_path / "x.graphml").read_text().replace("<graph ", '<key id="w" for="edge" attr.name="kind"/><graph ')
    (tmp_path / "x.graphml").write_text(text)
    with pytest.warns(ResiduumWarning, match=r"x\.graphml: No key type for id w"):
        assert read_graph(tmp_path / "x.graphml").n_edges == 2


def test_error_names_a_readable_file_with_an_invalid_graph(tmp_path: Path) -> None:
    sparse.save_npz(tmp_path / "x.npz", sparse.csr_array(np.ones((2, 3))))
    with pytest.raises(GraphFileError, match=r"x\.npz: an adjacency matrix must be square") as caught:
        read_graph(tmp_path / "x.npz")
    assert isinstance(caught.value, InvalidGraphError)


def test_error_names_an_id_beyond_64_bits_in_parquet(tmp_path: Path) -> None:
    pd.DataFrame({"a": np.array([2**63], dtype=np.uint64), "b": [1]}).to_parquet(tmp_path / "x.parquet")
    with pytest.raises(GraphFileError, match=rf"x\.parquet: the id {2**63} does not fit in a 64-bit integer"):
        read_graph(tmp_path / "x.parquet")


def test_error_names_the_extra_if_networkx_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> None:
        raise ImportError(name)

    (tmp_path / "x.gml").write_text("graph [ ]")
    monkeypatch.setattr("residuum._validation.importlib.import_module", absent)
    with pytest.raises(MissingExtraError, match=r"needs networkx.*pip install 'residuum\[graphs\]'"):
        read_graph(tmp_path / "x.gml")


def test_what_was_read_is_logged_in_one_line(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "edges.csv").write_text("follower,followee,year\nann,bob,1999\n")
    with caplog.at_level("INFO", logger="residuum"):
        read_graph(tmp_path / "edges.csv", directed=True)
    [message] = caplog.messages
    assert message.endswith(
        "edges.csv: comma-separated, header; source 'follower', target 'followee'; no weights; not used: 'year' (name "
        "a column as weight to use it); Graph(2 nodes, 1 edge, directed, unweighted)"
    )


def test_the_first_edges_are_read_without_the_rest(tmp_path: Path) -> None:
    (tmp_path / "edges.csv").write_text("ann,bob\n" * 100_000 + "broken\n")
    description, edges = first_edges(tmp_path / "edges.csv", 2)
    assert description == "comma-separated, no header; source column 1, target column 2; no weights; undirected"
    assert edges == [("ann", "bob", 1.0)] * 2


def test_the_first_edges_of_a_matrix_are_those_of_its_first_rows(tmp_path: Path) -> None:
    sparse.save_npz(tmp_path / "a.npz", sparse.csr_array([[0, 2, 0], [2, 0, 1], [0, 1, 0]]))
    assert first_edges(tmp_path / "a.npz", 5)[1] == [(0, 1, 2.0), (1, 2, 1.0)]
