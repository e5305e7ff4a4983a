"""Layout of text edge lists: delimiter, header, and the source, target and weight columns."""

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from residuum.errors import GraphFileError, InvalidParameterError
from residuum.graph.column_names import end_columns, other_columns, weight_column
from residuum.graph.files.header import is_number, looks_like_header
from residuum.graph.weights import why_not_a_weight

__all__ = ["CANONICAL_INTEGER", "Columns", "Layout", "cells_of", "find_delimiter", "find_layout"]

# Integers as str() writes them; ids with a leading zero (postal codes, FIPS codes) are strings.
CANONICAL_INTEGER = re.compile(r"0|-?[1-9][0-9]*")
_SAMPLE_LINES = 1000
_DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", " ": "space", "|": "bar"}

Row = tuple[int, list[str]]


@dataclass(frozen=True)
class Columns:
    """Columns of an edge list, as chosen by the user.

    Attributes
    ----------
    source, target, weight : str or None
        Column names, or column numbers such as "3" in a file without header; None to detect them.
    header : bool or None
        Whether the first row names the columns; None to detect it.
    delimiter : str or None
        One character, or its name: comma, semicolon, tab, space or bar; None to detect it.
    """

    source: str | None = None
    target: str | None = None
    weight: str | None = None
    header: bool | None = None
    delimiter: str | None = None

    @property
    def names(self) -> set[str]:
        """Names chosen by the user."""
        return {name for name in (self.source, self.target, self.weight) if name is not None}


@dataclass(frozen=True)
class Layout:
    """Layout of a text edge list.

    Attributes
    ----------
    delimiter : str
        One character; a space matches any sequence of spaces and tabs.
    header : bool
        Whether the first row names the columns.
    names : list of str
        Column names, from the header, or "1", "2" and so on.
    ends : tuple of two ints
        Positions of the source and target columns.
    weight : int or None
        Position of the weight column; None for unweighted edges.
    decimal : str
        Decimal point of the weights, "." or ",".
    remark : str
        What was not used, and why.
    """

    delimiter: str
    header: bool
    names: list[str]
    ends: tuple[int, int]
    weight: int | None
    decimal: str = "."
    remark: str = ""

    def __str__(self) -> str:
        kind = _DELIMITERS.get(self.delimiter, repr(self.delimiter))
        source, target = (self._name(end) for end in self.ends)
        weight = "no weights" if self.weight is None else f"weight {self._name(self.weight)}"
        parts = [f"{kind}-separated, {'header' if self.header else 'no header'}", f"source {source}, target {target}"]
        return "; ".join([*parts, weight, *([self.remark] if self.remark else [])])

    def _name(self, position: int) -> str:
        return repr(self.names[position]) if self.header else f"column {self.names[position]}"


def find_layout(file: Path, ending: str, columns: Columns, lines: Iterator[tuple[int, str]]) -> Layout:
    """Detect the layout of an edge list from its first 1000 lines.

    Parameters
    ----------
    file : Path
        Name of the file, for error messages.
    ending : str
        File extension without ``.gz``, such as ``".csv"``.
    columns : Columns
        Columns chosen by the user.
    lines : iterator of (line number, text)
        Lines with data, without comments and blank lines.

    Returns
    -------
    Layout
        Layout of all lines.
    """
    sample = [line for _, line in zip(range(_SAMPLE_LINES), lines, strict=False)]
    if not sample:
        raise GraphFileError(f"{file}: the graph is empty: the file has no edges.")
    delimiter, decimal = find_delimiter([text for _, text in sample], ending, columns.delimiter)
    rows = [(number, cells_of(text, delimiter)) for number, text in sample]
    first = rows[0][1]
    if len(first) < 2:
        number, text = sample[0]
        raise GraphFileError(
            f"{file}, line {number}: an edge list needs at least two columns; got {text!r}, read as "
            f"{_DELIMITERS.get(delimiter, repr(delimiter))}-separated."
        )
    header = _has_header(columns, first, [cells for _, cells in rows[1:]], decimal)
    if not columns.names and _is_matrix([cells for _, cells in rows[header:]], decimal):
        raise GraphFileError(
            f"{file}: as many rows as columns of numbers look like an adjacency matrix, not like edges. Save the "
            "matrix as .npz or .mtx; if the rows are edges, name their columns source and target."
        )
    if header:
        return _named_layout(columns, first, delimiter, decimal)
    return _numbered_layout(columns, rows, delimiter, decimal)


def _is_matrix(rows: list[list[str]], decimal: str) -> bool:
    """Return whether rows are a square matrix of numbers, perhaps below and beside node ids.

    Few edges with as many columns of numbers are edges, unless the matrix is symmetric.
    """
    if rows and not any(is_number(cell, decimal) for cell in rows[0]):
        rows = rows[1:]
    width = max(map(len, rows), default=0)
    if width < 4 or any(len(cells) != width for cells in rows):
        return False
    if len(rows) == width - 1:
        rows = [cells[1:] for cells in rows]
    elif len(rows) != min(width, _SAMPLE_LINES):
        return False
    if not all(is_number(cell, decimal) for cells in rows for cell in cells):
        return False
    return width > 8 or [tuple(cells) for cells in rows] == list(zip(*rows, strict=True))


def _has_header(columns: Columns, first: list[str], rows: list[list[str]], decimal: str) -> bool:
    if columns.header is not None:
        return columns.header
    # A number may be the name of a column, or its position in a file without header.
    if any(name in first or not name.isdecimal() for name in columns.names):
        return True
    return looks_like_header(first, rows, decimal)


