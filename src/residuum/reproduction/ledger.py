"""Append-only csv file of raw scores, so that a stopped run is resumable."""

import csv
import os
from pathlib import Path

from residuum.errors import InvalidParameterError
from residuum.reproduction.target import Row

__all__ = ["Ledger", "read_rows"]

_KEYS = ["graph", "method", "run"]


def read_rows(file: Path, measures: tuple[str, ...]) -> list[Row]:
    """Return the rows of a file in the order in which they were measured.

    An incomplete last line, cut off or still being written, is ignored. The file is not changed.

    Parameters
    ----------
    file : Path
        Csv file; a missing file has no rows.
    measures : tuple of str
        Columns after graph, method and run.

    Returns
    -------
    list of Row
        One row per complete line.

    Raises
    ------
    InvalidParameterError
        If the file has other columns.
    """
    content = _complete_lines(file)
    if not content:
        return []
    lines = list(csv.reader(content.decode("utf-8").splitlines()))
    header = [*_KEYS, *measures]
    if lines[0] != header:
        raise InvalidParameterError(
            f"{file} must have the columns {', '.join(header)}; got {', '.join(lines[0])}, from another version. "
            "Move the file, or choose another output folder."
        )
    return [
        Row(graph, method, int(run), dict(zip(measures, map(float, values), strict=True)))
        for graph, method, run, *values in lines[1:]
    ]


def _complete_lines(file: Path) -> bytes:
    content = file.read_bytes() if file.exists() else b""
    return content[: content.rfind(b"\n") + 1]


class Ledger:
    """Rows of a csv file, at most one for each (graph, method, run).

    Parameters
    ----------
    file : Path
        Csv file. The first :meth:`append` creates it, or removes an incomplete last line; reading never changes it.
    measures : tuple of str
        Columns after graph, method and run.
    """

    def __init__(self, file: Path, measures: tuple[str, ...]) -> None:
        self.file = file
        self.measures = measures
        self._rows = {(row.graph, row.method, row.run): row for row in read_rows(file, measures)}
        self._repaired = False

    def __contains__(self, key: tuple[str, str, int]) -> bool:
        return key in self._rows

    @property
    def rows(self) -> list[Row]:
        """All rows, in the order in which they were measured."""
        return list(self._rows.values())

    def append(self, row: Row) -> None:
        """Add a row and flush it to disk.

        Parameters
        ----------
        row : Row
            Results with a value for each measure.
        """
        if not self._repaired:
            self._repair()
        self._write([row.graph, row.method, str(row.run), *(f"{row.values[name]:.10g}" for name in self.measures)])
        self._rows[row.graph, row.method, row.run] = row

    def _repair(self) -> None:
        """Remove an incomplete last line, and write the header if it is missing."""
        content = _complete_lines(self.file)
        if self.file.exists() and len(content) < self.file.stat().st_size:
            with self.file.open("r+b") as stream:
                stream.truncate(len(content))
        if not content:
            self._write([*_KEYS, *self.measures])
        self._repaired = True

    def _write(self, cells: list[str]) -> None:
        with self.file.open("a", newline="", encoding="utf-8") as stream:
            csv.writer(stream, lineterminator="\n").writerow(cells)
            stream.flush()
            os.fsync(stream.fileno())
