"""External sorting of the entries of a sparse matrix into rows."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum._kernels.rows import merge_sorted, stable_order
from residuum._memory import format_bytes
from residuum._progress import ProgressCallback, Stage
from residuum.errors import MemoryLimitError
from residuum.graph.disk.rows import Rows, row_runs

__all__ = ["ENTRY", "EntrySort", "sorted_rows"]

ENTRY = np.dtype([("row", "<i4"), ("column", "<i4"), ("weight", "<f8")])
# Memory per entry while sorting: the entry, its row, two permutations, and copies of its column and weight.
_SORTED_BYTES = ENTRY.itemsize + 4 + 2 * 4 + 12


class EntrySort:
    """Sorts entries (row, column, weight) into rows with distinct, increasing columns.

    Entries are appended to a file in the order of arrival. They are then distributed to one file per run of rows that
    fits in memory, and sorted run by run. Weights with the same row and column are summed in the order of arrival, and
    sums of zero are dropped.

    Parameters
    ----------
    folder : Path
        Folder for temporary files, which are deleted once read.
    memory_limit : int
        Maximum memory for sorting, in bytes.
    """

    def __init__(self, folder: Path, memory_limit: int) -> None:
        self._folder = folder
        self._limit = memory_limit
        self._spill = folder / "entries"
        self._spill.unlink(missing_ok=True)
        self._counts = np.zeros(0, dtype=np.int64)

    def add(self, rows: NDArray[np.int32], columns: NDArray[np.int32], weights: NDArray[np.float64]) -> None:
        """Add entries in any order.

        Parameters
        ----------
        rows, columns : int arrays of shape (m,)
            Positions of the entries.
        weights : float array of shape (m,)
            Weights of the entries.
        """
        entries = np.empty(len(rows), dtype=ENTRY)
        entries["row"], entries["column"], entries["weight"] = rows, columns, weights
        _append(self._spill, entries)
        counts = np.bincount(rows, minlength=len(self._counts))
        counts[: len(self._counts)] += self._counts
        self._counts = counts

    def rows(
        self, n_nodes: int, progress: ProgressCallback | None = None, numbers: NDArray[np.int32] | None = None
    ) -> Iterator[Rows]:
        """Yield the rows of the matrix, in runs that fit in memory.

        Parameters
        ----------
        n_nodes : int
            Number of rows N; larger than any row or column added.
        progress : callable, optional
            Called with a :class:`ProgressEvent` after each run of rows.
        numbers : int array of shape (N,), optional
            Final position of each row and column that was added; the same position by default.

        Yields
        ------
        Rows
            Consecutive rows, from the first to the last, including empty rows.

        Raises
        ------
        MemoryLimitError
            If a single row does not fit in memory.
        """
        counts = np.zeros(n_nodes, dtype=np.int64)
        counts[slice(len(self._counts)) if numbers is None else numbers[: len(self._counts)]] = self._counts
        runs = list(row_runs(np.concatenate([[0], np.cumsum(counts)]), max(self._limit // _SORTED_BYTES, 1)))
        self._require_memory(counts)
        stage = Stage("sorting edges", len(runs), progress)
        for (first, last), file in zip(runs, self._files_of(runs, numbers), strict=True):
            entries = np.fromfile(file, dtype=ENTRY) if file.exists() else np.empty(0, dtype=ENTRY)
            file.unlink(missing_ok=True)
            _renumber(entries, numbers)
            yield sorted_rows(entries, first, last, n_nodes)
            stage.advance()

    def _require_memory(self, counts: NDArray[np.int64]) -> None:
        needed = int(counts.max()) * _SORTED_BYTES
        if needed > self._limit:
            raise MemoryLimitError(
                f"a node has {int(counts.max())} edges, and sorting them needs {format_bytes(needed)}; memory_limit "
                f"leaves {format_bytes(self._limit)} for sorting. Raise memory_limit."
            )

    def _files_of(self, runs: list[tuple[int, int]], numbers: NDArray[np.int32] | None) -> list[Path]:
        """Distribute the entries to one file per run of rows."""
        if len(runs) == 1:
            return [self._spill]
        files = [self._folder / f"entries{number}" for number in range(len(runs))]
        first_rows = np.array([first for first, _ in runs])
        at_once = max(self._limit // (4 * ENTRY.itemsize), 1)
        with self._spill.open("rb") as stream:
            while (entries := np.fromfile(stream, dtype=ENTRY, count=at_once)).size:
                rows = entries["row"] if numbers is None else numbers[entries["row"]]
                run = np.searchsorted(first_rows, rows, side="right") - 1
                entries = entries[np.argsort(run, kind="stable")]
                bounds = np.concatenate([[0], np.cumsum(np.bincount(run, minlength=len(runs)))])
                for number in np.flatnonzero(np.diff(bounds)):
                    _append(files[number], entries[bounds[number] : bounds[number + 1]])
        self._spill.unlink()
        return files


def _append(file: Path, entries: NDArray[Any]) -> None:
    with file.open("ab") as stream:
        stream.write(entries.view(np.uint8).data)


def _renumber(entries: NDArray[Any], numbers: NDArray[np.int32] | None) -> None:
    if numbers is not None:
        entries["row"], entries["column"] = numbers[entries["row"]], numbers[entries["column"]]


def sorted_rows(entries: NDArray[Any], first: int, last: int, n_columns: int) -> Rows:
    """Sort entries into the rows ``first ≤ i < last`` by two counting sorts (column, then row) and a merge.

    Parameters
    ----------
    entries : array of ENTRY, shape (m,)
        Entries of these rows, in any order; weights with the same row and column are summed.
    first, last : int
        Range of rows.
    n_columns : int
        Number of columns; larger than any column of the entries.

    Returns
    -------
    Rows
        The rows with distinct, increasing columns; sums of zero are dropped.
    """
    rows, columns = entries["row"] - np.int32(first), entries["column"]
    order = np.arange(len(entries), dtype=np.int32 if len(entries) < 2**31 else np.int64)
    order = stable_order(columns, n_columns, order)
    order = stable_order(rows, last - first, order)
    merged = np.empty(len(entries), dtype=np.int32), np.empty(len(entries))
    lengths = merge_sorted(order, rows, columns, entries["weight"], last - first, *merged)
    filled = int(lengths.sum())
    return Rows(lengths, merged[0][:filled], merged[1][:filled])
