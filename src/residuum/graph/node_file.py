"""Node ids and attributes as one parquet file, a node a row."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from residuum.errors import GraphFileError, InvalidGraphError
from residuum.graph.array_file import WAY_OUT
from residuum.graph.graph import attribute_array

__all__ = ["ID_COLUMN", "check_ids", "read_nodes", "write_nodes"]

ID_COLUMN = "node"


def write_nodes(file: Path, node_ids: NDArray[Any], node_attributes: dict[str, NDArray[Any]]) -> None:
    """Write whole-number or text ids, and attributes of numbers, texts or times."""
    if ID_COLUMN in node_attributes:
        raise InvalidGraphError(
            f"a graph on disk keeps its ids in the column {ID_COLUMN!r}; rename the node attribute of that name."
        )
    check_ids(node_ids)
    columns = {ID_COLUMN: pa.array(node_ids)}
    for name, values in node_attributes.items():
        try:
            columns[name] = pa.array(values.tolist() if values.ndim > 1 or values.dtype == object else values)
        except (pa.ArrowException, UnicodeError) as error:
            raise InvalidGraphError(
                f"node attribute {name!r} cannot be written: a file holds numbers, texts and times, all of one kind "
                f"({str(error).splitlines()[0]}). Convert it, or leave it out."
            ) from error
    pq.write_table(pa.table(columns), file)


def check_ids(node_ids: NDArray[Any]) -> None:
    """Raise for ids that a graph on disk cannot have."""
    if node_ids.dtype.kind in "iu":
        return
    wrong = [identity for identity in node_ids.tolist() if not isinstance(identity, str)]
    if wrong:
        raise InvalidGraphError(
            f"a graph on disk has ids that are all whole numbers or all texts; got {wrong[0]!r}. "
            "Give the nodes such ids, for example [str(node) for node in ids]."
        )


def read_nodes(file: Path, n_nodes: int) -> tuple[NDArray[Any], dict[str, NDArray[Any]]]:
    """Return the ids, texts as objects, and the attributes."""
    try:
        table = pq.read_table(file)
        ids = table.column(ID_COLUMN).to_numpy()
        attributes = {name: _array(table.column(name)) for name in table.column_names if name != ID_COLUMN}
    except (pa.ArrowException, OSError, KeyError) as error:
        raise GraphFileError(f"{file} is damaged: {str(error).splitlines()[0]} {WAY_OUT}.") from error
    if len(ids) != n_nodes:
        raise GraphFileError(f"{file} has {len(ids)} rows, but header.json says {n_nodes} nodes. {WAY_OUT}.")
    return ids, attributes


def _array(column: pa.ChunkedArray) -> NDArray[Any]:
    if pa.types.is_string(column.type) or pa.types.is_list(column.type):
        return attribute_array(column.to_pylist())
    return np.asarray(column.to_numpy())
