"""Edge lists as text, read by pyarrow block by block, with a line number for whatever is wrong."""

import csv
import gzip
import re
import warnings
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from residuum._progress import ProgressCallback, Stage
from residuum.errors import GraphFileError, ResiduumWarning
from residuum.graph.edge_table import SOURCE_NAMES, TARGET_NAMES, end_columns, weight_column

__all__ = ["with_edge_text"]

Result = TypeVar("Result")
# Whole lines with the number of the first.
_Block = tuple[int, bytes]

_COMMENT = re.compile(rb"^[ \t]*[#%].*\n?", re.MULTILINE)
_BLANKS = re.compile(rb"[ \t]+")
# A zero in front (postal codes, FIPS codes) is part of a name, which a number would lose.
_INTEGER = re.compile(r"-?(0|[1-9][0-9]*)")
_LEADING_ZERO = r"^\s*-?0[0-9]"
_SAMPLE_BYTES = 1 << 16


@dataclass(frozen=True)
class _Layout:
    """How the rows of a file are laid out, which columns hold the ends and the weight of an edge, and of what kind.

    ``guessed`` says that nothing but numbers in its first row made a column the weight.
    """

    delimiter: str
    header: bool
    names: list[str]
    ends: tuple[int, int]
    weight: int | None
    guessed: bool
    integers: bool


class _OtherLayout(Exception):  # noqa: N818 - no error: the file is read again
    """The rows are not all as the first ones promised."""

    def __init__(self, layout: _Layout) -> None:
        self.layout = layout


def with_edge_text(
    file: Path,
    ending: str,
    header: bool | None,
    use: Callable[[Iterator[pa.Table]], Result],
    *,
    source: str | None = None,
    target: str | None = None,
    weight: str | None = None,
    block_bytes: int,
    progress: ProgressCallback | None = None,
) -> Result:
    """Return what ``use`` makes of the edges in a text file, which come in tables of some lines each.

    The tables have the columns ``source`` and ``target`` (whole numbers if all ids of the file are, else text) and
    perhaps ``weight`` (numbers). If a later line shows that ids are text after all, ``use`` is called once more, with
    the edges from the beginning.
    """
    layout = _find_layout(file, ending, header, source, target, weight)
    while True:
        try:
            return use(_tables(file, layout, block_bytes, progress))
        except _OtherLayout as other:
            layout = other.layout


def _find_layout(
    file: Path, ending: str, header: bool | None, source: str | None, target: str | None, weight: str | None
) -> _Layout:
    delimiter, first, second = _sample_rows(file, ending)
    if header is None:
        told = any(name is not None for name in (source, target, weight))
        header = told or _looks_like_header(first, second)
    names = first if header else _default_names(first)
    ends = tuple(names.index(name) for name in end_columns(names, source, target))
    sample = second if header and second else first
    named = weight_column(names, weight, [names[end] for end in ends])
    column = None if named is None else names.index(named)
    guessed = column is None and len(names) == 3
    if guessed:
        third = 3 - sum(ends)
        column = third if third < len(sample) and (not sample[third] or _is_number(sample[third])) else None
    integers = all(end < len(sample) and _INTEGER.fullmatch(sample[end]) for end in ends)
    return _Layout(delimiter, header, names, (ends[0], ends[1]), column, guessed, integers)


def _sample_rows(file: Path, ending: str) -> tuple[str, list[str], list[str]]:
    lines = _lines(file, _blocks(file, _SAMPLE_BYTES))
    first = next(lines, None)
    if first is None:
        raise GraphFileError(f"{file}: the graph is empty: the file has no edges.")
    second = next(lines, None)
    delimiter = _delimiter(first[1], ending)
    rows = [_cells(line[1], delimiter) if line else [] for line in (first, second)]
    if len(rows[0]) < 2:
        raise GraphFileError(f"{file}, line {first[0]}: an edge list needs at least two columns; got {first[1]!r}.")
    return delimiter, rows[0], rows[1]


