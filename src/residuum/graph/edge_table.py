"""Graphs from edge tables (pandas, polars, pyarrow), read through Arrow."""

import logging
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from scipy import sparse

from residuum.errors import InvalidGraphError
from residuum.graph.column_names import end_columns, other_columns, weight_column
from residuum.graph.graph import Graph
from residuum.graph.weights import WEIGHT_RULE, invalid_weights, why_not_a_weight

__all__ = [
    "ascending_order",
    "both_directions",
    "edge_columns",
    "graph_from_edges",
    "graph_from_table",
    "is_table",
    "numbered_edges",
    "read_pairs",
]

_log = logging.getLogger("residuum")


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

    Columns are identified by name: ``source`` and ``target``, ``follower`` and ``followee``, ``gene_a`` and ``gene_b``
    and similar pairs, else the first two columns; ``weight``, ``count``, ``value`` and similar names for the weight.
    Other columns are not used; the log names them.

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
        Integer ids are in ascending order, other ids in order of first appearance.
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
    weight = weight or _unnamed_weight(table)
    names = (source, target, weight)
    remark = other_columns(_without_index(table.schema, set(names)), names)
    _log.info("edge table: source %r, target %r, weight %r%s", *names, f"; {remark}" if remark else "")
    return table.column(source), table.column(target), table.column(weight) if weight else None


def _unnamed_weight(table: pa.Table) -> str | None:
    """Return the third column of a table without column names, if it holds weights."""
    if table.column_names != ["0", "1", "2"]:
        return None
    kind = table.schema.types[2]
    if not (pa.types.is_integer(kind) or pa.types.is_floating(kind)):
        return None
    first = table.column("2").slice(0, 1000).to_numpy().astype(np.float64)
    return "2" if why_not_a_weight(first) is None else None


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
    candidates = [name for name in names if _may_hold_ids(schema, name) or name in {source, target}]
    source, target = end_columns(candidates if len(candidates) > 1 else names, source, target)
    return source, target, weight_column(names, weight, [source, target])


def _may_hold_ids(schema: pa.Schema, name: str) -> bool:
    """Return whether a column of this type may hold node ids; duplicate names count as such, to be reported."""
    position = schema.get_field_index(name)
    return position < 0 or not (
        pa.types.is_temporal(schema.types[position]) or pa.types.is_boolean(schema.types[position])
    )


def _without_index(schema: pa.Schema, wanted: set[str | None]) -> list[str]:
    """Return the column names without the pandas index."""
    index = (schema.pandas_metadata or {}).get("index_columns", [])
    return [name for name in schema.names if name not in index or name in wanted]


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
        Integer ids are in ascending order, other ids in order of first appearance.
    """
    if len(source) == 0:
        raise InvalidGraphError("the graph is empty: the edge table has no rows.")
    rows, columns, values, ids = numbered_edges(source, target, weight)
    order = ascending_order(ids)
    if order is not None:
        ids, numbers = ids[order], np.argsort(order).astype(np.int32)
        rows, columns = numbers[rows], numbers[columns]
    if not directed:
        rows, columns, values = both_directions(rows, columns, values)
    adjacency = sparse.coo_array((values, (rows, columns)), shape=(len(ids), len(ids)))
    return Graph(adjacency, ids, directed=directed)


def ascending_order(ids: NDArray[Any]) -> NDArray[np.int64] | None:
    """Return the positions that put integer ids in ascending order, or None if the ids are not integers.

    Parameters
    ----------
    ids : array of shape (N,)
        Node ids in order of first appearance.

    Returns
    -------
    int array of shape (N,), or None
        ``ids[order]`` is sorted, so that an array of values in the order of the ids matches the rows.
    """
    return np.argsort(ids) if ids.dtype.kind in "iu" else None


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
        if column is None:
            continue
        is_missing = pc.is_null(column, nan_is_null=name != "weight")
        if _is_text(column.type):
            is_missing = pc.or_(is_missing, pc.equal(pc.utf8_trim_whitespace(_plain(column)), ""))
        row = pc.index(is_missing.fill_null(True), True).as_py()
        if row >= 0:
            raise InvalidGraphError(
                f"row {first_row + row} of the edge table has no {name}; fill it in, or drop the row."
            )


def _is_text(kind: pa.DataType) -> bool:
    value_type = kind.value_type if pa.types.is_dictionary(kind) else kind
    return bool(
        pa.types.is_string(value_type) or pa.types.is_large_string(value_type) or pa.types.is_string_view(value_type)
    )


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
    """Decode dictionaries, and cast ids to strings or int64; raise an error for other types."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        column = column.cast(kind.value_type)
        kind = column.type
    if _is_text(kind):
        return column.cast(pa.string())
    if pa.types.is_null(kind):
        return column
    if not (pa.types.is_integer(kind) or pa.types.is_floating(kind)):
        raise InvalidGraphError(
            f"node ids must be integers or strings; got a column of type {kind}. Name the columns with the ids "
            "(source, target), or convert them to strings."
        )
    try:
        return column.cast(pa.int64())
    except pa.ArrowInvalid:
        if pa.types.is_integer(kind):
            largest = pc.max(column).as_py()
            raise InvalidGraphError(
                f"the id {largest} does not fit in a 64-bit integer. Renumber the nodes, or store the ids as strings."
            ) from None
        fraction = next(value for value in column.to_pylist() if value != value or value % 1 or abs(value) >= 2**53)
        raise InvalidGraphError(
            f"node ids must be integers or strings; got {fraction}. Name the columns with the ids (source, target), or "
            "convert them to strings."
        ) from None


def _weights(
    weight: pa.ChunkedArray, source: pa.ChunkedArray, target: pa.ChunkedArray, first_row: int
) -> NDArray[np.float64]:
    if not (pa.types.is_integer(weight.type) or pa.types.is_floating(weight.type)):
        raise InvalidGraphError(
            f"edge weights must be numbers; the weight column has type {weight.type}. Name another column as weight."
        )
    values = np.asarray(weight.to_numpy(), dtype=np.float64)
    bad = invalid_weights(values)
    if len(bad):
        row = int(bad[0])
        raise InvalidGraphError(
            f"{WEIGHT_RULE}; row {first_row + row} (from {source[row].as_py()!r} to "
            f"{target[row].as_py()!r}) has weight {values[row]}. Remove the row, or map its weight to a valid value."
        )
    return values
