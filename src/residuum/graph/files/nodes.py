"""Columns of node tables: files with one row per node, an id and any number of attributes."""

import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from residuum._containers import open_parquet
from residuum._files import missing_file, reading
from residuum.errors import GraphFileError
from residuum.graph.files.streams import open_stream
from residuum.graph.graph import Graph

__all__ = ["ids_like", "read_node_column"]

_ID_NAMES = ("node", "id", "node_id", "name")
_INTEGER = re.compile(r"-?[0-9]+")


def read_node_column(file: Path, column: str, graph: Graph) -> dict[Any, Any]:
    r"""Read a column of a node table as a mapping from node ids to values.

    Parameters
    ----------
    file : Path
        Csv, tsv or parquet file with a header. Node ids are in the column ``node``, ``id``, ``node_id`` or ``name``,
        else in the first column.
    column : str
        Name of the column to read.
    graph : Graph
        Graph whose node ids determine the type of the ids in the file.

    Returns
    -------
    dict of node id to value
        All rows of the file, including nodes that are not in the graph; None for an empty cell.

    Raises
    ------
    GraphFileError
        If the file cannot be read, has no such column, or has two different values for a node.

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> file = Path(folder.name, "clubs.csv")
    >>> _ = file.write_text("node,club\n0,red\n1,blue")
    >>> read_node_column(file, "club", Graph([[0, 1], [1, 0]]))
    {0: 'red', 1: 'blue'}
    >>> folder.cleanup()
    """
    with reading(file, GraphFileError):
        if not file.is_file():
            raise GraphFileError(f"{file} {missing_file(file)}.")
        names = _column_names(file)
        if column not in names:
            raise GraphFileError(f"{file} has no column {column!r}; it has {', '.join(map(repr, names))}.")
        key = next((name for name in names if name.lower() in _ID_NAMES and name != column), names[0])
        ids, values = _read(file, key, column, graph.node_ids.dtype == object)
        return _one_value_each(file, column, ids_like(graph, ids), values)


def ids_like(graph: Graph, ids: list[Any]) -> list[Any]:
    """Convert integer ids from another file to the type of a graph's ids.

    The same id may be an integer in one file and a string in another, because the type is detected for each file.

    Parameters
    ----------
    graph : Graph
        Graph with integer or string ids.
    ids : list of node ids
        Ids as read from the file.

    Returns
    -------
    list of node ids
        Integers as strings, or strings of digits as integers, to match the graph; other ids are unchanged.

    Examples
    --------
    >>> ids_like(Graph([[0, 1], [1, 0]], ["1", "2"]), [1, 2, "3"])
    ['1', '2', '3']
    """
    node_ids = set(graph.node_ids.tolist())
    convert = str if graph.node_ids.dtype == object else int
    return [convert(node) if node not in node_ids and _is_integer(node) else node for node in ids]


def _one_value_each(file: Path, column: str, ids: list[Any], values: list[Any]) -> dict[Any, Any]:
    value_of: dict[Any, Any] = {}
    for identity, cell in zip(ids, values, strict=True):
        value = None if isinstance(cell, str) and not cell.strip() else cell
        first = value_of.setdefault(identity, value)
        # Two NaN are equal here, although NaN != NaN.
        if first != value and (first == first or value == value) and identity not in (None, ""):
            raise GraphFileError(
                f"{file}: node {identity!r} has two values in column {column!r}, {first!r} and {value!r}; "
                "keep one row per node."
            )
    return value_of


def _is_integer(identity: Any) -> bool:
    return isinstance(identity, (int, str)) and _INTEGER.fullmatch(str(identity)) is not None


def _column_names(file: Path) -> list[str]:
    if file.suffix == ".parquet":
        with open_parquet(file) as parquet:
            return list(parquet.schema_arrow.names)
    with open_stream(file) as stream, pyarrow.csv.open_csv(stream, parse_options=_parse_options(file)) as reader:
        return list(reader.schema.names)


def _read(file: Path, key: str, column: str, ids_are_text: bool) -> tuple[list[Any], list[Any]]:
    if file.suffix == ".parquet":
        with open_parquet(file) as parquet:
            table = parquet.read(columns=list(dict.fromkeys([key, column])))
    else:
        # Ids parsed as numbers would lose leading zeros.
        kinds = {key: pa.string()} if ids_are_text and key != column else {}
        with open_stream(file) as stream:
            table = pyarrow.csv.read_csv(
                stream,
                parse_options=_parse_options(file),
                convert_options=pyarrow.csv.ConvertOptions(include_columns=[key, column], column_types=kinds),
            )
    ids = table.column(key)
    if ids_are_text:
        ids = ids.cast(pa.string())
    if pa.types.is_string(ids.type):
        ids = pc.utf8_trim_whitespace(ids)
    return ids.to_pylist(), table.column(column).to_pylist()


def _parse_options(file: Path) -> pyarrow.csv.ParseOptions:
    return pyarrow.csv.ParseOptions(delimiter="\t" if ".tsv" in file.suffixes else ",")
