import json
import re
from datetime import date
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from residuum.embedding import Embedding
from residuum.embedding import files as embedding_files
from residuum.errors import EmbeddingFileError, InvalidParameterError

IDS = {
    "int": [3, 1, 2],
    "str": ["a", "ü b", ""],
    "tuple": [(0, 1), (0, 2), ("x", 1)],
    "nested": [(0, (1, 2)), (1, (2, (3, "x"))), (0, 1)],
    "numpy": [(np.int64(0), 1), (np.float64(0.5), 1), (np.str_("x"), np.bool_(True))],
    "mixed": ["a", 1, 2.5],
}


def make(ids: list[object]) -> Embedding:
    vectors = np.random.default_rng(0).normal(size=(len(ids), 4))
    return Embedding(ids, vectors, -vectors, np.arange(len(ids)) / 3, {"null_model": "configuration", "window": 10})


@pytest.mark.parametrize("ids", IDS.values(), ids=IDS.keys())
@pytest.mark.parametrize("ending", [".parquet", ".npz"])
def test_round_trip_is_exact(tmp_path: Path, ending: str, ids: list[object]) -> None:
    saved = make(ids)
    saved.save(tmp_path / f"x{ending}")
    loaded = Embedding.load(tmp_path / f"x{ending}")
    assert loaded.ids.tolist() == ids
    assert [type(identity) for identity in loaded.ids.tolist()] == [type(identity) for identity in ids]
    np.testing.assert_array_equal(loaded.vectors, saved.vectors)
    np.testing.assert_array_equal(loaded.context_vectors, saved.context_vectors)
    np.testing.assert_array_equal(loaded.offsets, saved.offsets)
    assert loaded.metadata == saved.metadata


@pytest.mark.parametrize("ending", [".parquet", ".npz"])
def test_round_trip_without_context_vectors_and_offsets(tmp_path: Path, ending: str) -> None:
    Embedding([1, 2], np.eye(2)).save(tmp_path / f"x{ending}")
    loaded = Embedding.load(tmp_path / f"x{ending}")
    assert loaded.context_vectors is None
    assert loaded.offsets is None
    assert loaded.metadata == {}


@pytest.mark.parametrize("ending", [".w2v", ".txt", ".vec"])
@pytest.mark.parametrize("ids", [[3, 1, 2], ["a", "ü", "北京"]])
def test_word2vec_text_keeps_vectors_exactly_and_ids_as_strings(tmp_path: Path, ending: str, ids: list[object]) -> None:
    saved = make(ids)
    saved.save(tmp_path / f"x{ending}")
    loaded = Embedding.load(tmp_path / f"x{ending}")
    assert loaded.ids.tolist() == [str(identity) for identity in ids]
    np.testing.assert_array_equal(loaded.vectors, saved.vectors)
    assert loaded.context_vectors is None


@pytest.mark.parametrize("identity", ["two words", "tab\there", "", "no\u00a0break", (1, 2)])
def test_word2vec_text_refuses_ids_with_whitespace(tmp_path: Path, identity: object) -> None:
    with pytest.raises(EmbeddingFileError, match=r"separated by spaces.*cannot be written; use \.parquet or \.npz"):
        make(["a", identity]).save(tmp_path / "x.w2v")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("ending", [".parquet", ".npz"])
@pytest.mark.parametrize("identity", [frozenset([1]), b"bytes", (1, date(2020, 1, 2))])
def test_an_unsupported_id_is_named_with_the_way_out(tmp_path: Path, ending: str, identity: object) -> None:
    with pytest.raises(EmbeddingFileError, match=rf"the id {re.escape(repr(identity))} cannot be written.*str\(id\)"):
        make(["a", identity]).save(tmp_path / f"x{ending}")
    assert list(tmp_path.iterdir()) == []


def test_word2vec_text_refuses_ids_with_the_same_text(tmp_path: Path) -> None:
    with pytest.raises(EmbeddingFileError, match="two ids have the same text '1'"):
        make([1, "1", "a"]).save(tmp_path / "x.w2v")


