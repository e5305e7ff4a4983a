"""Embedding files: parquet, npz, word2vec text. No pickle anywhere."""

import json
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from residuum._files import atomic_path
from residuum.errors import EmbeddingFileError

__all__ = ["FORMATS", "check_ids", "format_of", "read_embedding", "write_embedding"]

Parts = tuple[
    NDArray[Any],
    NDArray[np.float32],
    NDArray[np.float32] | None,
    NDArray[np.float64] | None,
    dict[str, Any],
]

_METADATA_KEY = b"residuum"
# Error types of their own that the libraries have for damaged files.
_LIBRARY_ERRORS = (pa.ArrowException, zipfile.BadZipFile)


def write_embedding(
    path: Path,
    ids: NDArray[Any],
    vectors: NDArray[np.float32],
    context: NDArray[np.float32] | None,
    offsets: NDArray[np.float64] | None,
    metadata: dict[str, Any],
) -> None:
    """Write an embedding in the format that the ending of ``path`` names."""
    write, _ = FORMATS[format_of(path)]
    if not path.parent.is_dir():
        raise EmbeddingFileError(f"{path} cannot be written: the folder {path.parent} does not exist.")
    try:
        with atomic_path(path) as temporary:
            write(temporary, (ids, vectors, context, offsets, metadata))
    except OSError as error:
        raise EmbeddingFileError(f"{path} cannot be written: {error.strerror or error}.") from error


def read_embedding(path: Path) -> Parts:
    """Read an embedding in the format that the ending of ``path`` names."""
    _, read = FORMATS[format_of(path)]
    try:
        return read(path)
    except EmbeddingFileError:
        raise
    except (OSError, ValueError, KeyError, TypeError, AttributeError, EOFError, *_LIBRARY_ERRORS) as error:
        first = (str(error).splitlines() or [type(error).__name__])[0]
        raise EmbeddingFileError(f"{path} is not an embedding file, or it is damaged: {first}") from error


def format_of(path: Path) -> str:
    """Return the ending of ``path`` if it names a format."""
    ending = path.suffix.lower()
    if ending not in FORMATS:
        raise EmbeddingFileError(
            f"{path}: the ending {ending!r} is no format of embeddings; take one of {', '.join(FORMATS)}."
        )
    return ending


def check_ids(path: Path, ids: NDArray[Any]) -> None:
    """Raise if the format that the ending of ``path`` names cannot hold the ids."""
    if FORMATS[format_of(path)] is _WORD2VEC:
        _word2vec_names(ids)
    else:
        _plain_ids(ids)


def _vector_column(vectors: NDArray[np.float32]) -> pa.Array:
    flat = pa.array(np.ascontiguousarray(vectors).ravel())
    return pa.FixedSizeListArray.from_arrays(flat, vectors.shape[1])


def _vectors_from(column: pa.ChunkedArray) -> NDArray[np.float32]:
    width = column.type.list_size
    flat = column.combine_chunks().flatten().to_numpy(zero_copy_only=False)
    return np.asarray(flat, dtype=np.float32).reshape(-1, width)


def _plain_ids(ids: NDArray[Any]) -> tuple[list[Any], str]:
    """Return ids that a column can hold: numbers and texts as they are, anything else as JSON text."""
    values = ids.tolist()
    if len({type(value) for value in values}) == 1 and isinstance(values[0], (int, str, float)):
        return values, "plain"
    return [_as_json(value) for value in values], "json"


def _as_json(identity: Any) -> str:
    try:
        return json.dumps(identity, default=_as_python)
    except (TypeError, ValueError) as error:
        raise EmbeddingFileError(
            f"the id {identity!r} cannot be written: a file holds numbers, texts, and tuples of them ({error}). "
            "Give the nodes such ids, for example str(id)."
        ) from error


def _as_python(value: Any) -> Any:
    """Return a numpy scalar as the number or text that it is."""
    if isinstance(value, np.generic) and not isinstance(value.item(), np.generic):
        return value.item()
    raise TypeError(f"{type(value).__name__} is none of these")


def _tuples(value: Any) -> Any:
    """Return lists, which JSON has made of tuples, as tuples again, also those inside of others."""
    return tuple(_tuples(part) for part in value) if isinstance(value, list) else value


def _original_ids(values: list[Any], coding: str) -> NDArray[Any]:
    if coding == "json":
        values = [_tuples(json.loads(value)) for value in values]
    objects = np.empty(len(values), dtype=object)
    objects[:] = values
    return objects.astype(np.int64) if all(type(value) is int for value in values) else objects


