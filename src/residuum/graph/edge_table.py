"""Graphs from edge tables (pandas, polars, pyarrow), read through Arrow."""

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from scipy import sparse

from residuum.errors import InvalidGraphError
from residuum.graph.graph import Graph

__all__ = [
    "SOURCE_NAMES",
    "TARGET_NAMES",
    "both_directions",
    "edge_columns",
    "end_columns",
    "graph_from_edges",
    "graph_from_table",
    "is_table",
    "numbered_edges",
    "read_pairs",
    "weight_column",
]

SOURCE_NAMES = ("source", "src", "from", "head", "node1", "u")
TARGET_NAMES = ("target", "dst", "to", "tail", "node2", "v")
_WEIGHT_NAMES = ("weight", "weights", "w", "count", "value")


def is_table(data: Any) -> bool:
    """Return whether an object is a table that Arrow can read.

    Parameters
    ----------
    data : object
        Any object.

    Returns
    -------
    bool
        True for pyarrow tables and record batches, and for pandas and polars data frames.
    """
    return isinstance(data, (pa.Table, pa.RecordBatch)) or (
        hasattr(data, "columns") and (hasattr(data, "__arrow_c_stream__") or hasattr(data, "__dataframe__"))
    )


def graph_from_table(
    data: Any,
    *,
    directed: bool = False,
    source: str | None = None,
    target: str | None = None,
    weight: str | None = None,
) -> Graph:
    """Return the graph of a table with one edge per row.

    Columns are identified by name (``source``, ``target``, ``weight`` and common synonyms). Without such names, the
    first two columns are the ends, and the only other column is the weight if it is numeric.

    Parameters
    ----------
    data : pandas, polars or pyarrow table
        One edge per row; rows with the same ends are summed.
    directed : bool, default=False
        Whether each row is an edge from source to target only.
    source, target : str, optional
        Names of the columns with the node ids.
    weight : str, optional
        Name of the column with the weights; edges without weights count 1.

    Returns
    -------
    Graph
        Node ids are in order of first appearance.
    """
    return graph_from_edges(*_columns_of(data, source, target, weight), directed=directed)


def read_pairs(data: Any) -> tuple[list[Any], list[Any], NDArray[np.float64]]:
    """Return the sources, targets and weights of an edge table, row by row.

    Parameters
    ----------
    data : pandas, polars or pyarrow table
        One edge per row, with the column names of :func:`graph_from_table`.

    Returns
    -------
    sources, targets : lists of m node ids
        The ends of each edge; repeated edges are kept.
    weights : float array of shape (m,)
        Weight of each edge; 1 if the table has no weights.
    """
    source, target, weight = _columns_of(data, None, None, None)
    _require_values(source, target, weight, 0)
    values = np.ones(len(source)) if weight is None else _weights(weight, source, target, 0)
    return source.to_pylist(), target.to_pylist(), values


def _columns_of(
    data: Any, source: str | None, target: str | None, weight: str | None
) -> tuple[pa.ChunkedArray, pa.ChunkedArray, pa.ChunkedArray | None]:
    table = data if isinstance(data, pa.Table) else pa.table(data)
    source, target, weight = edge_columns(table.schema, source, target, weight)
    return table.column(source), table.column(target), table.column(weight) if weight else None


def edge_columns(
    schema: pa.Schema, source: str | None, target: str | None, weight: str | None
) -> tuple[str, str, str | None]:
    """Return the names of the source, target and weight columns of a table.

    Parameters
    ----------
    schema : pyarrow Schema
        Names and types of the columns.
    source, target, weight : str or None
        Names chosen by the user; None to detect them.

    Returns
    -------
    source, target : str
        Names of the columns with the node ids.
    weight : str or None
        Name of the column with the weights; None if the edges have no weights.
    """
    names = _without_index(schema, {source, target, weight})
    source, target = end_columns(names, source, target)
    weight = weight_column(names, weight, [source, target]) or _only_numeric(schema, names, {source, target})
    return source, target, weight


