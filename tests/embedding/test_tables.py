from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from residuum import Embedding
from residuum.errors import EmbeddingFileError

VECTORS = np.random.default_rng(0).normal(size=(3, 4)).astype(np.float32)


@pytest.mark.parametrize("name", ["x.csv", "x.tsv"])
@pytest.mark.parametrize("ids", [[5, 3, 9], ["a", "b,c", 'say "hi"']])
def test_csv_and_tsv_keep_ids_and_values(tmp_path: Path, name: str, ids: list[object]) -> None:
    Embedding(ids, VECTORS).save(tmp_path / name)
    loaded = Embedding.load(tmp_path / name)
    assert loaded.ids.tolist() == ids
    np.testing.assert_array_equal(loaded.vectors, VECTORS)


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("id,0,1\na,1,2\nb,3,4\n", ["a", "b"]),
        (",0,1\n7,1,2\n8,3,4\n", [7, 8]),
        ("x1,x2,node\n1,2,a\n3,4,b\n", ["a", "b"]),
        ("a,1,2\nb,3,4\n", ["a", "b"]),
        ("7,1,2\n8,3,4\n", [7, 8]),
        ("person,d1,d2\na,1,2\nb,3,4\n", ["a", "b"]),
        ("\ufeffid,d1,d2\na,1,2\nb,3,4\n", ["a", "b"]),
    ],
    ids=["numbered columns", "pandas index", "id last", "no header", "no header, integers", "other name", "mark"],
)
def test_tables_of_other_tools(tmp_path: Path, text: str, ids: list[object]) -> None:
    (tmp_path / "x.csv").write_text(text, encoding="utf-8")
    loaded = Embedding.load(tmp_path / "x.csv")
    assert loaded.ids.tolist() == ids
    assert loaded.vectors.tolist() == [[1.0, 2.0], [3.0, 4.0]]


@pytest.mark.parametrize(
    "columns",
    [
        {"node": ["a", "b"], "embedding": [[1.0, 2.0], [3.0, 4.0]]},
        {"node": ["a", "b"], "text": ["s", "t"], "embedding": [[1.0, 2.0], [3.0, 4.0]]},
        {"node": ["a", "b"], "d1": [1.0, 3.0], "d2": [2, 4]},
        {"node": ["a", "b"], "d1": [1.0, 3.0], "d2": [2.0, 4.0], "x": [9.0, 9.0], "y": [9.0, 9.0]},
    ],
    ids=["lists", "lists and text", "columns", "columns and a map"],
)
def test_parquet_of_other_tools(tmp_path: Path, columns: dict[str, list[object]]) -> None:
    pq.write_table(pa.table(columns), tmp_path / "x.parquet")
    loaded = Embedding.load(tmp_path / "x.parquet")
    assert loaded.ids.tolist() == ["a", "b"]
    assert loaded.vectors.tolist() == [[1.0, 2.0], [3.0, 4.0]]


def test_npy_has_row_numbers_as_ids(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", VECTORS)
    loaded = Embedding.load(tmp_path / "x.npy")
    assert loaded.ids.tolist() == [0, 1, 2]
    np.testing.assert_array_equal(loaded.vectors, VECTORS)


def test_npy_takes_ids_from_the_file_beside_it(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", VECTORS)
    (tmp_path / "x.ids.txt").write_text("ann\nbob\ncid\n")
    assert Embedding.load(tmp_path / "x.npy").ids.tolist() == ["ann", "bob", "cid"]
    (tmp_path / "x.ids.txt").write_text("ann\nbob\n")
    with pytest.raises(EmbeddingFileError, match=r"x\.ids\.txt has 2 ids; .*x\.npy has 3 vectors"):
        Embedding.load(tmp_path / "x.npy")


def test_npy_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(EmbeddingFileError, match="has no ids and can only be read"):
        Embedding([0, 1, 2], VECTORS).save(tmp_path / "x.npy")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("x.csv", "id,d1,d2\na,1,\nb,3,4\n", "a number is missing"),
        ("x.csv", "id,d1,d2\na,1,z\nb,3,4\n", "column 'd2' has other values"),
        ("x.csv", "source,target\n1,2\n", "at least two columns of numbers.*got 1"),
        ("x.csv", "", "expected an id and numbers"),
        ("x.tsv", "id,d1,d2\na,1,2\n", "expected an id and numbers"),
        ("x.npy", "no array", "cannot be read"),
    ],
)
def test_tables_without_vectors_are_refused(tmp_path: Path, name: str, text: str, message: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(EmbeddingFileError, match=message):
        Embedding.load(tmp_path / name)


@pytest.mark.parametrize("array", [np.zeros(3), np.array([["a"]]), np.zeros((2, 2, 2))])
def test_an_array_that_is_no_matrix_of_numbers_is_refused(tmp_path: Path, array: np.ndarray) -> None:
    np.save(tmp_path / "x.npy", array)
    with pytest.raises(EmbeddingFileError, match="expected numbers of shape"):
        Embedding.load(tmp_path / "x.npy")
