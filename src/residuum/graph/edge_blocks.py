"""Edge lists of any length, text or parquet, a block of edges at a time."""

import contextlib
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import pyarrow as pa
import pyarrow.parquet as pq

from residuum._progress import ProgressCallback, Stage
from residuum.errors import GraphFileError, InvalidGraphError
from residuum.graph.edge_table import edge_columns
from residuum.graph.edge_text import with_edge_text

__all__ = ["BLOCK_BYTES", "EdgeList", "ending_of", "named_in_errors"]

Result = TypeVar("Result")
BLOCK_BYTES = 64 << 20
# Formats that hold a matrix or a graph, and cannot be read edge by edge.
_NO_EDGE_LISTS = {".mtx", ".npz", ".graphml", ".gml"}
_BYTES_OF_AN_EDGE = 32


def ending_of(file: Path) -> str:
    """Return the ending that tells the format, that of a gzipped file without ``.gz``."""
    return (file.with_suffix("") if file.suffix == ".gz" else file).suffix.lower()


@dataclass(frozen=True)
class EdgeList:
    """A file with an edge a row, and where in it the edges are.

    Attributes
    ----------
    file : Path
    source, target, weight : str, optional
        Names of the columns, if they are not the usual ones.
    header : bool, optional
        Whether the first row of a text names the columns; by default it is found out.
    """

    file: Path
    source: str | None = None
    target: str | None = None
    weight: str | None = None
    header: bool | None = None

    @staticmethod
    def knows(file: str | os.PathLike[str]) -> bool:
        """Whether a file is an edge list, by its ending."""
        return ending_of(Path(file)) not in _NO_EDGE_LISTS

    def use(
        self,
        use: Callable[[Iterator[pa.Table]], Result],
        block_bytes: int = BLOCK_BYTES,
        progress: ProgressCallback | None = None,
    ) -> Result:
        """Return what ``use`` makes of the edges, which come in tables with ``source``, ``target``, maybe ``weight``.

        Parameters
        ----------
        use : callable
            Takes an iterator of tables. It may be called again, with the edges from the beginning, if a text turns
            out late to have ids that are no numbers.
        block_bytes : int
            About how much of the file is looked at at once.
        progress : callable, optional
        """
        named = {"source": self.source, "target": self.target, "weight": self.weight}
        ending = ending_of(self.file)
        if ending == ".parquet":
            return use(_reading(self.file, self._parquet_tables(block_bytes, progress)))
        return with_edge_text(
            self.file,
            ending,
            self.header,
            lambda tables: use(_reading(self.file, tables)),
            **named,
            block_bytes=block_bytes,
            progress=progress,
        )

    def _parquet_tables(self, block_bytes: int, progress: ProgressCallback | None) -> Iterator[pa.Table]:
        with pq.ParquetFile(self.file) as parquet:
            names = edge_columns(parquet.schema_arrow, self.source, self.target, self.weight)
            wanted = [name for name in names if name is not None]
            stage = Stage("reading edges", parquet.metadata.num_rows, progress)
            batches = parquet.iter_batches(max(block_bytes // _BYTES_OF_AN_EDGE, 1), columns=wanted)
            for batch in batches:
                table = pa.Table.from_batches([batch]).select(wanted)
                yield table.rename_columns(["source", "target", "weight"][: len(wanted)])
                stage.advance(batch.num_rows)


def _reading(file: Path, tables: Iterator[pa.Table]) -> Iterator[pa.Table]:
    """Hand the tables on; errors of the reading, and not of those who use them, name the file."""
    with named_in_errors(file):
        yield from tables


@contextlib.contextmanager
def named_in_errors(file: Path) -> Iterator[None]:
    """Whatever a reader trips over becomes an error that names the file."""
    try:
        yield
    except GraphFileError:
        raise
    except InvalidGraphError as error:
        raise GraphFileError(f"{file}: {error}") from error
    except (ValueError, KeyError, TypeError, EOFError, OSError, pa.ArrowException) as error:
        raise GraphFileError(f"{file} cannot be read: {_first_line(error)}") from error
    except Exception as error:
        # networkx, xml, zipfile and csv have error types of their own for damaged files.
        if type(error).__module__.split(".")[0] in {"networkx", "xml", "zipfile", "zlib", "_csv"}:
            raise GraphFileError(f"{file} cannot be read: {_first_line(error)}") from error
        raise


def _first_line(error: Any) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