def _blocks(file: Path, block_bytes: int, progress: ProgressCallback | None = None) -> Iterator[_Block]:
    """Yield the lines of a plain or gzipped file, about so many bytes at a time."""
    stage = Stage("reading edges", file.stat().st_size, progress)
    with file.open("rb") as raw:
        packed = raw.read(2) == b"\x1f\x8b"
        raw.seek(0)
        stream = gzip.GzipFile(fileobj=raw) if packed else raw
        number, pieces = 1, list[bytes]()
        try:
            while data := stream.read(block_bytes):
                cut = data.rfind(b"\n") + 1
                if cut:
                    block = b"".join([*pieces, data[:cut]])
                    pieces = []
                    yield number, block
                    number += block.count(b"\n")
                pieces.append(data[cut:])
                stage.advance(raw.tell() - stage.done)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise GraphFileError(
                f"{file}, line {_readable_lines(file) + 1}: the gzip file is damaged or cut off here ({error})."
            ) from error
    if any(pieces):
        yield number, b"".join(pieces)
    stage.finish()


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


def _lines(file: Path, blocks: Iterable[_Block]) -> Iterator[tuple[int, str]]:
    """Yield (line number, text) of the lines that hold data."""
    for first, block in blocks:
        for number, line in enumerate(block.split(b"\n"), start=first):
            try:
                text = line.decode("utf-8").strip("\r \t" if number > 1 else "\r \t\ufeff")
            except UnicodeDecodeError as error:
                raise GraphFileError(
                    f"{file}, line {number}: not UTF-8 text ({error.reason}). Convert the file to UTF-8."
                ) from error
            if text and text[0] not in "#%":
                yield number, text


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


def _leaves_quote_open(line: str, delimiter: str) -> bool:
    """Whether a quote at the beginning of a cell has no second one; inside of a cell it is a letter."""
    return line.count('"') % 2 == 1 and (line.startswith('"') or f'{delimiter}"' in line)


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _looks_like_header(first: list[str], second: list[str]) -> bool:
    """Whether the first row has no number in it, and known names of both ends, or numbers below it."""
    if any(_is_number(cell) for cell in first):
        return False
    lowered = {cell.lower() for cell in first}
    # One name alone is a word: "to be" may be an edge.
    known = not lowered.isdisjoint(SOURCE_NAMES) and not lowered.isdisjoint(TARGET_NAMES)
    return known or (len(second) >= 2 and all(_is_number(cell) for cell in second))


def _default_names(first: list[str]) -> list[str]:
    return ["source", "target", "weight", *(f"column{k}" for k in range(4, len(first) + 1))][: len(first)]


def _tables(file: Path, layout: _Layout, block_bytes: int, progress: ProgressCallback | None) -> Iterator[pa.Table]:
    blocks = _blocks(file, block_bytes, progress)
    header = layout.header
    for number, block in blocks:
        text = _normalised(block, layout.delimiter, first=number == 1)
        if not text:
            continue
        try:
            table = _parse(text, layout, header)
        except pa.ArrowInvalid:
            # Slow, exact second look: name the line that is wrong, or read what blank lines spoiled.
            _explain(file, (number, block), blocks, layout, header)
            lines = "\n".join(line for _, line in _lines(file, [(number, block)]))
            text = _normalised(lines.encode(), layout.delimiter, first=False)
            table = _parse(text, layout, header)
        if _has_empty_ids(table, layout) or _joins_lines(table, text, header):
            _explain(file, (number, block), blocks, layout, header)
        if layout.integers and _has_leading_zeros(text, layout, header):
            raise _OtherLayout(replace(layout, integers=False))
        yield table
        header = False


def _normalised(raw: bytes, delimiter: str, *, first: bool) -> bytes:
    """Drop comments, blanks at the beginning, and runs of blanks where they separate the columns."""
    if first and raw.startswith(b"\xef\xbb\xbf"):
        raw = raw[3:]
    if b"#" in raw or b"%" in raw:
        raw = _COMMENT.sub(b"", raw)
    if delimiter == " ":
        blanks = _BLANKS.sub(b" ", raw.replace(b"\r\n", b"\n"))
        raw = blanks.replace(b"\n ", b"\n").replace(b" \n", b"\n").rstrip(b" ")
    # The reader counts a blank line as the header.
    return raw.lstrip()


def _parse(text: bytes, layout: _Layout, header: bool) -> pa.Table:
    columns = [str(number) for number in range(len(layout.names))]
    wanted = {columns[end]: pa.int64() if layout.integers else pa.string() for end in layout.ends}
    if layout.weight is not None:
        wanted[columns[layout.weight]] = pa.float64()
    table = pyarrow.csv.read_csv(
        pa.BufferReader(text),
        read_options=pyarrow.csv.ReadOptions(column_names=columns, skip_rows=1 if header else 0, block_size=16 << 20),
        parse_options=pyarrow.csv.ParseOptions(delimiter=layout.delimiter),
        convert_options=pyarrow.csv.ConvertOptions(
            column_types=wanted, include_columns=list(wanted), strings_can_be_null=False
        ),
    )
    table = table.rename_columns(["source", "target", "weight"][: len(wanted)])
    for index in () if layout.integers else (0, 1):
        # "a, b" and "b, c" name the same b.
        table = table.set_column(index, table.column_names[index], pc.utf8_trim_whitespace(table.column(index)))
    return table


