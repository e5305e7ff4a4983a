"""How many triangles of a graph its degrees explain, from pairs of neighbors of a node."""

from dataclasses import dataclass
from functools import singledispatch

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from residuum.graph.graph import Graph

__all__ = ["Wedges", "explained_share", "has_entries", "triangles_by_degree"]

# Sampled wedges; graphs with fewer are counted completely.
_MOST_WEDGES = 1 << 18
# Standard deviations of the expected number of triangles that are allowed for chance.
_DEVIATIONS = 2.0


@dataclass(frozen=True)
class Wedges:
    """Pairs of neighbors of a node: the two steps of a walk that starts along an edge and does not turn back.

    Attributes
    ----------
    centers : int array of shape (n,)
        Positions of the nodes between the neighbors, in increasing order.
    first, second : int arrays of shape (n,)
        Places of the two neighbors among the entries of the row of the adjacency matrix.
    weights : array of shape (n,)
        How often a walk takes each of them, up to a common factor.

    Examples
    --------
    >>> wedges = Wedges.sample(np.array([3, 1, 2]))
    >>> wedges.centers, wedges.first, wedges.second
    (array([0, 0, 0, 2]), array([0, 0, 1, 0]), array([1, 2, 2, 1]))
    >>> wedges.weights
    array([0.5, 0.5, 0.5, 1. ])
    """

    centers: NDArray[np.int64]
    first: NDArray[np.int64]
    second: NDArray[np.int64]
    weights: NDArray[np.float64]

    @classmethod
    def sample(cls, entries: NDArray[np.int64]) -> "Wedges":
        """Return all wedges with their weights, or 2¹⁸ of them as walks would take them, the same for every run.

        Parameters
        ----------
        entries : int array of shape (N,)
            Number of entries of each row.

        Returns
        -------
        Wedges
            The wedges.
        """
        entries = entries.astype(np.int64)
        # In floating point first: the number of all wedges of a large graph may be beyond 64 bits.
        if float(entries @ (entries - 1.0)) / 2.0 <= _MOST_WEDGES:
            return cls._all(entries)
        return cls._drawn(entries)

    @classmethod
    def _all(cls, entries: NDArray[np.int64]) -> "Wedges":
        counts = entries * (entries - 1) // 2
        centers = np.repeat(np.arange(len(entries)), counts)
        inside = np.arange(len(centers)) - np.repeat(np.cumsum(counts) - counts, counts)
        # The pair (p, q) with p < q has the number q (q − 1) / 2 + p; the root is exact for numbers this small.
        second = ((1.0 + np.sqrt(1.0 + 8.0 * inside)) / 2.0).astype(np.int64)
        return cls(
            centers, inside - second * (second - 1) // 2, second, 1.0 / (entries[centers] - 1).astype(np.float64)
        )

    @classmethod
    def _drawn(cls, entries: NDArray[np.int64]) -> "Wedges":
        rng = np.random.default_rng(0)
        rows = np.flatnonzero(entries > 1)
        ends = np.cumsum(entries[rows])
        numbers = np.sort(rng.integers(ends[-1], size=_MOST_WEDGES))
        chosen = np.searchsorted(ends, numbers, side="right")
        centers = rows[chosen]
        first = numbers - (ends - entries[rows])[chosen]
        second = rng.integers(entries[centers] - 1)
        return cls(centers, first, second + (second >= first), np.ones(len(centers)))


def explained_share(
    degrees: NDArray[np.float64],
    i: NDArray[np.int64],
    j: NDArray[np.int64],
    closed: NDArray[np.bool_],
    weights: NDArray[np.float64],
) -> float:
    """Return the expected share of closed wedges, and two standard deviations, divided by the observed share.

    Two neighbors of a node have ``x = (k_i − 1) (k_j − 1) / Σk`` expected edges between them in the configuration
    model, and are connected with a probability of about ``x / (1 + x)`` where no pair has two edges. In dense graphs
    this is too low, by a factor of about ``1 + x``.

    Parameters
    ----------
    degrees : array of shape (N,)
        Number of neighbors of each node, without self-loops.
    i, j : int arrays of shape (n,)
        Positions of the two neighbors.
    closed : bool array of shape (n,)
        Whether there is an edge between them.
    weights : array of shape (n,)
        Weight of each wedge.

    Returns
    -------
    float
        At most 1; 1 if no wedge is closed.

    Examples
    --------
    >>> degrees, ones = np.full(50, 6.0), np.ones(1000)
    >>> zeros = np.zeros(1000, dtype=int)
    >>> round(explained_share(degrees, zeros, zeros + 1, np.arange(1000) < 400, ones), 2)
    0.27
    """
    observed = float(weights @ closed)
    if not observed:
        return 1.0
    pairs = (degrees[i] - 1.0) * (degrees[j] - 1.0) / degrees.sum()
    probability = pairs / (1.0 + pairs)
    # A triangle has three wedges, so that their number varies more than that of independent events.
    chance = _DEVIATIONS * float(np.sqrt(3.0 / probability.sum()))
    return min(1.0, float(weights @ probability) * (1.0 + chance) / observed)


@singledispatch
def triangles_by_degree(graph: Graph) -> float:
    """Return the share of the triangles of a graph that its degrees explain; 1 if it has as many as they do, or fewer.

    Observed and expected triangles are those that a walk meets with two steps: counted per edge, not per pair of
    neighbors, most of which are neighbors of the same few hubs. Weights and self-loops do not count. Graphs whose edges
    are stored elsewhere register their own implementation.

    Parameters
    ----------
    graph : Graph
        Undirected graph.

    Returns
    -------
    float
        Above 0 and at most 1; 1 also for a graph without triangles.

    Examples
    --------
    >>> from residuum import datasets
    >>> round(triangles_by_degree(datasets.les_miserables()), 2)
    0.29
    """
    adjacency = graph.adjacency
    indptr, indices = adjacency.indptr, adjacency.indices
    entries = np.diff(indptr).astype(np.int64)
    wedges = Wedges.sample(entries)
    begin = indptr[wedges.centers]
    i, j = (indices[begin + place].astype(np.int64) for place in (wedges.first, wedges.second))
    valid = (i != wedges.centers) & (j != wedges.centers)
    degrees = (entries - (adjacency.diagonal() != 0.0)).astype(np.float64)
    i, j = i[valid], j[valid]
    return explained_share(degrees, i, j, has_entries(adjacency, i, j), wedges.weights[valid])


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
