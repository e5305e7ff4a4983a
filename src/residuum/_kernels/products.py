"""Sparse-dense products of a random walk over a range of rows; each row is summed in a fixed order."""

import numba
import numpy as np

__all__ = ["row_chunks", "walk_step"]

# Longer rows are summed in chunks of this many neighbors; the sums of the chunks are added in float64.
_CHUNK = 1024


# Largest number of chunks of rows, and the multiply-adds in each.
_N_CHUNKS, _WORTH_CHUNKS = 32, 400_000


def row_chunks(indptr, width):
    """Return the bounds of chunks of rows with about the same number of entries; one chunk if a product is small.

    Parameters
    ----------
    indptr : int array of shape (n + 1,)
        CSR row pointers, not necessarily from 0.
    width : int
        Number of columns of the dense factor.
    """
    first, last = int(indptr[0]), int(indptr[-1])
    n_chunks = min((last - first) * width // _WORTH_CHUNKS, _N_CHUNKS)
    if n_chunks < 2:
        return np.array([0, len(indptr) - 1])
    inner = np.searchsorted(indptr, np.linspace(first, last, n_chunks + 1)[1:-1], side="left")
    return np.concatenate([[0], inner, [len(indptr) - 1]]).astype(np.int64)


@numba.njit(fastmath={"contract", "reassoc"}, cache=True, inline="always")
def _add_weighted(indices, weights, begin, end, X, out):
    """``out += Σ_e weights[e] X[indices[e]]``, up to eight neighbors at a time to limit memory traffic on ``out``."""
    width = X.shape[1]
    e = begin
    while e + 8 <= end:
        j0, j1, j2, j3 = indices[e], indices[e + 1], indices[e + 2], indices[e + 3]
        j4, j5, j6, j7 = indices[e + 4], indices[e + 5], indices[e + 6], indices[e + 7]
        w0, w1, w2, w3 = weights[e], weights[e + 1], weights[e + 2], weights[e + 3]
        w4, w5, w6, w7 = weights[e + 4], weights[e + 5], weights[e + 6], weights[e + 7]
        for k in range(width):
            out[k] += ((w0 * X[j0, k] + w1 * X[j1, k]) + (w2 * X[j2, k] + w3 * X[j3, k])) + (
                (w4 * X[j4, k] + w5 * X[j5, k]) + (w6 * X[j6, k] + w7 * X[j7, k])
            )
        e += 8
    while e + 2 <= end:
        j0, j1 = indices[e], indices[e + 1]
        w0, w1 = weights[e], weights[e + 1]
        for k in range(width):
            out[k] += w0 * X[j0, k] + w1 * X[j1, k]
        e += 2
    if e < end:
        j, w = indices[e], weights[e]
        for k in range(width):
            out[k] += w * X[j, k]


@numba.njit(fastmath={"contract", "reassoc"}, cache=True, inline="always")
def _add_filled(indices, weights, begin, end, X, filled, out):
    """``out += Σ_e weights[e] X[indices[e]]`` over the rows of X that are not zero."""
    for e in range(begin, end):
        j, w = indices[e], weights[e]
        if filled[j]:
            for k in range(X.shape[1]):
                out[k] += w * X[j, k]


@numba.njit(fastmath={"contract", "reassoc"}, cache=True, inline="always")
def _sum_in_chunks(indices, weights, begin, end, X, total, out):
    """``out = Σ_e weights[e] X[indices[e]]`` of a long row, with the sums of its chunks added in float64."""
    total[:] = 0.0
    while begin < end:
        chunk_end = min(begin + _CHUNK, end)
        out[:] = 0.0
        _add_weighted(indices, weights, begin, chunk_end, X, out)
        for k in range(len(out)):
            total[k] += out[k]
        begin = chunk_end
    # Not out[:] = total: numba would compile an error message about the shapes, which takes two seconds.
    for k in range(len(out)):
        out[k] = total[k]


@numba.njit(nogil=True, fastmath={"contract", "reassoc"}, cache=True)
def walk_step(indptr, indices, weights, scale, X, filled, out, begin_row, end_row):
    """``out = scale ∘ (A X)``.

    Parameters
    ----------
    indptr, indices, weights : arrays
        CSR arrays of A, with float32 weights.
    scale : float32 array of shape (N,)
        Row factors.
    X : float32 array of shape (N, m)
        Dense factor.
    filled : bool array of shape (N,), or (0,)
        Rows of X that are not zero; the other rows are skipped. If empty, no row is skipped.
    out : float32 array of shape (N, m), written
    begin_row, end_row : int
        Range of rows to compute.
    """
    width = X.shape[1]
    total = np.empty(width, dtype=np.float64)
    for i in range(begin_row, end_row):
        row = out[i]
        begin, end = indptr[i], indptr[i + 1]
        row[:] = 0.0
        if len(filled) > 0:
            _add_filled(indices, weights, begin, end, X, filled, row)
        elif end - begin <= _CHUNK:
            _add_weighted(indices, weights, begin, end, X, row)
        else:
            _sum_in_chunks(indices, weights, begin, end, X, total, row)
        for k in range(width):
            row[k] *= scale[i]
