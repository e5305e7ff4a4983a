"""MatrixMarket files, parsed by pyarrow chunk by chunk, with the line number in every error.

``scipy.io.mmread`` crashes the process on some damaged files.
"""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
from numpy.typing import NDArray
from scipy import sparse

from residuum._containers import check_expansion
from residuum.errors import GraphFileError
from residuum.graph.files.streams import line_chunks, single_blanks

__all__ = ["read_matrix_market"]

_CHUNK_BYTES = 16 << 20
_INDEX_BYTES = 8
# Possessive, so that the pattern needs no memory for each line.
_COMMENTS = re.compile(rb"(?:[ \t\r]*+(?:%[^\n]*+)?+(?:\n|\Z))*+")
_COLUMNS = ("row", "column", "value")
_FIELDS = ("real", "double", "integer", "pattern")
_SYMMETRIES = ("general", "symmetric")


@dataclass(frozen=True)
class _Banner:
    """First line of a file."""

    is_dense: bool
    has_values: bool
    is_symmetric: bool


def read_matrix_market(file: Path) -> "sparse.coo_array[Any]":
    r"""Read a MatrixMarket file of real numbers, integers or a pattern, general or symmetric.

    Parameters
    ----------
    file : Path
        Plain or gzipped text in coordinate or array format.

    Returns
    -------
    coo array
        Entries of the matrix, both halves of a symmetric one; 1 for each entry of a pattern.

    Raises
    ------
    GraphFileError
        If the file is damaged; the message names the line.

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> file = Path(folder.name, "pair.mtx")
    >>> _ = file.write_text("%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1")
    >>> read_matrix_market(file).toarray()
    array([[0., 1.],
           [1., 0.]])
    >>> folder.cleanup()
    """
    chunks = line_chunks(file, _CHUNK_BYTES)
    banner, size, body = _read_head(file, chunks)
    # An empty row takes no space in the file, but it does in memory.
    check_expansion(file.stat().st_size, _INDEX_BYTES * max(size[:2]))
    if banner.is_symmetric and size[0] != size[1]:
        raise GraphFileError(f"{file}: a symmetric matrix must be square; got shape {size[:2]}. Fix the size line.")
    expected = size[2] if not banner.is_dense else _dense_entries(size, banner.is_symmetric)
    tables = list(_tables(file, _rest(body, chunks), banner, size, expected))
    n_entries = sum(len(table["value"]) for table in tables)
    if n_entries != expected:
        raise GraphFileError(
            f"{file} is truncated: the size line announces {expected} entries; got {n_entries}. Copy the file again."
        )
    columns = {name: np.concatenate([table[name] for table in tables]) for name in _COLUMNS} if tables else None
    return _matrix(columns, banner, size[:2])


def _read_head(file: Path, chunks: Iterator[tuple[int, bytes]]) -> tuple[_Banner, tuple[int, ...], tuple[int, bytes]]:
    """Return the banner, the numbers of the size line, and what follows in the first chunk."""
    banner = None
    for number, chunk in chunks:
        position = 0
        if banner is None:
            end = _end_of_line(chunk, 0)
            banner, position = _parsed_banner(file, chunk[:end]), end + 1
        comments = _COMMENTS.match(chunk, position)
        position = comments.end() if comments else position
        if position < len(chunk):
            end = _end_of_line(chunk, position)
            number += chunk.count(b"\n", 0, position)
            size = _parsed_size(file, number, chunk[position:end], 2 if banner.is_dense else 3)
            return banner, size, (number + 1, chunk[end + 1 :])
    raise GraphFileError(f"{file} is truncated: the size line is missing. Copy the file again.")


def _end_of_line(chunk: bytes, position: int) -> int:
    end = chunk.find(b"\n", position)
    return len(chunk) if end < 0 else end


def _parsed_banner(file: Path, line: bytes) -> _Banner:
    words = line.decode("latin-1").lower().split()
    if len(words) != 5 or words[:2] != ["%%matrixmarket", "matrix"]:
        raise GraphFileError(f"{file}, line 1: not a MatrixMarket file; it must start with '%%MatrixMarket matrix'.")
    layout, kind, symmetry = words[2:]
    is_dense = layout == "array"
    if layout not in ("coordinate", "array") or kind not in _FIELDS or symmetry not in _SYMMETRIES:
        raise GraphFileError(
            f"{file}, line 1: a graph needs a coordinate or array matrix of type {', '.join(_FIELDS)} that is "
            f"{' or '.join(_SYMMETRIES)}; got '{layout} {kind} {symmetry}'."
        )
    return _Banner(is_dense, kind != "pattern" or is_dense, symmetry == "symmetric")


def _parsed_size(file: Path, number: int, line: bytes, n_numbers: int) -> tuple[int, ...]:
    words = line.split()
    if len(words) != n_numbers or not all(word.isdigit() and len(word) < 19 for word in words):
        raise GraphFileError(f"{file}, line {number}: the size line must have {n_numbers} integers; got {line[:60]!r}.")
    return tuple(int(word) for word in words)


def _dense_entries(size: tuple[int, ...], is_symmetric: bool) -> int:
    return size[0] * (size[0] + 1) // 2 if is_symmetric else size[0] * size[1]


