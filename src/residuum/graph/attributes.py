"""Node attributes: labels, numbers and time stamps, matched to nodes by id."""

from collections.abc import Mapping, Sequence
from numbers import Number
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from residuum._validation import check_choice
from residuum.errors import InvalidParameterError
from residuum.graph.codes import Labels, is_known, object_array
from residuum.graph.graph import Graph

__all__ = [
    "UNKNOWN",
    "NodeValues",
    "as_numbers",
    "group_codes",
    "node_numbers",
    "node_values",
    "require_ids",
    "values_by_id",
    "with_unknown",
]

UNKNOWN = "unknown"

NodeValues = ArrayLike | Mapping[Any, Any] | str


def node_values(graph: Graph, values: NodeValues, name: str, *, partial: bool = False) -> NDArray[Any]:
    """Return one value per node, in node order.

    Parameters
    ----------
    graph : Graph
        Graph of N nodes.
    values : str, mapping, pandas Series or array of shape (N,)
        Name of a node attribute, values by node id, a Series indexed by node id, or values in ascending order of the
        ids. An array is refused if the ids of the graph are not integers in ascending order, because its values could
        then belong to other nodes than intended.
    name : str
        Name of the caller's parameter, for error messages.
    partial : bool, default=False
        Whether nodes may be absent from a mapping or Series; their value is then None.

    Returns
    -------
    array of shape (N,)
        Values in the order of ``graph.node_ids``.

    Raises
    ------
    InvalidParameterError
        If the attribute does not exist, or a node has no value.

    Examples
    --------
    >>> graph = Graph([[0, 1], [1, 0]], ["ann", "bob"])
    >>> node_values(graph, {"bob": 1990, "ann": 1985}, "years").tolist()
    [1985, 1990]
    """
    if isinstance(values, str):
        if values not in graph.node_attributes:
            available = ", ".join(map(repr, graph.node_attributes)) or "none"
            raise InvalidParameterError(f"{name}: the graph has no node attribute {values!r}; it has {available}.")
        return graph.node_attributes[values]
    require_ids(graph.node_ids, values, name, "graph.node_ids")
    return values_by_id(graph.node_ids.tolist(), values, name, partial=partial)


def require_ids(ids: NDArray[Any], values: ArrayLike | Mapping[Any, Any], name: str, source: str) -> None:
    """Refuse an array of values that cannot be matched to node ids.

    Parameters
    ----------
    ids : array of shape (N,)
        Node ids.
    values : mapping, pandas Series or array of shape (N,)
        Values by node id are always accepted, an array only if the ids are integers in ascending order.
    name : str
        Name of the caller's parameter, for error messages.
    source : str
        Expression for the ids, for the error message.

    Raises
    ------
    InvalidParameterError
        If values are an array, and the ids are not integers in ascending order.
    """
    if isinstance(values, Mapping) or _is_series(values) or (ids.dtype.kind in "iu" and (np.diff(ids) > 0).all()):
        return
    raise InvalidParameterError(
        f"{name}: an array has no node ids, so it can be matched only if the node ids are integers in ascending order; "
        f"they begin with {', '.join(map(repr, ids[:3].tolist()))}. Pass a dict or a pandas Series by node id: "
        f"dict(zip({source}.tolist(), values)) if the values are in the order of {source}."
    )


def values_by_id(
    ids: Sequence[Any], values: ArrayLike | Mapping[Any, Any], name: str, *, partial: bool = False
) -> NDArray[Any]:
    """Return one value per id, in the order of the ids.

    Parameters
    ----------
    ids : sequence of N node ids
        Ids in the order of the result.
    values : mapping, pandas Series or array of shape (N,)
        Values by id, or in the order of the ids.
    name : str
        Name of the caller's parameter, for error messages.
    partial : bool, default=False
        Whether ids may be absent from a mapping or Series; their value is then None.

    Returns
    -------
    array of shape (N,)
        Objects if the values have different types.

    Raises
    ------
    InvalidParameterError
        If an id has no value, or the length is wrong.
    """
    if _is_series(values):
        values = _mapping_of_series(values, name)
    if isinstance(values, Mapping):
        absent = [identity for identity in ids if identity not in values]
        if len(absent) == len(ids):
            raise InvalidParameterError(
                f"{name} names none of the {len(ids)} nodes: their ids begin with {ids[0]!r} "
                f"({type(ids[0]).__name__}), the keys of {name} with {_first_key(values)}. Use the node ids as keys."
            )
        if absent and not partial:
            raise InvalidParameterError(
                f"{name} must have a value for each of the {len(ids)} nodes; {len(absent)} have none, such as "
                f"{absent[0]!r}. Use None for a missing label, NaN for a missing number."
            )
        # Not values.get: a mapping may have a rule for its keys.
        without = set(absent)
        array = _narrowed([None if identity in without else values[identity] for identity in ids])
    else:
        array = _narrowed(values) if isinstance(values, (list, tuple)) else np.asarray(values)
    if array.shape != (len(ids),):
        raise InvalidParameterError(
            f"{name} must have one value for each of the {len(ids)} nodes; "
            f"got {len(array) if array.ndim == 1 else f'shape {array.shape}'}."
        )
    return array


def _first_key(values: Mapping[Any, Any]) -> str:
    key = next(iter(values), None)
    return f"{key!r} ({type(key).__name__})"


def _is_series(values: Any) -> bool:
    return hasattr(values, "index") and hasattr(values, "to_dict") and not callable(values.index)


