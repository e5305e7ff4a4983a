"""Layout of text edge lists: delimiter, header, and the source, target and weight columns."""

import csv
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from residuum.errors import GraphFileError, ResiduumWarning
from residuum.graph.edge_table import SOURCE_NAMES, TARGET_NAMES, end_columns, weight_column

__all__ = ["CANONICAL_INTEGER", "Columns", "Layout", "cells_of", "find_layout", "is_number"]

# Integers as str() writes them; ids with a leading zero (postal codes, FIPS codes) are strings.
CANONICAL_INTEGER = re.compile(r"0|-?[1-9][0-9]*")
_SAMPLE_LINES = 1000


@dataclass(frozen=True)
class Columns:
    """Columns of an edge list, as chosen by the user.

    Attributes
    ----------
    source, target, weight : str or None
        Column names; None to detect them.
    header : bool or None
        Whether the first row names the columns; None to detect it.
    """

    source: str | None = None
    target: str | None = None
    weight: str | None = None
    header: bool | None = None


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
        Column names, from the header or by position.
    ends : tuple of two ints
        Positions of the source and target columns.
    weight : int or None
        Position of the weight column; None for unweighted edges.
    """

    delimiter: str
    header: bool
    names: list[str]
    ends: tuple[int, int]
    weight: int | None


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
    delimiter = _delimiter(sample[0][1], ending)
    first, *rows = [cells_of(text, delimiter) for _, text in sample]
    if len(first) < 2:
        number, text = sample[0]
        raise GraphFileError(f"{file}, line {number}: an edge list needs at least two columns; got {text!r}.")
    header = columns.header
    if header is None:
        has_names = any(name is not None for name in (columns.source, columns.target, columns.weight))
        header = has_names or _looks_like_header(first, rows[0] if rows else [])
    names = first if header else _default_names(len(first))
    source, target = end_columns(names, columns.source, columns.target)
    weight_name = weight_column(names, columns.weight, [source, target])
    ends = (names.index(source), names.index(target))
    weight = None if weight_name is None else names.index(weight_name)
    if weight is None and len(names) == 3:
        body = sample[1:] if header and rows else sample
        weight = _third_column_if_numeric(file, names, 3 - sum(ends), [(n, cells_of(t, delimiter)) for n, t in body])
    return Layout(delimiter, header, names, ends, weight)


def _delimiter(line: str, ending: str) -> str:
    expected = {".csv": ",", ".tsv": "\t"}.get(ending)
    for candidate in (expected, "\t", ",", ";"):
        if candidate is not None and candidate in line:
            return candidate
    return " "


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


def is_number(cell: str) -> bool:
    """Return whether a cell can be parsed as a number.

    Parameters
    ----------
    cell : str
        Text of a cell.

    Returns
    -------
    bool
        True for anything that ``float`` accepts, including infinity and NaN.
    """
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _looks_like_header(first: list[str], second: list[str]) -> bool:
    """Return whether the first row contains no numbers, and names both ends or is followed by a row of numbers."""
    if any(is_number(cell) for cell in first):
        return False
    lowered = {cell.lower() for cell in first}
    # A single usual name is not enough: "to be" may be an edge.
    names_both_ends = not lowered.isdisjoint(SOURCE_NAMES) and not lowered.isdisjoint(TARGET_NAMES)
    return names_both_ends or (len(second) >= 2 and all(is_number(cell) for cell in second))


def _default_names(count: int) -> list[str]:
    return ["source", "target", "weight", *(f"column{k}" for k in range(4, count + 1))][:count]


def _third_column_if_numeric(file: Path, names: list[str], third: int, rows: list[tuple[int, list[str]]]) -> int | None:
    """Return the position of a numeric third column; warn if its first cell is a number and a later cell is not."""
    complete = [(number, cells[third]) for number, cells in rows if len(cells) == len(names)]
    if not complete or (complete[0][1] and not is_number(complete[0][1])):
        return None
    invalid = next(((number, cell) for number, cell in complete if cell and not is_number(cell)), None)
    if invalid is None:
        return third
    number, cell = invalid
    warnings.warn(
        f"{file}, line {number}: {cell!r} in column {names[third]!r} is not a number, so the column is not used as "
        f"weight and every edge has weight 1. To use the column, fix the line and pass weight={names[third]!r}.",
        ResiduumWarning,
        stacklevel=2,
    )
    return None