def _named_layout(columns: Columns, names: list[str], delimiter: str, decimal: str) -> Layout:
    source, target = end_columns(names, columns.source, columns.target)
    weight = weight_column(names, columns.weight, [source, target])
    position = None if weight is None else names.index(weight)
    remark = other_columns(names, [source, target, weight])
    return Layout(delimiter, True, names, (names.index(source), names.index(target)), position, decimal, remark)


def _numbered_layout(columns: Columns, rows: list[Row], delimiter: str, decimal: str) -> Layout:
    """Return the layout of a file without header, whose columns are numbered from 1."""
    width = len(rows[0][1])
    names = [str(number) for number in range(1, width + 1)]
    complete = [(number, cells) for number, cells in rows if len(cells) == width]
    default = ("2", "3") if _starts_with_row_numbers(complete) else ("1", "2")
    free = iter([name for name in (*default, *names) if name not in columns.names])
    source = columns.source or next(free)
    target = columns.target or next(name for name in free if name != source)
    source, target = end_columns(names, source, target)
    ends = (int(source) - 1, int(target) - 1)
    weight, remark = weight_column(names, columns.weight, [source, target]), ""
    third = next((k for k in range(width) if k not in ends), None)
    if weight is None and third is not None:
        if 0 in ends:
            weight, remark = _unnamed_weight(third, complete, decimal)
        remark = remark or other_columns(names, [source, target, weight]).replace("'", "")
    return Layout(delimiter, False, names, ends, None if weight is None else int(weight) - 1, decimal, remark)


def _starts_with_row_numbers(rows: list[Row]) -> bool:
    """Return whether the first column counts the rows, and the next two hold words."""
    if len(rows) < 2 or len(rows[0][1]) < 3:
        return False
    if not all(CANONICAL_INTEGER.fullmatch(cells[0]) for _, cells in rows):
        return False
    counts = np.array([int(cells[0]) for _, cells in rows], dtype=object)
    has_words = all(not is_number(cells[1]) and not is_number(cells[2]) for _, cells in rows)
    return has_words and bool((np.diff(counts) == 1).all())


def _unnamed_weight(position: int, rows: list[Row], decimal: str) -> tuple[str | None, str]:
    """Return the number of the column if it holds weights, and a remark if it holds other numbers."""
    cells = [row[position] for _, row in rows if row[position]]
    numbers = [float(cell.replace(decimal, ".")) for cell in cells if is_number(cell, decimal)]
    name = str(position + 1)
    # A few words among numbers are errors, which the parser reports with their line.
    if 2 * len(numbers) <= len(cells):
        return None, ""
    reason = why_not_a_weight(np.array(numbers))
    if reason is None:
        return name, ""
    return None, f"not used: column {name}, which looks like {reason} (name {name} as the weight to use it)"


def find_delimiter(lines: Sequence[str], ending: str, chosen: str | None = None) -> tuple[str, str]:
    """Return the delimiter of the columns and the decimal point of the numbers.

    Parameters
    ----------
    lines : sequence of str
        First lines of the file.
    ending : str
        File extension without ``.gz``, such as ``".csv"``.
    chosen : str, optional
        Delimiter chosen by the user, as a character or by name; detected by default.

    Returns
    -------
    delimiter, decimal : str
        One character each.

    Examples
    --------
    >>> find_delimiter(["a;b;1,5", "b;c;2"], ".csv")
    (';', ',')
    """
    delimiter = _detected_delimiter(lines, ending) if chosen is None else _as_character(chosen)
    if delimiter == "," or not any("," in line for line in lines):
        return delimiter, "."
    cells = {cell for line in lines for cell in cells_of(line, delimiter)}
    has_commas, has_points = (any(re.fullmatch(rf"[+-]?[0-9]+{c}[0-9]+", cell) for cell in cells) for c in (",", r"\."))
    return delimiter, "," if has_commas and not has_points else "."


def _detected_delimiter(lines: Sequence[str], ending: str) -> str:
    widths = {c: {len(cells_of(line, c)) for line in lines} for c in ",;\t" if any(c in line for line in lines)}
    regular = [c for c, found in widths.items() if len(found) == 1 and found != {1}]
    # Commas that only occur inside numbers are decimal commas.
    decimal = re.compile(r"[^,]*|[+-]?[0-9]+,[0-9]+")
    if ";" in regular and all(decimal.fullmatch(cell) for line in lines for cell in cells_of(line, ";")):
        return ";"
    expected = {".csv": ",", ".tsv": "\t"}.get(ending)
    candidates = [c for c in (expected, "\t", ",", ";") if c is not None and c in lines[0]]
    return next((c for c in candidates if c in regular), candidates[0] if candidates else " ")


def _as_character(delimiter: str) -> str:
    named = {name: character for character, name in _DELIMITERS.items()} | {"\\t": "\t"}
    character = named.get(delimiter, delimiter)
    if len(character) != 1 or character in '\n\r"':
        raise InvalidParameterError(
            f"delimiter must be one character, or one of {', '.join(_DELIMITERS.values())}; got {delimiter!r}."
        )
    return character


def cells_of(line: str, delimiter: str) -> list[str]:
    """Split a line into cells.

    Parameters
    ----------
    line : str
        Line without a line break.
    delimiter : str
        One character; a space matches any sequence of spaces and tabs.

    Returns
    -------
    list of str
        Cells without quotes and surrounding whitespace.

    Examples
    --------
    >>> cells_of('"Doe, A", b', ",")
    ['Doe, A', 'b']
    """
    if delimiter == " ":
        line = " ".join(line.split())
    # The csv parser is slow, and only quoted cells need it.
    parts = next(csv.reader([line], delimiter=delimiter)) if '"' in line else line.split(delimiter)
    return [part.strip() for part in parts]
