"""Flow of groups of vectors to places dealt at random, until nearest neighbors no longer tell the groups apart."""

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "MOST_ROUNDS",
    "ROUNDS_PER_CHECK",
    "checked_rows",
    "flow",
    "is_settled",
    "random_rotation",
    "separation",
    "sliced",
]

#: Maximum number of rounds.
MOST_ROUNDS = 500
#: Rounds between two checks.
ROUNDS_PER_CHECK = 10
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
    for number in range(1, MOST_ROUNDS + 1):
        rotation = random_rotation(X.shape[1], rng)
        moved = sliced(moved @ rotation, places @ rotation, groups) @ rotation.T
        moved = sliced(moved, places, groups)
        if number % ROUNDS_PER_CHECK == 0 and is_settled(moved[checked_rows(len(X))], codes[checked_rows(len(X))]):
            break
    return moved


def random_rotation(width: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Return a random orthogonal matrix.

    Parameters
    ----------
    width : int
        Number of dimensions K.
    rng : numpy Generator
        Random state.

    Returns
    -------
    array of shape (K, K)
        Orthogonal matrix.

    Examples
    --------
    >>> Q = random_rotation(3, np.random.default_rng(0))
    >>> np.allclose(Q @ Q.T, np.eye(3))
    True
    """
    return np.asarray(np.linalg.qr(rng.standard_normal((width, width)))[0])


def sliced(
    X: NDArray[np.float64], places: NDArray[np.float64], groups: list[tuple[NDArray[np.int64], NDArray[np.int64]]]
) -> NDArray[np.float64]:
    """Return vectors whose coordinates are those of the places of their group, in the same order.

    Parameters
    ----------
    X, places : arrays of shape (n, K)
        Vectors and places.
    groups : list of (int array, int array)
        Nodes and places of each group.

    Returns
    -------
    array of shape (n, K)
        Moved vectors; each coordinate depends on the same coordinate only.
    """
    moved = np.empty_like(X)
    for nodes, own in groups:
        order = np.argsort(X[nodes], axis=0)
        moved[nodes[order], np.arange(X.shape[1])] = np.sort(places[own], axis=0)
    return moved


def checked_rows(n_nodes: int) -> NDArray[np.int64]:
    """Return the nodes that decide when the flow ends, at most 2,000.

    Parameters
    ----------
    n_nodes : int
        Number of nodes.

    Returns
    -------
    int array
        Positions.
    """
    return np.random.default_rng(0).permutation(n_nodes)[:_CHECKED_NODES]


def is_settled(X: NDArray[np.float64], codes: NDArray[np.int64]) -> bool:
    """Return whether the nearest neighbor predicts the group no better than chance.

    Parameters
    ----------
    X : array of shape (n, K)
        Vectors of the checked nodes.
    codes : array of shape (n,)
        Group of each.

    Returns
    -------
    bool
        Whether to end the flow.
    """
    return separation(X, codes) < _AT_CHANCE


def separation(X: NDArray[np.float64], codes: NDArray[np.int64]) -> float:
    """Return how well the nearest neighbor predicts the group, in standard deviations of permuted groups.

    Parameters
    ----------
    X : array of shape (n, K)
        Vectors, which are standardized.
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

    standardized = X / np.maximum(X.std(axis=0), np.finfo(np.float64).tiny)
    distance = cdist(standardized, standardized, "sqeuclidean")
    np.fill_diagonal(distance, np.inf)
    sizes = np.bincount(codes)
    chance = (sizes - 1) / max(len(X) - 1, 1)
    hits = np.bincount(codes[codes[distance.argmin(axis=1)] == codes], minlength=len(sizes))
    present = sizes > 1
    recall = (hits[present] / sizes[present] - chance[present]).mean()
    deviation = np.sqrt((chance[present] * (1.0 - chance[present]) / sizes[present]).sum()) / max(present.sum(), 1)
    return float(recall / max(deviation, np.finfo(np.float64).tiny))
