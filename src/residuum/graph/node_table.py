"""Tables of what is known of the nodes: one row a node, an id and any number of columns."""

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet as pq

from residuum.errors import GraphFileError
from residuum.graph.graph import Graph

__all__ = ["ids_like", "read_node_column"]

_ID_NAMES = ("node", "id", "node_id", "name")
_INTEGER = re.compile(r"-?[0-9]+")


def read_node_column(file: Path, column: str, graph: Graph) -> dict[Any, Any]:
    """Return a column of a csv, tsv or parquet file, keyed by the node ids of ``graph``; an empty cell is None.

    The ids are in the column called ``node``, ``id``, ``node_id`` or ``name``, else in the first one.
    """
    if not file.is_file():
        raise GraphFileError(f"{file} does not exist.")
    with _named_in_errors(file):
        names = _column_names(file)
    if column not in names:
        raise GraphFileError(f"{file} has no column {column!r}; it has {', '.join(map(repr, names))}.")
    key = next((name for name in names if name.lower() in _ID_NAMES and name != column), names[0])
    wants_text = graph.node_ids.dtype == object
    with _named_in_errors(file):
        ids, values = _read(file, key, column, wants_text)
    return _one_value_each(file, column, ids_like(graph, ids), values)


def ids_like(graph: Graph, ids: list[Any]) -> list[Any]:
    """Return ids of another file as ``graph`` has them: each file by itself decides whether its ids are numbers."""
    known = set(graph.node_ids.tolist())
    other = str if graph.node_ids.dtype == object else int
    return [other(identity) if identity not in known and _spells_integer(identity) else identity for identity in ids]


def _one_value_each(file: Path, column: str, ids: list[Any], values: list[Any]) -> dict[Any, Any]:
    found: dict[Any, Any] = {}
    for identity, cell in zip(ids, values, strict=True):
        value = None if isinstance(cell, str) and not cell.strip() else cell
        before = found.setdefault(identity, value)
        # A number that is missing differs from itself.
        if before != value and (before == before or value == value) and identity not in (None, ""):
            raise GraphFileError(
                f"{file}: the node {identity!r} is there twice, with {before!r} and with {value!r} as {column!r}; "
                "keep one row a node."
            )
    return found


def _spells_integer(identity: Any) -> bool:
    return isinstance(identity, (int, str)) and _INTEGER.fullmatch(str(identity)) is not None


def _column_names(file: Path) -> list[str]:
    if file.suffix == ".parquet":
        return list(pq.read_schema(file).names)
    with pyarrow.csv.open_csv(file, parse_options=_parse_options(file)) as reader:
        return list(reader.schema.names)


def _read(file: Path, key: str, column: str, ids_are_text: bool) -> tuple[list[Any], list[Any]]:
    if file.suffix == ".parquet":
        table = pq.read_table(file, columns=list(dict.fromkeys([key, column])))
    else:
        # Read as numbers, ids would lose the zeros in front.
        kinds = {key: pa.string()} if ids_are_text and key != column else {}
        table = pyarrow.csv.read_csv(
            file,
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


@contextlib.contextmanager
def _named_in_errors(file: Path) -> Iterator[None]:
    try:
        yield
    except (pa.ArrowException, OSError) as error:
        raise GraphFileError(f"{file} cannot be read: {(str(error).splitlines() or ['damaged'])[0]}") from error
