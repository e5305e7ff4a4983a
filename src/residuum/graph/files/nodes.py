"""Columns of node tables: files with one row per node, an id and any number of attributes."""

import logging
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from residuum._containers import open_parquet
from residuum._files import missing_file, reading
from residuum.errors import GraphFileError
from residuum.graph.files.layout import cells_of, find_delimiter
from residuum.graph.files.streams import open_stream
from residuum.graph.files.text import data_lines
from residuum.graph.graph import Graph

__all__ = ["ids_like", "read_node_column"]

_ID_NAMES = ("node", "id", "node_id", "nodeid", "name", "user", "user_id", "vertex", "label", "key")
_INTEGER = re.compile(r"-?[0-9]+")
_SAMPLE_LINES = 1000
_REMEDY = "Name the column with the ids (on the command line: --id-column)."
_log = logging.getLogger("residuum")


def read_node_column(file: Path, column: str, graph: Graph, id_column: str | None = None) -> dict[Any, Any]:
    r"""Read a column of a node table as a mapping from node ids to values.

    Parameters
    ----------
    file : Path
        Parquet file, or text with a header and columns separated by commas, semicolons, tabs or spaces; plain or
        gzipped.
    column : str
        Name of the column to read.
    graph : Graph
        Graph whose node ids determine the type of the ids in the file.
    id_column : str, optional
        Name of the column with the node ids. By default it is the column that contains ids of the graph; of several,
        the one with a usual name, such as ``node`` or ``id``.

    Returns
    -------
    dict of node id to value
        All rows of the file, including nodes that are not in the graph; None for an empty cell.

    Raises
    ------
    GraphFileError
        If the file cannot be read, has no such column, has no column with ids of the graph, or has two different values
        for a node.

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> file = Path(folder.name, "clubs.csv")
    >>> _ = file.write_text("club,member\nred,0\nblue,1")
    >>> read_node_column(file, "club", Graph([[0, 1], [1, 0]]))
    {0: 'red', 1: 'blue'}
    >>> folder.cleanup()
    """
    with reading(file, GraphFileError):
        if not file.is_file():
            raise GraphFileError(f"{file} {missing_file(file)}.")
        table, values = _read(file, column)
        for name in (column, id_column):
            if name is not None and table.column_names.count(name) > 1:
                raise GraphFileError(f"{file} has two columns {name!r}; rename one of them.")
            if name is not None and name not in table.column_names:
                raise GraphFileError(
                    f"{file} has no column {name!r}; it has {', '.join(map(repr, table.column_names))}."
                )
        key = id_column or _id_column(file, table, column, graph)
        ids = ids_like(graph, _written(table.column(key)))
        value_of = _one_value_each(file, column, ids, values)
        n_matched = sum(node in value_of for node in graph.node_ids.tolist())
        if n_matched == 0:
            raise GraphFileError(
                f"{file}: column {key!r} has none of the {graph.n_nodes} node ids (it begins with {ids[:1]}, the ids "
                f"of the graph with {graph.node_ids[:1].tolist()}). {_REMEDY}"
            )
    _log.info("%s: column %r, ids in column %r, %d of %d nodes", file, column, key, n_matched, graph.n_nodes)
    return value_of


def _id_column(file: Path, table: pa.Table, column: str, graph: Graph) -> str:
    """Return the column that has most ids of the graph; a usual name decides between similar ones."""
    node_ids = set(map(str, graph.node_ids.tolist()))
    names = [name for name, count in Counter(table.column_names).items() if count == 1 and name != column]
    columns: dict[str, list[Any]] = {name: _written(table.column(name)) for name in names}
    matched = {name: len(node_ids & set(map(str, cells))) for name, cells in columns.items()}
    most = max(matched.values(), default=0)
    if most == 0:
        raise GraphFileError(
            f"{file}: no column besides {column!r} has ids of the graph, such as {graph.node_ids.tolist()[0]!r}; it "
            f"has {', '.join(map(repr, columns)) or 'no other column'}. {_REMEDY}"
        )
    if len(node_ids & set(map(str, _written(table.column(column))))) > 2 * most:
        raise GraphFileError(
            f"{file}: column {column!r} has the ids of the graph; use another column as the attribute."
        )
    candidates = [name for name, count in matched.items() if 2 * count >= most]
    named = {name.lower(): name for name in candidates}
    usual = next((named[name] for name in _ID_NAMES if name in named), None)
    if usual is not None:
        return usual
    # An id occurs in one row only, ages and counts in several.
    return max(candidates, key=lambda name: (len(set(columns[name])) == len(columns[name]), matched[name]))


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


def _read(file: Path, column: str) -> tuple[pa.Table, list[Any]]:
    """Return all columns, with ids as they are written, and the values of one column."""
    if file.suffix == ".parquet":
        with open_parquet(file) as parquet:
            table = parquet.read()
        return table, _values(table, column) if table.column_names.count(column) == 1 else []
    sample = [text for _, (_, text) in zip(range(_SAMPLE_LINES), data_lines(file), strict=False)]
    if not sample:
        raise GraphFileError(f"{file} cannot be read: it is empty. It needs a header and one row per node.")
    ending = ".tsv" if ".tsv" in file.suffixes else ".csv" if ".csv" in file.suffixes else ""
    delimiter, decimal = find_delimiter(sample, ending)
    parsing = pyarrow.csv.ParseOptions(delimiter=delimiter)
    names = cells_of(sample[0], delimiter)
    # Ids parsed as numbers would lose leading zeros.
    as_text = pyarrow.csv.ConvertOptions(column_types=dict.fromkeys(names, pa.string()))
    with open_stream(file) as stream:
        table = pyarrow.csv.read_csv(stream, parse_options=parsing, convert_options=as_text)
    if table.column_names.count(column) != 1:
        return table, []
    as_values = pyarrow.csv.ConvertOptions(include_columns=[column], decimal_point=decimal)
    with open_stream(file) as stream:
        values = pyarrow.csv.read_csv(stream, parse_options=parsing, convert_options=as_values)
    return table, _values(values, column)


def _values(table: pa.Table, column: str) -> list[Any]:
    values = table.column(column)
    if pa.types.is_timestamp(values.type):
        # Python has no type for nanoseconds.
        values = values.cast(pa.timestamp("us", values.type.tz), safe=False)
    return list(values.to_pylist())


def _written(column: pa.ChunkedArray) -> list[Any]:
    """Return the ids of a column, without surrounding whitespace."""
    return list((pc.utf8_trim_whitespace(column) if pa.types.is_string(column.type) else column).to_pylist())
