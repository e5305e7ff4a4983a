"""Entries of a sparse matrix in any order, sorted into rows through files when they are more than memory holds."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum._memory import format_bytes
from residuum._progress import ProgressCallback, Stage
from residuum.errors import MemoryLimitError
from residuum.graph._row_kernels import merge_sorted, stable_order
from residuum.graph.row_files import Rows, row_runs

__all__ = ["EntrySort"]

_ENTRY = np.dtype([("row", "<i4"), ("column", "<i4"), ("weight", "<f8")])
# An entry while it is sorted: itself, its row, two orders, and its column and weight again.
_SORTED_BYTES = _ENTRY.itemsize + 4 + 2 * 4 + 12


class EntrySort:
    """Collects (row, column, weight) and gives them back as rows with distinct columns in rising order.

    Entries go to a file as they come. When all are there, runs of rows that fit in memory get a file each, and are
    sorted one after the other. Weights of the same row and column add up in the order in which they came; what adds up
    to zero is left out.

    Parameters
    ----------
    folder : Path
        Where the files go; they are removed when they are read.
    memory_limit : int
        Bytes that may be used.
    """

    def __init__(self, folder: Path, memory_limit: int) -> None:
        self._folder = folder
        self._limit = memory_limit
        self._spill = folder / "entries"
        self._spill.unlink(missing_ok=True)
        self._counts = np.zeros(0, dtype=np.int64)

    def add(self, rows: NDArray[np.int32], columns: NDArray[np.int32], weights: NDArray[np.float64]) -> None:
        """Take some more entries."""
        entries = np.empty(len(rows), dtype=_ENTRY)
        entries["row"], entries["column"], entries["weight"] = rows, columns, weights
        _append(self._spill, entries)
        counts = np.bincount(rows, minlength=len(self._counts))
        counts[: len(self._counts)] += self._counts
        self._counts = counts

    def rows(self, n_nodes: int, progress: ProgressCallback | None = None) -> Iterator[Rows]:
        """Yield all rows of the matrix of shape (N, N), in order, as many at a time as memory holds."""
        counts = np.zeros(n_nodes, dtype=np.int64)
        counts[: len(self._counts)] = self._counts
        runs = list(row_runs(np.concatenate([[0], np.cumsum(counts)]), max(self._limit // _SORTED_BYTES, 1)))
        self._require_memory(counts)
        stage = Stage("sorting edges", len(runs), progress)
        for (first, last), file in zip(runs, self._files_of(runs), strict=True):
            entries = np.fromfile(file, dtype=_ENTRY) if file.exists() else np.empty(0, dtype=_ENTRY)
            file.unlink(missing_ok=True)
            yield _sorted(entries, first, last, n_nodes)
            stage.advance()

    def _require_memory(self, counts: NDArray[np.int64]) -> None:
        needed = int(counts.max()) * _SORTED_BYTES
        if needed > self._limit:
            raise MemoryLimitError(
                f"a node has {int(counts.max())} edges, and sorting them takes {format_bytes(needed)}, more than the "
                f"{format_bytes(self._limit)} that memory_limit leaves for it. Raise memory_limit."
            )

    def _files_of(self, runs: list[tuple[int, int]]) -> list[Path]:
        """Deal the entries out to one file for each run of rows."""
        if len(runs) == 1:
            return [self._spill]
        files = [self._folder / f"entries{number}" for number in range(len(runs))]
        first_rows = np.array([first for first, _ in runs])
        at_once = max(self._limit // (4 * _ENTRY.itemsize), 1)
        with self._spill.open("rb") as stream:
            while (entries := np.fromfile(stream, dtype=_ENTRY, count=at_once)).size:
                run = np.searchsorted(first_rows, entries["row"], side="right") - 1
                entries = entries[np.argsort(run, kind="stable")]
                bounds = np.concatenate([[0], np.cumsum(np.bincount(run, minlength=len(runs)))])
                for number in np.flatnonzero(np.diff(bounds)):
                    _append(files[number], entries[bounds[number] : bounds[number + 1]])
        self._spill.unlink()
        return files


def _append(file: Path, entries: NDArray[Any]) -> None:
    with file.open("ab") as stream:
        stream.write(entries.view(np.uint8).data)


def _sorted(entries: NDArray[Any], first: int, last: int, n_nodes: int) -> Rows:
    """Return the rows ``first ≤ i < last``: two counting sorts, by column and then by row, and a merge."""
    rows, columns = entries["row"] - np.int32(first), entries["column"]
    order = np.arange(len(entries), dtype=np.int32 if len(entries) < 2**31 else np.int64)
    order = stable_order(columns, n_nodes, order)
    order = stable_order(rows, last - first, order)
    merged = np.empty(len(entries), dtype=np.int32), np.empty(len(entries))
    lengths = merge_sorted(order, rows, columns, entries["weight"], last - first, *merged)
    filled = int(lengths.sum())
    return Rows(lengths, merged[0][:filled], merged[1][:filled])
