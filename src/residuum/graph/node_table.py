"""Tables of what is known of the nodes: one row a node, an id and any number of columns."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

from residuum.errors import GraphFileError
from residuum.graph.graph import Graph

__all__ = ["read_node_column"]

_ID_NAMES = ("node", "id", "node_id", "name")


def read_node_column(file: Path, column: str, graph: Graph) -> dict[Any, Any]:
    """Return a column of a csv, tsv or parquet file, keyed by the node ids of ``graph``.

    The ids are in the column called ``node``, ``id``, ``node_id`` or ``name``, else in the first one.
    """
    if not file.is_file():
        raise GraphFileError(f"{file} does not exist.")
    table = _read(file)
    names = table.column_names
    if column not in names:
        raise GraphFileError(f"{file} has no column {column!r}; it has {', '.join(map(repr, names))}.")
    key = next((name for name in names if name.lower() in _ID_NAMES and name != column), names[0])
    ids = table.column(key)
    wants_text = graph.node_ids.dtype == object
    keys = ids.cast(pa.string()).to_pylist() if wants_text else ids.to_pylist()
    return dict(zip(keys, table.column(column).to_pylist(), strict=True))


def _read(file: Path) -> pa.Table:
    try:
        if file.suffix == ".parquet":
            return pq.read_table(file)
        delimiter = "\t" if ".tsv" in file.suffixes else ","
        return pyarrow.csv.read_csv(file, parse_options=pyarrow.csv.ParseOptions(delimiter=delimiter))
    except (pa.ArrowException, OSError) as error:
        raise GraphFileError(f"{file} cannot be read: {(str(error).splitlines() or ['damaged'])[0]}") from error
