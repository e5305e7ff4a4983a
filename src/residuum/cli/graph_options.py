"""Options for reading a graph file, shared by all commands that read one."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from residuum.cli.display import print_table, printed_log

if TYPE_CHECKING:
    from residuum.graph import Graph

__all__ = ["READING", "explain_if_asked", "graph_options", "load_graph"]

Command = TypeVar("Command", bound=Callable[..., Any])
READING = ("directed", "source", "target", "weight", "header", "delimiter")
_FIRST_ROWS = 5
_OPTIONS = (
    click.option(
        "--directed/--undirected",
        default=None,
        help="Direction of edges. [default: as in the file, else undirected]",
    ),
    click.option("--source", metavar="COLUMN", help="Column of source nodes. [default: detected]"),
    click.option("--target", metavar="COLUMN", help="Column of target nodes. [default: detected]"),
    click.option("--weight", metavar="COLUMN", help="Column of edge weights. [default: detected]"),
    click.option("--header/--no-header", default=None, help="First row is a header. [default: detected]"),
    click.option(
        "--delimiter",
        metavar="CHARACTER",
        help="Character between columns, or comma, semicolon, tab, space, bar. [default: detected]",
    ),
    click.option("--explain", is_flag=True, help="Show the first edges as they are read, and exit."),
)


def graph_options(command: Command) -> Command:
    """Add the options for reading a graph file to a command.

    Parameters
    ----------
    command : callable
        Function that receives the options of :data:`READING`, and ``explain``, as keyword arguments.

    Returns
    -------
    callable
        The command with its options.
    """
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def load_graph(path: Path, options: dict[str, Any]) -> "Graph":
    """Read a graph file with the options of a command, and print what it was taken for unless ``quiet`` is set.

    With ``explain``, the first edges are printed, and the command ends.

    Parameters
    ----------
    path : Path
        Graph file.
    options : dict of name to value
        All options of the command; those of :data:`READING` are used.

    Returns
    -------
    Graph
        Graph in the file.
    """
    from residuum.graph import read_graph

    explain_if_asked(path, options)
    with printed_log(not options["quiet"]):
        return read_graph(path, **{name: options[name] for name in READING})


def explain_if_asked(path: Path, options: dict[str, Any]) -> None:
    """Print the first edges of a file as they are read, and end the command, if ``explain`` is set.

    Parameters
    ----------
    path : Path
        Graph file.
    options : dict of name to value
        All options of the command; those of :data:`READING` are used.
    """
    from residuum.graph.files.readers import first_edges

    if not options["explain"]:
        return
    description, rows = first_edges(path, _FIRST_ROWS, **{name: options[name] for name in READING})
    columns = [("source", False), ("target", False), ("weight", True)]
    click.echo(f"{path}: {description}")
    print_table("first edges", columns, [tuple(map(_cell, row)) for row in rows])
    click.get_current_context().exit()


def _cell(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else repr(value)
