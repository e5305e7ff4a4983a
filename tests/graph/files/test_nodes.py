from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from residuum.errors import GraphFileError
from residuum.graph import Graph, read_node_column

INTEGERS = Graph([[0, 1], [1, 0]], [1, 2])
STRINGS = Graph([[0, 1], [1, 0]], ["1", "2"])


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
    assert read_node_column(tmp_path / name, "club", INTEGERS) == {1: "red", 2: "blue"}
    assert read_node_column(tmp_path / name, "club", STRINGS) == {"1": "red", "2": "blue"}


def test_parquet_is_read(tmp_path: Path) -> None:
    pq.write_table(pa.table({"name": [1, 2], "year": [1990, 2000]}), tmp_path / "people.parquet")
    assert read_node_column(tmp_path / "people.parquet", "year", INTEGERS) == {1: 1990, 2: 2000}


def test_error_names_a_missing_column_and_the_columns_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("node,club\n1,red\n")
    with pytest.raises(GraphFileError, match=r"people\.csv has no column 'age'; it has 'node', 'club'"):
        read_node_column(tmp_path / "people.csv", "age", INTEGERS)


def test_error_names_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(GraphFileError, match=r"people\.csv does not exist"):
        read_node_column(tmp_path / "people.csv", "age", INTEGERS)


@pytest.mark.parametrize(("name", "content"), [("p.csv", ""), ("p.csv", "node,club\n1\n"), ("p.parquet", "PAR1")])
def test_error_names_a_damaged_file(tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(GraphFileError, match=rf"{name} cannot be read: ."):
        read_node_column(tmp_path / name, "club", INTEGERS)


def test_an_empty_cell_is_missing(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("node,club,age\n1,,\n2,red,30\n")
    assert read_node_column(tmp_path / "people.csv", "club", INTEGERS) == {1: None, 2: "red"}
    assert read_node_column(tmp_path / "people.csv", "age", INTEGERS) == {1: None, 2: 30}


def test_error_names_a_node_with_two_values(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("node,club,age\n1,red,30\n2,red,30\n1,blue,30\n")
    assert read_node_column(tmp_path / "people.csv", "age", INTEGERS) == {1: 30, 2: 30}
    with pytest.raises(GraphFileError, match=r"node 1 has two values in column 'club', 'red' and 'blue'"):
        read_node_column(tmp_path / "people.csv", "club", INTEGERS)


def test_a_node_with_a_missing_number_may_occur_twice(tmp_path: Path) -> None:
    pq.write_table(pa.table({"name": [1, 1], "age": [float("nan")] * 2}), tmp_path / "people.parquet")
    assert list(read_node_column(tmp_path / "people.parquet", "age", INTEGERS)) == [1]


def test_rows_of_other_nodes_do_not_change_the_type_of_the_ids(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("node,club\n1,red\nghost,red\n2,blue\n")
    clubs = read_node_column(tmp_path / "people.csv", "club", INTEGERS)
    assert clubs == {1: "red", 2: "blue", "ghost": "red"}


def test_string_ids_keep_leading_zeros(tmp_path: Path) -> None:
    (tmp_path / "places.csv").write_text("node,state\n01001,AL\n1001,XX\n")
    graph = Graph([[0, 1], [1, 0]], ["01001", "1001"])
    assert read_node_column(tmp_path / "places.csv", "state", graph) == {"01001": "AL", "1001": "XX"}


@pytest.mark.parametrize(
    ("content", "graph"),
    [
        ("gender,age,user_id\nm,1,x1\nf,2,x2\n", ["x1", "x2"]),
        ("user,name,gender\nx1,Ann,m\nx2,Bob,f\n", ["x1", "x2"]),
        ("age,gender,member\n30,m,1\n30,f,2\n", [1, 2]),
        ("gender;member\nm;1\nf;2\n", [1, 2]),
        ("name;gender;score\nAnn Lee;m;1,5\nBob;f;2,5\n", ["Ann Lee", "Bob"]),
        ("id,node,gender\n8,1,m\n9,2,f\n", [1, 2]),
    ],
)
def test_i5_the_id_column_is_the_one_that_contains_ids_of_the_graph(
    tmp_path: Path, content: str, graph: list[object]
) -> None:
    (tmp_path / "people.csv").write_text(content)
    genders = read_node_column(tmp_path / "people.csv", "gender", Graph([[0, 1], [1, 0]], graph))
    assert genders == dict(zip(graph, ["m", "f"], strict=True))


def test_i5_a_decimal_comma_is_read(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("node;score\n1;1,5\n2;2,25\n")
    assert read_node_column(tmp_path / "people.csv", "score", INTEGERS) == {1: 1.5, 2: 2.25}


def test_i5_a_file_without_ids_of_the_graph_is_refused_with_the_way_out(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("user,gender\nx,m\ny,f\n")
    with pytest.raises(GraphFileError, match=r"no column besides 'gender' has ids of the graph, .* --id-column"):
        read_node_column(tmp_path / "people.csv", "gender", INTEGERS)
    with pytest.raises(GraphFileError, match=r"column 'user' has none of the 2 node ids .* --id-column"):
        read_node_column(tmp_path / "people.csv", "gender", INTEGERS, "user")
    with pytest.raises(GraphFileError, match="has no column 'who'"):
        read_node_column(tmp_path / "people.csv", "gender", INTEGERS, "who")


def test_i4_nanoseconds_of_time_stamps_are_dropped(tmp_path: Path) -> None:
    times = pa.array([1577836800000000001, 1577923200000000000], pa.timestamp("ns"))
    pq.write_table(pa.table({"node": [1, 2], "time": times}), tmp_path / "people.parquet")
    values = read_node_column(tmp_path / "people.parquet", "time", INTEGERS)
    assert [value.isoformat() for value in values.values()] == ["2020-01-01T00:00:00", "2020-01-02T00:00:00"]


def test_i5_a_column_that_occurs_twice_is_refused_if_it_is_wanted(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("node,x,x,club\n1,a,b,red\n2,a,b,blue\n")
    assert read_node_column(tmp_path / "people.csv", "club", INTEGERS) == {1: "red", 2: "blue"}
    with pytest.raises(GraphFileError, match="has two columns 'x'; rename one of them"):
        read_node_column(tmp_path / "people.csv", "x", INTEGERS)
