"""Small graphs with one difficulty each."""

import numpy as np

from residuum import Graph
from residuum.nulls import FittedNull


def _random(n, density, seed, *, directed=False, weighted=True, scale=1.0):
    rng = np.random.default_rng(seed)
    A = (rng.random((n, n)) < density) * (rng.random((n, n)) * 3 + 0.1 if weighted else 1.0)
    np.fill_diagonal(A, 0)
    A = A if directed else np.triu(A) + np.triu(A).T
    ring = np.roll(np.eye(n), 1, axis=1)
    return scale * (A + (ring if directed else ring + ring.T))


def _disconnected():
    A = np.zeros((22, 22))
    A[:10, :10] = _random(10, 0.4, 3)
    A[10:, 10:] = _random(12, 0.3, 4)
    return A


def _isolated():
    A = np.zeros((20, 20))
    keep = np.setdiff1d(np.arange(20), [3, 19])
    A[np.ix_(keep, keep)] = _random(18, 0.3, 5)
    return A


def _loops():
    A = _random(18, 0.25, 6)
    A[2, 2], A[7, 7] = 1.5, 4.0
    return A


def _dangling():
    A = _random(20, 0.2, 8, directed=True)
    A[[4, 11]] = 0.0
    return A


def graph_cases():
    """Return the cases by name."""
    return {
        "unweighted": Graph(_random(20, 0.2, 0, weighted=False)),
        "weighted": Graph(_random(20, 0.2, 1)),
        "weights below one": Graph(_random(20, 0.2, 1, scale=1e-3)),
        "directed": Graph(_random(20, 0.2, 2, directed=True), directed=True),
        "disconnected": Graph(_disconnected()),
        "isolated nodes": Graph(_isolated()),
        "self-loops": Graph(_loops()),
        "dangling nodes": Graph(_dangling(), directed=True),
    }


def labels_for(graph):
    """Return three groups of nodes, of different sizes."""
    return np.array(["a", "b", "c", "a", "a"])[np.arange(graph.n_nodes) % 5]


class OpaqueNull(FittedNull):
    """A null model that hides its block form."""

    def __init__(self, null):
        self._null = null
        self.offset, self.source_offset, self.symmetric = null.offset, null.source_offset, null.symmetric

    def log_probability(self, rows, columns):
        return self._null.log_probability(rows, columns)

    def sample(self, centers, rng):
        return self._null.sample(centers, rng)
