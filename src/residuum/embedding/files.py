"""Embedding files: parquet, npz, word2vec text, csv and npy, without pickle."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from residuum._containers import open_parquet, read_npz
from residuum._files import atomic_path, missing_file
from residuum.embedding.tables import read_array, read_delimited, vectors_of_table, write_delimited
from residuum.errors import EmbeddingFileError

__all__ = ["FORMATS", "check_ids", "format_of", "is_own_parquet", "read_embedding", "write_embedding"]

# Fields of an embedding, by name.
Parts = dict[str, Any]

_METADATA_KEY = b"residuum"
# More than the first line of word2vec text ever has.
_HEAD_CHARACTERS = 100
_OPTIONAL = ("context_vectors", "offsets", "source_offsets")


def write_embedding(path: Path, parts: Parts) -> None:
    """Write an embedding in the format of the file extension.

    Parameters
    ----------
    path : Path
        File to write.
    parts : dict of str to value
        Fields of the embedding.

    Raises
    ------
    EmbeddingFileError
        If the file cannot be written.
    """
    write, _ = FORMATS[format_of(path)]
    try:
        with atomic_path(path) as temporary:
            write(temporary, parts)
    except OSError as error:
        raise EmbeddingFileError(f"{path} cannot be written: {error.strerror or error}.") from error


def read_embedding(path: Path) -> Parts:
    """Read an embedding in the format of the file extension.

    Parameters
    ----------
    path : Path
        File to read.

    Returns
    -------
    dict of str to value
        Fields of the embedding.

    Raises
    ------
    Exception
        Of any type if the file is damaged; see :func:`reading`.
    """
    _, read = FORMATS[format_of(path)]
    if not path.is_file():
        raise EmbeddingFileError(f"{path} {missing_file(path)}.")
    return read(path)


def format_of(path: Path) -> str:
    """Return the file extension of a path if it is a format for embeddings.

    Parameters
    ----------
    path : Path
        File to read or write.

    Returns
    -------
    str
        Extension in lower case, a key of ``FORMATS``.

    Raises
    ------
    EmbeddingFileError
        If no format has this extension.
    """
    extension = path.suffix.lower()
    if extension not in FORMATS:
        raise EmbeddingFileError(
            f"{path}: the extension {extension!r} is not a format for embeddings; use one of {', '.join(FORMATS)}."
        )
    return extension


def check_ids(path: Path, ids: NDArray[Any]) -> None:
    """Raise an error if the format of a path does not support the ids.

    Parameters
    ----------
    path : Path
        File to write.
    ids : array of shape (N,)
        Node ids.

    Raises
    ------
    EmbeddingFileError
        If an id cannot be written, or two ids would be written as the same text.
    """
    coding = FORMATS[format_of(path)]
    if coding is _ARRAY:
        _write_array(path, {})
    elif coding is _WORD2VEC:
        _word2vec_names(ids)
    elif coding is _DELIMITED:
        _distinct_names(ids)
    else:
        _plain_ids(ids)


def _vector_column(vectors: NDArray[np.float32]) -> pa.Array:
    flat = pa.array(np.ascontiguousarray(vectors).ravel())
    return pa.FixedSizeListArray.from_arrays(flat, vectors.shape[1])


def _vectors_from(column: pa.ChunkedArray) -> NDArray[np.float32]:
    if column.null_count:
        raise ValueError("a vector is missing.")
    flat = _values_of(column.combine_chunks().flatten())
    return flat.astype(np.float32, copy=False).reshape(-1, column.type.list_size)


def _offsets_from(column: pa.ChunkedArray) -> NDArray[np.float64]:
    if column.null_count:
        raise ValueError("an offset is missing.")
    return _values_of(column.combine_chunks()).astype(np.float64, copy=False)


def _values_of(values: pa.Array) -> NDArray[Any]:
    if not (pa.types.is_integer(values.type) or pa.types.is_floating(values.type)):
        raise ValueError(f"a column of vectors or offsets has values of the type {values.type}, which are no numbers.")
    if values.null_count:
        raise ValueError("a number of a vector or an offset is missing.")
    return np.asarray(np.from_dlpack(values))


def _plain_ids(ids: NDArray[Any]) -> tuple[list[Any], str]:
    """Return ids as column values with their coding: numbers and strings unchanged, all others as JSON."""
    values = ids.tolist()
    if len({type(value) for value in values}) == 1 and isinstance(values[0], (int, str, float)):
        return values, "plain"
    return [_as_json(value) for value in values], "json"


def _as_json(identity: Any) -> str:
    try:
        return json.dumps(identity, default=_as_python)
    except (TypeError, ValueError) as error:
        raise EmbeddingFileError(
            f"the id {identity!r} cannot be written: ids must be numbers, strings or tuples of these ({error}). "
            "Convert it, for example with str(id)."
        ) from error


def _as_python(value: Any) -> Any:
    """Convert a numpy scalar to a Python number or string."""
    if isinstance(value, np.generic) and not isinstance(value.item(), np.generic):
        return value.item()
    raise TypeError(f"got {type(value).__name__}")


def _tuples(value: Any) -> Any:
    """Convert lists, including nested lists, to tuples, which JSON does not have."""
    return tuple(_tuples(part) for part in value) if isinstance(value, list) else value


def _original_ids(values: list[Any], coding: str) -> NDArray[Any]:
    if coding == "json":
        values = [_tuples(json.loads(value)) for value in values]
    objects = np.empty(len(values), dtype=object)
    objects[:] = values
    return objects.astype(np.int64) if all(type(value) is int for value in values) else objects


def _header(parts: Parts, coding: str) -> str:
    return json.dumps({"ids": coding, "directed": parts["directed"], "metadata": parts["metadata"]})


def _checked_header(header: Any) -> dict[str, Any]:
    """Return the header of a file with defaults for missing keys; raise if a value has the wrong type."""
    defaults: dict[str, Any] = {"ids": "plain", "directed": False, "metadata": {}}
    if not isinstance(header, dict):
        raise TypeError("the header is not a mapping.")
    checked = {key: header.get(key, default) for key, default in defaults.items()}
    for key, default in defaults.items():
        if not isinstance(checked[key], type(default)):
            raise TypeError(f"{key!r} in the header has the wrong type.")
    return checked


def is_own_parquet(path: Path) -> bool:
    """Return whether a parquet file was written by :func:`write_embedding`.

    Parameters
    ----------
    path : Path
        File.

    Returns
    -------
    bool
        False also for a file that cannot be read.
    """
    try:
        with open_parquet(path) as parquet:
            return _METADATA_KEY in (parquet.schema_arrow.metadata or {})
    except (OSError, pa.ArrowException):
        return False


def _write_parquet(path: Path, parts: Parts) -> None:
    values, coding = _plain_ids(parts["ids"])
    columns = {"id": pa.array(values), "vector": _vector_column(parts["vectors"])}
    if parts["context_vectors"] is not None:
        columns["context"] = _vector_column(parts["context_vectors"])
    for name in ("offset", "source_offset"):
        if parts[f"{name}s"] is not None:
            columns[name] = pa.array(parts[f"{name}s"])
    columns |= {name: pa.array(column) for name, column in parts["columns"].items()}
    table = pa.table(columns).replace_schema_metadata({_METADATA_KEY: _header(parts, coding).encode()})
    pq.write_table(table, path)


def _read_parquet(path: Path) -> Parts:
    # Not pq.read_table, and not to_numpy: they import pandas where it is installed, which takes longer than the rest.
    with open_parquet(path) as parquet:
        table = parquet.read()
    metadata, names = table.schema.metadata or {}, table.column_names
    is_ours = {"id", "vector"} <= set(names) and pa.types.is_fixed_size_list(table.schema.field("vector").type)
    if _METADATA_KEY not in metadata and not is_ours:
        return vectors_of_table(path, table)
    header = _checked_header(json.loads(metadata.get(_METADATA_KEY, b"{}")))
    return {
        "ids": _original_ids(table.column("id").to_pylist(), header["ids"]),
        "vectors": _vectors_from(table.column("vector")),
        "context_vectors": _vectors_from(table.column("context")) if "context" in names else None,
        "offsets": _offsets_from(table.column("offset")) if "offset" in names else None,
        "source_offsets": _offsets_from(table.column("source_offset")) if "source_offset" in names else None,
        "directed": header["directed"],
        "metadata": header["metadata"],
    }


def _write_npz(path: Path, parts: Parts) -> None:
    values, coding = _plain_ids(parts["ids"])
    arrays: dict[str, NDArray[Any]] = {"ids": np.array(values), "vectors": parts["vectors"]}
    for name in _OPTIONAL:
        if parts[name] is not None:
            arrays[name] = parts[name]
    with path.open("wb") as stream:
        np.savez(stream, allow_pickle=False, header=np.array(_header(parts, coding)), **arrays)


def _read_npz(path: Path) -> Parts:
    stored = read_npz(path)
    for name in ("header", "ids", "vectors"):
        if name not in stored:
            raise EmbeddingFileError(f"{path} is not an embedding: it has no array {name!r}.")
    header = _checked_header(json.loads(stored["header"].item()))
    return {
        "ids": _original_ids(stored["ids"].tolist(), header["ids"]),
        "vectors": _numbers(stored["vectors"]),
        **{name: _numbers(stored[name]) if name in stored else None for name in _OPTIONAL},
        "directed": header["directed"],
        "metadata": header["metadata"],
    }


def _numbers(array: NDArray[Any]) -> NDArray[Any]:
    if array.dtype.kind not in "fiu":
        raise ValueError(f"vectors and offsets must be numbers; got the type {array.dtype}.")
    return array


def _word2vec_names(ids: NDArray[Any]) -> list[str]:
    """Return ids as strings; raise if an id contains whitespace or two strings are equal."""
    names = _distinct_names(ids)
    invalid = next((name for name in names if not name or any(letter.isspace() for letter in name)), None)
    if invalid is not None:
        raise EmbeddingFileError(
            f"word2vec text is separated by spaces, so the id {invalid!r} cannot be written; use .parquet or .npz."
        )
    return names


def _distinct_names(ids: NDArray[Any]) -> list[str]:
    """Return ids as strings; raise if two strings are equal."""
    names = [str(identity) for identity in ids.tolist()]
    duplicate = next((name for name, count in Counter(names).items() if count > 1), None)
    if duplicate is not None:
        raise EmbeddingFileError(
            f"two ids have the same text {duplicate!r}, which a text file cannot distinguish; use .parquet or .npz."
        )
    return names


def _write_word2vec(path: Path, parts: Parts) -> None:
    names, vectors = _word2vec_names(parts["ids"]), parts["vectors"]
    with path.open("w", encoding="utf-8") as stream:
        stream.write(f"{len(names)} {vectors.shape[1]}\n")
        for name, vector in zip(names, vectors, strict=True):
            stream.write(f"{name} {' '.join(map(str, vector))}\n")


def _word2vec_size(path: Path, line: str) -> tuple[int, int]:
    """Return the number and the length of the vectors from the first line; raise if the file is too short for them."""
    cells = line.split()
    if len(cells) != 2 or not all(cell.isascii() and cell.isdigit() for cell in cells):
        raise EmbeddingFileError(
            f"{path}, line 1: expected the number and the length of the vectors; got {line[:60]!r}."
        )
    n_nodes, width = (int(cell) for cell in cells)
    # Each vector is an id, and a space and a digit for each number.
    if n_nodes * (2 * width + 1) > path.stat().st_size:
        raise EmbeddingFileError(
            f"{path} is truncated: its first line announces {n_nodes} vectors of length {width}, which do not fit in "
            f"{path.stat().st_size} bytes."
        )
    return n_nodes, width


def _read_word2vec(path: Path) -> Parts:
    with path.open(encoding="utf-8") as stream:
        n_nodes, width = _word2vec_size(path, stream.readline(_HEAD_CHARACTERS))
        ids = np.empty(n_nodes, dtype=object)
        vectors = np.empty((n_nodes, width), dtype=np.float32)
        row = -1
        lines = ((number, line) for number, line in enumerate(stream, start=2) if line.strip())
        for row, (number, line) in enumerate(lines):
            # Lines of fastText end with a space.
            cells = line.rstrip(" \r\n").split(" ")
            if row >= n_nodes or len(cells) != width + 1:
                raise EmbeddingFileError(
                    f"{path}, line {number}: expected an id and {width} numbers; got {len(cells)} columns."
                )
            ids[row], vectors[row] = cells[0], [float(cell) for cell in cells[1:]]
    if row + 1 != n_nodes:
        raise EmbeddingFileError(f"{path} is truncated: its first line announces {n_nodes} vectors; got {row + 1}.")
    return {"ids": ids, "vectors": vectors}


def _write_array(path: Path, parts: Parts) -> None:
    del parts
    raise EmbeddingFileError(f"{path}: a .npy file has no ids and can only be read; use .parquet or .npz.")


_WORD2VEC = (_write_word2vec, _read_word2vec)
_DELIMITED = (write_delimited, read_delimited)
_ARRAY = (_write_array, read_array)
FORMATS: dict[str, tuple[Callable[[Path, Parts], None], Callable[[Path], Parts]]] = {
    ".parquet": (_write_parquet, _read_parquet),
    ".npz": (_write_npz, _read_npz),
    ".w2v": _WORD2VEC,
    ".txt": _WORD2VEC,
    ".vec": _WORD2VEC,
    ".csv": _DELIMITED,
    ".tsv": _DELIMITED,
    ".npy": _ARRAY,
}
