"""Options for reading a graph file, shared by all commands that read one."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from residuum.graph import Graph, read_graph

__all__ = ["READING", "graph_options", "load_graph"]

Command = TypeVar("Command", bound=Callable[..., Any])
READING = ("directed", "source", "target", "weight", "header")
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
)


def graph_options(command: Command) -> Command:
    """Add the options for reading a graph file to a command.

    Parameters
    ----------
    command : callable
        Function that receives the options of :data:`READING` as keyword arguments.

    Returns
    -------
    callable
        The command with its options.
    """
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def load_graph(path: Path, options: dict[str, Any]) -> Graph:
    """Read a graph file with the options of a command.

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
    return read_graph(path, **{name: options[name] for name in READING})
