"""A sparse matrix in files, written row after row and never as a whole in memory."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from residuum.graph._row_kernels import add_transposed, fill_transposed
from residuum.graph.array_file import ArrayFile, FileRecord, map_array

__all__ = ["WORKING_BYTES", "RowFiles", "Rows", "map_rows", "row_runs", "symmetrised", "write_transposed"]

_ARRAYS = ("indptr", "indices", "weights")
WORKING_BYTES = 512 << 20
# Rows that are merged at once hold about this many entries.
_ENTRIES_AT_ONCE = 4 << 20


class Rows(NamedTuple):
    """A run of rows: their lengths, and their entries one row after the other, columns in rising order.

    Attributes
    ----------
    lengths : int array of shape (number of rows,)
    columns : int array of shape (number of entries,)
    weights : float array of shape (number of entries,)
    """

    lengths: NDArray[np.int64]
    columns: NDArray[Any]
    weights: NDArray[Any]


class RowFiles:
    """The CSR arrays ``indptr``, ``indices`` and ``weights`` of a matrix of shape (N, N), in three files.

    Weights are kept in float32 as long as that loses nothing, else in float64, as in :class:`Graph`.

    Parameters
    ----------
    folder : Path
    n_nodes : int
    prefix : str
        What the names of the files begin with.
    """

    def __init__(self, folder: Path, n_nodes: int, prefix: str = "") -> None:
        self.folder = folder
        self.n_nodes = n_nodes
        self.prefix = prefix
        self.n_rows = 0
        self.n_entries = 0
        self.is_weighted = False
        self._lengths: list[NDArray[np.int64]] = []
        self._indices = ArrayFile(self._file("indices"), np.int32 if n_nodes < 2**31 else np.int64)
        self._weights = ArrayFile(self._file("weights"), np.float32)
        self.records: dict[str, FileRecord] = {}

    def _file(self, name: str) -> Path:
        return self.folder / f"{self.prefix}{name}.npy"

    def append(self, rows: Rows) -> None:
        """Write the next rows."""
        if self._weights.dtype == np.float32 and not np.array_equal(rows.weights.astype(np.float32), rows.weights):
            self._weights = self._weights.widen(np.float64)
        self._indices.append(rows.columns)
        self._weights.append(rows.weights)
        self._lengths.append(np.asarray(rows.lengths, dtype=np.int64))
        self.n_rows += len(rows.lengths)
        self.n_entries += len(rows.columns)
        self.is_weighted = self.is_weighted or bool(np.any(rows.weights != 1))

    def finish(self) -> "sparse.csr_array[Any]":
        """Close the files and return the matrix, mapped into memory."""
        assert self.n_rows == self.n_nodes, f"{self.n_rows} of {self.n_nodes} rows were written"
        indptr = np.concatenate([[0], np.cumsum(np.concatenate(self._lengths))])
        # scipy wants one type for both index arrays, and copies one of them if they differ.
        narrow = self.n_entries < 2**31 and self._indices.dtype == np.int32
        bounds = ArrayFile(self._file("indptr"), np.int32 if narrow else np.int64)
        bounds.append(indptr)
        self.records = {
            f"{self.prefix}{name}": array.close()
            for name, array in zip(_ARRAYS, (bounds, self._indices, self._weights), strict=True)
        }
        return map_rows(self.folder, self.records, self.prefix)

    def remove(self) -> None:
        """Delete the files."""
        for name in _ARRAYS:
            self._file(name).unlink(missing_ok=True)


def map_rows(folder: Path, records: dict[str, FileRecord], prefix: str = "") -> "sparse.csr_array[Any]":
    """Return the matrix that :class:`RowFiles` wrote, as read-only arrays that are mapped into memory."""
    indptr, indices, weights = (
        map_array(folder / f"{prefix}{name}.npy", records[f"{prefix}{name}"]) for name in _ARRAYS
    )
    n_nodes = len(indptr) - 1
    matrix: sparse.csr_array[Any] = sparse.csr_array((n_nodes, n_nodes), dtype=weights.dtype)
    # Set one by one: the constructor would look through the indices, and copy them where types differ.
    matrix.indptr, matrix.indices, matrix.data = indptr, indices, weights
    matrix.has_canonical_format = True
    return matrix


def write_transposed(
    matrix: "sparse.csr_array[Any]",
    counts: NDArray[np.int64],
    target: RowFiles,
    working_bytes: int = WORKING_BYTES,
) -> None:
    """Append the rows of the transpose of ``matrix`` to ``target``, as many at once as the working memory holds.

    Parameters
    ----------
    matrix : csr array of shape (N, N), perhaps mapped
    counts : int array of shape (N,)
        Number of entries in each column.
    target : RowFiles
    working_bytes : int
    """
    entry_bytes = 4 + matrix.dtype.itemsize
    most = max(working_bytes // entry_bytes, 1)
    for first, last in row_runs(np.concatenate([[0], np.cumsum(counts)]), most):
        lengths = counts[first:last]
        place = np.concatenate([[0], np.cumsum(lengths)])
        rows = np.empty(int(place[-1]), dtype=matrix.indices.dtype)
        weights = np.empty(len(rows), dtype=matrix.dtype)
        fill_transposed(matrix.indptr, matrix.indices, matrix.data, first, last, place[:-1], rows, weights)
        target.append(Rows(lengths, rows, weights))


def symmetrised(arcs: "sparse.csr_array[Any]", reverse: "sparse.csr_array[Any]") -> Iterator[Rows]:
    """Yield the rows of ``A + Aᵀ``, the diagonal counted once, from A and its transpose.

    Parameters
    ----------
    arcs, reverse : csr arrays of shape (N, N) with columns in rising order, perhaps mapped
    """
    bounds = arcs.indptr.astype(np.int64) + reverse.indptr
    for first, last in row_runs(bounds, _ENTRIES_AT_ONCE):
        arcs_part, reverse_part = _part(arcs, first, last), _part(reverse, first, last)
        room = int(bounds[last] - bounds[first])
        columns = np.empty(room, dtype=arcs.indices.dtype)
        weights = np.empty(room, dtype=np.float64)
        lengths = add_transposed(first, arcs_part, reverse_part, columns, weights)
        filled = int(lengths.sum())
        yield Rows(lengths, columns[:filled], weights[:filled])


def _part(matrix: "sparse.csr_array[Any]", first: int, last: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return where the rows begin, their columns and their weights, for a run of rows."""
    starts = matrix.indptr[first : last + 1].astype(np.int64)
    part = slice(starts[0], starts[-1])
    return starts - starts[0], matrix.indices[part], matrix.data[part]


def row_runs(bounds: NDArray[Any], most_entries: int) -> Iterator[tuple[int, int]]:
    """Yield runs of rows, first and behind the last, with at most so many entries, or of one row if it has more.

    Parameters
    ----------
    bounds : int array of shape (N + 1,)
        ``indptr``: where the entries of each row begin.
    most_entries : int

    Examples
    --------
    >>> list(row_runs(np.array([0, 2, 3, 9, 10]), 4))
    [(0, 2), (2, 3), (3, 4)]
    """
    first, n_rows = 0, len(bounds) - 1
    while first < n_rows:
        last = int(np.searchsorted(bounds, bounds[first] + most_entries, side="right")) - 1
        last = min(max(last, first + 1), n_rows)
        yield first, last
        first = last
