"""Check of the arrays of a graph on disk, in one pass, before compiled code follows their indices."""

import secrets
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from residuum._kernels.rows import add_strengths, asymmetric_entry, invalid_entry, sum_of_hashes
from residuum._threads import in_threads
from residuum.errors import GraphFileError
from residuum.graph.disk.arrays import WAY_OUT
from residuum.graph.structure import compressed_fault
from residuum.graph.symmetry import symmetry_tolerance
from residuum.graph.weights import row_ranges

__all__ = ["check_matrix", "check_strengths", "check_transpose"]

# From this number of entries on, symmetry is checked by hashes first: compiling their kernel takes longer before.
_MANY_ENTRIES = 10_000_000


def check_matrix(folder: Path, name: str, matrix: "sparse.csr_array[Any]") -> None:
    """Raise an error unless a matrix is canonical and has positive, finite weights.

    Parameters
    ----------
    folder : Path
        Folder of the graph, for the message.
    name : str
        Start of the names of the files.
    matrix : csr array of shape (N, N)
        Memory-mapped matrix.
    """
    if matrix.dtype.kind != "f":
        raise GraphFileError(f"{folder / name}weights.npy is damaged: weights must be floats. {WAY_OUT}.")
    fault = compressed_fault(matrix.indptr, matrix.indices, len(matrix.data), matrix.shape)
    if fault is None and not matrix.indptr[-1] == len(matrix.indices) == len(matrix.data):
        fault = "the arrays differ in length"
    if fault is not None:
        raise GraphFileError(f"the {name}arrays of {folder} are damaged: {fault}. {WAY_OUT}.")
    entry = invalid_entry(matrix.indptr, matrix.indices, matrix.data)
    if entry >= 0:
        raise GraphFileError(
            f"the {name}arrays of {folder} are damaged: entry {entry} has column {matrix.indices[entry]} and weight "
            f"{matrix.data[entry]}, but columns must increase within a row, and weights must be positive and finite. "
            f"{WAY_OUT}."
        )


def check_transpose(folder: Path, matrix: "sparse.csr_array[Any]", reverse: "sparse.csr_array[Any]") -> None:
    """Raise an error unless one matrix is the transpose of the other.

    Parameters
    ----------
    folder : Path
        Folder of the graph, for the message.
    matrix, reverse : csr arrays of shape (N, N)
        Canonical matrices. If they are the same object, it must be symmetric as a :class:`Graph` must be.
    """
    if matrix.nnz > _MANY_ENTRIES and _have_equal_hashes(matrix, reverse):
        return
    relative, absolute = symmetry_tolerance(matrix) if matrix is reverse else (0.0, 0.0)
    arrays = (matrix.indptr, matrix.indices, matrix.data, reverse.indptr, reverse.indices, reverse.data)
    entry = asymmetric_entry(*arrays, relative, absolute)
    if entry >= 0:
        fault = "is not symmetric" if matrix is reverse else "differs from its stored transpose"
        raise GraphFileError(f"the matrix of {folder} {fault} (entry {entry}). {WAY_OUT}.")


def _have_equal_hashes(matrix: "sparse.csr_array[Any]", reverse: "sparse.csr_array[Any]") -> bool:
    """Return whether one matrix is exactly the transpose of the other, by sums of hashes with a random key.

    Entries are read in order, which is many times faster than looking up the reverse of each.
    """
    key = np.uint64(secrets.randbits(64))

    def total(matrix: "sparse.csr_array[Any]", transposed: bool) -> int:
        bits = matrix.data.view(f"u{matrix.data.itemsize}")

        def part(rows: tuple[int, int]) -> int:
            return int(sum_of_hashes(matrix.indptr, matrix.indices, bits, key, transposed, *rows))

        return sum(in_threads(part, row_ranges(matrix.indptr))) % 2**64

    return matrix.data.dtype == reverse.data.dtype and total(matrix, False) == total(reverse, True)


def check_strengths(
    folder: Path, matrix: "sparse.csr_array[Any]", strengths: dict[str, NDArray[Any]], header: dict[str, Any]
) -> None:
    """Raise an error unless sums and counts are those of the matrix.

    Parameters
    ----------
    folder : Path
        Folder of the graph, for the message.
    matrix : csr array of shape (N, N)
        Canonical matrix.
    strengths : dict of str to array of shape (N,)
        Stored ``out_strength`` and, for directed graphs, ``in_strength``.
    header : dict
        Header with ``n_edges``, ``weighted`` and ``directed``.
    """
    n_nodes = matrix.shape[0]
    sums = {"out_strength": np.zeros(n_nodes), "in_strength": np.zeros(n_nodes)}
    lengths = np.diff(matrix.indptr)
    n_loops = int(add_strengths(0, lengths, matrix.indices, matrix.data, *sums.values()))
    for name, values in strengths.items():
        if values.shape != (n_nodes,) or not np.allclose(values, sums[name], rtol=1e-9, atol=0):
            raise GraphFileError(f"{folder / name}.npy is damaged: it differs from the sums of the weights. {WAY_OUT}.")
    n_entries = len(matrix.indices)
    counts = {
        "n_edges": n_entries if header["directed"] else (n_entries + n_loops) // 2,
        "weighted": bool(np.any(matrix.data != 1)),
    }
    for name, value in counts.items():
        if header[name] != value:
            raise GraphFileError(
                f"the header of {folder} is damaged: {name} is {value}, not {header[name]}. {WAY_OUT}."
            )
