"""Edge lists as text, read by pyarrow, with a line number for whatever is wrong."""

import csv
import gzip
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from residuum.errors import GraphFileError
from residuum.graph.edge_table import SOURCE_NAMES, TARGET_NAMES, WEIGHT_NAMES, end_columns

__all__ = ["read_edge_text"]

_COMMENT = re.compile(rb"^[ \t]*[#%].*\n?", re.MULTILINE)
_BLANKS = re.compile(rb"[ \t]+")
_INTEGER = re.compile(r"-?[0-9]+")
_KNOWN_NAMES = {*SOURCE_NAMES, *TARGET_NAMES, *WEIGHT_NAMES}


@dataclass(frozen=True)
class _Layout:
    """How the rows of a file are laid out, and which columns hold the ends and the weight of an edge."""

    delimiter: str
    header: bool
    names: list[str]
    ends: tuple[int, int]
    weight: int | None


def read_edge_text(
    file: Path,
    ending: str,
    header: bool | None,
    *,
    source: str | None = None,
    target: str | None = None,
    weight: str | None = None,
) -> pa.Table:
    """Return the columns of a text edge list: integer ids as integers, others as text, the weight as numbers."""
    raw = _decompressed(file)
    delimiter, first, second = _sample_rows(file, raw, ending)
    if header is None:
        named = any(name is not None for name in (source, target, weight))
        header = named or _looks_like_header(first, second)
    names = first if header else _default_names(first)
    ends = tuple(names.index(name) for name in end_columns(names, source, target))
    layout = _Layout(delimiter, header, names, (ends[0], ends[1]), _weight_index(names, weight, ends))
    sample = second if header and second else first
    integers = all(end < len(sample) and _INTEGER.fullmatch(sample[end]) for end in ends)
    try:
        return _parse(_normalised(raw, delimiter), layout, integers)
    except pa.ArrowInvalid:
        # Slow, exact second look: name the line that is wrong, or read what blank lines and mixed ids spoiled.
        integers = _explain(file, raw, layout)
        lines = "\n".join(text for _, text in _lines(file, raw))
        return _parse(_normalised(lines.encode(), delimiter), layout, integers)


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
    if delimiter == " ":
        line = " ".join(line.split())
    # Only quotes can hide a delimiter.
    parts = next(csv.reader([line], delimiter=delimiter)) if '"' in line else line.split(delimiter)
    return [part.strip() for part in parts]


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


def _weight_index(names: list[str], weight: str | None, ends: tuple[int, ...]) -> int | None:
    if weight is not None:
        return names.index(weight) if weight in names else None
    free = [index for index, name in enumerate(names) if name.lower() in WEIGHT_NAMES and index not in ends]
    return free[0] if free else None


def _normalised(raw: bytes, delimiter: str) -> bytes:
    """Drop comments, blanks at the beginning, and runs of blanks where they separate the columns."""
    if raw.startswith(b"\xef\xbb\xbf"):
        raw = raw[3:]
    if b"#" in raw or b"%" in raw:
        raw = _COMMENT.sub(b"", raw)
    if delimiter == " ":
        blanks = _BLANKS.sub(b" ", raw.replace(b"\r\n", b"\n"))
        raw = blanks.replace(b"\n ", b"\n").replace(b" \n", b"\n").rstrip(b" ")
    # The reader counts a blank line as the header.
    return raw.lstrip()


def _parse(text: bytes, layout: _Layout, integers: bool) -> pa.Table:
    types = {layout.names[end]: pa.int64() if integers else pa.string() for end in layout.ends}
    if layout.weight is not None:
        types[layout.names[layout.weight]] = pa.float64()
    table = pyarrow.csv.read_csv(
        pa.BufferReader(text),
        read_options=pyarrow.csv.ReadOptions(
            column_names=layout.names, skip_rows=1 if layout.header else 0, block_size=16 << 20
        ),
        parse_options=pyarrow.csv.ParseOptions(delimiter=layout.delimiter),
        convert_options=pyarrow.csv.ConvertOptions(column_types=types, strings_can_be_null=False),
    )
    for end in () if integers else layout.ends:
        # "a, b" and "b, c" name the same b.
        table = table.set_column(end, layout.names[end], pc.utf8_trim_whitespace(table.column(end)))
    return table


def _explain(file: Path, raw: bytes, layout: _Layout) -> bool:
    """Raise for the first line that is wrong, else tell whether all ids are integers."""
    lines = _lines(file, raw)
    if layout.header:
        next(lines)
    n_columns, weight = len(layout.names), layout.weight
    all_integers = True
    too_long: tuple[int, str] | None = None
    for number, text in lines:
        cells = _cells(text, layout.delimiter)
        if len(cells) != n_columns:
            raise GraphFileError(f"{file}, line {number}: expected {n_columns} columns, found {len(cells)}: {text!r}.")
        if weight is not None and not _is_number(cells[weight]):
            raise GraphFileError(f"{file}, line {number}: the weight {cells[weight]!r} is not a number.")
        for cell in (cells[end] for end in layout.ends):
            if not _INTEGER.fullmatch(cell):
                all_integers = False
            elif too_long is None and not -(2**63) <= int(cell) < 2**63:
                too_long = (number, cell)
    if all_integers and too_long is not None:
        raise GraphFileError(
            f"{file}, line {too_long[0]}: the id {too_long[1]} does not fit a 64-bit integer. "
            "Renumber the nodes, or make the ids text (for example with a leading letter)."
        )
    return all_integers
