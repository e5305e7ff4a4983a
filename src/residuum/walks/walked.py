"""Window probabilities as counted on random walks."""

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from residuum.walks.window import WindowProbabilities

__all__ = ["WalkedProbabilities"]

_WALKERS_AT_ONCE = 1 << 20
_MOST_BALANCING = 200
_BALANCED = 1e-6


class WalkedProbabilities:
    """``P_d(j | i) ≈ (walkers from i that end at j) / n_walks``, each after a number of steps drawn from the window.

    Memory and time grow with ``N n_walks``, whatever the window reaches: where most nodes are within reach of each
    other this is far less than N². On an undirected graph ``d_i P_d(j | i)`` is symmetric, and the walkers of both
    directions are counted together.

    Parameters
    ----------
    chain : WindowProbabilities
    n_walks : int
        Walkers from each node.
    seed : int
        The same walks for the same seed.

    Examples
    --------
    >>> from residuum.graph import Graph
    >>> path = Graph([[0, 1, 0], [1, 0, 1], [0, 1, 0]])
    >>> walked = WalkedProbabilities(WindowProbabilities(path, window=1), n_walks=10_000, seed=0)
    >>> walked.rows([1]).round(1)
    array([[0.5, 0. , 0.5]], dtype=float32)
    """

    def __init__(self, chain: WindowProbabilities, n_walks: int, seed: int) -> None:
        self.chain = chain
        self.n_walks = n_walks
        self.seed = seed

    def columns(self, columns: ArrayLike) -> NDArray[np.float32]:
        """Return ``P_d(j | i)`` for every centre i and the given targets j, shape (N, m)."""
        return np.asarray(self._by_target[:, np.asarray(columns)].toarray())

    def rows(self, rows: ArrayLike) -> NDArray[np.float32]:
        """Return ``P_d(j | i)`` for the given centres i and every target j, shape (m, N)."""
        return np.asarray(self._by_centre[np.asarray(rows)].toarray())

    @cached_property
    def _by_target(self) -> "sparse.csc_array[Any]":
        return self._by_centre.tocsc()

    @cached_property
    def _by_centre(self) -> "sparse.csr_array[Any]":
        rng = np.random.default_rng(self.seed)
        graph, teleport = self.chain.graph, self.chain.teleport
        leaving = graph.out_strength > 0
        if teleport is not None:
            leaving |= teleport.probability > 0
        starts = np.flatnonzero(leaving)
        n_nodes = graph.n_nodes
        counts: Any = sparse.csr_array((n_nodes, n_nodes), dtype=np.float32)
        per_part = max(1, _WALKERS_AT_ONCE // self.n_walks)
        for begin in range(0, len(starts), per_part):
            walkers = np.repeat(starts[begin : begin + per_part], self.n_walks)
            ends = self.chain.walk_ends(walkers, rng)
            share = np.full(len(walkers), 1.0 / self.n_walks, dtype=np.float32)
            counts += sparse.coo_array((share, (walkers, ends)), shape=(n_nodes, n_nodes)).tocsr()
        return sparse.csr_array(counts) if graph.directed else _pooled(counts, graph.out_strength)


def _pooled(counts: Any, strength: NDArray[np.float64]) -> "sparse.csr_array[Any]":
    """Return the mean of the estimates from both ends, ``(P_ij + P_ji d_j / d_i) / 2``, with rows that sum to one.

    The symmetric flow ``d_i P_ij`` is scaled on both sides (Sinkhorn's balancing) until what leaves a node is d_i.
    """
    flow = sparse.diags_array(strength) @ counts
    flow = sparse.csr_array((flow + flow.T) / 2)
    scale = np.ones(len(strength))
    for _ in range(_MOST_BALANCING):
        leaving = scale * (flow @ scale)
        ratio = np.divide(strength, leaving, out=np.ones_like(strength), where=leaving > 0)
        if np.abs(ratio - 1.0).max() < _BALANCED:
            break
        scale *= np.sqrt(ratio)
    inverse = np.divide(scale, strength, out=np.zeros_like(strength), where=strength > 0)
    pooled = sparse.diags_array(inverse) @ flow @ sparse.diags_array(scale)
    return sparse.csr_array(pooled.astype(np.float32))
