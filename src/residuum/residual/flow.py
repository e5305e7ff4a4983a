"""Flow of groups of vectors to places dealt at random, until nearest neighbors no longer tell the groups apart."""

import numpy as np
from numpy.typing import NDArray

__all__ = ["flow", "separation"]

_MOST_ROUNDS = 500
_ROUNDS_PER_CHECK = 10
_CHECKED_NODES = 2000
# Standard deviations of permuted groups.
_AT_CHANCE = 1.0


def flow(
    X: NDArray[np.float64],
    codes: NDArray[np.int64],
    places: NDArray[np.float64],
    owner: NDArray[np.int64],
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Move each group towards its places, by sliced transport.

    In each round, the coordinates of a group along orthogonal directions become those of its places, in the same order.
    The directions are the axes and those of a random rotation in turn. Nodes that are close stay close, unlike nodes
    that take a place each. The rounds end when the nearest neighbor predicts the group no better than chance.

    Parameters
    ----------
    X : array of shape (n, K)
        Vectors of the nodes.
    codes : array of shape (n,)
        Group of each node.
    places : array of shape (n, K)
        Places.
    owner : array of shape (n,)
        Group that owns each place; a group owns as many places as it has nodes.
    rng : numpy Generator
        Random state.

    Returns
    -------
    array of shape (n, K)
        Moved vectors.

    Examples
    --------
    >>> X, codes = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([0, 0, 1, 1])
    >>> flow(X, codes, X, np.array([0, 1, 0, 1]), np.random.default_rng(0)).ravel()
    array([0., 2., 1., 3.])
    """
    groups = [(np.flatnonzero(codes == g), np.flatnonzero(owner == g)) for g in np.unique(codes)]
    moved = X
    for number in range(1, _MOST_ROUNDS + 1):
        rotation = np.linalg.qr(rng.standard_normal((X.shape[1], X.shape[1])))[0]
        moved = _sliced(moved @ rotation, places @ rotation, groups) @ rotation.T
        moved = _sliced(moved, places, groups)
        if number % _ROUNDS_PER_CHECK == 0 and separation(moved, codes) < _AT_CHANCE:
            break
    return moved


def _sliced(
    X: NDArray[np.float64], places: NDArray[np.float64], groups: list[tuple[NDArray[np.int64], NDArray[np.int64]]]
) -> NDArray[np.float64]:
    """Return vectors whose coordinates are those of the places of their group, in the same order."""
    moved = np.empty_like(X)
    for nodes, own in groups:
        order = np.argsort(X[nodes], axis=0)
        moved[nodes[order], np.arange(X.shape[1])] = np.sort(places[own], axis=0)
    return moved


def separation(X: NDArray[np.float64], codes: NDArray[np.int64]) -> float:
    """Return how well the nearest neighbor predicts the group, in standard deviations of permuted groups.

    Parameters
    ----------
    X : array of shape (n, K)
        Vectors; at most 2,000 are used, and standardized.
    codes : array of shape (n,)
        Group of each vector.

    Returns
    -------
    float
        About 0 if groups have the same distribution, above 2 if not.

    Examples
    --------
    >>> separation(np.array([[0.0], [0.1], [5.0], [5.1]]), np.array([0, 0, 1, 1])) > 1.5
    True
    """
    from scipy.spatial.distance import cdist

    rows = np.random.default_rng(0).permutation(len(X))[:_CHECKED_NODES]
    standardized = X[rows] / np.maximum(X[rows].std(axis=0), np.finfo(np.float64).tiny)
    distance = cdist(standardized, standardized, "sqeuclidean")
    np.fill_diagonal(distance, np.inf)
    groups = codes[rows]
    sizes = np.bincount(groups)
    chance = (sizes - 1) / max(len(rows) - 1, 1)
    hits = np.bincount(groups[groups[distance.argmin(axis=1)] == groups], minlength=len(sizes))
    present = sizes > 1
    recall = (hits[present] / sizes[present] - chance[present]).mean()
    deviation = np.sqrt((chance[present] * (1.0 - chance[present]) / sizes[present]).sum()) / max(present.sum(), 1)
    return float(recall / max(deviation, np.finfo(np.float64).tiny))
