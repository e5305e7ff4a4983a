"""Edge weights between groups of nodes."""

from functools import partial, singledispatch

import numpy as np
from numpy.typing import NDArray

from residuum._kernels.rows import add_between_groups
from residuum._threads import even_ranges, run_ranges
from residuum.graph.graph import Graph

__all__ = ["weight_between"]


@singledispatch
def weight_between(
    graph: Graph, groups: NDArray[np.int32], n_groups: int, factor: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """Return ``W[a, b] = Σ_{i ∈ a, j ∈ b} f_i A_ij``, the total weight of the edges from group a to group b.

    Graphs whose edges are stored elsewhere register their own implementation.

    Parameters
    ----------
    graph : Graph
        Graph of N nodes with adjacency A.
    groups : int array of shape (N,)
        Group of each node, 0, …, B − 1; edges of nodes with −1 are ignored.
    n_groups : int
        Number of groups B.
    factor : array of shape (N,), optional
        Factor f_i of each row; 1 by default.

    Returns
    -------
    array of shape (B, B)
        Rows are source groups, columns target groups.

    Examples
    --------
    >>> path = Graph([[0, 2, 0], [2, 0, 1], [0, 1, 0]])
    >>> weight_between(path, np.array([0, 0, 1], dtype=np.int32), 2)
    array([[4., 1.],
           [1., 0.]])
    """
    matrix = graph.adjacency
    # Nodes without a group form an extra group, which is dropped at the end.
    codes = np.where(groups < 0, n_groups, groups).astype(np.int32)
    n_codes = n_groups + bool((groups < 0).any())
    members = np.argsort(codes, kind="stable")
    starts = np.searchsorted(codes[members], np.arange(n_codes + 1))
    factor = np.ones(graph.n_nodes) if factor is None else factor
    out = np.empty((n_codes, n_codes))
    add = partial(add_between_groups, matrix.indptr, matrix.indices, matrix.data, factor, codes, members, starts, out)
    run_ranges(add, even_ranges(n_codes, matrix.nnz))
    return np.asarray(out[:n_groups, :n_groups])
