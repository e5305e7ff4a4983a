"""Raw scores in a csv file to which rows are added one by one, so that a stopped run goes on where it was."""

import csv
import os
from pathlib import Path

from residuum.errors import InvalidParameterError
from residuum.reproduction.target import Row

__all__ = ["Ledger", "read_rows"]

_KEYS = ["graph", "method", "run"]


def read_rows(file: Path, measures: tuple[str, ...]) -> list[Row]:
    """Return the rows of a file, in the order in which they were measured; the file is left as it is.

    A last line that was cut off, or that a running job has not finished, is not among them.

    Parameters
    ----------
    file : Path
        One that is not there has no rows.
    measures : sequence of str
        The columns after graph, method and run.
    """
    whole = _whole_lines(file)
    if not whole:
        return []
    lines = list(csv.reader(whole.decode("utf-8").splitlines()))
    header = [*_KEYS, *measures]
    if lines[0] != header:
        raise InvalidParameterError(
            f"{file} has the columns {', '.join(lines[0])}, not {', '.join(header)}: "
            "another version wrote it. Move it away, or give another --output."
        )
    return [
        Row(graph, method, int(run), dict(zip(measures, map(float, values), strict=True)))
        for graph, method, run, *values in lines[1:]
    ]


def _whole_lines(file: Path) -> bytes:
    content = file.read_bytes() if file.exists() else b""
    return content[: content.rfind(b"\n") + 1]


class Ledger:
    """The rows of one file; a row is there once for each (graph, method, run).

    Parameters
    ----------
    file : Path
        Made with the first row that is added, if it is not there. Only then is a last line dropped that was cut off
        when a run was killed: whoever reads leaves the file as it is.
    measures : sequence of str
        The columns after graph, method and run.
    """

    def __init__(self, file: Path, measures: tuple[str, ...]) -> None:
        self.file = file
        self.measures = measures
        self._rows = {(row.graph, row.method, row.run): row for row in read_rows(file, measures)}
        self._mended = False

    def __contains__(self, key: tuple[str, str, int]) -> bool:
        return key in self._rows

    @property
    def rows(self) -> list[Row]:
        """All rows, in the order in which they were measured."""
        return list(self._rows.values())

    def append(self, row: Row) -> None:
        """Add a row; it is on the disk when this returns."""
        if not self._mended:
            self._mend()
        self._write([row.graph, row.method, str(row.run), *(f"{row.values[name]:.10g}" for name in self.measures)])
        self._rows[row.graph, row.method, row.run] = row

    def _mend(self) -> None:
        """Drop a last line that was cut off, and write the header if there is none."""
        whole = _whole_lines(self.file)
        if self.file.exists() and len(whole) < self.file.stat().st_size:
            with self.file.open("r+b") as stream:
                stream.truncate(len(whole))
        if not whole:
            self._write([*_KEYS, *self.measures])
        self._mended = True

    def _write(self, cells: list[str]) -> None:
        with self.file.open("a", newline="", encoding="utf-8") as stream:
            csv.writer(stream, lineterminator="\n").writerow(cells)
            stream.flush()
            os.fsync(stream.fileno())
