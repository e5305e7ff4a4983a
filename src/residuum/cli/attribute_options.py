"""Options that name node attributes, and the null model and erasure built from them."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from residuum._validation import check_choice
from residuum.cli.display import printed_log
from residuum.errors import InvalidParameterError, ResiduumWarning

if TYPE_CHECKING:
    from residuum import nulls
    from residuum.graph import Graph

__all__ = [
    "ERASED_BY_NAME",
    "AttributeReader",
    "attribute_options",
    "coordinates_of",
    "erasure_from_options",
    "null_model_from_options",
]

Command = TypeVar("Command", bound=Callable[..., Any])
ERASED_BY_NAME = ("degree", "null")


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


def null_model_from_options(
    reader: AttributeReader,
    *,
    null_name: str | None,
    gamma: float | None,
    groups: tuple[str, ...],
    time: str | None,
    coordinates: str | None,
) -> "nulls.NullModel":
    """Return the null model; several attributes make a product of null models.

    Parameters
    ----------
    reader : AttributeReader
        Reads the attributes of the nodes.
    null_name : str or None
        Value of ``--null``. None means the null model that the attributes imply.
    gamma : float or None
        Value of ``--gamma``. None means the default of the null model.
    groups : tuple of str
        Values of ``--groups``, unparsed.
    time : str or None
        Value of ``--time``, unparsed.
    coordinates : str or None
        Value of ``--coordinates``, unparsed.

    Returns
    -------
    NullModel
        Null model, not fitted.
    """
    from residuum import nulls

    name = check_choice("--null", null_name or _implied_name(groups, time, coordinates), nulls.null_model_names())
    accepted = getattr(nulls.null_model_class(name), "options", {})
    if gamma is not None and "gamma" not in accepted:
        raise InvalidParameterError(f"--gamma is for the configuration null model; got --null {name}.")
    if coordinates is not None and "coordinates" not in accepted:
        raise InvalidParameterError(
            f"--coordinates needs --null spatial, without --groups and --time; got --null {name}."
        )
    parameters: dict[str, Any] = {}
    labels = [reader.labels(text, "--groups") for text in groups]
    if "gamma" in accepted and gamma is not None:
        parameters[accepted["gamma"]] = gamma
    if "coordinates" in accepted:
        if groups or time is not None:
            raise InvalidParameterError("--null spatial does not accept --groups or --time; leave them out.")
        if coordinates is not None:
            parameters["coordinates"], parameters["metric"] = coordinates_of(reader, coordinates)
    if "groups" in accepted and labels:
        parameters[accepted["groups"]] = labels.pop(0)
    if "time" in accepted and time is not None:
        parameters[accepted["time"]], time = reader.numbers(time, "--time"), None
    factors = [nulls.null_model_from_name(name, **parameters)]
    factors += [nulls.DegreeCorrectedSBM(groups=label) for label in labels]
    if time is not None:
        factors.append(nulls.Temporal(times=reader.numbers(time, "--time")))
    return _product(factors)


def _implied_name(groups: tuple[str, ...], time: str | None, coordinates: str | None) -> str:
    if coordinates is not None:
        return "spatial"
    return "temporal" if time is not None else "dcsbm" if groups else "configuration"


def _product(factors: "list[nulls.NullModel]") -> "nulls.NullModel":
    from residuum import nulls

    product = factors[0]
    for factor in factors[1:]:
        if not isinstance(product, nulls.GroupedNull) or not isinstance(factor, nulls.GroupedNull):
            raise InvalidParameterError(
                f"--groups and --time need a null model with groups; got {product!r}. "
                "Leave --null out, or use degree-correlated, dcsbm or temporal."
            )
        product = product * factor
    return product


def coordinates_of(reader: AttributeReader, text: str) -> tuple[Any, str]:
    """Return the coordinates that ``--coordinates`` names, and their metric.

    Parameters
    ----------
    reader : AttributeReader
        Reads the coordinates of the nodes.
    text : str
        Value of the option: ``FILE:X,Y`` or the names of two node attributes.

    Returns
    -------
    coordinates : pair of attribute names, or dict of node id to pair
        Coordinates as the spatial null model accepts them.
    metric : str
        ``"great-circle"`` if the first name starts with "lat", else ``"euclidean"``.
    """
    file, _, names = text.rpartition(":")
    axes = names.split(",")
    if len(axes) != 2:
        raise InvalidParameterError(f"--coordinates must be FILE:X,Y or FILE:LAT,LON; got {text!r}.")
    columns = [reader.numbers(f"{file}:{axis}" if file else axis, "--coordinates") for axis in axes]
    metric = "great-circle" if axes[0].lower().startswith("lat") else "euclidean"
    if isinstance(columns[0], str):
        return columns, metric
    return {node: (columns[0][node], columns[1][node]) for node in columns[0]}, metric


def erasure_from_options(reader: AttributeReader, erase: tuple[str, ...]) -> dict[str, Any] | None:
    """Return the attributes to erase, keyed by column name.

    Parameters
    ----------
    reader : AttributeReader
        Reads the attributes of the nodes.
    erase : tuple of str
        Values of ``--erase``, unparsed.

    Returns
    -------
    dict of name to attribute, or None
        The key is the full text of the option if another attribute already has that name. None if there is nothing to
        erase.
    """
    attributes: dict[str, Any] = {}
    keywords = {text for text in erase if text in ERASED_BY_NAME}
    for text in dict.fromkeys(erase):
        name = text.rpartition(":")[2]
        if text in keywords:
            attributes[text] = text
        else:
            attributes[text if name in attributes or name in keywords else name] = reader.labels(text, "--erase")
    return attributes or None
