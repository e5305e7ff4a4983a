"""Structure of sparse matrices, checked before compiled code follows their indices."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from residuum.errors import InvalidGraphError

__all__ = ["checked_coordinates", "compressed_fault"]


def checked_coordinates(matrix: Any) -> "sparse.coo_array[Any]":
    """Return a matrix as coordinates that are all within its shape.

    scipy does not check index arrays that are passed to it or assigned later, and its compiled code reads and writes
    outside of memory if they are wrong.

    Parameters
    ----------
    matrix : sparse or dense array
        Matrix in any format.

    Returns
    -------
    coo array
        Entries of the matrix; duplicates are kept.

    Raises
    ------
    InvalidGraphError
        If the matrix is not an array of numbers, or an index is outside of it.
    """
    if sparse.issparse(matrix) and getattr(matrix, "format", None) in {"csr", "csc", "bsr"}:
        _check_compressed(matrix)
    if isinstance(matrix, np.ma.MaskedArray):
        # numpy hides masked values, scipy would read them.
        matrix = matrix.filled(0)
    try:
        entries = sparse.coo_array(matrix)
    except (TypeError, ValueError, OverflowError) as error:
        raise InvalidGraphError(f"an adjacency matrix must be a square array of numbers: {error}") from error
    for indices, length in zip(entries.coords, entries.shape, strict=True):
        if not _are_indices(indices, len(entries.data), length):
            raise InvalidGraphError(
                f"the matrix has damaged index arrays: one index below {length} is needed for each entry. "
                "Build the matrix again."
            )
    return entries


def _check_compressed(matrix: Any) -> None:
    height, width = matrix.blocksize if matrix.format == "bsr" else (1, 1)
    n_rows, n_columns = matrix.shape[0] // height, matrix.shape[1] // width
    outer, inner = (n_columns, n_rows) if matrix.format == "csc" else (n_rows, n_columns)
    fault = compressed_fault(matrix.indptr, matrix.indices, len(matrix.data), (outer, inner))
    if fault is not None:
        raise InvalidGraphError(
            f"the {matrix.format} matrix has damaged index arrays: {fault}. Build the matrix again."
        )


def compressed_fault(indptr: NDArray[Any], indices: NDArray[Any], n_entries: int, shape: tuple[int, int]) -> str | None:
    """Return what is wrong with the index arrays of a compressed sparse matrix.

    Parameters
    ----------
    indptr, indices : int arrays
        Index arrays of the CSR or CSC format.
    n_entries : int
        Number of stored values.
    shape : tuple of two ints
        Number of rows and columns of a CSR matrix, of columns and rows of a CSC matrix.

    Returns
    -------
    str or None
        None if the arrays can be followed safely.

    Examples
    --------
    >>> compressed_fault(np.array([0, 9, 1]), np.array([1]), 1, (2, 2))
    'indptr decreases at position 2'
    """
    if not _are_integers(indptr) or not _are_integers(indices):
        return "indptr and indices must be one-dimensional arrays of integers"
    if len(indptr) != shape[0] + 1:
        return f"indptr has length {len(indptr)} instead of {shape[0] + 1}"
    if indptr[0] != 0:
        return f"indptr starts at {indptr[0]} instead of 0"
    decreases = np.flatnonzero(indptr[1:] < indptr[:-1])
    if len(decreases):
        return f"indptr decreases at position {int(decreases[0]) + 1}"
    if indptr[-1] > min(len(indices), n_entries):
        return f"indptr ends at {indptr[-1]}, but there are {len(indices)} indices and {n_entries} entries"
    used = indices[: int(indptr[-1])]
    if len(used) and not (used.min() >= 0 and used.max() < shape[1]):
        outside = used[(used < 0) | (used >= shape[1])][0]
        return f"the index {outside} is not between 0 and {shape[1] - 1}"
    return None


def _are_integers(indices: Any) -> bool:
    return isinstance(indices, np.ndarray) and indices.ndim == 1 and indices.dtype.kind in "iu"


def _are_indices(indices: Any, n_entries: int, length: int) -> bool:
    if not _are_integers(indices) or len(indices) != n_entries:
        return False
    return n_entries == 0 or bool(indices.min() >= 0 and indices.max() < length)
