"""Affine maps of groups of vectors to their barycenter, which equalize means and covariances."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["AffineMaps", "Moments", "scatters_around"]

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
        return cls.of_moments(Moments.of(X, codes), shrinkage)

    @classmethod
    def of_moments(cls, moments: "Moments", shrinkage: float | None = None) -> "AffineMaps":
        """Return the maps of groups with these moments to their barycenter.

        Parameters
        ----------
        moments : Moments
            Moments of the groups.
        shrinkage : float, optional
            As in :meth:`to_barycenter`.

        Returns
        -------
        AffineMaps
            One map per group.
        """
        shares, covariances = moments.sizes / moments.sizes.sum(), moments.covariances(shrinkage)
        centers = np.tile(moments.mean, (len(shares), 1))
        return cls(centers, moments.means, _optimal(covariances, _barycenter(covariances, shares)))

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
        return cls.between(Moments.of(X, codes), Moments.of(X, owner))

    @classmethod
    def between(cls, moments: "Moments", targets: "Moments") -> "AffineMaps":
        """Return the maps of groups to the means and covariances of others.

        Parameters
        ----------
        moments, targets : Moments
            Moments of the groups before and after the maps.

        Returns
        -------
        AffineMaps
            One map per group.
        """
        return cls(targets.means, moments.means, _optimal(moments.covariances(), targets.covariances()))

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


@dataclass(frozen=True)
class Moments:
    """Means and scatter matrices of groups of vectors.

    Attributes
    ----------
    sizes : array of shape (G,)
        Number of vectors of each group.
    means : array of shape (G, K)
        Their means; the mean of all vectors for a group without any.
    scatters : array of shape (G, K, K)
        ``Σ (x − mean_g)(x − mean_g)ᵀ`` over the vectors of each group.

    Examples
    --------
    >>> Moments.of(np.array([[0.0], [2.0], [10.0], [14.0]]), np.array([0, 0, 1, 1])).scatters.ravel()
    array([2., 8.])
    """

    sizes: NDArray[np.int64]
    means: NDArray[np.float64]
    scatters: NDArray[np.float64]

    @classmethod
    def of(cls, X: NDArray[np.float64], codes: NDArray[np.int64]) -> "Moments":
        """Return the moments of groups of vectors.

        Parameters
        ----------
        X : array of shape (n, K)
            Vectors.
        codes : array of shape (n,)
            Group of each vector, 0, …, G − 1.

        Returns
        -------
        Moments
            Moments of the groups.
        """
        sizes = np.bincount(codes)
        means = np.stack([X[codes == g].mean(axis=0) if size else X.mean(axis=0) for g, size in enumerate(sizes)])
        return cls(sizes, means, scatters_around(X, codes, means))

    @property
    def mean(self) -> NDArray[np.float64]:
        """Mean of all vectors, shape (K,)."""
        return np.asarray(self.sizes @ self.means / self.sizes.sum())

    def covariances(self, shrinkage: float | None = None) -> NDArray[np.float64]:
        """Return the covariances of the groups, shrunk to the pooled one.

        Parameters
        ----------
        shrinkage : float, optional
            Number of vectors with the pooled covariance that are added to each group; K by default.

        Returns
        -------
        array of shape (G, K, K)
            Covariances.
        """
        n_added = float(self.means.shape[1]) if shrinkage is None else shrinkage
        pooled = self.scatters.sum(axis=0) / self.sizes.sum()
        pooled += 1e-6 * (np.trace(pooled) / len(pooled) + np.finfo(np.float64).tiny) * np.eye(len(pooled))
        shrunk = (self.scatters + n_added * pooled) / (self.sizes + n_added)[:, None, None]
        return np.asarray(shrunk + 1e-6 * pooled)


def scatters_around(
    X: NDArray[np.float64], codes: NDArray[np.int64], means: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the scatter matrices of groups around given means.

    Parameters
    ----------
    X : array of shape (n, K)
        Vectors.
    codes : array of shape (n,)
        Group of each vector.
    means : array of shape (G, K)
        Means of the groups.

    Returns
    -------
    array of shape (G, K, K)
        Scatter matrices.
    """
    centered = X - means[codes]
    return np.stack([centered[codes == g].T @ centered[codes == g] for g in range(len(means))])


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
