"""Vectors of other tools: tables with an id and one number per dimension, and arrays without ids."""

import csv
import math
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
from numpy.typing import NDArray

from residuum._containers import read_npy
from residuum.errors import EmbeddingFileError

__all__ = ["read_array", "read_delimited", "vectors_of_table", "write_delimited"]

_ID_NAMES = (
    "id",
    "node",
    "node_id",
    "nodeid",
    "name",
    "user",
    "user_id",
    "word",
    "token",
    "key",
    "vertex",
    "",
)
# Columns that residuum writes for maps, which are not dimensions.
_NOT_DIMENSIONS = ("x", "y", "neighbors", "offset", "source_offset", "context")
_FIRST_LINE = 1 << 20


def vectors_of_table(path: Path, table: pa.Table) -> dict[str, Any]:
    """Return ids and vectors of a table: an id column, and a column of lists or one column per dimension.

    The id column is the one with a usual name, such as ``id`` or ``node``, else the first.

    Parameters
    ----------
    path : Path
        File, for error messages.
    table : pyarrow Table
        Its content.

    Returns
    -------
    dict of str to value
        Fields ``ids`` and ``vectors`` of an embedding.

    Raises
    ------
    EmbeddingFileError
        If there are no columns of numbers, or a value is missing.
    """
    names = {name.lower(): name for name in reversed(table.column_names)}
    key = next((names[name] for name in _ID_NAMES if name in names), table.column_names[0])
    others = [name for name in table.column_names if name != key]
    lists = [name for name in others if _is_list(table.column(name).type)]
    numeric = [name for name in others if _is_number(table.column(name).type)]
    if lists:
        named = [name for name in lists if name.lower() in ("vector", "vectors", "embedding", "embeddings")]
        rows = table.column((named or lists)[0]).to_pylist()
        if any(row is None or len(row) != len(rows[0]) for row in rows):
            raise EmbeddingFileError(f"{path}: vectors must have the same length in all rows.")
        vectors = np.array(rows, dtype=np.float32)
    else:
        dimensions = [name for name in numeric if name.lower() not in _NOT_DIMENSIONS] or numeric
        text = [name for name in others if name not in numeric]
        if len(dimensions) < 2 or text:
            raise EmbeddingFileError(
                f"{path}: expected a column of ids and at least two columns of numbers, one per dimension; "
                f"{f'column {text[0]!r} has other values' if text else f'got {len(dimensions)}'}."
            )
        columns = [table.column(name) for name in dimensions]
        if any(column.null_count for column in columns):
            raise EmbeddingFileError(f"{path}: a number is missing.")
        vectors = np.stack([np.array(column.to_pylist(), dtype=np.float32) for column in columns], axis=1)
    return {"ids": _ids(path, table.column(key)), "vectors": vectors}


def _is_list(kind: Any) -> bool:
    return bool(pa.types.is_list(kind) or pa.types.is_fixed_size_list(kind) or pa.types.is_large_list(kind))


def _is_number(kind: Any) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))


def _ids(path: Path, column: pa.ChunkedArray) -> NDArray[Any]:
    values = column.to_pylist()
    if None in values:
        raise EmbeddingFileError(f"{path}: an id is missing.")
    # pandas writes integers as floats if a row has no id.
    if values and all(isinstance(value, float) and value.is_integer() for value in values):
        values = [int(value) for value in values]
    if values and all(type(value) is int for value in values):
        return np.array(values, dtype=np.int64)
    ids = np.empty(len(values), dtype=object)
    ids[:] = values
    return ids


def read_delimited(path: Path) -> dict[str, Any]:
    """Read a csv or tsv file with an id and one number per dimension in each row; a header is detected.

    Parameters
    ----------
    path : Path
        File with the extension .csv or .tsv.

    Returns
    -------
    dict of str to value
        Fields ``ids`` and ``vectors`` of an embedding.
    """
    delimiter = _delimiter(path)
    with path.open(encoding="utf-8-sig", newline="") as stream:
        first = next(csv.reader([stream.readline(_FIRST_LINE)], delimiter=delimiter), [])
    if len(first) < 2:
        raise EmbeddingFileError(f"{path}, line 1: expected an id and numbers, separated by {delimiter!r}.")
    has_header = first[0].strip().lower() in _ID_NAMES or not all(map(_is_spelled_number, first[1:]))
    names = None if has_header else ["id", *(f"dimension {k}" for k in range(1, len(first)))]
    table = pyarrow.csv.read_csv(
        path,
        read_options=pyarrow.csv.ReadOptions(column_names=names),
        parse_options=pyarrow.csv.ParseOptions(delimiter=delimiter),
    )
    return vectors_of_table(path, table)


def _is_spelled_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def _delimiter(path: Path) -> str:
    return "\t" if path.suffix.lower() == ".tsv" else ","


def write_delimited(path: Path, parts: dict[str, Any]) -> None:
    """Write ids and vectors as csv or tsv, with a header.

    Parameters
    ----------
    path : Path
        File with the extension .csv or .tsv.
    parts : dict of str to value
        Fields of the embedding; only ids and vectors are written.
    """
    vectors = parts["vectors"]
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, delimiter=_delimiter(path), lineterminator="\n")
        writer.writerow(["id", *(f"dimension {k}" for k in range(1, vectors.shape[1] + 1))])
        for identity, vector in zip(parts["ids"].tolist(), vectors, strict=True):
            writer.writerow([identity, *map(str, vector)])


def read_array(path: Path) -> dict[str, Any]:
    """Read a npy file; its ids are the lines of NAME.ids.txt beside it, or else the numbers of the rows from 0.

    Parameters
    ----------
    path : Path
        File with the extension .npy.

    Returns
    -------
    dict of str to value
        Fields ``ids`` and ``vectors`` of an embedding.
    """
    vectors = read_npy(path)
    if vectors.ndim != 2 or vectors.dtype.kind not in "fiu":
        raise EmbeddingFileError(
            f"{path}: expected numbers of shape (nodes, dimensions); got {vectors.dtype} of shape {vectors.shape}."
        )
    beside = path.with_suffix(".ids.txt")
    if not beside.is_file():
        return {"ids": np.arange(len(vectors)), "vectors": vectors}
    lines = beside.read_text(encoding="utf-8").splitlines()
    if len(lines) != len(vectors):
        raise EmbeddingFileError(f"{beside} has {len(lines)} ids; {path} has {len(vectors)} vectors.")
    return {"ids": np.array(lines, dtype=object), "vectors": vectors}
