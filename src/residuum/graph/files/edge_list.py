"""Edge lists of any length, text or parquet, read as a stream of tables."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import pyarrow as pa

from residuum._containers import open_parquet
from residuum._files import reading
from residuum._progress import ProgressCallback, Stage
from residuum.errors import GraphFileError
from residuum.graph.column_names import other_columns
from residuum.graph.edge_table import edge_columns
from residuum.graph.files.layout import Columns, Layout
from residuum.graph.files.text import text_layout, text_tables

__all__ = ["CHUNK_BYTES", "EdgeList", "ending_of"]

CHUNK_BYTES = 64 << 20
_BYTES_OF_AN_EDGE = 32


def ending_of(file: Path) -> str:
    """Return the file extension that determines the format.

    Parameters
    ----------
    file : Path
        Path of a file; it need not exist.

    Returns
    -------
    str
        Extension in lower case, without ``.gz``.

    Examples
    --------
    >>> ending_of(Path("edges.TSV.gz"))
    '.tsv'
    """
    return (file.with_suffix("") if file.suffix == ".gz" else file).suffix.lower()


@dataclass(frozen=True)
class EdgeList:
    """Text or parquet file with one edge per row.

    Attributes
    ----------
    file : Path
        Parquet file, or plain or gzipped text.
    columns : Columns
        Column names chosen by the user.
    """

    file: Path
    columns: Columns = field(default_factory=Columns)

    @property
    def is_text(self) -> bool:
        """Whether the file is text rather than parquet."""
        return ending_of(self.file) != ".parquet"

    @cached_property
    def layout(self) -> Layout:
        """Layout of a text file."""
        with reading(self.file, GraphFileError):
            return text_layout(self.file, ending_of(self.file), self.columns)

    @property
    def description(self) -> str:
        """What the columns are taken for, in one line."""
        if self.is_text:
            return str(self.layout)
        with reading(self.file, GraphFileError):
            with open_parquet(self.file) as parquet:
                schema = parquet.schema_arrow
            names = edge_columns(schema, self.columns.source, self.columns.target, self.columns.weight)
        source, target, weight = names
        remark = other_columns(schema.names, names)
        parts = [f"source {source!r}, target {target!r}", "no weights" if weight is None else f"weight {weight!r}"]
        return "; ".join([*parts, *([remark] if remark else [])])

    def tables(self, chunk_bytes: int = CHUNK_BYTES, progress: ProgressCallback | None = None) -> Iterator[pa.Table]:
        """Yield the edges as tables with the columns ``source``, ``target`` and, for weighted edges, ``weight``.

        Parameters
        ----------
        chunk_bytes : int, default=64 MiB
            Approximate number of bytes to read at a time.
        progress : callable, optional
            Called with a :class:`ProgressEvent` after each table.

        Yields
        ------
        pyarrow Table
            Ids may be integers in one table and strings in the next; see :func:`text_tables`.
        """
        if self.is_text:
            tables = text_tables(self.file, self.layout, chunk_bytes, progress)
        else:
            tables = self._parquet_tables(chunk_bytes, progress)
        # Only errors raised while reading get the file name, not those of the code that uses the tables.
        while True:
            with reading(self.file, GraphFileError):
                table = next(tables, None)
            if table is None:
                return
            yield table

    def _parquet_tables(self, chunk_bytes: int, progress: ProgressCallback | None) -> Iterator[pa.Table]:
        with open_parquet(self.file) as parquet:
            columns = self.columns
            names = edge_columns(parquet.schema_arrow, columns.source, columns.target, columns.weight)
            wanted = [name for name in names if name is not None]
            stage = Stage("reading edges", parquet.metadata.num_rows, progress)
            n_rows = max(chunk_bytes // _BYTES_OF_AN_EDGE, 1)
            # By row group: a reader of the whole file keeps the memory of all groups that it has read.
            groups = range(parquet.num_row_groups)
            readers = (parquet.iter_batches(n_rows, row_groups=[group], columns=wanted) for group in groups)
            for batch in itertools.chain.from_iterable(readers):
                table = pa.Table.from_batches([batch]).select(wanted)
                yield table.rename_columns(["source", "target", "weight"][: len(wanted)])
                stage.advance(batch.num_rows)
