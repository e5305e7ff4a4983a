"""Labels as users give them, to group numbers."""

from collections.abc import Mapping, Sequence
from numbers import Number
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from residuum.errors import NullModelError
from residuum.graph import Graph

__all__ = ["group_codes", "node_values"]


def group_codes(graph: Graph, groups: ArrayLike | Mapping[Any, Any] | str) -> tuple[NDArray[np.int32], NDArray[Any]]:
    """Return the number of each node's group, shape (N,), and the label of each number, shape (B,)."""
    values = node_values(graph, groups, "groups")
    missing = np.array([value is None or value != value for value in values.tolist()])
    if missing.any():
        node = graph.node_ids.tolist()[int(np.flatnonzero(missing)[0])]
        raise NullModelError(
            f"every node needs a group; node {node!r} has none ({int(missing.sum())} such in all). "
            "Give them a label of their own, such as 'unknown'."
        )
    if values.dtype == object and len({type(value) for value in values.tolist()}) > 1:
        return _codes_of_mixed(values)
    labels, codes = np.unique(values, return_inverse=True)
    return codes.ravel().astype(np.int32), labels


def _codes_of_mixed(values: NDArray[Any]) -> tuple[NDArray[np.int32], NDArray[Any]]:
    """Give numbers to labels of several types, by type and then by text; 1 and "1" are two labels."""
    labels = sorted(dict.fromkeys(values.tolist()), key=lambda label: (type(label).__name__, str(label)))
    number = {label: code for code, label in enumerate(labels)}
    return np.array([number[value] for value in values.tolist()], dtype=np.int32), _objects(labels)


def node_values(graph: Graph, values: ArrayLike | Mapping[Any, Any] | str, name: str) -> NDArray[Any]:
    """Return one value for each node from an array, a mapping by node id, or the name of a node attribute."""
    if isinstance(values, str):
        if values not in graph.node_attributes:
            known = ", ".join(map(repr, graph.node_attributes)) or "none"
            raise NullModelError(f"{name}: the graph has no node attribute {values!r}; it has {known}.")
        return graph.node_attributes[values]
    if isinstance(values, Mapping):
        absent = [identity for identity in graph.node_ids.tolist() if identity not in values]
        if absent:
            raise NullModelError(f"{name} must name every node; {absent[0]!r} is missing ({len(absent)} such in all).")
        return _narrowed([values[identity] for identity in graph.node_ids.tolist()])
    array = _narrowed(values) if isinstance(values, (list, tuple)) else np.asarray(values)
    if array.shape != (graph.n_nodes,):
        raise NullModelError(
            f"{name} must have one label for each of the {graph.n_nodes} nodes; got shape {array.shape}."
        )
    return array


def _narrowed(values: Sequence[Any]) -> NDArray[Any]:
    """Return an array of the values' own type if they have one, else of objects: a text array would hide NaN and 1."""
    kinds = {Number if isinstance(value, Number) and not isinstance(value, bool) else type(value) for value in values}
    return np.asarray(values) if len(kinds) == 1 else _objects(values)


def _objects(values: Sequence[Any]) -> NDArray[Any]:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array