def test_trailing_spaces_of_fasttext_are_ignored(tmp_path: Path) -> None:
    (tmp_path / "x.vec").write_text("2 2 \na 0.5 1 \nb 2 3 \n\n")
    loaded = Embedding.load(tmp_path / "x.vec")
    assert loaded.ids.tolist() == ["a", "b"]
    assert loaded.vectors.tolist() == [[0.5, 1], [2, 3]]


def test_gensim_reads_word2vec_text(tmp_path: Path) -> None:
    models = pytest.importorskip("gensim.models")
    saved = make(["a", "ü", "c"])
    saved.save(tmp_path / "x.w2v")
    vectors = models.KeyedVectors.load_word2vec_format(tmp_path / "x.w2v")
    assert vectors.index_to_key == ["a", "ü", "c"]
    np.testing.assert_array_equal(vectors["ü"], saved["ü"])


def test_parquet_has_plain_columns_and_metadata_in_its_schema(tmp_path: Path) -> None:
    make(["a", "b"]).save(tmp_path / "x.parquet")
    schema = pq.read_schema(tmp_path / "x.parquet")
    assert schema.names == ["id", "vector", "context", "offset"]
    assert schema.field("id").type == pa.string()
    assert schema.field("vector").type == pa.list_(pa.float32(), 4)
    assert json.loads(schema.metadata[b"residuum"])["metadata"] == {"null_model": "configuration", "window": 10}


def test_no_pickle_is_written_or_read(tmp_path: Path) -> None:
    make([("a", 1), "b"]).save(tmp_path / "x.npz")
    with np.load(tmp_path / "x.npz", allow_pickle=False) as stored:
        assert all(stored[name].dtype != object for name in stored)
    header = np.array(json.dumps({"ids": "plain", "metadata": {}}))
    np.savez(tmp_path / "evil.npz", header=header, vectors=np.eye(1), ids=np.array([{"a": 1}], dtype=object))
    with pytest.raises(EmbeddingFileError, match=r"evil\.npz cannot be read: .*Python objects"):
        Embedding.load(tmp_path / "evil.npz")


@pytest.mark.parametrize("ending", [".parquet", ".npz", ".w2v"])
def test_a_failed_write_keeps_the_old_file_and_leaves_no_temporary_file(
    tmp_path: Path, ending: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def half(path: Path, _: object) -> None:
        path.write_bytes(b"half of it")
        raise OSError(28, "No space left on device")

    file = tmp_path / f"x{ending}"
    make(["a", "b"]).save(file)
    before = file.read_bytes()
    monkeypatch.setitem(embedding_files.FORMATS, ending, (half, embedding_files.FORMATS[ending][1]))
    with pytest.raises(EmbeddingFileError, match=rf"x{ending} cannot be written: No space left on device"):
        make(["c"]).save(file, overwrite=True)
    assert file.read_bytes() == before
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize("ending", [".parquet", ".npz", ".w2v"])
@pytest.mark.parametrize("kept", [0.0, 0.02, 0.6])
def test_a_truncated_file_is_named(tmp_path: Path, ending: str, kept: float) -> None:
    file = tmp_path / f"x{ending}"
    make(["a", "b", "c"]).save(file)
    content = file.read_bytes()
    file.write_bytes(content[: int(len(content) * kept)])
    with pytest.raises(EmbeddingFileError, match=rf"x{ending}"):
        Embedding.load(file)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"nonsense\n", "line 1: expected the number and the length"),
        (b"1 2\na 1 2 3\n", "line 2: expected an id and 2 numbers; got 4 columns"),
        (b"1 1\na 1\nb 2\n", "line 3: expected an id and 1 numbers"),
        (b"3 1\na 1\nb 2\n", "is truncated: its first line announces 3 vectors; got 2"),
        (b"1 1\na one\n", "cannot be read: could not convert string to float: 'one'"),
        (b"1 1\n\xff 1\n", "cannot be read: 'utf-8' codec can't decode"),
        (b"2 1\na 1\na 2\n", "ids must be unique; 'a' occurs more than once"),
    ],
)
def test_damaged_word2vec_text_is_named_with_the_reason(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "x.w2v").write_bytes(content)
    with pytest.raises(EmbeddingFileError, match=rf"x\.w2v.* {message}|x\.w2v, {message}"):
        Embedding.load(tmp_path / "x.w2v")


