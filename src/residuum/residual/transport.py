"""Erasure of a distribution: groups of nodes are moved so that their vectors have the same distribution.

Each group first moves by an affine map to the barycenter of all groups, which equalizes means and covariances. Then
nodes exchange places: the places, which are the vectors of all nodes, are dealt to the groups at random, as many to
each as it has nodes, and each node moves to a place of its group such that the sum of squared distances is minimal.
Labels are thus a random permutation over the places, and every predictor of the label from the vectors performs as on
permuted labels. No node has a twin of another group, which would let predictors fall below chance.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from residuum.residual.cells import Cells
from residuum.residual.out_of_sample import OutOfSample

__all__ = ["AffineMaps", "Transport", "TransportedRows", "assign", "equalize", "exchange"]

_BARYCENTER_STEPS = 10
# Larger assignments are divided, because their cost grows with the third power.
_LARGEST_ASSIGNMENT = 1000
_NODES_AT_ONCE = 256
# Below this strength groups move only part of the way to their barycenter.
_FULL_SHIFT = 0.5


@dataclass(frozen=True)
class AffineMaps:
    """``x ↦ center + (x − mean_g) A_g``: the optimal maps of groups, taken as Gaussian, to their barycenter.

    Attributes
    ----------
    center : array of shape (K,)
        Mean of the barycenter.
    means : array of shape (G, K)
        Means of the groups.
    matrices : array of shape (G, K, K)
        Symmetric matrices A_g.

    Examples
    --------
    >>> X = np.array([[0.0], [2.0], [10.0], [14.0]])
    >>> maps = AffineMaps.fit(X, np.array([0, 0, 1, 1]), shrinkage=0.0)
    >>> maps.apply(X, np.array([0, 0, 1, 1])).ravel().round(3)
    array([5., 8., 5., 8.])
    """

    center: NDArray[np.float64]
    means: NDArray[np.float64]
    matrices: NDArray[np.float64]

    @classmethod
    def fit(cls, X: NDArray[np.float64], codes: NDArray[np.int64], shrinkage: float | None = None) -> "AffineMaps":
        """Return the maps of groups of vectors.

        Parameters
        ----------
        X : array of shape (n, K)
            Vectors.
        codes : array of shape (n,)
            Group of each vector, 0, …, G − 1.
        shrinkage : float, optional
            Number of vectors with the pooled covariance that are added to the covariance of each group; K by default.

        Returns
        -------
        AffineMaps
            One map per group.
        """
        sizes = np.bincount(codes)
        n_added = float(X.shape[1]) if shrinkage is None else shrinkage
        center = X.mean(axis=0)
        means = np.stack([X[codes == g].mean(axis=0) if size else center for g, size in enumerate(sizes)])
        centered = X - means[codes]
        pooled = centered.T @ centered / len(X)
        pooled += 1e-6 * (np.trace(pooled) / len(pooled) + np.finfo(np.float64).tiny) * np.eye(len(pooled))
        covariances = np.stack(
            [
                (centered[codes == g].T @ centered[codes == g] + n_added * pooled) / (size + n_added)
                for g, size in enumerate(sizes)
            ]
        )
        covariances += 1e-6 * pooled
        barycenter = _barycenter(covariances, sizes / sizes.sum())
        roots, inverses = _power(covariances, 0.5), _power(covariances, -0.5)
        matrices = inverses @ _power(roots @ barycenter @ roots, 0.5) @ inverses
        return cls(center, means, matrices)

    def apply(self, X: NDArray[np.float64], codes: NDArray[np.int64], strength: float = 1.0) -> NDArray[np.float64]:
        """Return ``x + strength (T_g(x) − x)``.

        Parameters
        ----------
        X : array of shape (m, K)
            Vectors.
        codes : array of shape (m,)
            Group of each vector.
        strength : float
            Share of the way.

        Returns
        -------
        array of shape (m, K)
            Moved vectors.
        """
        moved = X.copy()
        for g in np.unique(codes):
            rows = codes == g
            target = self.center + (X[rows] - self.means[g]) @ self.matrices[g]
            moved[rows] += strength * (target - X[rows])
        return moved


def _power(matrices: NDArray[np.float64], exponent: float) -> NDArray[np.float64]:
    values, vectors = np.linalg.eigh(matrices)
    floor = np.maximum(values[..., -1:] * 1e-12, np.finfo(np.float64).tiny)
    powers = np.maximum(values, floor) ** exponent
    return np.asarray((vectors * powers[..., None, :]) @ np.swapaxes(vectors, -1, -2))


def _barycenter(covariances: NDArray[np.float64], shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the covariance of the Wasserstein barycenter of centered Gaussians, by fixed-point steps."""
    barycenter = np.tensordot(shares, covariances, axes=1)
    for _ in range(_BARYCENTER_STEPS):
        root, inverse = _power(barycenter, 0.5), _power(barycenter, -0.5)
        inner = np.tensordot(shares, _power(root @ covariances @ root, 0.5), axes=1)
        barycenter = inverse @ inner @ inner @ inverse
    return np.asarray(barycenter)


