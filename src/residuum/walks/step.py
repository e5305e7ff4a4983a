"""One step of many walkers: a sparse product in several threads."""

import itertools
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from residuum._kernels.products import row_chunks, walk_step
from residuum._memory import release_pages
from residuum._threads import in_threads, n_threads, run_ranges

__all__ = ["ALL_ROWS", "Step"]

# Mapped arrays of edges above this size are released after use, so that they do not take the memory of the tiles.
_KEPT_BYTES = 1 << 30
#: Mask of a matrix none of whose rows are skipped.
ALL_ROWS = np.empty(0, dtype=np.bool_)


class Step:
    """``X ↦ scale ∘ (A X)``, one step of all walkers.

    Parameters
    ----------
    matrix : csr array of shape (N, N)
        Structure of A.
    weights : float32 array of shape (nnz,)
        Entries of A.
    scale : float32 array of shape (N,)
        Factor of each row.

    Examples
    --------
    >>> A = sparse.csr_array(np.array([[0.0, 2.0], [2.0, 0.0]], dtype=np.float32))
    >>> out = np.empty((2, 1), dtype=np.float32)
    >>> Step(A, A.data, np.full(2, 0.5, dtype=np.float32)).multiply(np.array([[1], [3]], dtype=np.float32), out)
    >>> out.ravel()
    array([3., 1.], dtype=float32)
    """

    def __init__(
        self, matrix: "sparse.csr_array[Any]", weights: NDArray[np.float32], scale: NDArray[np.float32]
    ) -> None:
        self.indptr = matrix.indptr
        self.indices = matrix.indices
        self.weights = weights
        self.scale = scale

    def multiply(
        self, X: NDArray[np.float32], out: NDArray[np.float32], nonempty: NDArray[np.bool_] = ALL_ROWS
    ) -> None:
        """Compute a step.

        Parameters
        ----------
        X : float32 array of shape (N, m)
            Matrix to multiply.
        out : float32 array of shape (N, m)
            Output array, overwritten with the product.
        nonempty : bool array of shape (N,), optional
            Marks the nonzero rows of X, so that the others are skipped.
        """
        step = partial(walk_step, self.indptr, self.indices, self.weights, self.scale, X, nonempty, out)
        if self.indices.nbytes <= _KEPT_BYTES:
            run_ranges(step, [0, len(X)] if n_threads() == 1 else row_chunks(self.indptr, X.shape[1]))
            return

        def step_and_release(rows: tuple[int, int]) -> None:
            step(*rows)
            entries = self.indptr[rows[0]], self.indptr[rows[1]]
            release_pages(self.indices, *entries)
            release_pages(self.weights, *entries)

        for _ in in_threads(step_and_release, itertools.pairwise(row_chunks(self.indptr, X.shape[1]).tolist())):
            pass
