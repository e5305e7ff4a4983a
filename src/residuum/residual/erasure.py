"""Erasure: the attributes to erase, as columns whose span is projected out of the matrix, or as codes of groups."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from residuum.errors import InvalidParameterError, NullModelError
from residuum.graph import Bins, Graph, Labels, node_values
from residuum.graph.attributes import as_numbers
from residuum.graph.codes import is_known
from residuum.nulls import BlockNull, FittedNull
from residuum.nulls.grouping import Grouping

__all__ = ["Erasure", "build_erasure"]

# Numbers with more distinct values than this are encoded as a linear term and bins, others as labels.
_MOST_DISTINCT = 64
_BINS = 32


class Encoder(Protocol):
    """Maps the values of an attribute to the columns whose span is erased, and to codes of groups."""

    def columns(self, values: NDArray[Any]) -> NDArray[np.float64]:
        """Return the columns, one row per value."""
        ...

    def codes(self, values: NDArray[Any], training: NDArray[Any], n_bins: int) -> NDArray[np.int32]:
        """Return the code of the group of each value; numbers have at most ``n_bins`` groups of equal counts."""
        ...


@dataclass(frozen=True)
class LabelColumns:
    """Indicator columns, one per label."""

    labels: Labels

    def columns(self, values: NDArray[Any]) -> NDArray[np.float64]:
        """Return the indicators; raise an error for a label that no node of the graph has."""
        return np.eye(len(self.labels))[self.labels.codes(values.tolist(), "erase")]

    def codes(self, values: NDArray[Any], training: NDArray[Any], n_bins: int) -> NDArray[np.int32]:
        """Return the codes of the labels, whatever their number."""
        del training, n_bins
        return self.labels.codes(values.tolist(), "erase")


@dataclass(frozen=True)
class NumberColumns:
    """Indicators of bins with equal counts, whose sum is the constant, and the standardized number."""

    bins: Bins
    mean: float
    spread: float

    @classmethod
    def of(cls, values: NDArray[np.float64]) -> "NumberColumns":
        """Return an encoder with bins, mean and standard deviation of these numbers."""
        return cls(Bins.equal_counts(values, _BINS), float(values.mean()), float(values.std()) or 1.0)

    def columns(self, values: NDArray[Any]) -> NDArray[np.float64]:
        """Return the bin indicators and the standardized number."""
        numbers = as_numbers(values, "erase")
        bins = np.eye(len(self.bins))[self.bins.codes(numbers)]
        return np.concatenate([bins, (numbers[:, None] - self.mean) / self.spread], axis=1)

    def codes(self, values: NDArray[Any], training: NDArray[Any], n_bins: int) -> NDArray[np.int32]:
        """Return bins with equal counts of training values."""
        return Bins.equal_counts(training, n_bins).codes(as_numbers(values, "erase"))


@dataclass(frozen=True)
class Part:
    """An erased attribute.

    Attributes
    ----------
    name : str
        Key of the attribute in ``transform(edges, attributes={name: …})``.
    encoder : Encoder
        Maps values to columns.
    values : array of shape (N,)
        Values of the nodes of the graph.
    from_edges : callable, optional
        Computes the values of out-of-sample nodes from their groups and edges; None if the user has to pass them.
    """

    name: str
    encoder: Encoder
    values: NDArray[Any]
    from_edges: Callable[[Any, "sparse.csr_array[Any]"], NDArray[Any]] | None = None

    @property
    def is_number(self) -> bool:
        """Whether values are numbers or time stamps, even if they are encoded as labels."""
        return isinstance(self.encoder, NumberColumns) or (self.from_edges is None and _is_numeric(self.values))


@dataclass(frozen=True)
class Erasure:
    """Attributes to erase, encoded as columns.

    Attributes
    ----------
    parts : list of Part
        One per attribute; a directed graph has two for ``"degree"``.
    strength : float
        Share of the projection on the columns that is subtracted.

    Examples
    --------
    >>> from residuum import datasets
    >>> from residuum.nulls import Configuration
    >>> graph = datasets.karate_club()
    >>> erasure = build_erasure(graph, ["club", "degree"], Configuration().fit(graph, window=5))
    >>> erasure.names
    ['club', 'degree']
    """

    parts: list[Part]
    strength: float = 1.0

    @property
    def names(self) -> list[str]:
        """Names of the attributes."""
        return [part.name for part in self.parts]

    def columns(self) -> NDArray[np.float64]:
        """Return the columns for the nodes of the graph.

        Returns
        -------
        array of shape (N, c)
            Columns of all attributes side by side.
        """
        return np.concatenate([part.encoder.columns(part.values) for part in self.parts], axis=1)

    def new_columns(
        self, attributes: Mapping[str, Any] | None, edges: "sparse.csr_array[Any]", groups: Any
    ) -> NDArray[np.float64]:
        """Return the columns for out-of-sample nodes.

        Parameters
        ----------
        attributes : mapping of attribute name to array of shape (m,), or None
            Attribute values; not needed for attributes that follow from edges or groups.
        edges : sparse array of shape (m, N)
            Edge weights to the nodes of the graph.
        groups : array of length m, or None
            Groups in the null model.

        Returns
        -------
        array of shape (m, c)
            Columns in the order of :meth:`columns`.

        Raises
        ------
        InvalidParameterError
            If an attribute is missing or does not have m values.
        """
        values = self.new_values(attributes, edges, groups)
        return np.concatenate(
            [part.encoder.columns(value) for part, value in zip(self.parts, values, strict=True)], axis=1
        )

    def new_values(
        self, attributes: Mapping[str, Any] | None, edges: "sparse.csr_array[Any]", groups: Any
    ) -> list[NDArray[Any]]:
        """Return the values of each attribute for out-of-sample nodes.

        Parameters
        ----------
        attributes, edges, groups : see :meth:`new_columns`
            Attribute values, edges to the nodes of the graph, and groups in the null model.

        Returns
        -------
        list of arrays of shape (m,)
            One array per attribute.

        Raises
        ------
        InvalidParameterError
            If an attribute is missing or does not have m values.
        """
        all_values = []
        for part in self.parts:
            if part.from_edges is not None:
                values = part.from_edges(groups, edges)
            elif attributes is not None and part.name in attributes:
                values = np.asarray(attributes[part.name])
            else:
                raise InvalidParameterError(
                    f"out-of-sample nodes need a value of the erased attribute {part.name!r}; "
                    f"use transform(edges, attributes={{{part.name!r}: …}})."
                )
            if len(values) != edges.shape[0]:
                raise InvalidParameterError(
                    f"{part.name!r} must have one value for each of the {edges.shape[0]} out-of-sample nodes; "
                    f"got {len(values)}."
                )
            all_values.append(values)
        return all_values


def build_erasure(graph: Graph, erase: Any, null: FittedNull, strength: float = 1.0) -> Erasure | None:
    """Resolve the parameter ``erase``.

    Parameters
    ----------
    graph : Graph
        Graph whose nodes have the attributes.
    erase : str, array of shape (N,), mapping of node id to value, list or dict of these, or None
        ``"degree"`` is the logarithm of the degree, ``"null"`` the group in the null model, and any other string the
        name of a node attribute. Strings, and numbers with at most 64 distinct values, are encoded as labels; other
        numbers and time stamps as a linear term and 32 bins. :func:`residuum.residual.erases_trend` takes all numbers
        as numbers. The keys of a dict are the attribute names in ``transform``.
    null : FittedNull
        Null model whose groups ``"null"`` erases.
    strength : float
        Share of the attributes to erase, from 0 to 1.

    Returns
    -------
    Erasure or None
        None if ``erase`` is None.

    Raises
    ------
    InvalidParameterError
        If there is no attribute, or if the attributes have as many columns as the graph has nodes.
    NullModelError
        If ``erase`` is ``"null"`` and the null model has no groups.

    Examples
    --------
    >>> from residuum import datasets
    >>> from residuum.nulls import Configuration
    >>> graph = datasets.karate_club()
    >>> build_erasure(graph, "club", Configuration().fit(graph, window=5)).columns().shape
    (34, 2)
    """
    if erase is None:
        return None
    if isinstance(erase, Mapping) and not _is_by_node(erase, graph):
        named = list(erase.items())
    elif isinstance(erase, Sequence) and not isinstance(erase, str) and _is_list_of_attributes(erase, graph.n_nodes):
        named = [
            (attribute if isinstance(attribute, str) else f"attribute {number}", attribute)
            for number, attribute in enumerate(erase, start=1)
        ]
    else:
        named = [(erase if isinstance(erase, str) else "attribute 1", erase)]
    if not named:
        raise InvalidParameterError(f"erase must name at least one attribute; got {erase!r}. Use erase=None instead.")
    erasure = Erasure([part for name, attribute in named for part in _parts(graph, name, attribute, null)], strength)
    width = sum(part.encoder.columns(part.values[:1]).shape[1] for part in erasure.parts)
    if width >= graph.n_nodes:
        raise InvalidParameterError(
            f"erase: {', '.join(map(repr, erasure.names))} must have fewer columns than the graph has nodes; "
            f"got {width} columns and {graph.n_nodes} nodes. Erase attributes with fewer distinct values."
        )
    return erasure


def _is_by_node(erase: Mapping[Any, Any], graph: Graph) -> bool:
    """Return whether a mapping holds one value per node, perhaps not for all, rather than attributes by name."""
    ids = set(graph.node_ids.tolist())
    return ids <= set(erase) or any(key in ids and np.ndim(value) == 0 for key, value in erase.items())


def _is_list_of_attributes(erase: Sequence[Any], n_nodes: int) -> bool:
    """Return whether a list holds attributes, rather than one value per node."""
    return len(erase) != n_nodes or any(np.ndim(item) > 0 or isinstance(item, Mapping) for item in erase)


def _parts(graph: Graph, name: str, attribute: Any, null: FittedNull) -> list[Part]:
    if isinstance(attribute, str) and attribute == "degree":
        return _degree_parts(graph)
    if isinstance(attribute, str) and attribute == "null":
        return [_null_part(null)]
    values = node_values(graph, attribute, "erase")
    _refuse_missing(graph, name, values)
    if _is_numeric(values) and len(np.unique(values)) > _MOST_DISTINCT:
        numbers = as_numbers(values, "erase")
        return [Part(name, NumberColumns.of(numbers), numbers)]
    return [Part(name, LabelColumns(Labels.of(values)[0]), values)]


def _refuse_missing(graph: Graph, name: str, values: NDArray[Any]) -> None:
    """Raise an error if a value is missing; encoded as a label, None would be a group that nobody asked for."""
    without = np.flatnonzero(~is_known(values))
    if len(without):
        node = graph.node_ids.tolist()[int(without[0])]
        raise InvalidParameterError(
            f"erase: {name!r} needs a value for every node; node {node!r} has none ({len(without)} of {len(values)} in "
            "total). Fill in the numbers, or give these nodes a label of their own, such as 'unknown' (on the command "
            "line: --missing unknown)."
        )


def _is_numeric(values: NDArray[Any]) -> bool:
    """Return whether values are numbers or time stamps."""
    return values.dtype.kind in "iufM" or (
        values.dtype == object and all(hasattr(value, "isoformat") for value in values.tolist())
    )


def _degree_parts(graph: Graph) -> list[Part]:
    out = _log_strength(graph.out_strength)
    parts = [Part("degree", NumberColumns.of(out), out, LogStrength())]
    if graph.directed:
        into = _log_strength(graph.in_strength)
        # Out-of-sample nodes have no in-edges.
        parts.append(Part("in-degree", NumberColumns.of(into), into, ConstantValue(float(into.min()))))
    return parts


def _null_part(null: FittedNull) -> Part:
    form = null.block_form
    if form is None or not isinstance(null, BlockNull) or form.n_groups < 2:
        raise NullModelError(
            "erase='null' erases the groups of the null model, and this one has none; "
            "use erase='degree', or a null model with groups."
        )
    grouping = null.grouping
    assert grouping is not None
    return Part("null", LabelColumns(Labels(np.arange(grouping.n_groups))), form.groups, NullGroups(grouping))


@dataclass(frozen=True)
class ConstantValue:
    """Returns the same number for every out-of-sample node."""

    value: float

    def __call__(self, _: Any, edges: "sparse.csr_array[Any]") -> NDArray[np.float64]:
        return np.full(edges.shape[0], self.value)


@dataclass(frozen=True)
class LogStrength:
    """Returns the logarithm of the total weight of the edges of every out-of-sample node."""

    def __call__(self, _: Any, edges: "sparse.csr_array[Any]") -> NDArray[np.float64]:
        strength = np.asarray(edges.sum(axis=1, dtype=np.float64)).ravel()
        return np.asarray(np.log(np.maximum(strength, np.finfo(np.float32).tiny)))


@dataclass(frozen=True)
class NullGroups:
    """Returns the group of every out-of-sample node in the null model."""

    grouping: Grouping

    def __call__(self, groups: Any, edges: "sparse.csr_array[Any]") -> NDArray[np.int32]:
        return self.grouping.codes_of(groups, edges)


def _log_strength(strength: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.log(np.maximum(strength, strength[strength > 0].min())))
