from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from residuum.errors import GraphFileError
from residuum.graph.edge_blocks import EdgeList, ending_of, named_in_errors


@pytest.mark.parametrize(
    ("name", "ending"),
    [("e.csv", ".csv"), ("e.TSV.gz", ".tsv"), ("edges", ""), ("a.b.parquet", ".parquet")],
)
def test_ending_is_that_of_the_format(name: str, ending: str) -> None:
    assert ending_of(Path(name)) == ending


@pytest.mark.parametrize(("name", "known"), [("e.csv", True), ("edges", True), ("e.mtx.gz", False), ("e.gml", False)])
def test_edge_lists_are_known_by_their_ending(name: str, known: bool) -> None:
    assert EdgeList.knows(name) is known


@pytest.mark.parametrize("block_bytes", [64, 1 << 20])
def test_blocks_hold_all_edges_in_order_under_the_same_names(tmp_path: Path, block_bytes: int) -> None:
    edges = {"w": [0.5 * k for k in range(50)], "to": list(range(50)), "from": list(range(1, 51))}
    pq.write_table(pa.table(edges), tmp_path / "e.parquet")
    lines = [f"{w},{v},{u}" for w, v, u in zip(*edges.values(), strict=True)]
    (tmp_path / "e.csv").write_text("\n".join(["w,to,from", *lines, ""]))
    for name in ("e.parquet", "e.csv"):
        tables = EdgeList(tmp_path / name).use(list, block_bytes)
        assert (len(tables) > 1) == (block_bytes == 64)
        whole = pa.concat_tables(tables).to_pydict()
        assert whole == {"source": edges["from"], "target": edges["to"], "weight": edges["w"]}


def test_edges_start_again_when_ids_turn_out_to_be_text(tmp_path: Path) -> None:
    (tmp_path / "e.csv").write_text("1,2\n" * 50 + "3,x\n")
    calls = []

    def collect(tables):  # type: ignore[no-untyped-def]
        calls.append([])
        for table in tables:
            calls[-1] += table.column("target").to_pylist()
        return calls[-1]

    assert EdgeList(tmp_path / "e.csv").use(collect, 40) == ["2"] * 50 + ["x"]
    assert len(calls) == 2
    assert calls[0][0] == 2


def test_errors_of_the_user_of_the_edges_stay_what_they_are(tmp_path: Path) -> None:
    (tmp_path / "e.csv").write_text("1,2\n")

    def fail(tables: object) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        EdgeList(tmp_path / "e.csv").use(fail)


def test_whatever_a_reader_trips_over_names_the_file() -> None:
    with pytest.raises(GraphFileError, match=r"x\.csv cannot be read: odd"), named_in_errors(Path("x.csv")):
        raise ValueError("odd\nand more")
    with pytest.raises(ZeroDivisionError), named_in_errors(Path("x.csv")):
        raise ZeroDivisionError
