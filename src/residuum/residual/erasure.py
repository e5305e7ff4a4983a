"""Erasure: what is removed from the matrix itself, so that no linear predictor can find it in the vectors."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from residuum.errors import InvalidParameterError, NullModelError
from residuum.graph import Graph
from residuum.nulls import BlockNull, FittedNull
from residuum.nulls.labels import node_values

__all__ = ["Erasure", "build_erasure"]

# Numbers with more distinct values than this are erased as a line and bins, others value by value.
_MOST_DISTINCT = 64
_BINS = 32


class Encoder(Protocol):
    """Turns the values of an attribute into the columns that span what is erased."""

    def columns(self, values: NDArray[Any]) -> NDArray[np.float64]:
        """Return one row for each value."""
        ...


@dataclass(frozen=True)
class Labels:
    """One indicator for each label."""

    labels: NDArray[Any]

    def columns(self, values: NDArray[Any]) -> NDArray[np.float64]:
        """Return the indicators; a label that was not in the graph is an error."""
        number = {label: code for code, label in enumerate(self.labels.tolist())}
        unknown = [value for value in values.tolist() if value not in number]
        if unknown:
            raise InvalidParameterError(
                f"{unknown[0]!r} is not a value of the erased attribute in the graph; "
                f"known are such as {', '.join(map(repr, self.labels[:5].tolist()))}."
            )
        return np.eye(len(self.labels))[[number[value] for value in values.tolist()]]


@dataclass(frozen=True)
class Numbers:
    """A constant, the number itself, and indicators of bins with equally many nodes."""

    borders: NDArray[np.float64]
    mean: float
    spread: float

    @classmethod
    def of(cls, values: NDArray[np.float64]) -> "Numbers":
        """Return the encoder whose bins fit these numbers."""
        distinct = np.unique(values)
        quantiles = np.quantile(values, np.linspace(0, 1, _BINS + 1)[1:-1])
        upper = np.unique(np.searchsorted(distinct, quantiles, side="left"))
        upper = upper[(upper > 0) & (upper < len(distinct))]
        # Between two values, so that rounding moves none across.
        borders = (distinct[upper - 1] + distinct[upper]) / 2
        return cls(borders, float(values.mean()), float(values.std()) or 1.0)

    def columns(self, values: NDArray[Any]) -> NDArray[np.float64]:
        """Return the bins, which span the constant, and the standardised number."""
        numbers = np.asarray(values, dtype=np.float64)
        bins = np.eye(len(self.borders) + 1)[np.searchsorted(self.borders, numbers, side="right")]
        return np.concatenate([bins, (numbers[:, None] - self.mean) / self.spread], axis=1)


@dataclass(frozen=True)
class Part:
    """One erased attribute: its name, how it is encoded, and how a newcomer's value is found if it is not given."""

    name: str
    encoder: Encoder
    values: NDArray[Any]
    from_edges: Callable[[Any, "sparse.csr_array[Any]"], NDArray[Any]] | None = None


@dataclass(frozen=True)
class Erasure:
    """The attributes that are erased."""

    parts: list[Part]

    @property
    def names(self) -> list[str]:
        """What was erased, in words."""
        return [part.name for part in self.parts]

    def columns(self) -> NDArray[np.float64]:
        """Return the columns of all attributes for the nodes of the graph, shape (N, c)."""
        return np.concatenate([part.encoder.columns(part.values) for part in self.parts], axis=1)

    def newcomers(
        self, given: Mapping[str, Any] | None, edges: "sparse.csr_array[Any]", groups: Any
    ) -> NDArray[np.float64]:
        """Return the columns for nodes that were not in the graph, from their own values, shape (m, c)."""
        blocks = []
        for part in self.parts:
            if part.from_edges is not None:
                values = part.from_edges(groups, edges)
            elif given is not None and part.name in given:
                values = np.asarray(given[part.name])
            else:
                raise InvalidParameterError(
                    "new nodes need their own value of what was erased: "
                    f"transform(edges, attributes={{{part.name!r}: …}})."
                )
            if len(values) != edges.shape[0]:
                raise InvalidParameterError(
                    f"{part.name!r} must have one value for each of the {edges.shape[0]} new nodes; got {len(values)}."
                )
            blocks.append(part.encoder.columns(values))
        return np.concatenate(blocks, axis=1)


