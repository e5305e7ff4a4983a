"""Nearest neighbors of all rows of an array of vectors, by cosine."""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from residuum._kernels.nearest import largest_entries
from residuum._threads import even_ranges, run_ranges
from residuum._validation import check_integer
from residuum.errors import InvalidParameterError

__all__ = ["nearest_rows", "unit_rows"]

# Entries of the tile of cosines that is in memory.
_TILE = 10_000_000


def unit_rows(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return ``u_i / |u_i|``; zero vectors stay zero.

    Parameters
    ----------
    vectors : array of shape (N, K)
        One vector per row.

    Returns
    -------
    array of shape (N, K)
        Vectors of length 1 or 0.
    """
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(np.divide(vectors, norms, out=np.zeros_like(vectors), where=norms > 0))


def nearest_rows(vectors: NDArray[np.float64], n_neighbors: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the nonzero rows, and for each of them the other nonzero rows of highest cosine.

    Parameters
    ----------
    vectors : array of shape (N, K)
        One vector per row; zero rows have no direction and are ignored.
    n_neighbors : int
        Number of neighbors of each row.

    Returns
    -------
    rows : array of shape (n,)
        Indices of the nonzero rows.
    nearest : array of shape (n, n_neighbors)
        Indices of their neighbors, nearest first; of equally near rows, the first.
    """
    check_integer("n_neighbors", n_neighbors, minimum=1)
    nonzero = np.flatnonzero(vectors.any(axis=1))
    n_rows = len(nonzero)
    if n_neighbors >= n_rows:
        raise InvalidParameterError(
            f"n_neighbors must be below {n_rows}, the number of nodes with a nonzero vector; got {n_neighbors}."
        )
    unit = unit_rows(vectors[nonzero])
    nearest = np.empty((n_rows, n_neighbors), dtype=np.int64)
    height = max(1, _TILE // n_rows)
    for top in range(0, n_rows, height):
        own = np.arange(top, min(top + height, n_rows))
        cosine, columns = unit[own] @ unit.T, nearest[own[0] : own[-1] + 1]
        run_ranges(partial(largest_entries, cosine, own, columns), even_ranges(len(own), cosine.size))
    return nonzero, nonzero[nearest]
