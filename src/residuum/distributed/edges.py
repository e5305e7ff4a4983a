"""Edge files in pieces: which files and columns there are, and the edges of one piece."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from residuum._containers import open_parquet
from residuum._files import reading
from residuum.errors import GraphFileError
from residuum.graph.edge_table import edge_columns, numbered_edges

__all__ = ["EdgePiece", "edge_pieces"]

# Rows of a piece, at least one row group.
_ROWS_AT_ONCE = 4_000_000


@dataclass(frozen=True)
class EdgePiece:
    """Row groups of a parquet file with one edge per row.

    Attributes
    ----------
    file : str
        Path of the file.
    groups : tuple of int
        Row groups.
    first_row : int
        Number of the first row in the file.
    n_rows : int
        Number of rows.
    names : tuple of str
        Columns with the source, the target and, if there is one, the weight.
    as_text : bool
        Whether ids are read as strings, because other files have strings.
    """

    file: str
    groups: tuple[int, ...]
    first_row: int
    n_rows: int
    names: tuple[str, ...]
    as_text: bool

    def read(self) -> tuple[pa.ChunkedArray, pa.ChunkedArray, pa.ChunkedArray | None]:
        """Return the columns of the source, the target and the weight.

        Returns
        -------
        source, target : columns of m node ids
            The ends of each edge.
        weight : column of m numbers, or None
            Weight of each edge.
        """
        with reading(Path(self.file), GraphFileError), open_parquet(Path(self.file)) as parquet:
            table = parquet.read_row_groups(list(self.groups), columns=list(self.names))
        columns = [table.column(name) for name in self.names]
        if self.as_text:
            columns[:2] = [column.cast(pa.string()) for column in columns[:2]]
        return columns[0], columns[1], columns[2] if len(columns) > 2 else None

    def numbered(self) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64], NDArray[Any]]:
        """Return the edges with their nodes numbered by first appearance; see :func:`numbered_edges`.

        Returns
        -------
        rows, columns, weights, ids : arrays
            Numbers of both ends, weights, and the ids by number.
        """
        with reading(Path(self.file), GraphFileError):
            return numbered_edges(*self.read(), first_row=self.first_row)


def edge_pieces(
    folder: Path, source: str | None = None, target: str | None = None, weight: str | None = None
) -> list[EdgePiece]:
    """Return the pieces of a folder of parquet edge files, from their metadata alone.

    Parameters
    ----------
    folder : Path
        Parquet file, or folder of parquet files as Spark, Polars, DuckDB and Dask write them; files whose names start
        with ``_`` or ``.`` are ignored.
    source, target, weight : str, optional
        Names of the columns; detected by default, as in :func:`residuum.read_graph`.

    Returns
    -------
    list of EdgePiece
        Pieces of a few million edges, in the order of the file names.

    Raises
    ------
    GraphFileError
        If there is no parquet file, or files have different columns.
    """
    files = [folder] if folder.is_file() else sorted(_parquet_files(folder))
    if not files:
        state = "has no parquet file" if folder.is_dir() else "does not exist"
        raise GraphFileError(f"{folder} {state}; name a folder of parquet edge files, one edge per row.")
    with reading(files[0], GraphFileError), open_parquet(files[0]) as parquet:
        names = tuple(name for name in edge_columns(parquet.schema_arrow, source, target, weight) if name is not None)
    kinds, layouts = set(), []
    for file in files:
        with reading(file, GraphFileError), open_parquet(file) as parquet:
            missing = [name for name in names if name not in parquet.schema_arrow.names]
            if missing:
                raise GraphFileError(
                    f"{file} has no column {missing[0]!r}, which {files[0]} has; all files need the same columns."
                )
            weights = edge_columns(parquet.schema_arrow, names[0], names[1], None)[2]
            if weights is not None and len(names) == 2:
                raise GraphFileError(
                    f"{file} has weights in a column {weights!r}, which {files[0]} does not have; all files need the "
                    "same columns."
                )
            kinds |= {_is_number(parquet.schema_arrow.field(name).type) for name in names[:2]}
            metadata = parquet.metadata
            layouts.append([metadata.row_group(group).num_rows for group in range(metadata.num_row_groups)])
    as_text = len(kinds) > 1
    pieces = [
        EdgePiece(str(file), groups, first_row, n_rows, names, as_text)
        for file, layout in zip(files, layouts, strict=True)
        for groups, first_row, n_rows in _runs(layout)
    ]
    if not pieces:
        raise GraphFileError(f"{folder}: the graph is empty: the edge table has no rows.")
    return pieces


def _parquet_files(folder: Path) -> list[Path]:
    return [
        file
        for file in folder.rglob("*.parquet")
        if not any(part.startswith(("_", ".")) for part in file.relative_to(folder).parts)
    ]


def _is_number(kind: pa.DataType) -> bool:
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))


def _runs(layout: list[int]) -> Iterator[tuple[tuple[int, ...], int, int]]:
    """Yield runs of row groups with about the wanted number of rows, their first row, and their number of rows."""
    groups: list[int] = []
    begin = row = 0
    for group, n_rows in enumerate(layout):
        if groups and row + n_rows - begin > _ROWS_AT_ONCE:
            yield tuple(groups), begin, row - begin
            groups, begin = [], row
        groups.append(group)
        row += n_rows
    if row > begin:
        yield tuple(groups), begin, row - begin
