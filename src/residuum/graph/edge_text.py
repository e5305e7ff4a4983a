"""Edge lists as text, read by pyarrow, with a line number for whatever is wrong."""

import gzip
import re
import zlib
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.csv

from residuum.errors import GraphFileError
from residuum.graph.edge_table import SOURCE_NAMES, TARGET_NAMES, WEIGHT_NAMES

__all__ = ["read_edge_text"]

_COMMENT = re.compile(rb"^[ \t]*[#%].*\n?", re.MULTILINE)
_BLANKS = re.compile(rb"[ \t]+")
_INTEGER = re.compile(r"[+-]?\d+")
_KNOWN_NAMES = {*SOURCE_NAMES, *TARGET_NAMES, *WEIGHT_NAMES}


def read_edge_text(file: Path, ending: str, header: bool | None) -> pa.Table:
    """Return the columns of a text edge list: integer ids as integers, others as text, a third as numbers."""
    raw = _decompressed(file)
    rows = _sample_rows(file, raw, ending)
    delimiter, first, second = rows
    if header is None:
        header = _looks_like_header(first, second)
    names = first if header else _default_names(first)
    text = _normalised(raw, delimiter)
    id_type = pa.int64() if _INTEGER.fullmatch((second if header and second else first)[0]) else pa.string()
    try:
        return _parse(text, delimiter, names, header, id_type)
    except pa.ArrowInvalid:
        # Slow, exact second look: name the line, or learn that the ids are not all integers.
        _explain(file, raw, delimiter, len(names), header, _weight_index(names))
        return _parse(text, delimiter, names, header, pa.string())


def _decompressed(file: Path) -> bytes:
    data = file.read_bytes()
    if data[:2] == b"\x1f\x8b":
        try:
            data = gzip.decompress(data)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            whole = _readable_lines(file)
            raise GraphFileError(
                f"{file}, line {whole + 1}: the gzip file is damaged or cut off here ({error})."
            ) from error
    return data


def _readable_lines(file: Path) -> int:
    """Count the lines that can still be read from a damaged gzip file."""
    count = 0
    try:
        with gzip.open(file, "rb") as stream:
            for _ in stream:
                count += 1
    except (EOFError, zlib.error, gzip.BadGzipFile):
        pass
    return count


def _lines(file: Path, raw: bytes) -> Iterator[tuple[int, str]]:
    """Yield (line number, text) of the lines that hold data."""
    for number, line in enumerate(raw.split(b"\n"), start=1):
        try:
            text = line.decode("utf-8").strip("\r \t" if number > 1 else "\r \t\ufeff")
        except UnicodeDecodeError as error:
            raise GraphFileError(
                f"{file}, line {number}: not UTF-8 text ({error.reason}). Convert the file to UTF-8."
            ) from error
        if text and text[0] not in "#%":
            yield number, text


def _sample_rows(file: Path, raw: bytes, ending: str) -> tuple[str, list[str], list[str]]:
    lines = _lines(file, raw)
    first = next(lines, None)
    if first is None:
        raise GraphFileError(f"{file}: the graph is empty: the file has no edges.")
    second = next(lines, None)
    delimiter = _delimiter(first[1], ending)
    rows = [_cells(line[1], delimiter) if line else [] for line in (first, second)]
    if len(rows[0]) < 2:
        raise GraphFileError(f"{file}, line {first[0]}: an edge list needs at least two columns; got {first[1]!r}.")
    return delimiter, rows[0], rows[1]


def _delimiter(line: str, ending: str) -> str:
    """Return the character between the columns; a blank stands for any run of blanks and tabs."""
    expected = {".csv": ",", ".tsv": "\t"}.get(ending)
    for candidate in (expected, "\t", ",", ";"):
        if candidate is not None and candidate in line:
            return candidate
    return " "


def _cells(line: str, delimiter: str) -> list[str]:
    parts = line.split() if delimiter == " " else line.split(delimiter)
    return [part.strip().strip('"') for part in parts]


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _looks_like_header(first: list[str], second: list[str]) -> bool:
    """Whether the first row has no number in it, and known names or numbers below it."""
    if any(_is_number(cell) for cell in first):
        return False
    known = any(cell.lower() in _KNOWN_NAMES for cell in first)
    return known or (len(second) >= 2 and all(_is_number(cell) for cell in second))


def _default_names(first: list[str]) -> list[str]:
    return ["source", "target", "weight", *(f"column{k}" for k in range(4, len(first) + 1))][: len(first)]


def _weight_index(names: list[str]) -> int | None:
    named = [index for index, name in enumerate(names) if name.lower() in WEIGHT_NAMES]
    return named[0] if named else None


def _normalised(raw: bytes, delimiter: str) -> bytes:
    """Drop comments, and runs of blanks where they separate the columns."""
    if raw.startswith(b"\xef\xbb\xbf"):
        raw = raw[3:]
    if b"#" in raw or b"%" in raw:
        raw = _COMMENT.sub(b"", raw)
    if delimiter == " ":
        blanks = _BLANKS.sub(b" ", raw.replace(b"\r\n", b"\n"))
        raw = blanks.replace(b"\n ", b"\n").replace(b" \n", b"\n").strip(b" ")
    return raw


def _parse(text: bytes, delimiter: str, names: list[str], header: bool, id_type: pa.DataType) -> pa.Table:
    ids = _id_columns(names)
    weight = _weight_index(names)
    types = {names[index]: id_type for index in ids}
    if weight is not None and weight not in ids:
        types[names[weight]] = pa.float64()
    return pyarrow.csv.read_csv(
        pa.BufferReader(text),
        read_options=pyarrow.csv.ReadOptions(column_names=names, skip_rows=1 if header else 0, block_size=16 << 20),
        parse_options=pyarrow.csv.ParseOptions(delimiter=delimiter),
        convert_options=pyarrow.csv.ConvertOptions(column_types=types, strings_can_be_null=False),
    )


def _id_columns(names: list[str]) -> list[int]:
    lowered = [name.lower() for name in names]
    ends = [
        next((lowered.index(name) for name in candidates if name in lowered), None)
        for candidates in (SOURCE_NAMES, TARGET_NAMES)
    ]
    return [0, 1] if None in ends else [end for end in ends if end is not None]


def _explain(file: Path, raw: bytes, delimiter: str, n_columns: int, header: bool, weight: int | None) -> None:
    """Raise for the first line that is wrong; return if only the ids are not all integers."""
    lines = _lines(file, raw)
    if header:
        next(lines)
    all_integers = True
    too_long: tuple[int, str] | None = None
    for number, text in lines:
        cells = _cells(text, delimiter)
        if len(cells) != n_columns:
            raise GraphFileError(f"{file}, line {number}: expected {n_columns} columns, found {len(cells)}: {text!r}.")
        if weight is not None and not _is_number(cells[weight]):
            raise GraphFileError(f"{file}, line {number}: the weight {cells[weight]!r} is not a number.")
        for cell in cells[:2]:
            if not _INTEGER.fullmatch(cell):
                all_integers = False
            elif too_long is None and not -(2**63) <= int(cell) < 2**63:
                too_long = (number, cell)
    if all_integers and too_long is not None:
        raise GraphFileError(
            f"{file}, line {too_long[0]}: the id {too_long[1]} does not fit a 64-bit integer. "
            "Renumber the nodes, or make the ids text (for example with a leading letter)."
        )