def _without_index(schema: pa.Schema, wanted: set[str | None]) -> list[str]:
    """Return the column names without the pandas index, which could be mistaken for a weight."""
    index = (schema.pandas_metadata or {}).get("index_columns", [])
    return [name for name in schema.names if name not in index or name in wanted]


def end_columns(names: list[str], source: str | None, target: str | None) -> tuple[str, str]:
    """Return the names of the source and target columns: as chosen, else by usual name, else the first two.

    Parameters
    ----------
    names : list of str
        Names of all columns.
    source, target : str or None
        Names chosen by the user; None to detect them.

    Returns
    -------
    source, target : str
        Two different names.
    """
    if len(set(names)) < 2:
        raise InvalidGraphError(f"an edge table needs two columns, source and target; got {names}.")
    target = target or _named([name for name in names if name != source], TARGET_NAMES)
    remaining = [name for name in names if name != target]
    source = source or _named(remaining, SOURCE_NAMES) or remaining[0]
    target = target or next(name for name in names if name != source)
    for name in (source, target):
        if name not in names:
            raise InvalidGraphError(f"the edge table has no column {name!r}; it has {names}.")
    return source, target


def _named(names: list[str], candidates: tuple[str, ...]) -> str | None:
    lowered = {name.lower(): name for name in reversed(names)}
    return next((lowered[candidate] for candidate in candidates if candidate in lowered), None)


def weight_column(names: list[str], weight: str | None, ends: list[str]) -> str | None:
    """Return the name of the weight column: as chosen, else by usual name (``weight`` first), else None.

    Parameters
    ----------
    names : list of str
        Names of all columns.
    weight : str or None
        Name chosen by the user; None to detect it.
    ends : list of str
        Names of the source and target columns.

    Returns
    -------
    str or None
        None if no column has a usual name.
    """
    if weight is not None and weight not in names:
        raise InvalidGraphError(f"the edge table has no column {weight!r}; it has {names}.")
    return weight or _named([name for name in names if name not in ends], _WEIGHT_NAMES)


def _only_numeric(schema: pa.Schema, names: list[str], ends: set[str]) -> str | None:
    """Return the only column other than the ends, if it is numeric."""
    rest = [name for name in names if name not in ends]
    is_number = bool(rest) and (
        pa.types.is_integer(schema.field(rest[0]).type) or pa.types.is_floating(schema.field(rest[0]).type)
    )
    return rest[0] if len(rest) == 1 and is_number else None


def graph_from_edges(
    source: pa.ChunkedArray, target: pa.ChunkedArray, weight: pa.ChunkedArray | None, *, directed: bool
) -> Graph:
    """Return the graph of the columns of an edge table.

    Parameters
    ----------
    source, target : columns of m node ids
        The ends of each edge.
    weight : column of m numbers, or None
        Weight of each edge; None for weights of 1.
    directed : bool
        Whether each edge leads from source to target only.

    Returns
    -------
    Graph
        Node ids are in order of first appearance.
    """
    if len(source) == 0:
        raise InvalidGraphError("the graph is empty: the edge table has no rows.")
    rows, columns, values, ids = numbered_edges(source, target, weight)
    if not directed:
        rows, columns, values = both_directions(rows, columns, values)
    adjacency = sparse.coo_array((values, (rows, columns)), shape=(len(ids), len(ids)))
    return Graph(adjacency, ids, directed=directed)


def numbered_edges(
    source: pa.ChunkedArray, target: pa.ChunkedArray, weight: pa.ChunkedArray | None, first_row: int = 0
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64], NDArray[Any]]:
    """Return edges with their nodes numbered 0, …, N − 1 by first appearance.

    Parameters
    ----------
    source, target : columns of m node ids
        The ends of each edge.
    weight : column of m numbers, or None
        Weight of each edge; None for weights of 1.
    first_row : int, default=0
        Number of the first row in error messages.

    Returns
    -------
    rows, columns : int arrays of shape (m,)
        Numbers of the source and the target of each edge.
    weights : float array of shape (m,)
        Weight of each edge.
    ids : array of shape (N,)
        Id of each node, by number.
    """
    _require_values(source, target, weight, first_row)
    rows, columns, ids = _codes(source, target)
    values = np.ones(len(rows)) if weight is None else _weights(weight, source, target, first_row)
    return rows, columns, values, ids