def _has_empty_ids(table: pa.Table, layout: _Layout) -> bool:
    """Whether an end of an edge has no text; that of a whole number is null, and refused with its row."""
    return not layout.integers and any(pc.any(pc.equal(table.column(end), "")).as_py() for end in ("source", "target"))


def _joins_lines(table: pa.Table, text: bytes, header: bool) -> bool:
    """Whether a quote that is not closed made one row of several lines."""
    return b'"' in text and table.num_rows != sum(map(bool, text.splitlines())) - header


def _has_leading_zeros(text: bytes, layout: _Layout, header: bool) -> bool:
    """Whether an id that was read as a whole number is written with zeros in front."""
    letters = np.frombuffer(b"\n" + text + b"\n", dtype=np.uint8)
    # Wraps around below "0".
    digit = letters - ord("0") < 10
    begins = ~digit[:-2] & (letters[:-2] != ord(".")) & (letters[1:-1] == ord("0")) & digit[2:]
    if not begins.any():
        return False
    # It may be in a weight (1e-05) or a date.
    ends = _parse(text, replace(layout, integers=False, weight=None), header)
    return any(pc.any(pc.match_substring_regex(column, _LEADING_ZERO)).as_py() for column in ends.columns)


def _explain(file: Path, block: _Block, rest: Iterable[_Block], layout: _Layout, header: bool) -> None:
    """Raise for the first line of a block that is wrong, or if the layout is another one than the first rows had."""
    lines = _lines(file, [block])
    if header:
        next(lines)
    too_long: tuple[int, str] | None = None
    for number, text in lines:
        if _leaves_quote_open(text, layout.delimiter):
            raise GraphFileError(
                f"{file}, line {number}: a cell begins with a quote that is not closed: {text!r}. "
                "Close it on the same line, or take it out."
            )
        cells = _cells(text, layout.delimiter)
        if len(cells) != len(layout.names):
            raise GraphFileError(
                f"{file}, line {number}: expected {len(layout.names)} columns, found {len(cells)}: {text!r}."
            )
        if layout.weight is not None and not _is_number(cells[layout.weight]):
            if layout.guessed:
                _warn_of_no_weight(f"{file}, line {number}", layout.names[layout.weight], cells[layout.weight])
                raise _OtherLayout(replace(layout, weight=None))
            raise GraphFileError(f"{file}, line {number}: the weight {cells[layout.weight]!r} is not a number.")
        for name, end in zip(("source", "target"), layout.ends, strict=True):
            if not layout.integers and not cells[end]:
                raise GraphFileError(
                    f"{file}, line {number}: the edge has no {name}: {text!r}. Fill it or drop the line."
                )
        for cell in (cells[end] for end in layout.ends) if layout.integers else ():
            if not _INTEGER.fullmatch(cell):
                raise _OtherLayout(replace(layout, integers=False))
            if too_long is None and not -(2**63) <= int(cell) < 2**63:
                too_long = (number, cell)
    if too_long is not None:
        _refuse_unless_text(file, too_long, rest, layout)


def _warn_of_no_weight(place: str, column: str, cell: str) -> None:
    warnings.warn(
        f"{place}: {cell!r} in the column {column!r} is not a number, so that the column is no weight and each row "
        f"counts 1. If it is the weight, say weight={column!r} and mend the line.",
        ResiduumWarning,
        stacklevel=2,
    )


def _refuse_unless_text(file: Path, too_long: tuple[int, str], rest: Iterable[_Block], layout: _Layout) -> None:
    """Raise for an id that is too long a number, unless an id further down shows that ids are text."""
    for _, text in _lines(file, rest):
        cells = _cells(text, layout.delimiter)
        if any(end < len(cells) and not _INTEGER.fullmatch(cells[end]) for end in layout.ends):
            raise _OtherLayout(replace(layout, integers=False))
    raise GraphFileError(
        f"{file}, line {too_long[0]}: the id {too_long[1]} does not fit a 64-bit integer. "
        "Renumber the nodes, or make the ids text (for example with a leading letter)."
    )
