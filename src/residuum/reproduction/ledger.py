"""Raw scores in a csv file to which rows are added one by one, so that a stopped run goes on where it was."""

import csv
import os
from pathlib import Path

from residuum.errors import InvalidParameterError
from residuum.reproduction.target import Row

__all__ = ["Ledger"]

_KEYS = ["graph", "method", "run"]


class Ledger:
    """The rows of one file; a row is there once for each (graph, method, run).

    Parameters
    ----------
    file : Path
        Made if it is not there. A last line that was cut off when a run was killed is dropped.
    measures : sequence of str
        The columns after graph, method and run.
    """

    def __init__(self, file: Path, measures: tuple[str, ...]) -> None:
        self.file = file
        self.measures = measures
        self._header = [*_KEYS, *measures]
        self._rows: dict[tuple[str, str, int], Row] = {}
        if file.exists() and file.stat().st_size > 0:
            self._read()
        else:
            self._write(self._header)

    def __contains__(self, key: tuple[str, str, int]) -> bool:
        return key in self._rows

    @property
    def rows(self) -> list[Row]:
        """All rows, in the order in which they were measured."""
        return list(self._rows.values())

    def append(self, row: Row) -> None:
        """Add a row; it is on the disk when this returns."""
        self._write([row.graph, row.method, str(row.run), *(f"{row.values[name]:.10g}" for name in self.measures)])
        self._rows[row.graph, row.method, row.run] = row

    def _write(self, cells: list[str]) -> None:
        with self.file.open("a", newline="", encoding="utf-8") as stream:
            csv.writer(stream, lineterminator="\n").writerow(cells)
            stream.flush()
            os.fsync(stream.fileno())

    def _read(self) -> None:
        content = self.file.read_bytes()
        whole = content[: content.rfind(b"\n") + 1]
        if len(whole) < len(content):
            with self.file.open("r+b") as stream:
                stream.truncate(len(whole))
        if not whole:
            self._write(self._header)
            return
        lines = list(csv.reader(whole.decode("utf-8").splitlines()))
        if lines[0] != self._header:
            raise InvalidParameterError(
                f"{self.file} has the columns {', '.join(lines[0])}, not {', '.join(self._header)}: "
                "another version wrote it. Move it away, or give another --output."
            )
        for graph, method, run, *values in lines[1:]:
            numbers = dict(zip(self.measures, map(float, values), strict=True))
            self._rows[graph, method, int(run)] = Row(graph, method, int(run), numbers)
