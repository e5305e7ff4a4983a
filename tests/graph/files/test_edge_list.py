from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from residuum.graph.files.edge_list import EdgeList, ending_of
from residuum.graph.files.readers import is_edge_list, same_ids


@pytest.mark.parametrize(
    ("name", "ending"),
    [("e.csv", ".csv"), ("e.TSV.gz", ".tsv"), ("edges", ""), ("a.b.parquet", ".parquet")],
)
def test_ending_ignores_gz_and_case(name: str, ending: str) -> None:
    assert ending_of(Path(name)) == ending


@pytest.mark.parametrize(
    ("name", "expected"), [("e.csv", True), ("edges", True), ("e.mtx.gz", False), ("e.gml", False)]
)
def test_edge_lists_are_recognized_by_their_extension(name: str, expected: bool) -> None:
    assert is_edge_list(Path(name)) is expected


@pytest.mark.parametrize("chunk_bytes", [64, 1 << 20])
def test_tables_contain_all_edges_in_order_under_standard_names(tmp_path: Path, chunk_bytes: int) -> None:
    edges = {"w": [0.5 * k for k in range(50)], "to": list(range(50)), "from": list(range(1, 51))}
    pq.write_table(pa.table(edges), tmp_path / "e.parquet")
    lines = [f"{w},{v},{u}" for w, v, u in zip(*edges.values(), strict=True)]
    (tmp_path / "e.csv").write_text("\n".join(["w,to,from", *lines, ""]))
    for name in ("e.parquet", "e.csv"):
        tables = list(EdgeList(tmp_path / name).tables(chunk_bytes))
        assert (len(tables) > 1) == (chunk_bytes == 64)
        edge_columns = pa.concat_tables(tables).to_pydict()
        assert edge_columns == {"source": edges["from"], "target": edges["to"], "weight": edges["w"]}


def test_only_the_chunk_with_a_string_id_has_string_ids(tmp_path: Path) -> None:
    (tmp_path / "e.csv").write_text("1,2\n" * 50 + "3,x\n" + "1,2\n" * 50)
    tables = list(EdgeList(tmp_path / "e.csv").tables(40))
    types = [table.schema.field("target").type for table in tables]
    assert (types[0], types[-1]) == (pa.int64(), pa.int64())
    assert types.count(pa.string()) == 1
    table = pa.concat_tables(same_ids(tables))
    assert table.column("target").to_pylist() == ["2"] * 50 + ["x"] + ["2"] * 50


def test_errors_of_the_caller_pass_through(tmp_path: Path) -> None:
    (tmp_path / "e.csv").write_text("1,2\n")
    tables = EdgeList(tmp_path / "e.csv").tables()
    next(tables)
    with pytest.raises(ZeroDivisionError):
        tables.throw(ZeroDivisionError)


def test_row_groups_that_were_read_are_not_kept_in_memory(tmp_path: Path) -> None:
    n_edges, file = 2_000_000, tmp_path / "e.parquet"
    ids = np.random.default_rng(0).integers(2**60, size=(2, n_edges))
    table = pa.table({"source": ids[0], "target": ids[1]})
    pq.write_table(table, file, row_group_size=n_edges // 50, use_dictionary=False)
    del table
    before = pa.total_allocated_bytes()
    held = [pa.total_allocated_bytes() - before for _ in EdgeList(file).tables(1 << 20)]
    assert 0 < max(held) < ids.nbytes / 5
