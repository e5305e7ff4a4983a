"""Groups of alike rows: k-means by BLAS products, deterministic given its generator."""

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

__all__ = ["k_means", "shares"]

_ROWS_AT_ONCE = 2048


def k_means(features: NDArray[np.float32], n_clusters: int, rng: np.random.Generator, rounds: int) -> NDArray[np.int64]:
    """Return labels ``argmin_c ‖x_i − centre_c‖²`` after some rounds of Lloyd's algorithm, shape (n,).

    The centres begin at sampled rows. A cluster that loses all its rows begins anew at another row.

    Parameters
    ----------
    features : array of shape (n, k)
    n_clusters : int
        As many as rows, or more: each row is a cluster of its own.
    rng : numpy Generator
    rounds : int
    """
    n_rows = len(features)
    if n_clusters >= n_rows:
        return np.arange(n_rows)
    if n_clusters == 1:
        return np.zeros(n_rows, dtype=np.int64)
    centres = features[rng.choice(n_rows, n_clusters, replace=False)]
    labels = _nearest(features, centres)
    for _ in range(rounds):
        sizes = np.bincount(labels, minlength=n_clusters)
        member = sparse.csr_array(
            (np.ones(n_rows, dtype=np.float32), (labels, np.arange(n_rows))), shape=(n_clusters, n_rows)
        )
        centres = (np.asarray(member @ features) / np.maximum(sizes, 1)[:, None]).astype(np.float32)
        empty = sizes == 0
        centres[empty] = features[rng.choice(n_rows, int(empty.sum()), replace=False)]
        labels = _nearest(features, centres)
    return labels


def _nearest(features: NDArray[np.float32], centres: NDArray[np.float32]) -> NDArray[np.int64]:
    """Return the nearest centre of each row."""
    labels = np.empty(len(features), dtype=np.int64)
    half = np.einsum("ck,ck->c", centres, centres) / 2
    across = np.ascontiguousarray(centres.T)
    for begin in range(0, len(features), _ROWS_AT_ONCE):
        part = slice(begin, begin + _ROWS_AT_ONCE)
        labels[part] = np.argmax(features[part] @ across - half, axis=1)
    return labels


def shares(sizes: NDArray[np.int64], total: int) -> NDArray[np.int64]:
    """Return how many of ``total`` each part gets in proportion to its size: at least 1, at most its size, 0 if empty.

    Examples
    --------
    >>> shares(np.array([60, 30, 10, 0]), 10)
    array([6, 3, 1, 0])
    """
    ideal = sizes * (total / max(int(sizes.sum()), 1))
    given = np.minimum(np.maximum(np.floor(ideal).astype(np.int64), 1), sizes)
    order = np.argsort(given - ideal, kind="stable")
    order = order[given[order] < sizes[order]]
    given[order[: max(total - int(given.sum()), 0)]] += 1
    return np.asarray(given)