def assign(points: NDArray[np.float64], places: NDArray[np.float64]) -> NDArray[np.int64]:
    """Assign each point to a place of its own, at a small sum of squared distances.

    The sum is minimal for at most 1,000 points. More points and places are split at their medians along the axis of
    largest variance first.

    Parameters
    ----------
    points : array of shape (n, K)
        Points.
    places : array of shape (n, K)
        As many places.

    Returns
    -------
    array of shape (n,)
        Index of the place of each point.

    Examples
    --------
    >>> assign(np.array([[0.0], [5.0], [1.0]]), np.array([[4.0], [1.0], [0.0]]))
    array([2, 0, 1])
    """
    from scipy.optimize import linear_sum_assignment  # slow to import, and needed here only
    from scipy.spatial.distance import cdist

    place_of = np.empty(len(points), dtype=np.int64)
    pending = [(np.arange(len(points)), np.arange(len(places)))]
    while pending:
        rows, columns = pending.pop()
        if len(rows) <= _LARGEST_ASSIGNMENT:
            here, there = linear_sum_assignment(cdist(points[rows], places[columns], "sqeuclidean"))
            place_of[rows[here]] = columns[there]
            continue
        axis = int(points[rows].var(axis=0).argmax())
        rows = rows[np.argsort(points[rows, axis], kind="stable")]
        columns = columns[np.argsort(places[columns, axis], kind="stable")]
        half = len(rows) // 2
        pending += [(rows[:half], columns[:half]), (rows[half:], columns[half:])]
    return place_of


