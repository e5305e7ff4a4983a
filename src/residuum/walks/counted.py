"""Window probabilities estimated from random walks."""

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from residuum.walks.ends import walk_ends
from residuum.walks.window import WindowProbabilities

__all__ = ["CountedProbabilities"]

_WALKERS_PER_CHUNK = 1 << 20
_MAX_BALANCING_STEPS = 200
_BALANCING_TOLERANCE = 1e-6


class CountedProbabilities:
    """``P_d(j | i) ≈ (walks from i that end at j) / n_walks``, with walk lengths sampled from the window weights.

    Memory and time are O(N n_walks) for any window, which is far below N² if most nodes are within the window of each
    other. On an undirected graph ``d_i P_d(j | i)`` is symmetric, and the counts of both directions are averaged.

    Parameters
    ----------
    chain : WindowProbabilities
        Graph and window of the walks.
    n_walks : int
        Number of walks from each node.
    seed : int
        Seed of the walks, which are generated at the first call of :meth:`rows` or :meth:`columns`.

    Examples
    --------
    >>> from residuum.datasets import karate_club
    >>> from residuum.walks import CountedProbabilities, WindowProbabilities
    >>> exact = WindowProbabilities(karate_club(), window=3)
    >>> counted = CountedProbabilities(exact, n_walks=10_000, seed=0)
    >>> bool(abs(counted.rows([0]) - exact.rows([0])).max() < 0.01)
    True
    """

    def __init__(self, chain: WindowProbabilities, n_walks: int, seed: int) -> None:
        self.chain = chain
        self.n_walks = n_walks
        self.seed = seed

    def columns(self, columns: ArrayLike) -> NDArray[np.float32]:
        """Return the estimates of ``P_d(j | i)`` for all centers i and some contexts j.

        Parameters
        ----------
        columns : int array of shape (m,)
            Positions of the contexts j.

        Returns
        -------
        float32 array of shape (N, m)
            Shares of the walks from i that end at j.
        """
        return np.asarray(self._by_context[:, np.asarray(columns)].toarray())

    def rows(self, rows: ArrayLike) -> NDArray[np.float32]:
        """Return the estimates of ``P_d(j | i)`` for some centers i and all contexts j.

        Parameters
        ----------
        rows : int array of shape (m,)
            Positions of the centers i.

        Returns
        -------
        float32 array of shape (m, N)
            Shares of the walks from i that end at j.
        """
        return np.asarray(self._by_center[np.asarray(rows)].toarray())

    @cached_property
    def _by_context(self) -> "sparse.csc_array[Any]":
        return self._by_center.tocsc()

    @cached_property
    def _by_center(self) -> "sparse.csr_array[Any]":
        rng = np.random.default_rng(self.seed)
        graph = self.chain.graph
        starts = np.flatnonzero(self.chain.takes_steps)
        n_nodes = graph.n_nodes
        counts: Any = sparse.csr_array((n_nodes, n_nodes), dtype=np.float32)
        chunk_size = max(1, _WALKERS_PER_CHUNK // self.n_walks)
        for begin in range(0, len(starts), chunk_size):
            walkers = np.repeat(starts[begin : begin + chunk_size], self.n_walks)
            ends = walk_ends(self.chain, walkers, rng)
            share = np.full(len(walkers), 1.0 / self.n_walks, dtype=np.float32)
            counts += sparse.coo_array((share, (walkers, ends)), shape=(n_nodes, n_nodes)).tocsr()
        return sparse.csr_array(counts) if graph.directed else _pooled(counts, graph.out_strength)


def _pooled(counts: Any, strength: NDArray[np.float64]) -> "sparse.csr_array[Any]":
    """Return the average of both directions, ``(P_ij + P_ji d_j / d_i) / 2``, with rows that sum to 1.

    Sinkhorn balancing scales rows and columns of the symmetric flow ``d_i P_ij`` until row i sums to d_i.
    """
    flow = sparse.diags_array(strength) @ counts
    flow = sparse.csr_array((flow + flow.T) / 2)
    scale = np.ones(len(strength))
    for _ in range(_MAX_BALANCING_STEPS):
        row_sums = scale * (flow @ scale)
        ratio = np.divide(strength, row_sums, out=np.ones_like(strength), where=row_sums > 0)
        if np.abs(ratio - 1.0).max() < _BALANCING_TOLERANCE:
            break
        scale *= np.sqrt(ratio)
    inverse = np.divide(scale, strength, out=np.zeros_like(strength), where=strength > 0)
    pooled = sparse.diags_array(inverse) @ flow @ sparse.diags_array(scale)
    return sparse.csr_array(pooled.astype(np.float32))