def both_directions(
    rows: NDArray[np.int32], columns: NDArray[np.int32], values: NDArray[np.float64]
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64]]:
    """Return each edge in both directions, and each self-loop once.

    Parameters
    ----------
    rows, columns : int arrays of shape (m,)
        Numbers of the two ends of each edge.
    values : float array of shape (m,)
        Weight of each edge.

    Returns
    -------
    rows, columns, values : arrays of shape (2m − number of self-loops,)
        The edges as passed, followed by their reverses.
    """
    between = rows != columns
    return (
        np.concatenate([rows, columns[between]]),
        np.concatenate([columns, rows[between]]),
        np.concatenate([values, values[between]]),
    )


def _require_values(
    source: pa.ChunkedArray, target: pa.ChunkedArray, weight: pa.ChunkedArray | None, first_row: int
) -> None:
    for name, column in (("source", source), ("target", target), ("weight", weight)):
        if column is not None and column.null_count:
            row = first_row + pc.index(pc.is_null(column), True).as_py()
            raise InvalidGraphError(f"row {row} of the edge table has no {name}; fill it in, or drop the row.")


def _codes(
    source: pa.ChunkedArray, target: pa.ChunkedArray
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[Any]]:
    """Return both columns as node numbers, and the ids by number: first appearance, row by row, source first."""
    source, target = _plain(source), _plain(target)
    if source.type != target.type:
        source, target = source.cast(pa.string()), target.cast(pa.string())
    both = pa.chunked_array([*source.chunks, *target.chunks]).combine_chunks()
    encoded = both.dictionary_encode()
    if isinstance(encoded, pa.ChunkedArray):
        encoded = encoded.combine_chunks()
    codes = encoded.indices.to_numpy(zero_copy_only=False)
    n_edges, n_nodes = len(source), len(encoded.dictionary)
    # Assigned in reverse, so that the earliest position of each id is kept.
    earliest_source, earliest_target = np.full((2, n_nodes), 2 * n_edges, dtype=np.int64)
    earliest_source[codes[:n_edges][::-1]] = np.arange(2 * n_edges - 2, -1, -2)
    earliest_target[codes[n_edges:][::-1]] = np.arange(2 * n_edges - 1, 0, -2)
    order = np.argsort(np.minimum(earliest_source, earliest_target), kind="stable")
    rank = np.empty(n_nodes, dtype=np.int32)
    rank[order] = np.arange(n_nodes, dtype=np.int32)
    ids = encoded.dictionary.to_numpy(zero_copy_only=False)[order]
    return rank[codes[:n_edges]], rank[codes[n_edges:]], ids


def _plain(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Decode dictionaries, and cast to one string type and one integer type."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        column = column.cast(kind.value_type)
        kind = column.type
    if pa.types.is_integer(kind):
        try:
            return column.cast(pa.int64())
        except pa.ArrowInvalid:
            largest = pc.max(column).as_py()
            raise InvalidGraphError(
                f"the id {largest} does not fit in a 64-bit integer. Renumber the nodes, or store the ids as strings."
            ) from None
    if pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        return column.cast(pa.string())
    return column


def _weights(
    weight: pa.ChunkedArray, source: pa.ChunkedArray, target: pa.ChunkedArray, first_row: int
) -> NDArray[np.float64]:
    if not (pa.types.is_integer(weight.type) or pa.types.is_floating(weight.type)):
        raise InvalidGraphError(f"edge weights must be numbers; the weight column has type {weight.type}.")
    values = np.asarray(weight.to_numpy(), dtype=np.float64)
    bad = ~np.isfinite(values) | (values < 0)
    if bad.any():
        row = int(np.flatnonzero(bad)[0])
        raise InvalidGraphError(
            f"edge weights must be finite and non-negative; row {first_row + row} (from {source[row].as_py()!r} to "
            f"{target[row].as_py()!r}) has weight {values[row]}. Remove the row, or map its weight to a valid value."
        )
    return values