def exchange(
    places: NDArray[np.float64], codes: NDArray[np.int64], share: float, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Deal the places of a random share of the nodes to the groups at random, and move nodes to places of their group.

    Parameters
    ----------
    places : array of shape (n, K)
        Vectors of the nodes.
    codes : array of shape (n,)
        Group of each node.
    share : float
        Share of the places that are dealt; the others stay with the group of their node.
    rng : numpy Generator
        Random state.

    Returns
    -------
    array of shape (n,)
        Index of the new place of each node, a permutation.

    Examples
    --------
    >>> exchange(np.array([[0.0], [1.0], [2.0]]), np.array([0, 1, 0]), share=0.0, rng=np.random.default_rng(0))
    array([0, 1, 2])
    """
    owner = codes.copy()
    dealt = rng.permutation(len(codes))[: round(share * len(codes))]
    owner[dealt] = codes[rng.permutation(dealt)]
    place_of = np.empty(len(codes), dtype=np.int64)
    for g in np.unique(codes):
        rows, columns = np.flatnonzero(codes == g), np.flatnonzero(owner == g)
        place_of[rows] = columns[assign(places[rows], places[columns])]
    return place_of


@dataclass(frozen=True)
class Transport:
    """Maps of vectors that give all cells of nodes the same distribution.

    Attributes
    ----------
    cells : Cells
        Cells of the nodes.
    maps : AffineMaps
        Maps of the vectors u.
    places : array of shape (n, K)
        Vectors u after the maps, of all nodes with a nonzero vector.
    strength : float
        From 0, no erasure, to 1.
    seed : int
        Seed for the places of out-of-sample nodes.

    Examples
    --------
    >>> from residuum import Residual2Vec, datasets
    >>> graph = datasets.karate_club()
    >>> model = Residual2Vec(4, erase="club", erase_level="distribution", random_state=0).fit(graph)
    >>> model.transform(graph.adjacency[:3], attributes={"club": ["Mr. Hi"] * 3}).shape
    (3, 4)
    """

    cells: Cells
    maps: AffineMaps
    places: NDArray[np.float64]
    strength: float
    seed: int

    def apply(self, X: NDArray[np.float64], codes: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the vectors of out-of-sample nodes.

        The affine map of the cell is applied. Then a share ``strength`` of the nodes moves to the nearest of a random
        sample of the places, as dense as the places of a cell.

        Parameters
        ----------
        X : array of shape (m, K)
            Vectors before erasure.
        codes : array of shape (m,)
            Cells of the nodes.

        Returns
        -------
        array of shape (m, K)
            Vectors after erasure.
        """
        from scipy.spatial.distance import cdist

        rng = np.random.default_rng(self.seed)
        moved = self.maps.apply(X, codes, _shift(self.strength))
        shares = np.bincount(self.cells.codes) / len(self.cells.codes)
        n_offered = max(1, round(float(shares @ shares) * len(self.places)))
        for begin in range(0, len(X), _NODES_AT_ONCE):
            rows = np.arange(begin, min(begin + _NODES_AT_ONCE, len(X)))
            offered = rng.choice(self.places, n_offered, replace=False)
            rows = rows[rng.random(len(rows)) < self.strength]
            moved[rows] = offered[cdist(moved[rows], offered, "sqeuclidean").argmin(axis=1)]
        return moved


def equalize(
    u: NDArray[np.float32],
    v: NDArray[np.float32],
    cells: Cells,
    strength: float,
    rng: np.random.Generator,
) -> tuple[NDArray[np.float32], NDArray[np.float32], Transport]:
    """Give the vectors of all cells of nodes the same distribution.

    Embedding and context vectors of a node move together, so that attackers who see both, or the scores ``u · v``, find
    no more than attackers who see one.

    Parameters
    ----------
    u, v : arrays of shape (N, K)
        Embedding and context vectors; nodes with two zero vectors keep them.
    cells : Cells
        Cells of the nodes.
    strength : float
        Share of the nodes that exchange places; from 0.5, all nodes are also moved to the barycenter of the cells.
    rng : numpy Generator
        Random state.

    Returns
    -------
    u, v : arrays of shape (N, K)
        Vectors after erasure.
    transport : Transport
        Maps for out-of-sample nodes.

    Examples
    --------
    >>> from residuum import Residual2Vec, datasets
    >>> model = Residual2Vec(4, erase="club", erase_level="distribution", random_state=0).fit(datasets.karate_club())
    >>> model.embedding_.shape
    (34, 4)
    """
    active = np.flatnonzero(u.any(axis=1) | v.any(axis=1))
    codes = cells.codes[active]
    moved = []
    for X in (u, v):
        maps = AffineMaps.fit(X[active].astype(np.float64), codes)
        moved.append((maps, maps.apply(X[active].astype(np.float64), codes, _shift(strength))))
    place_of = exchange(np.concatenate([places for _, places in moved], axis=1), codes, strength, rng)
    results = []
    for X, (_, places) in zip((u, v), moved, strict=True):
        result = X.copy()
        result[active] = places[place_of]
        results.append(result)
    maps, places = moved[0]
    return results[0], results[1], Transport(cells, maps, places, strength, int(rng.integers(2**63)))


def _shift(strength: float) -> float:
    return min(1.0, strength / _FULL_SHIFT)


@dataclass(frozen=True)
class TransportedRows(OutOfSample):
    """Vectors of out-of-sample nodes, moved as those of the nodes of the graph.

    Attributes
    ----------
    rows : OutOfSample
        Embeds the nodes before erasure.
    transport : Transport
        Maps of the vectors.

    Examples
    --------
    >>> from residuum import Residual2Vec, datasets
    >>> graph = datasets.karate_club()
    >>> model = Residual2Vec(4, erase="degree", erase_level="distribution", random_state=0).fit(graph)
    >>> model.transform(graph.adjacency[:3]).shape
    (3, 4)
    """

    rows: OutOfSample
    transport: Transport

    def embed(
        self,
        edges: "sparse.csr_array[Any]",
        groups: ArrayLike | None = None,
        attributes: Mapping[str, ArrayLike] | None = None,
    ) -> NDArray[np.float32]:
        """Return the vectors of out-of-sample nodes."""
        codes = self.transport.cells.new_codes(attributes, edges, groups)
        vectors = self.rows.embed(edges, groups, attributes)
        linked = np.flatnonzero(np.diff(edges.indptr))
        vectors[linked] = self.transport.apply(vectors[linked].astype(np.float64), codes[linked])
        return vectors
