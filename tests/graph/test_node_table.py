from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from residuum.errors import GraphFileError
from residuum.graph import Graph, read_node_column

NUMBERS = Graph([[0, 1], [1, 0]], [1, 2])
TEXTS = Graph([[0, 1], [1, 0]], ["1", "2"])


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("people.csv", "node,club\n1,red\n2,blue\n"),
        ("people.csv", "club,ID,age\nred,1,30\nblue,2,40\n"),
        ("people.tsv", "person\tclub\n1\tred\n2\tblue\n"),
    ],
)
def test_column_is_keyed_by_the_ids_of_the_graph(tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / name).write_text(content)
    assert read_node_column(tmp_path / name, "club", NUMBERS) == {1: "red", 2: "blue"}
    assert read_node_column(tmp_path / name, "club", TEXTS) == {"1": "red", "2": "blue"}


def test_parquet_is_read(tmp_path: Path) -> None:
    pq.write_table(pa.table({"name": [1, 2], "year": [1990, 2000]}), tmp_path / "people.parquet")
    assert read_node_column(tmp_path / "people.parquet", "year", NUMBERS) == {1: 1990, 2: 2000}


def test_missing_column_is_named_with_those_there_are(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("node,club\n1,red\n")
    with pytest.raises(GraphFileError, match=r"people\.csv has no column 'age'; it has 'node', 'club'"):
        read_node_column(tmp_path / "people.csv", "age", NUMBERS)


def test_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(GraphFileError, match=r"people\.csv does not exist"):
        read_node_column(tmp_path / "people.csv", "age", NUMBERS)


@pytest.mark.parametrize(("name", "content"), [("p.csv", ""), ("p.csv", "node,club\n1\n"), ("p.parquet", "PAR1")])
def test_damaged_file_is_named(tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(GraphFileError, match=rf"{name} cannot be read: ."):
        read_node_column(tmp_path / name, "club", NUMBERS)
