from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from residuum.errors import GraphFileError, InvalidGraphError
from residuum.graph.disk.nodes import read_nodes, write_nodes


def objects(*values: object) -> np.ndarray:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


@pytest.mark.parametrize("ids", [np.array([7, 3, -5]), objects("a", "Zürich", "x" * 100)])
def test_ids_are_read_as_they_were_written(tmp_path: Path, ids: np.ndarray) -> None:
    write_nodes(tmp_path / "n.parquet", ids, {})
    back, attributes = read_nodes(tmp_path / "n.parquet", 3)
    assert back.dtype == ids.dtype
    assert back.tolist() == ids.tolist()
    assert attributes == {}


@pytest.mark.parametrize(
    "values",
    [
        np.array([1, 2, 3]),
        np.array([1.5, np.nan, 2.0], dtype=np.float32),
        np.array([True, False, True]),
        np.array(["red", "blue", ""]),
        np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]),
        np.array(["1999-01-01", "2000-01-01", "2001-01-01"], dtype="datetime64[ms]"),
        objects(["a"], ["b", "c"], []),
        objects([1], [2, 3], []),
    ],
    ids=["integers", "floats", "booleans", "strings", "coordinates", "times", "lists of strings", "lists of numbers"],
)
def test_attributes_are_read_as_they_were_written(tmp_path: Path, values: np.ndarray) -> None:
    write_nodes(tmp_path / "n.parquet", np.arange(3), {"x": values})
    back = read_nodes(tmp_path / "n.parquet", 3)[1]["x"]
    assert back.dtype == values.dtype
    np.testing.assert_array_equal(back, values)


@pytest.mark.parametrize("other_id", [("a", 1), 2.5, None])
def test_ids_of_other_types_are_refused_with_an_example(tmp_path: Path, other_id: object) -> None:
    with pytest.raises(InvalidGraphError, match=r"all integers or all strings; got .*Convert them, for example"):
        write_nodes(tmp_path / "n.parquet", objects("a", other_id), {})


def test_error_names_an_attribute_of_mixed_types(tmp_path: Path) -> None:
    with pytest.raises(InvalidGraphError, match=r"node attribute 'x' cannot be written.*Convert or remove them"):
        write_nodes(tmp_path / "n.parquet", np.arange(2), {"x": objects("a", 1)})


def test_attribute_with_the_name_of_the_id_column_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidGraphError, match=r"ids in the column 'node'; rename"):
        write_nodes(tmp_path / "n.parquet", np.arange(2), {"node": np.arange(2)})


def test_error_names_a_damaged_file_and_a_wrong_length(tmp_path: Path) -> None:
    file = tmp_path / "n.parquet"
    write_nodes(file, np.arange(2), {})
    with pytest.raises(GraphFileError, match=r"n\.parquet has 2 rows, but header\.json expects 3 nodes"):
        read_nodes(file, 3)
    file.write_bytes(b"PAR1")
    with pytest.raises(GraphFileError, match=r"n\.parquet cannot be read"):
        read_nodes(file, 2)


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        (["a", "a"], "an id occurs more than once"),
        (["a", None], "ids must be all integers"),
        ([1.0, 2.0], "ids must be"),
    ],
)
def test_s3_ids_must_be_distinct_integers_or_strings(tmp_path: Path, ids: list[object], message: str) -> None:
    pq.write_table(pa.table({"node": ids}), tmp_path / "n.parquet")
    with pytest.raises(GraphFileError, match=message):
        read_nodes(tmp_path / "n.parquet", 2)


def test_s7_text_that_is_not_unicode_is_refused(tmp_path: Path) -> None:
    surrogate = np.array(["a", "\ud800"], dtype=object)
    with pytest.raises(InvalidGraphError, match="the node ids cannot be written"):
        write_nodes(tmp_path / "n.parquet", surrogate, {})
    with pytest.raises(InvalidGraphError, match="node attribute 'x' cannot be written"):
        write_nodes(tmp_path / "n.parquet", np.arange(2), {"x": surrogate})
    with pytest.raises(InvalidGraphError, match="the name of a node attribute is not valid text"):
        write_nodes(tmp_path / "n.parquet", np.arange(2), {"\ud800": np.arange(2)})
