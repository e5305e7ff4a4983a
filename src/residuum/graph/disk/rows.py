"""Sparse matrices in files, written row by row and larger than memory if need be."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from residuum._kernels.rows import add_transposed, fill_transposed
from residuum.graph.disk.arrays import ArrayFile, FileRecord, map_array
from residuum.graph.weights import narrowed

__all__ = ["WORKING_BYTES", "RowFiles", "Rows", "map_rows", "row_runs", "symmetrized", "write_transposed"]

_ARRAYS = ("indptr", "indices", "weights")
WORKING_BYTES = 512 << 20
# Approximate number of entries of the rows that are merged at a time.
_ENTRIES_AT_ONCE = 4 << 20


class Rows(NamedTuple):
    """Consecutive rows of a sparse matrix.

    Attributes
    ----------
    lengths : int array of shape (number of rows,)
        Number of entries of each row.
    columns : int array of shape (number of entries,)
        Columns of the entries, row by row, in increasing order within a row.
    weights : float array of shape (number of entries,)
        Weights of the entries.
    """

    lengths: NDArray[np.int64]
    columns: NDArray[Any]
    weights: NDArray[Any]


class RowFiles:
    """Files with the CSR arrays ``indptr``, ``indices`` and ``weights`` of a matrix of shape (N, N).

    Weights are float32 if that is exact, else float64, as in :class:`Graph`.

    Parameters
    ----------
    folder : Path
        Existing folder for the files.
    n_nodes : int
        Number of rows N.
    prefix : str, default=""
        Start of the file names.
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
        """Append rows to the files.

        Parameters
        ----------
        rows : Rows
            The rows that follow those already written.
        """
        if self._weights.dtype == np.float32 and narrowed(rows.weights).dtype != np.float32:
            self._weights = self._weights.widen(np.float64)
        self._indices.append(rows.columns)
        self._weights.append(rows.weights)
        self._lengths.append(np.asarray(rows.lengths, dtype=np.int64))
        self.n_rows += len(rows.lengths)
        self.n_entries += len(rows.columns)
        self.is_weighted = self.is_weighted or bool(np.any(rows.weights != 1))

    def finish(self) -> "sparse.csr_array[Any]":
        """Complete the files after the last row.

        Returns
        -------
        csr array of shape (N, N)
            The matrix, memory-mapped and read-only.
        """
        assert self.n_rows == self.n_nodes, f"{self.n_rows} of {self.n_nodes} rows were written"
        indptr = np.concatenate([[0], np.cumsum(np.concatenate(self._lengths))])
        # scipy copies one of the index arrays if their types differ.
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
    """Return a memory map of a matrix that :class:`RowFiles` wrote.

    Parameters
    ----------
    folder : Path
        Folder with the files.
    records : dict of str to FileRecord
        Expected size and type of each array, by file name without extension.
    prefix : str, default=""
        Start of the file names.

    Returns
    -------
    csr array of shape (N, N)
        Read-only matrix in canonical form.
    """
    indptr, indices, weights = (
        map_array(folder / f"{prefix}{name}.npy", records[f"{prefix}{name}"]) for name in _ARRAYS
    )
    n_nodes = max(len(indptr) - 1, 0)
    matrix: sparse.csr_array[Any] = sparse.csr_array((n_nodes, n_nodes), dtype=weights.dtype)
    # Assigned directly: the constructor reads the indices, and copies them if their types differ.
    matrix.indptr, matrix.indices, matrix.data = indptr, indices, weights
    matrix.has_canonical_format = True
    return matrix


def write_transposed(
    matrix: "sparse.csr_array[Any]",
    counts: NDArray[np.int64],
    target: RowFiles,
    working_bytes: int = WORKING_BYTES,
) -> None:
    """Write the transpose of a matrix, in runs of rows that fit in the working memory.

    Parameters
    ----------
    matrix : csr array of shape (N, N)
        Matrix to transpose; may be memory-mapped.
    counts : int array of shape (N,)
        Number of entries in each column.
    target : RowFiles
        Empty files for the transpose.
    working_bytes : int, default=512 MiB
        Memory for one run of rows, in bytes; a single row may exceed it.
    """
    entry_bytes = 4 + matrix.dtype.itemsize
    max_entries = max(working_bytes // entry_bytes, 1)
    for first, last in row_runs(np.concatenate([[0], np.cumsum(counts)]), max_entries):
        lengths = counts[first:last]
        starts = np.concatenate([[0], np.cumsum(lengths)])
        rows = np.empty(int(starts[-1]), dtype=matrix.indices.dtype)
        weights = np.empty(len(rows), dtype=matrix.dtype)
        fill_transposed(matrix.indptr, matrix.indices, matrix.data, first, last, starts[:-1], rows, weights)
        target.append(Rows(lengths, rows, weights))


def symmetrized(arcs: "sparse.csr_array[Any]", reverse: "sparse.csr_array[Any]") -> Iterator[Rows]:
    """Yield the rows of ``A + Aᵀ − diag(A)``.

    Parameters
    ----------
    arcs, reverse : csr arrays of shape (N, N)
        A and its transpose, with sorted indices; may be memory-mapped.

    Yields
    ------
    Rows
        Consecutive rows of the sum, from the first to the last.
    """
    bounds = arcs.indptr.astype(np.int64) + reverse.indptr
    for first, last in row_runs(bounds, _ENTRIES_AT_ONCE):
        arcs_part, reverse_part = _part(arcs, first, last), _part(reverse, first, last)
        max_entries = int(bounds[last] - bounds[first])
        columns = np.empty(max_entries, dtype=arcs.indices.dtype)
        weights = np.empty(max_entries, dtype=np.float64)
        lengths = add_transposed(first, arcs_part, reverse_part, columns, weights)
        filled = int(lengths.sum())
        yield Rows(lengths, columns[:filled], weights[:filled])


def _part(matrix: "sparse.csr_array[Any]", first: int, last: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return the CSR arrays of the rows ``first ≤ i < last``."""
    starts = matrix.indptr[first : last + 1].astype(np.int64)
    part = slice(starts[0], starts[-1])
    return starts - starts[0], matrix.indices[part], matrix.data[part]


def row_runs(bounds: NDArray[Any], most_entries: int) -> Iterator[tuple[int, int]]:
    """Divide the rows of a sparse matrix into runs with a limited number of entries.

    Parameters
    ----------
    bounds : int array of shape (N + 1,)
        The ``indptr`` array of the matrix.
    most_entries : int
        Maximum number of entries of a run; a row with more entries is a run by itself.

    Yields
    ------
    first, last : int
        The run of rows ``first ≤ i < last``.

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
