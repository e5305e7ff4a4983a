"""Affine maps of groups of vectors to their barycenter, which equalize means and covariances."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["AffineMaps"]

_BARYCENTER_STEPS = 10


@dataclass(frozen=True)
class AffineMaps:
    """``x ↦ center_g + (x − mean_g) A_g``: optimal maps of groups, taken as Gaussian.

    Attributes
    ----------
    centers : array of shape (G, K)
        Means of the groups after the maps.
    means : array of shape (G, K)
        Means of the groups before.
    matrices : array of shape (G, K, K)
        Matrices A_g.

    Examples
    --------
    >>> X = np.array([[0.0], [2.0], [10.0], [14.0]])
    >>> maps = AffineMaps.to_barycenter(X, np.array([0, 0, 1, 1]), shrinkage=0.0)
    >>> maps.apply(X, np.array([0, 0, 1, 1])).ravel().round(3)
    array([5., 8., 5., 8.])
    """

    centers: NDArray[np.float64]
    means: NDArray[np.float64]
    matrices: NDArray[np.float64]

    @classmethod
    def to_barycenter(
        cls, X: NDArray[np.float64], codes: NDArray[np.int64], shrinkage: float | None = None
    ) -> "AffineMaps":
        """Return the maps of groups to their Wasserstein barycenter, which equalize means and covariances.

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
        means, covariances = _moments(X, codes, shrinkage)
        sizes = np.bincount(codes)
        centers = np.tile(X.mean(axis=0), (len(sizes), 1))
        return cls(centers, means, _optimal(covariances, _barycenter(covariances, sizes / sizes.sum())))

    @classmethod
    def to_places(cls, X: NDArray[np.float64], codes: NDArray[np.int64], owner: NDArray[np.int64]) -> "AffineMaps":
        """Return the maps of groups to the means and covariances of the places that they own.

        Moments of places that are dealt at random differ as those of permuted groups. If they were equal, predictors
        would be below chance, because the moments of training nodes and of test nodes would be opposite.

        Parameters
        ----------
        X : array of shape (n, K)
            Vectors of the nodes, which are the places as well.
        codes, owner : arrays of shape (n,)
            Group of each node, and group that owns its place.

        Returns
        -------
        AffineMaps
            One map per group.
        """
        means, covariances = _moments(X, codes)
        centers, targets = _moments(X, owner)
        return cls(centers, means, _optimal(covariances, targets))

    def then(self, other: "AffineMaps") -> "AffineMaps":
        """Return the maps that apply these and then other maps.

        Parameters
        ----------
        other : AffineMaps
            Maps of the same groups.

        Returns
        -------
        AffineMaps
            One map per group.
        """
        shift = np.einsum("gk,gkl->gl", self.centers - other.means, other.matrices)
        return AffineMaps(other.centers + shift, self.means, self.matrices @ other.matrices)

    def apply(self, X: NDArray[np.float64], codes: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the moved vectors.

        Parameters
        ----------
        X : array of shape (m, K)
            Vectors.
        codes : array of shape (m,)
            Group of each vector.

        Returns
        -------
        array of shape (m, K)
            ``center_g + (x − mean_g) A_g``.
        """
        moved = np.empty_like(X)
        for g in np.unique(codes):
            rows = codes == g
            moved[rows] = self.centers[g] + (X[rows] - self.means[g]) @ self.matrices[g]
        return moved


def _moments(
    X: NDArray[np.float64], codes: NDArray[np.int64], shrinkage: float | None = None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the means of the groups, and their covariances shrunk to the pooled one."""
    sizes = np.bincount(codes)
    n_added = float(X.shape[1]) if shrinkage is None else shrinkage
    means = np.stack([X[codes == g].mean(axis=0) if size else X.mean(axis=0) for g, size in enumerate(sizes)])
    centered = X - means[codes]
    pooled = centered.T @ centered / len(X)
    pooled += 1e-6 * (np.trace(pooled) / len(pooled) + np.finfo(np.float64).tiny) * np.eye(len(pooled))
    covariances = np.stack(
        [
            (centered[codes == g].T @ centered[codes == g] + n_added * pooled) / (size + n_added)
            for g, size in enumerate(sizes)
        ]
    )
    return means, covariances + 1e-6 * pooled


def _optimal(sources: NDArray[np.float64], targets: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the matrices of the optimal maps between centered Gaussians."""
    roots, inverses = _power(sources, 0.5), _power(sources, -0.5)
    return np.asarray(inverses @ _power(roots @ targets @ roots, 0.5) @ inverses)


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