def _rest(body: tuple[int, bytes], chunks: Iterator[tuple[int, bytes]]) -> Iterator[tuple[int, bytes]]:
    yield body
    yield from chunks


def _tables(
    file: Path, chunks: Iterator[tuple[int, bytes]], banner: _Banner, size: tuple[int, ...], expected: int
) -> Iterator[dict[str, NDArray[Any]]]:
    """Yield rows, columns (from 0) and values of the entries; the size limits their number."""
    n_entries = 0
    names = _COLUMNS[2:] if banner.is_dense else _COLUMNS[: 2 + banner.has_values]
    for number, data in chunks:
        table = _parsed(data, names)
        if table is None or _outside(table, size):
            _check_lines(file, number, data, names, size)
            table = _parsed(_without_comments(data), names)
            if table is None:
                raise GraphFileError(f"{file}: the entries from line {number} on cannot be read. Copy the file again.")
        length = len(table[names[0]])
        n_entries += length
        if n_entries > expected:
            raise GraphFileError(f"{file}: the size line announces {expected} entries; got more. Fix the size line.")
        if banner.is_dense:
            place = np.arange(n_entries - length, n_entries)
            table["row"] = table["column"] = place
        elif not banner.has_values:
            table["value"] = np.ones(length)
        yield table


def _parsed(text: bytes, names: tuple[str, ...]) -> dict[str, NDArray[Any]] | None:
    """Return the columns of complete lines, with indices from 0, or None if a line is invalid."""
    lines = text.strip()
    if any(blank in lines for blank in (b"  ", b"\t", b"\r", b"\n ", b" \n")):
        lines = single_blanks(lines, b"\t\r").strip()
    if not lines:
        return {name: np.zeros(0, dtype=np.float64 if name == "value" else np.int64) for name in names}
    kinds = {name: pa.float64() if name == "value" else pa.int64() for name in names}
    try:
        table = pyarrow.csv.read_csv(
            pa.BufferReader(lines),
            read_options=pyarrow.csv.ReadOptions(column_names=list(names), use_threads=False),
            parse_options=pyarrow.csv.ParseOptions(delimiter=" ", quote_char=False),
            convert_options=pyarrow.csv.ConvertOptions(column_types=kinds, null_values=[]),
        )
    except pa.ArrowInvalid:
        return None
    return {name: table.column(name).to_numpy() - (name != "value") for name in names}


def _outside(table: dict[str, NDArray[Any]], size: tuple[int, ...]) -> bool:
    ends = [(table[name], length) for name, length in zip(_COLUMNS[:2], size, strict=False) if name in table]
    return any(len(end) and not (end.min() >= 0 and end.max() < length) for end, length in ends)


def _data_lines(number: int, data: bytes) -> Iterator[tuple[int, bytes]]:
    for position, line in enumerate(data.split(b"\n"), start=number):
        if line.strip() and not line.lstrip().startswith(b"%"):
            yield position, line


def _without_comments(data: bytes) -> bytes:
    return b"\n".join(line for _, line in _data_lines(0, data))


def _check_lines(file: Path, number: int, data: bytes, names: tuple[str, ...], size: tuple[int, ...]) -> None:
    """Raise an error for the first invalid line."""
    for position, line in _data_lines(number, data):
        words = line.split()
        fault = _fault(words, names, size)
        if fault is not None:
            shown = line[:60].decode("latin-1")
            raise GraphFileError(f"{file}, line {position}: {fault}; got {shown!r}. Fix the line, or copy the file.")


def _fault(words: list[bytes], names: tuple[str, ...], size: tuple[int, ...]) -> str | None:
    if len(words) != len(names):
        return f"expected {len(names)} columns, got {len(words)}"
    for name, word in zip(names, words, strict=True):
        if name == "value":
            if not _is_number(word):
                return "the value is not a number"
        else:
            length = size[_COLUMNS.index(name)]
            if not word.isdigit() or len(word) > 18 or not 1 <= int(word) <= length:
                return f"the {name} is not an integer between 1 and {length}"
    return None


def _is_number(word: bytes) -> bool:
    try:
        return not math.isnan(float(word))
    except ValueError:
        return False


def _matrix(
    columns: dict[str, NDArray[Any]] | None, banner: _Banner, shape: tuple[int, ...]
) -> "sparse.coo_array[Any]":
    if columns is None:
        return sparse.coo_array(shape)
    rows, ends, values = (columns[name] for name in _COLUMNS)
    if banner.is_dense:
        rows, ends = _dense_places(rows, banner.is_symmetric, shape)
    if banner.is_symmetric:
        off = rows != ends
        rows, ends = np.concatenate([rows, ends[off]]), np.concatenate([ends, rows[off]])
        values = np.concatenate([values, values[off]])
    return sparse.coo_array((values, (rows, ends)), shape=shape)


def _dense_places(
    place: NDArray[np.int64], is_symmetric: bool, shape: tuple[int, ...]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return rows and columns of the entries of an array, which are stored column by column."""
    if not is_symmetric:
        return place % shape[0], place // shape[0]
    columns, rows = np.triu_indices(shape[0])
    return rows, columns