def _write_parquet(path: Path, parts: Parts) -> None:
    ids, vectors, context, offsets, metadata = parts
    values, coding = _plain_ids(ids)
    columns = {"id": pa.array(values), "vector": _vector_column(vectors)}
    if context is not None:
        columns["context"] = _vector_column(context)
    if offsets is not None:
        columns["offset"] = pa.array(offsets)
    header = json.dumps({"ids": coding, "metadata": metadata}).encode()
    table = pa.table(columns).replace_schema_metadata({_METADATA_KEY: header})
    pq.write_table(table, path)


def _read_parquet(path: Path) -> Parts:
    table = pq.read_table(path)
    header = json.loads((table.schema.metadata or {}).get(_METADATA_KEY, b"{}"))
    names = table.column_names
    return (
        _original_ids(table.column("id").to_pylist(), header.get("ids", "plain")),
        _vectors_from(table.column("vector")),
        _vectors_from(table.column("context")) if "context" in names else None,
        table.column("offset").to_numpy() if "offset" in names else None,
        header.get("metadata", {}),
    )


def _write_npz(path: Path, parts: Parts) -> None:
    ids, vectors, context, offsets, metadata = parts
    values, coding = _plain_ids(ids)
    arrays: dict[str, NDArray[Any]] = {"ids": np.array(values), "vectors": vectors}
    if context is not None:
        arrays["context"] = context
    if offsets is not None:
        arrays["offsets"] = offsets
    header = np.array(json.dumps({"ids": coding, "metadata": metadata}))
    with path.open("wb") as stream:
        np.savez(stream, allow_pickle=False, header=header, **arrays)


def _read_npz(path: Path) -> Parts:
    # Opened here, because numpy leaves a damaged file open.
    with path.open("rb") as stream, np.load(stream, allow_pickle=False) as stored:
        header = json.loads(str(stored["header"]))
        return (
            _original_ids(stored["ids"].tolist(), header["ids"]),
            stored["vectors"],
            stored.get("context"),
            stored.get("offsets"),
            header["metadata"],
        )


def _word2vec_names(ids: NDArray[Any]) -> list[str]:
    """Return ids as text, or raise for those that would not be found again."""
    names = [str(identity) for identity in ids.tolist()]
    split = next((name for name in names if not name or any(letter.isspace() for letter in name)), None)
    if split is not None:
        raise EmbeddingFileError(
            f"word2vec text separates by blanks, so that the id {split!r} cannot be written; use .parquet or .npz."
        )
    twice = next((name for name, count in Counter(names).items() if count > 1), None)
    if twice is not None:
        raise EmbeddingFileError(
            f"word2vec text has texts as ids, and two ids are {twice!r} there (a number and a text?); "
            "use .parquet or .npz."
        )
    return names


def _write_word2vec(path: Path, parts: Parts) -> None:
    ids, vectors, *_ = parts
    names = _word2vec_names(ids)
    with path.open("w", encoding="utf-8") as stream:
        stream.write(f"{len(names)} {vectors.shape[1]}\n")
        for name, vector in zip(names, vectors, strict=True):
            stream.write(f"{name} {' '.join(map(str, vector))}\n")


def _read_word2vec(path: Path) -> Parts:
    with path.open(encoding="utf-8") as stream:
        n_nodes, width = (int(number) for number in stream.readline().split())
        ids = np.empty(n_nodes, dtype=object)
        vectors = np.empty((n_nodes, width), dtype=np.float32)
        row = -1
        lines = ((number, line) for number, line in enumerate(stream, start=2) if line.strip())
        for row, (number, line) in enumerate(lines):
            # fastText ends its lines with a blank.
            cells = line.rstrip(" \r\n").split(" ")
            if row >= n_nodes or len(cells) != width + 1:
                raise EmbeddingFileError(
                    f"{path}, line {number}: expected an id and {width} numbers, found {len(cells)} cells."
                )
            ids[row], vectors[row] = cells[0], [float(cell) for cell in cells[1:]]
    if row + 1 != n_nodes:
        raise EmbeddingFileError(f"{path} is cut off: it promises {n_nodes} vectors and has {row + 1}.")
    return ids, vectors, None, None, {}


_WORD2VEC = (_write_word2vec, _read_word2vec)
FORMATS: dict[str, tuple[Callable[[Path, Parts], None], Callable[[Path], Parts]]] = {
    ".parquet": (_write_parquet, _read_parquet),
    ".npz": (_write_npz, _read_npz),
    ".w2v": _WORD2VEC,
    ".txt": _WORD2VEC,
    ".vec": _WORD2VEC,
}
