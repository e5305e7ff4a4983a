"""Node ids and attributes in a parquet file with one row per node."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from residuum._containers import open_parquet
from residuum._files import reading
from residuum.errors import GraphFileError, InvalidGraphError
from residuum.graph.disk.arrays import WAY_OUT
from residuum.graph.graph import attribute_array

__all__ = ["ID_COLUMN", "check_ids", "read_nodes", "write_nodes"]

ID_COLUMN = "node"


def write_nodes(file: Path, node_ids: NDArray[Any], node_attributes: dict[str, NDArray[Any]]) -> None:
    """Write node ids and attributes to a parquet file.

    Parameters
    ----------
    file : Path
        Path of the file.
    node_ids : array of shape (N,)
        All integers or all strings.
    node_attributes : dict of str to array of shape (N, ...)
        Numbers, strings, time stamps, or lists of these.
    """
    if ID_COLUMN in node_attributes:
        raise InvalidGraphError(
            f"a graph on disk stores its ids in the column {ID_COLUMN!r}; rename the node attribute with that name."
        )
    check_ids(node_ids)
    columns = [_column("the node ids", node_ids)]
    columns += [_column(f"node attribute {name!r}", values) for name, values in node_attributes.items()]
    try:
        table = pa.table(columns, names=[ID_COLUMN, *node_attributes])
    except UnicodeError as error:
        raise InvalidGraphError(f"the name of a node attribute is not valid text ({error}); rename it.") from error
    pq.write_table(table, file)


def _column(subject: str, values: NDArray[Any]) -> pa.Array:
    try:
        return pa.array(values.tolist() if values.ndim > 1 or values.dtype == object else values)
    except (pa.ArrowException, UnicodeError, OverflowError) as error:
        raise InvalidGraphError(
            f"{subject} cannot be written: values must be all numbers, all strings or all time stamps "
            f"({str(error).splitlines()[0]}). Convert or remove them."
        ) from error


def check_ids(node_ids: NDArray[Any]) -> None:
    """Raise an error if ids are neither all integers nor all strings.

    Parameters
    ----------
    node_ids : array of shape (N,)
        Ids to check.
    """
    if node_ids.dtype.kind in "iu":
        return
    invalid = [identity for identity in node_ids.tolist() if not isinstance(identity, str)]
    if invalid:
        raise InvalidGraphError(
            f"the ids of a graph on disk must be all integers or all strings; got {invalid[0]!r}. "
            "Convert them, for example with [str(node) for node in ids]."
        )


def read_nodes(file: Path, n_nodes: int) -> tuple[NDArray[Any], dict[str, NDArray[Any]]]:
    """Return node ids and attributes from a parquet file.

    Parameters
    ----------
    file : Path
        File written by :func:`write_nodes`.
    n_nodes : int
        Expected number of nodes N.

    Returns
    -------
    node_ids : array of shape (N,)
        Integers, or strings as Python objects.
    node_attributes : dict of str to array of shape (N, ...)
        Values by attribute name.
    """
    with reading(file, GraphFileError, WAY_OUT):
        with open_parquet(file) as parquet:
            table = parquet.read()
        column = table.column(ID_COLUMN)
        if len(column) != n_nodes:
            raise GraphFileError(f"{file} has {len(column)} rows, but header.json expects {n_nodes} nodes. {WAY_OUT}.")
        if not (pa.types.is_integer(column.type) or pa.types.is_string(column.type)) or column.null_count:
            raise GraphFileError(f"{file} is damaged: ids must be all integers or all strings. {WAY_OUT}.")
        if pc.count_distinct(column).as_py() != n_nodes:
            raise GraphFileError(f"{file} is damaged: an id occurs more than once. {WAY_OUT}.")
        ids = column.to_numpy()
        attributes = {name: _array(table.column(name)) for name in table.column_names if name != ID_COLUMN}
    return ids, attributes


def _array(column: pa.ChunkedArray) -> NDArray[Any]:
    if pa.types.is_string(column.type) or pa.types.is_list(column.type):
        return attribute_array(column.to_pylist())
    return np.asarray(column.to_numpy())
