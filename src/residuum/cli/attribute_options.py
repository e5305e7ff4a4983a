"""Options that name node attributes, and the attributes that they name."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from residuum.cli.display import printed_log
from residuum.errors import InvalidParameterError, ResiduumWarning

if TYPE_CHECKING:
    from residuum.graph import Graph

__all__ = ["AttributeReader", "attribute_options"]

Command = TypeVar("Command", bound=Callable[..., Any])


def attribute_options(*, missing: str, meaning: str) -> Callable[[Command], Command]:
    """Return a decorator that adds the options for node attributes to a command.

    Parameters
    ----------
    missing : {"error", "unknown"}
        Default of ``--missing``.
    meaning : str
        What ``unknown`` does in the command, for the help.

    Returns
    -------
    callable
        Decorator of a function that receives ``id_column``, ``missing`` and ``missing_code``.
    """
    options = (
        click.option("--id-column", metavar="COLUMN", help="Column of node ids in FILE. [default: detected]"),
        click.option(
            "--missing",
            type=click.Choice(["error", "unknown"]),
            default=missing,
            show_default=True,
            help=f"Nodes without a label: an error, or {meaning}.",
        ),
        click.option(
            "--missing-code", multiple=True, metavar="VALUE", help="Value that means missing, such as 0 (repeatable)."
        ),
    )

    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


@dataclass(frozen=True)
class AttributeReader:
    """Reads the node attributes that options name, as ``FILE:COLUMN`` or as an attribute of the graph.

    Attributes
    ----------
    graph : Graph
        Graph whose nodes have the attributes.
    id_column : str or None
        Column of the node ids in the files; None to detect it.
    missing : {"error", "unknown"}
        Whether a node without a label is an error.
    missing_code : tuple of str
        Values that count as missing.
    quiet : bool
        Whether not to print what the files were taken for.
    """

    graph: "Graph"
    id_column: str | None = None
    missing: str = "error"
    missing_code: tuple[str, ...] = ()
    quiet: bool = False

    @classmethod
    def of(cls, graph: "Graph", options: dict[str, Any]) -> "AttributeReader":
        """Return a reader with the options of a command.

        Parameters
        ----------
        graph : Graph
            Graph whose nodes have the attributes.
        options : dict of name to value
            All options of the command.

        Returns
        -------
        AttributeReader
            The reader.
        """
        return cls(graph, *(options[name] for name in ("id_column", "missing", "missing_code", "quiet")))

    def labels(self, text: str, option: str) -> Any:
        """Return a label for every node, ``"unknown"`` where it is missing and the options allow it.

        Parameters
        ----------
        text : str
            Value of the option: ``FILE:COLUMN`` or the name of a node attribute.
        option : str
            Name of the option, for error messages.

        Returns
        -------
        dict of node id to label, or str
            The name if ``text`` is a node attribute without missing values.
        """
        from residuum.graph.attributes import UNKNOWN

        values = self.known(text, option)
        missing = [node for node, value in values.items() if value is None]
        if not missing:
            return text if text in self.graph.node_attributes else values
        if all(isinstance(value, float) for value in values.values() if value is not None):
            raise InvalidParameterError(
                f"{option} {text}: {self._count(missing)}, and a missing number cannot be unknown. Fill in all "
                "numbers, or remove these nodes."
            )
        return {node: UNKNOWN if value is None else value for node, value in values.items()}

    def known(self, text: str, option: str) -> dict[Any, Any]:
        """Return the value of every node, None where it is missing and the options allow it.

        Parameters
        ----------
        text : str
            Value of the option: ``FILE:COLUMN`` or the name of a node attribute.
        option : str
            Name of the option, for error messages.

        Returns
        -------
        dict of node id to value
            One entry for each node of the graph.
        """
        values = self._read(text, option)
        missing = [node for node, value in values.items() if value is None]
        if missing and self.missing == "error":
            raise InvalidParameterError(
                f"{option} {text}: {self._count(missing)}. Fill in all values, or use --missing unknown."
            )
        return values

    def numbers(self, text: str, option: str) -> Any:
        """Return a number for every node.

        Parameters
        ----------
        text : str
            Value of the option: ``FILE:COLUMN`` or the name of a node attribute.
        option : str
            Name of the option, for error messages.

        Returns
        -------
        dict of node id to number or time stamp, or str
            The name if ``text`` is a node attribute.
        """
        values = self._read(text, option)
        missing = [node for node, value in values.items() if value is None]
        if missing:
            raise InvalidParameterError(
                f"{option} {text}: {self._count(missing)}. Fill in all numbers, or remove these nodes."
            )
        return text if text in self.graph.node_attributes else values

    def measured_labels(self, text: str, option: str) -> dict[Any, str | None]:
        """Return the label of every node as a string, None where it is missing, with a warning that counts these nodes.

        Parameters
        ----------
        text : str
            Value of the option: ``FILE:COLUMN`` or the name of a node attribute.
        option : str
            Name of the option, for error messages.

        Returns
        -------
        dict of node id to str or None
            One entry for each node of the graph.
        """
        values = self.known(text, option)
        self._warn_about_missing([node for node, value in values.items() if value is None], f"{option} {text}")
        return {node: None if value is None else str(value) for node, value in values.items()}

    def measured_numbers(self, text: str, option: str) -> dict[Any, float]:
        """Return the number of every node, NaN where it is missing, with a warning that counts these nodes.

        Parameters
        ----------
        text : str
            Value of the option: ``FILE:COLUMN`` or the name of a node attribute.
        option : str
            Name of the option, for error messages.

        Returns
        -------
        dict of node id to float
            One entry for each node of the graph.
        """
        import numpy as np

        from residuum.graph.attributes import as_numbers
        from residuum.graph.codes import object_array

        values = self.known(text, option)
        numbers = as_numbers(object_array(list(values.values())), f"{option} {text}")
        numbers[~np.isfinite(numbers)] = np.nan
        result = dict(zip(values, numbers.tolist(), strict=True))
        self._warn_about_missing([node for node, number in result.items() if number != number], f"{option} {text}")
        return result

    def _warn_about_missing(self, missing: list[Any], name: str) -> None:
        """Warn about nodes that are left out; raise an error if these are all nodes."""
        if len(missing) == self.graph.n_nodes:
            raise InvalidParameterError(f"{name}: no node has a value; name another column.")
        if missing:
            warnings.warn(f"{name}: {self._count(missing)}; they are left out.", ResiduumWarning, stacklevel=3)

    def _count(self, missing: list[Any]) -> str:
        verb = "has" if len(missing) == 1 else "have"
        return f"{len(missing)} of {self.graph.n_nodes} nodes {verb} no value, such as {missing[0]!r}"

    def _read(self, text: str, option: str) -> dict[Any, Any]:
        from residuum.graph import read_node_column

        nodes = self.graph.node_ids.tolist()
        if text in self.graph.node_attributes:
            column = self.graph.node_attributes[text]
            values = dict(zip(nodes, column.tolist() if column.dtype.kind != "M" else list(column), strict=True))
        else:
            file, _, name = text.rpartition(":")
            if not file or not name:
                raise InvalidParameterError(
                    f"{option} must be FILE:COLUMN or a node attribute of the graph "
                    f"({', '.join(self.graph.node_attributes) or 'it has none'}); got {text!r}."
                )
            with printed_log(not self.quiet):
                values = read_node_column(Path(file), name, self.graph, self.id_column)
        return {node: self._or_none(values.get(node)) for node in nodes}

    def _or_none(self, value: Any) -> Any:
        from residuum.graph import is_known
        from residuum.graph.codes import object_array

        is_code = str(value) in self.missing_code or (
            isinstance(value, (int, float)) and any(_spells(code, value) for code in self.missing_code)
        )
        return None if is_code or not is_known(object_array([value]))[0] else value


def _spells(code: str, value: float) -> bool:
    try:
        return float(code) == value
    except ValueError:
        return False
