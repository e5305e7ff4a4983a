"""Detection of header rows."""

from collections import Counter
from collections.abc import Sequence

from residuum.graph.column_names import are_column_names, are_letters

__all__ = ["is_number", "looks_like_header"]

# A first row whose two ends never occur again is a header if fewer than this share of the other rows are like it.
_RARE = 0.05


def is_number(cell: str, decimal: str = ".") -> bool:
    """Return whether a cell can be parsed as a number.

    Parameters
    ----------
    cell : str
        Text of a cell.
    decimal : str, default="."
        Decimal point, "." or ",".

    Returns
    -------
    bool
        True for anything that ``float`` accepts, including infinity and NaN.
    """
    try:
        float(cell.replace(decimal, "."))
    except ValueError:
        return False
    # float() also accepts 1_000.
    return "_" not in cell


def looks_like_header(first: Sequence[str], rows: Sequence[Sequence[str]], decimal: str = ".") -> bool:
    """Return whether the first row of an edge list names the columns.

    A row whose ends occur again below is an edge. Otherwise a row is a header if it has usual column names, if a column
    of numbers starts with a word, or if its ends never occur again although nearly all other nodes do.

    Parameters
    ----------
    first : sequence of str
        Cells of the first row.
    rows : sequence of sequences of str
        Cells of the next rows.
    decimal : str, default="."
        Decimal point of numbers.

    Returns
    -------
    bool
        True if the row is a header.

    Examples
    --------
    >>> looks_like_header(["protein1", "protein2"], [["BRCA1", "TP53"]])
    True
    >>> looks_like_header(["to", "be"], [["be", "or"], ["or", "not"]])
    False
    """
    complete = [row for row in rows if len(row) == len(first)]
    words = [cell for cell in first if cell and not is_number(cell, decimal)]
    columns = [*zip(*complete, strict=True)] or [()] * len(first)
    if len(first) > 2 and not first[0] and all(first[1:]) and columns[0]:
        # The index of a data frame has no name.
        return all(cell.isdecimal() for cell in columns[0])
    if len(words) < 2 or _occur_again(words, complete):
        return False
    if are_letters(first[:2]):
        return any(len(cell) > 1 or is_number(cell) for row in complete for cell in row[:2])
    if are_column_names(first):
        return True
    names_numbers = (
        cell in words and _are_numbers(column, decimal) for cell, column in zip(first, columns, strict=True)
    )
    return any(names_numbers) or _is_unlike(complete)


def _occur_again(words: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    cells = {cell for row in rows for cell in row}
    return any(word in cells for word in words)


def _are_numbers(column: Sequence[str], decimal: str) -> bool:
    cells = [cell for cell in column if cell]
    return bool(cells) and all(is_number(cell, decimal) for cell in cells)


def _is_unlike(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether rows with two ends that occur only once are rare."""
    counts = Counter(cell for row in rows for cell in row[:2])
    lonely = sum(counts[row[0]] == counts[row[1]] == 1 for row in rows)
    return (lonely + 1) / (len(rows) + 2) < _RARE