def _mapping_of_series(values: Any, name: str) -> dict[Any, Any]:
    if not values.index.is_unique:
        node = values.index[values.index.duplicated()].tolist()[0]
        raise InvalidParameterError(f"{name}: the index of the Series contains {node!r} twice; keep one row per node.")
    return dict(values.to_dict())


def _narrowed(values: Sequence[Any]) -> NDArray[Any]:
    """Return an array of the values' type, or of objects if the types differ: a string array would hide NaN."""
    kinds = {Number if isinstance(value, Number) and not isinstance(value, bool) else type(value) for value in values}
    return np.asarray(values) if len(kinds) == 1 else object_array(values)


def node_numbers(graph: Graph, values: NodeValues, name: str) -> NDArray[np.float64]:
    """Return one finite number per node, in node order.

    Parameters
    ----------
    graph : Graph
        Graph of N nodes.
    values : str, mapping, pandas Series or array of shape (N,)
        Numbers or time stamps, in any form that :func:`node_values` accepts.
    name : str
        Name of the caller's parameter, for error messages.

    Returns
    -------
    float array of shape (N,)
        Numbers as they are, time stamps in days since 1970.

    Raises
    ------
    InvalidParameterError
        If a value is missing, infinite or not a number.

    Examples
    --------
    >>> graph = Graph([[0, 1], [1, 0]], ["ann", "bob"])
    >>> node_numbers(graph, {"bob": 1990, "ann": 1985}, "years")
    array([1985., 1990.])
    """
    numbers = as_numbers(node_values(graph, values, name), name)
    bad = ~np.isfinite(numbers)
    if bad.any():
        node = graph.node_ids.tolist()[int(np.flatnonzero(bad)[0])]
        raise InvalidParameterError(
            f"{name} must be a finite number for every node; node {node!r} has none ({int(bad.sum())} in total)."
        )
    return numbers


def as_numbers(values: NDArray[Any], name: str) -> NDArray[np.float64]:
    """Convert values to floats: None becomes NaN, time stamps become days since 1970.

    Parameters
    ----------
    values : array
        Numbers, strings that spell numbers, None, or time stamps.
    name : str
        Name of the caller's parameter, for error messages.

    Returns
    -------
    float array of the same shape
        NaN where a number is missing.

    Examples
    --------
    >>> as_numbers(np.array(["1970-01-03"], dtype="datetime64[D]"), "times")
    array([2.])
    """
    if (
        values.dtype == object
        and values.ndim
        and len(values)
        and all(hasattr(value, "isoformat") for value in values.tolist())
    ):
        # numpy does not know the missing time stamp of pandas.
        values = np.array([None if value != value else value for value in values.tolist()], dtype="datetime64[us]")
    if values.dtype.kind == "M":
        days = (values - np.datetime64(0, "D")) / np.timedelta64(1, "D")
        return np.asarray(days, dtype=np.float64)
    try:
        if np.iscomplexobj(values):  # numpy would drop the imaginary part
            raise TypeError
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        invalid = next(
            (value for value in values.ravel().tolist() if value is not None and not _is_number(value)), None
        )
        raise InvalidParameterError(f"{name} must be numbers; got {invalid!r}.") from None


def _is_number(value: Any) -> bool:
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return True


def group_codes(
    graph: Graph, groups: NodeValues, name: str = "groups", *, missing: str = "error"
) -> tuple[NDArray[np.int32], Labels]:
    """Return the code of each node's group, and the labels of the groups.

    Parameters
    ----------
    graph : Graph
        Graph of N nodes.
    groups : str, mapping, pandas Series or array of shape (N,)
        Group of every node, in any form that :func:`node_values` accepts.
    name : str, default="groups"
        Name of the caller's parameter, for error messages.
    missing : {"error", "group"}, default="error"
        What to do with nodes without a label (None, NaN, an empty string, or absent from a mapping): raise an error, or
        put them in a group of their own with the label ``"unknown"``.

    Returns
    -------
    codes : int array of shape (N,)
        Group of each node, 0, …, B − 1.
    labels : Labels
        Labels of the B groups.

    Raises
    ------
    InvalidParameterError
        If a node has no group and ``missing`` is ``"error"``.

    Examples
    --------
    >>> codes, labels = group_codes(Graph([[0, 1], [1, 0]]), ["red", "blue"])
    >>> codes.tolist(), labels.values.tolist()
    ([1, 0], ['blue', 'red'])
    """
    separate = check_choice("missing", missing, ["error", "group"]) == "group"
    values = node_values(graph, groups, name, partial=separate)
    without = np.flatnonzero(~is_known(values))
    if len(without) and not separate:
        node = graph.node_ids.tolist()[int(without[0])]
        raise InvalidParameterError(
            f"{name}: every node needs a group; node {node!r} has none ({len(without)} in total). "
            "Use missing='group' for a group of their own (on the command line: --missing unknown)."
        )
    labels, codes = Labels.of(with_unknown(values) if len(without) else values)
    return codes, labels


def with_unknown(values: NDArray[Any]) -> NDArray[Any]:
    """Return labels with ``"unknown"`` in place of missing ones.

    Parameters
    ----------
    values : array of shape (N,)
        Labels; see :func:`is_known` for what counts as missing.

    Returns
    -------
    array of shape (N,)
        Objects if a label is missing.

    Examples
    --------
    >>> with_unknown(np.array([3, None], dtype=object)).tolist()
    [3, 'unknown']
    """
    has_label = is_known(values)
    return object_array([v if known else UNKNOWN for v, known in zip(values.tolist(), has_label, strict=True)])
