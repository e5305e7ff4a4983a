import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from residuum.distributed import edges as module
from residuum.distributed.edges import edge_pieces
from residuum.errors import GraphFileError


def write(path, source, target, **columns):
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table({"source": source, "target": target, **columns}), path, row_group_size=2)
    return path


def test_pieces_cover_every_row_of_every_file_once(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "_ROWS_AT_ONCE", 3)
    write(tmp_path / "b.parquet", [1, 2, 3, 4, 5], [2, 3, 4, 5, 6])
    write(tmp_path / "deep" / "a.parquet", [7], [8])
    (tmp_path / "_SUCCESS").touch()
    write(tmp_path / "_temporary" / "x.parquet", [0], [0])
    pieces = edge_pieces(tmp_path)
    assert [(piece.first_row, piece.n_rows) for piece in pieces] == [(0, 2), (2, 3), (0, 1)]
    assert sorted(value for piece in pieces for value in piece.read()[0].to_pylist()) == [1, 2, 3, 4, 5, 7]


def test_ids_are_text_if_any_file_has_text(tmp_path):
    write(tmp_path / "a.parquet", [1], [2])
    write(tmp_path / "b.parquet", ["1"], ["x"])
    assert [piece.read()[0].to_pylist() for piece in edge_pieces(tmp_path)] == [["1"], ["1"]]


def test_columns_are_detected_or_named(tmp_path):
    write(tmp_path / "a.parquet", [1], [2], count=[3.0], other=[9])
    assert edge_pieces(tmp_path)[0].names == ("source", "target", "count")
    assert edge_pieces(tmp_path, source="other", target="source")[0].names[:2] == ("other", "source")


def test_a_weight_that_is_not_allowed_is_an_error_with_file_and_row(tmp_path):
    file = write(tmp_path / "a.parquet", [1, 2, 3], [2, 3, 4], weight=[1.0, 1.0, -1.0])
    with pytest.raises(GraphFileError, match=rf"{file}.*row 2 .*weight -1"):
        edge_pieces(tmp_path)[0].numbered()


def test_files_without_the_columns_and_folders_without_files_are_errors(tmp_path):
    with pytest.raises(GraphFileError, match="has no parquet file; name a folder of parquet edge files"):
        edge_pieces(tmp_path)
    with pytest.raises(GraphFileError, match="does not exist"):
        edge_pieces(tmp_path / "nowhere")
    write(tmp_path / "a.parquet", [1], [2], weight=[1.0])
    write(tmp_path / "b.parquet", [1], [2])
    with pytest.raises(GraphFileError, match=r"b\.parquet has no column 'weight', which .*a\.parquet has"):
        edge_pieces(tmp_path)


def test_weights_that_only_later_files_have_are_not_dropped(tmp_path):
    write(tmp_path / "a.parquet", [1], [2])
    write(tmp_path / "b.parquet", [1], [2], weight=[7.0])
    with pytest.raises(
        GraphFileError, match=r"b\.parquet has weights in a column 'weight', which .*a\.parquet does not"
    ):
        edge_pieces(tmp_path)


def test_files_without_rows_are_an_empty_graph(tmp_path):
    write(tmp_path / "a.parquet", pa.array([], pa.int64()), pa.array([], pa.int64()))
    with pytest.raises(GraphFileError, match="the graph is empty"):
        edge_pieces(tmp_path)