@pytest.mark.parametrize("columns", [{"source": [1], "target": [2]}, {"id": [1], "vector": [1.0]}])
def test_a_parquet_file_without_an_embedding_is_named(tmp_path: Path, columns: dict[str, list[float]]) -> None:
    pq.write_table(pa.table(columns), tmp_path / "x.parquet")
    with pytest.raises(EmbeddingFileError, match=r"x\.parquet: expected a column of ids"):
        Embedding.load(tmp_path / "x.parquet")


@pytest.mark.parametrize("values", [["x"], [True], [None], [[1.0]]])
def test_offsets_in_parquet_that_are_no_numbers_are_refused(tmp_path: Path, values: list[object]) -> None:
    vectors = pa.array([[1.0, 2.0]], pa.list_(pa.float32(), 2))
    pq.write_table(pa.table({"id": ["a"], "vector": vectors, "offset": values}), tmp_path / "x.parquet")
    with pytest.raises(EmbeddingFileError, match=r"x\.parquet cannot be read: .*(no numbers|missing)"):
        Embedding.load(tmp_path / "x.parquet")


def test_a_number_that_is_missing_in_a_vector_in_parquet_is_refused(tmp_path: Path) -> None:
    vectors = pa.array([[1.0, None]], pa.list_(pa.float32(), 2))
    pq.write_table(pa.table({"id": ["a"], "vector": vectors}), tmp_path / "x.parquet")
    with pytest.raises(EmbeddingFileError, match=r"x\.parquet cannot be read: a number of a vector .* is missing"):
        Embedding.load(tmp_path / "x.parquet")


def test_an_npz_file_without_an_embedding_is_named(tmp_path: Path) -> None:
    np.savez(tmp_path / "x.npz", vectors=np.eye(2))
    with pytest.raises(EmbeddingFileError, match=r"x\.npz is not an embedding: it has no array 'header'"):
        Embedding.load(tmp_path / "x.npz")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(EmbeddingFileError, match=r"x\.parquet does not exist"):
        Embedding.load(tmp_path / "x.parquet")


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidParameterError, match=r"the folder .*/no does not exist"):
        make(["a"]).save(tmp_path / "no" / "x.parquet")


@pytest.mark.parametrize("name", ["x", "x.json", "x.pkl"])
def test_an_unknown_extension_is_refused_with_a_list_of_formats(tmp_path: Path, name: str) -> None:
    message = r"is not a format for embeddings; use one of \.parquet, \.npz, \.w2v, \.txt, \.vec, \.csv, \.tsv, \.npy"
    with pytest.raises(EmbeddingFileError, match=message):
        make(["a"]).save(tmp_path / name)
    with pytest.raises(EmbeddingFileError, match=message):
        Embedding.load(tmp_path / name)


def test_s12_an_existing_file_is_replaced_only_if_asked(tmp_path: Path) -> None:
    file = tmp_path / "x.npz"
    make(["a"]).save(file)
    before = file.read_bytes()
    with pytest.raises(InvalidParameterError, match=r"x\.npz exists; use overwrite=True"):
        make(["b"]).save(file)
    assert file.read_bytes() == before
    make(["b"]).save(file, overwrite=True)
    assert "b" in Embedding.load(file)


@pytest.mark.parametrize("size", ["99999999999999 2", "1 99999999999999", "4000000000 4000000000"])
def test_s7_word2vec_text_shorter_than_it_announces_is_refused_before_allocation(tmp_path: Path, size: str) -> None:
    (tmp_path / "x.w2v").write_text(f"{size}\na 1 2\n")
    with pytest.raises(EmbeddingFileError, match=r"x\.w2v is truncated: its first line announces .* do not fit"):
        Embedding.load(tmp_path / "x.w2v")
