"""Text edge lists, parsed by pyarrow chunk by chunk, with the line number in every error."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from residuum._progress import ProgressCallback
from residuum.errors import GraphFileError
from residuum.graph.files.header import is_number
from residuum.graph.files.layout import CANONICAL_INTEGER, Columns, Layout, cells_of, find_layout
from residuum.graph.files.streams import line_chunks, single_blanks
from residuum.graph.weights import WEIGHT_RULE, invalid_weights

__all__ = ["data_lines", "text_layout", "text_tables"]

# Number of the first line, and the bytes of complete lines.
_Chunk = tuple[int, bytes]

_COMMENT = re.compile(rb"^[ \t]*[#%].*\n?", re.MULTILINE)
# What programs write for a missing id.
_MISSING = ("nan", "NaN", "NAN", "None", "null", "NULL", "NA", "N/A", "<NA>", "NaT")
_SAMPLE_BYTES = 1 << 16
# First bytes of blank lines and comments, the empty line included.
_SKIPPED = (b"", b"#", b"%")


def text_layout(file: Path, ending: str, columns: Columns) -> Layout:
    """Return the layout of a text file, detected from its first lines.

    Parameters
    ----------
    file : Path
        Plain or gzipped text.
    ending : str
        File extension without ``.gz``, such as ``".csv"``.
    columns : Columns
        Columns chosen by the user.

    Returns
    -------
    Layout
        Layout of all lines.
    """
    return find_layout(file, ending, columns, data_lines(file))


def data_lines(file: Path) -> Iterator[tuple[int, str]]:
    """Yield the number and the text of each line with data, without comments and blank lines.

    Parameters
    ----------
    file : Path
        Plain or gzipped text.

    Yields
    ------
    tuple of int and str
        Line number from 1, and the stripped line.
    """
    yield from _lines(file, _text_chunks(file, _SAMPLE_BYTES))


def text_tables(
    file: Path, layout: Layout, chunk_bytes: int, progress: ProgressCallback | None = None
) -> Iterator[pa.Table]:
    """Yield the edges of a text file, chunk by chunk.

    Parameters
    ----------
    file : Path
        Plain or gzipped text.
    layout : Layout
        Layout of the lines, see :func:`text_layout`.
    chunk_bytes : int
        Approximate number of bytes to parse at a time.
    progress : callable, optional
        Called with a :class:`ProgressEvent` after each chunk.

    Yields
    ------
    pyarrow Table
        Columns ``source``, ``target`` and, for weighted edges, ``weight`` (numbers). Ids are int64 if all ids of the
        chunk are integers as ``str`` writes them, else strings, so that casting integers to strings is exact.
    """
    header, too_long, has_text = layout.header, None, False
    for chunk in _text_chunks(file, chunk_bytes, progress):
        table = _table(file, chunk, layout, header)
        if table is None:
            continue
        if table.schema.field("source").type == pa.string() and not has_text:
            integer = _first_long_integer(file, chunk, layout, header)
            too_long, has_text = too_long or integer, integer is None
        yield table
        header = False
    if too_long is not None and not has_text:
        number, cell = too_long
        raise GraphFileError(
            f"{file}, line {number}: the id {cell} does not fit in a 64-bit integer. "
            "Renumber the nodes, or make the ids strings (for example with a leading letter)."
        )


def _text_chunks(file: Path, chunk_bytes: int, progress: ProgressCallback | None = None) -> Iterator[_Chunk]:
    """Yield the lines of a file in chunks; raise an error for bytes that no UTF-8 text contains."""
    for number, chunk in line_chunks(file, chunk_bytes, progress):
        position = chunk.find(b"\0")
        if position >= 0:
            line = number + chunk.count(b"\n", 0, position)
            raise GraphFileError(
                f"{file}, line {line}: contains NUL characters, as UTF-16 text and binary files do. Convert the file "
                "to UTF-8, for example with iconv -f UTF-16 -t UTF-8."
            )
        yield number, chunk


def _lines(file: Path, chunks: Iterable[_Chunk]) -> Iterator[tuple[int, str]]:
    """Yield (line number, text) of the lines with data."""
    for first, chunk in chunks:
        for number, line in enumerate(chunk.split(b"\n"), start=first):
            if line[:1] in _SKIPPED:
                continue
            try:
                text = line.decode("utf-8").strip("\r \t" if number > 1 else "\r \t\ufeff")
            except UnicodeDecodeError as error:
                raise GraphFileError(
                    f"{file}, line {number}: not UTF-8 text ({error.reason}). Convert the file to UTF-8."
                ) from error
            if text and text[0] not in "#%":
                yield number, text


def _table(file: Path, chunk: _Chunk, layout: Layout, header: bool) -> pa.Table | None:
    """Return the edges of a chunk, or None if it has none."""
    number, data = chunk
    text = _normalized(data, layout.delimiter, first=number == 1)
    if not text:
        return None
    try:
        table = _parse(text, layout, header)
    except pa.ArrowInvalid:
        # Slow path: raise an error for the invalid line, or parse again without the blank lines.
        _check_lines(file, chunk, layout, header)
        lines = "\n".join(line for _, line in _lines(file, [chunk]))
        text = _normalized(lines.encode(), layout.delimiter, first=False)
        table = _parse(text, layout, header)
    if _has_gaps(table) or _joins_lines(table, text, header) or _has_bad_weights(table) or _has_missing_ids(table):
        _check_lines(file, chunk, layout, header)
    return table


def _normalized(raw: bytes, delimiter: str, *, first: bool) -> bytes:
    """Remove comments and leading whitespace, and collapse whitespace if it separates the columns."""
    if first and raw.startswith(b"\xef\xbb\xbf"):
        raw = raw[3:]
    if b"#" in raw or b"%" in raw:
        raw = _COMMENT.sub(b"", raw)
    if delimiter == " ":
        raw = single_blanks(raw.replace(b"\r\n", b"\n"), b"\t")
    # The parser would skip a leading blank line as the header.
    return raw.lstrip()


def _parse(text: bytes, layout: Layout, header: bool) -> pa.Table:
    """Return the table of a chunk, with integer ids if all ids are canonical integers."""
    try:
        table = _parse_as(pa.int64(), text, layout, header)
    except pa.ArrowInvalid:
        return _parse_as(pa.string(), text, layout, header)
    if _has_noncanonical_integers(text, layout, header):
        return _parse_as(pa.string(), text, layout, header)
    return table


def _parse_as(kind: pa.DataType, text: bytes, layout: Layout, header: bool) -> pa.Table:
    names = [str(number) for number in range(len(layout.names))]
    column_types = {names[end]: kind for end in layout.ends}
    if layout.weight is not None:
        column_types[names[layout.weight]] = pa.float64()
    table = pyarrow.csv.read_csv(
        pa.BufferReader(text),
        read_options=pyarrow.csv.ReadOptions(column_names=names, skip_rows=1 if header else 0, block_size=16 << 20),
        parse_options=pyarrow.csv.ParseOptions(delimiter=layout.delimiter),
        convert_options=pyarrow.csv.ConvertOptions(
            column_types=column_types,
            include_columns=list(column_types),
            null_values=[""],
            strings_can_be_null=False,
            decimal_point=layout.decimal,
        ),
    )
    table = table.rename_columns(["source", "target", "weight"][: len(column_types)])
    for index in (0, 1) if kind == pa.string() else ():
        # "a, b" and "b, c" contain the same node b.
        table = table.set_column(index, table.column_names[index], pc.utf8_trim_whitespace(table.column(index)))
    return table


def _has_noncanonical_integers(text: bytes, layout: Layout, header: bool) -> bool:
    """Return whether an id that was parsed as an integer is not written as ``str`` writes it: 007, -0, 0x10."""
    characters = np.frombuffer(b"\n" + text + b"\n", dtype=np.uint8)
    # Unsigned: characters below "0" wrap around to large numbers.
    is_digit = characters - ord("0") < 10
    after_zero = is_digit[2:] | ((characters[2:] | 32) == ord("x"))
    leading_zero = ~is_digit[:-2] & (characters[:-2] != ord(".")) & (characters[1:-1] == ord("0")) & after_zero
    minus_zero = (characters[:-1] == ord("-")) & (characters[1:] == ord("0"))
    if not (leading_zero.any() or minus_zero.any()):
        return False
    # The match may be in a weight (1e-05) or a date, so check the ids.
    ends = _parse_as(pa.string(), text, layout, header).select(["source", "target"])
    pattern = rf"^(?:{CANONICAL_INTEGER.pattern})$"
    return not all(pc.all(pc.match_substring_regex(column, pattern)).as_py() for column in ends.columns)


def _has_gaps(table: pa.Table) -> bool:
    """Return whether an end or the weight of an edge is empty."""
    if any(column.null_count for column in table.columns):
        return True
    strings = [table.column(end) for end in ("source", "target") if table.schema.field(end).type == pa.string()]
    return any(pc.any(pc.equal(column, "")).as_py() for column in strings)


def _has_missing_ids(table: pa.Table) -> bool:
    """Return whether some ids are words for a missing value, and all others are integers."""
    if table.schema.field("source").type != pa.string():
        return False
    ids = pa.chunked_array([chunk for end in ("source", "target") for chunk in table.column(end).chunks], pa.string())
    is_missing = pc.is_in(ids, pa.array(_MISSING))
    if not pc.any(is_missing).as_py():
        return False
    others = ids.filter(pc.invert(is_missing))
    return bool(pc.all(pc.match_substring_regex(others, rf"^(?:{CANONICAL_INTEGER.pattern})$")).as_py())


def _has_bad_weights(table: pa.Table) -> bool:
    return "weight" in table.column_names and len(invalid_weights(table.column("weight").to_numpy())) > 0


def _joins_lines(table: pa.Table, text: bytes, header: bool) -> bool:
    """Return whether an unclosed quote joined several lines into one row."""
    return b'"' in text and table.num_rows != sum(map(bool, text.splitlines())) - header


def _check_lines(file: Path, chunk: _Chunk, layout: Layout, header: bool) -> None:
    """Raise an error for the first invalid line of a chunk."""
    missing: tuple[int, str] | None = None
    has_words = False
    for number, ends in _checked_ends(file, _data_lines(file, chunk, header), layout):
        for cell in ends:
            if cell in _MISSING:
                missing = missing or (number, cell)
            else:
                has_words = has_words or not CANONICAL_INTEGER.fullmatch(cell)
    if missing is not None and not has_words:
        raise GraphFileError(
            f"{file}, line {missing[0]}: the id {missing[1]!r} is a missing value among integer ids. Fill it in, or "
            "drop the line."
        )


def _first_long_integer(file: Path, chunk: _Chunk, layout: Layout, header: bool) -> tuple[int, str] | None:
    """Return the line and the id of the first integer beyond 64 bits, or None if some id is not an integer."""
    first = None
    for number, text in _data_lines(file, chunk, header):
        cells = cells_of(text, layout.delimiter)
        for cell in (cells[end] for end in layout.ends):
            if not CANONICAL_INTEGER.fullmatch(cell):
                return None
            if first is None and not -(2**63) <= int(cell) < 2**63:
                first = (number, cell)
    return first


def _data_lines(file: Path, chunk: _Chunk, header: bool) -> Iterator[tuple[int, str]]:
    lines = _lines(file, [chunk])
    if header:
        next(lines)
    return lines


def _checked_ends(file: Path, lines: Iterable[tuple[int, str]], layout: Layout) -> Iterator[tuple[int, list[str]]]:
    """Yield the two ends of each line; raise an error for a line that is not an edge."""
    for number, text in lines:
        if _leaves_quote_open(text, layout.delimiter):
            raise GraphFileError(
                f"{file}, line {number}: a cell starts with a quote that is not closed: {text!r}. "
                "Close the quote on the same line, or remove it."
            )
        cells = cells_of(text, layout.delimiter)
        if len(cells) != len(layout.names):
            raise GraphFileError(
                f"{file}, line {number}: expected {len(layout.names)} columns, got {len(cells)}: {text!r}. "
                "Fix the line, or drop it."
            )
        parts = dict(zip(("source", "target"), (cells[end] for end in layout.ends), strict=True))
        if layout.weight is not None:
            parts["weight"] = cells[layout.weight]
        for name, cell in parts.items():
            if not cell:
                raise GraphFileError(
                    f"{file}, line {number}: the edge has no {name}: {text!r}. Fill it in, or drop the line."
                )
        _check_weight(f"{file}, line {number}", parts.pop("weight", None), layout.decimal)
        yield number, list(parts.values())


def _check_weight(location: str, weight: str | None, decimal: str) -> None:
    if weight is None:
        return
    if not is_number(weight, decimal):
        raise GraphFileError(f"{location}: the weight {weight!r} is not a number. Fix the line, or drop it.")
    if len(invalid_weights(np.array([float(weight.replace(decimal, "."))]))):
        raise GraphFileError(f"{location}: {WEIGHT_RULE}; got {weight}. Fix the line, or drop it.")


def _leaves_quote_open(line: str, delimiter: str) -> bool:
    """Return whether a cell starts with a quote that is not closed; quotes inside a cell are plain characters."""
    return line.count('"') % 2 == 1 and (line.startswith('"') or f'{delimiter}"' in line)
