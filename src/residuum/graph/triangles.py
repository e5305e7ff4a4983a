"""Triangles of a graph compared with those of the configuration model, from a sample of pairs of neighbors."""

from dataclasses import dataclass
from functools import singledispatch

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from residuum.graph.graph import Graph

__all__ = ["WedgeCounts", "Wedges", "has_entries", "triangle_deficit"]

# Sampled wedges; graphs with fewer are counted completely.
_MOST_WEDGES = 1 << 18
# Standard deviations of the expected number that may be chance.
_DEVIATIONS = 2.0


@dataclass(frozen=True)
class Wedges:
    """Pairs of neighbors of a node, as places in its row of the adjacency matrix.

    Attributes
    ----------
    centers : int array of shape (n,)
        Positions of the nodes, in increasing order.
    first, second : int arrays of shape (n,)
        Places of the two neighbors among the entries of the row.

    Examples
    --------
    >>> wedges = Wedges.sample(np.array([3, 1, 2]))
    >>> wedges.centers, wedges.first, wedges.second
    (array([0, 0, 0, 2]), array([0, 0, 1, 0]), array([1, 2, 2, 1]))
    """

    centers: NDArray[np.int64]
    first: NDArray[np.int64]
    second: NDArray[np.int64]

    @classmethod
    def sample(cls, entries: NDArray[np.int64]) -> "Wedges":
        """Return all wedges, or a quarter of a million drawn uniformly, the same for every run.

        Parameters
        ----------
        entries : int array of shape (N,)
            Number of entries of each row.

        Returns
        -------
        Wedges
            The wedges.
        """
        counts = entries.astype(np.int64) * (entries - 1) // 2
        ends = np.cumsum(counts)
        total = int(ends[-1])
        if total <= _MOST_WEDGES:
            numbers = np.arange(total)
        else:
            numbers = np.sort(np.random.default_rng(0).integers(total, size=_MOST_WEDGES))
        centers = np.searchsorted(ends, numbers, side="right")
        inside = numbers - (ends - counts)[centers]
        # The pair (p, q) with p < q has the number q (q − 1) / 2 + p; the root may be off by rounding.
        second = ((1.0 + np.sqrt(1.0 + 8.0 * inside)) / 2.0).astype(np.int64)
        second -= second * (second - 1) // 2 > inside
        second += second * (second + 1) // 2 <= inside
        return cls(centers, inside - second * (second - 1) // 2, second)


@dataclass(frozen=True)
class WedgeCounts:
    """What the ratio of expected and observed triangles needs.

    Attributes
    ----------
    wedges : int
        Number of wedges in the sample, without self-loops.
    closed : int
        How many of them have an edge between the two neighbors.
    degrees, pairs : float
        ``Σ_i k_i`` and ``Σ_i k_i (k_i − 1)``, without self-loops.

    Examples
    --------
    >>> WedgeCounts(wedges=10_000, closed=100, degrees=1e4, pairs=3e5).deficit
    8.4
    """

    wedges: int
    closed: int
    degrees: float
    pairs: float

    @property
    def deficit(self) -> float:
        """Expected number of triangles, less two standard deviations, divided by the observed one; at least 1."""
        if not self.pairs:
            return 1.0
        expected = self.wedges * (self.pairs / self.degrees) ** 2 / self.degrees
        return max(1.0, (expected - _DEVIATIONS * float(np.sqrt(expected))) / max(self.closed, 1))


@singledispatch
def triangle_deficit(graph: Graph) -> float:
    """Return how many times fewer triangles a graph has than its degrees explain; 1 if it has as many or more.

    The configuration model closes a share ``(Σ k (k − 1))² / (Σ k)³`` of all pairs of neighbors. Graphs of hubs whose
    neighbors are not connected, and bipartite graphs, close fewer. Weights and self-loops do not count. Graphs whose
    edges are stored elsewhere register their own implementation.

    Parameters
    ----------
    graph : Graph
        Undirected graph.

    Returns
    -------
    float
        At least 1.

    Examples
    --------
    >>> from residuum import datasets
    >>> triangle_deficit(datasets.les_miserables())
    1.0
    """
    adjacency = graph.adjacency
    indptr, indices = adjacency.indptr, adjacency.indices
    entries = np.diff(indptr).astype(np.int64)
    wedges = Wedges.sample(entries)
    begin = indptr[wedges.centers]
    i, j = (indices[begin + place].astype(np.int64) for place in (wedges.first, wedges.second))
    valid = (i != wedges.centers) & (j != wedges.centers)
    degrees = entries - (adjacency.diagonal() != 0)
    closed = has_entries(adjacency, i[valid], j[valid])
    pairs = float(np.sum(degrees * (degrees - 1.0)))
    return WedgeCounts(int(valid.sum()), int(closed.sum()), float(degrees.sum()), pairs).deficit


def has_entries(matrix: "sparse.csr_array", rows: NDArray[np.int64], columns: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return whether a matrix has entries at some places.

    Parameters
    ----------
    matrix : csr array of shape (M, N)
        Matrix without explicit zeros.
    rows, columns : int arrays of shape (n,)
        Places.

    Returns
    -------
    bool array of shape (n,)
        Whether there is an entry.

    Examples
    --------
    >>> has_entries(sparse.csr_array(np.eye(2)), np.array([0, 0]), np.array([0, 1]))
    array([ True, False])
    """
    if not len(rows):
        return np.zeros(0, dtype=np.bool_)
    return np.asarray(np.asarray(matrix[rows, columns]).ravel() != 0)
