"""Tables for the terminal."""

import contextlib
import logging
import shutil
import sys
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import IO

import click

__all__ = ["attribute_names", "print_lines", "print_table", "printed_log", "wrapped"]

# Width if the output is not a terminal.
_WIDTH = 100
# Longer words in the first column of a table, which names the rows, may be broken.
_LONG_WORD = 20


def print_table(title: str, columns: Sequence[tuple[str, bool]], rows: Iterable[Sequence[str]]) -> None:
    """Print a table, wrapped at the width of the terminal.

    Parameters
    ----------
    title : str
        Line above the table.
    columns : sequence of (str, bool)
        Name of each column, and whether it holds numbers, which are right-aligned.
    rows : iterable of sequences of str
        Cells of each row.
    """
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    table, cells = Table(title=escape(title)), list(rows)
    for position, (name, is_number) in enumerate(columns):
        words = [word for row in cells for word in row[0].split()] if position == 0 else []
        whole = min(max(map(len, words), default=0), _LONG_WORD)
        table.add_column(name, justify="right" if is_number else "left", overflow="fold", min_width=whole)
    for row in cells:
        table.add_row(*map(escape, row))
    Console(width=None if sys.stdout.isatty() else _WIDTH).print(table)


def print_lines(lines: dict[str, str]) -> None:
    """Print names and descriptions in two columns, wrapped at the width of the terminal.

    Parameters
    ----------
    lines : dict of name to description
        One entry per line, in order.
    """
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    table = Table.grid(padding=(0, 2))
    for name, text in lines.items():
        table.add_row(escape(name), escape(text))
    Console(width=None if sys.stdout.isatty() else _WIDTH).print(table)


def wrapped(text: str, stream: IO[str], indent: str = "") -> str:
    """Return a text as lines that fit the terminal; unchanged if the stream is no terminal.

    Parameters
    ----------
    text : str
        One paragraph.
    stream : text stream
        Where the text is printed.
    indent : str
        Beginning of all lines; lines after the first are indented by two more characters.

    Returns
    -------
    str
        Lines.

    Examples
    --------
    >>> import io
    >>> wrapped("no terminal", io.StringIO(), "  ")
    '  no terminal'
    """
    if not stream.isatty():
        return indent + text
    width = shutil.get_terminal_size().columns
    lines = textwrap.wrap(text, width, initial_indent=indent, subsequent_indent=f"{indent}  ", break_on_hyphens=False)
    return "\n".join(lines)


def attribute_names(texts: Sequence[str]) -> dict[str, str]:
    """Return the name of each distinct attribute, for the names of measures.

    Parameters
    ----------
    texts : sequence of str
        Values of options: ``FILE:COLUMN`` or the name of a node attribute.

    Returns
    -------
    dict of text to name
        The column, or the whole text if several attributes have a column of this name.

    Examples
    --------
    >>> attribute_names(["people.csv:age", "people.csv:year", "papers.csv:year"])
    {'people.csv:age': 'age', 'people.csv:year': 'people.csv:year', 'papers.csv:year': 'papers.csv:year'}
    """
    columns = {text: text.rpartition(":")[2] for text in texts}
    repeated = [name for name, count in Counter(columns.values()).items() if count > 1]
    return {text: text if name in repeated else name for text, name in columns.items()}


class _Echo(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        click.echo(wrapped(record.getMessage(), sys.stderr), err=True)


@contextlib.contextmanager
def printed_log(enabled: bool) -> Iterator[None]:
    """Print the log of the library to stderr while the block runs.

    Parameters
    ----------
    enabled : bool
        Whether to print it.
    """
    logger, handler = logging.getLogger("residuum"), _Echo()
    level = logger.level
    if enabled:
        logger.addHandler(handler)
        logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)