def build_erasure(graph: Graph, erase: Any, null: FittedNull) -> Erasure | None:
    """Return what ``erase`` asks for.

    Parameters
    ----------
    graph : Graph
    erase : None, "degree", "null", a node attribute's name, an array, a mapping by node id, or a list or dict of these
        Texts and numbers with at most 64 distinct values are labels; other numbers are erased as a line and 32 bins.
        A dict gives the attributes names, under which ``transform`` asks for the values of new nodes.
    null : FittedNull
        For ``"null"``: its own groups.
    """
    if erase is None:
        return None
    if isinstance(erase, Mapping) and not set(graph.node_ids.tolist()) <= set(erase):
        named = list(erase.items())
    elif isinstance(erase, Sequence) and not isinstance(erase, str) and _is_list_of_attributes(erase, graph.n_nodes):
        named = [(one if isinstance(one, str) else f"attribute {k}", one) for k, one in enumerate(erase, start=1)]
    else:
        named = [(erase if isinstance(erase, str) else "attribute 1", erase)]
    erasure = Erasure([part for name, one in named for part in _parts(graph, name, one, null)])
    width = sum(part.encoder.columns(part.values[:1]).shape[1] for part in erasure.parts)
    if width >= graph.n_nodes:
        raise InvalidParameterError(
            f"erase: {', '.join(map(repr, erasure.names))} takes {width} directions out of vectors of {graph.n_nodes} "
            "nodes, so that nothing is left; erase what has fewer values, such as groups of them."
        )
    return erasure


def _is_list_of_attributes(erase: Sequence[Any], n_nodes: int) -> bool:
    """Whether a list holds attributes, and is not itself one value for each node."""
    return len(erase) != n_nodes or any(np.ndim(one) > 0 or isinstance(one, Mapping) for one in erase)


def _parts(graph: Graph, name: str, attribute: Any, null: FittedNull) -> list[Part]:
    if isinstance(attribute, str) and attribute == "degree":
        out = _log_strength(graph.out_strength)
        parts = [Part("degree", Numbers.of(out), out, _strength_of_newcomers)]
        if graph.directed:
            into = _log_strength(graph.in_strength)
            encoder = Numbers.of(into)
            # A newcomer has no in-edges yet.
            parts.append(Part("in-degree", encoder, into, _Same(float(into.min()))))
        return parts
    if isinstance(attribute, str) and attribute == "null":
        blocks = null.blocks
        if blocks is None or not isinstance(null, BlockNull) or blocks.weights.shape[1] < 2:
            raise NullModelError(
                "erase='null' erases the groups of the null model, and this one has none; "
                "take erase='degree', or a null model with groups."
            )
        grouping = null.grouping
        assert grouping is not None
        return [Part("null", Labels(np.arange(grouping.n_groups)), blocks.groups, grouping.codes_of)]
    values = node_values(graph, attribute, "erase")
    if values.dtype.kind in "iuf" and len(np.unique(values)) > _MOST_DISTINCT:
        numbers = values.astype(np.float64)
        if not np.isfinite(numbers).all():
            raise InvalidParameterError(f"erase: {name!r} must be a finite number for every node.")
        return [Part(name, Numbers.of(numbers), numbers)]
    if values.dtype == object:
        values = values.astype(str)
    return [Part(name, Labels(np.unique(values)), values)]


@dataclass(frozen=True)
class _Same:
    """The same number for every newcomer."""

    value: float

    def __call__(self, _: Any, edges: "sparse.csr_array[Any]") -> NDArray[np.float64]:
        return np.full(edges.shape[0], self.value)


def _log_strength(strength: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.log(np.maximum(strength, strength[strength > 0].min())))


def _strength_of_newcomers(_: Any, edges: "sparse.csr_array[Any]") -> NDArray[np.float64]:
    strength = np.asarray(edges.sum(axis=1, dtype=np.float64)).ravel()
    return np.asarray(np.log(np.maximum(strength, np.finfo(np.float32).tiny)))
