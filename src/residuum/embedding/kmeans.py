"""k-means with a start from hierarchical clusters."""

import warnings
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["KMeansClusters"]

# Vectors whose hierarchy is computed, which takes memory and time with their square.
_SAMPLED_VECTORS = 4000


class KMeansClusters:
    """Clusters of vectors by k-means: the best of some random starts and of one from Ward's hierarchy of a sample.

    Random starts put two centers into some clusters and none into others, from where k-means does not escape. The more
    clusters there are, the surer this happens, while Ward's hierarchy finds clear clusters at any number.

    Parameters
    ----------
    vectors : array of shape (N, K)
        Vectors.
    random_state : int, default 0
        Seed.

    Examples
    --------
    >>> vectors = np.array([[1.0, 0.0], [1.0, 0.1], [0.0, 1.0], [0.1, 1.0]])
    >>> labels = KMeansClusters(vectors).labels(2)
    >>> (labels == labels[0]).tolist()
    [True, True, False, False]
    """

    def __init__(self, vectors: NDArray[np.floating], random_state: int = 0) -> None:
        self.vectors = vectors
        self.random_state = random_state

    def labels(self, n_clusters: int, n_starts: int = 1) -> NDArray[np.int64]:
        """Return the cluster of each vector.

        Parameters
        ----------
        n_clusters : int
            Number of clusters, at most that of different vectors.
        n_starts : int, default 1
            Number of random starts (k-means++), beside the one from the hierarchy.

        Returns
        -------
        int array of shape (N,)
            Clusters with the smallest sum of squared distances to their centers; fewer than asked for if vectors are
            equal up to rounding.
        """
        from sklearn.cluster import KMeans  # slow to import
        from sklearn.exceptions import ConvergenceWarning

        centers = self._centers(n_clusters)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # fewer different vectors than clusters
            fits = [KMeans(n_clusters, n_init=n_starts, random_state=self.random_state).fit(self.vectors)]
            if centers is not None:
                fits.append(KMeans(n_clusters, init=centers, n_init=1).fit(self.vectors))
        return np.asarray(min(fits, key=lambda fit: fit.inertia_).labels_, dtype=np.int64)

    @cached_property
    def _sample(self) -> NDArray[np.floating]:
        order = np.random.default_rng(self.random_state).permutation(len(self.vectors))
        return self.vectors[np.sort(order[:_SAMPLED_VECTORS])]

    @cached_property
    def _tree(self) -> NDArray[np.float64]:
        """Ward's hierarchy of the sample."""
        from scipy.cluster.hierarchy import linkage  # slow to import

        return np.asarray(linkage(self._sample, method="ward"))

    def _centers(self, n_clusters: int) -> NDArray[Any] | None:
        """Return the means of the clusters of the hierarchy; None if the sample has fewer clusters."""
        if not 1 < n_clusters < len(self._sample):
            return None
        from scipy.cluster.hierarchy import fcluster

        codes = fcluster(self._tree, n_clusters, criterion="maxclust") - 1
        sizes = np.bincount(codes)
        if len(sizes) < n_clusters:
            return None
        sums = np.zeros((n_clusters, self._sample.shape[1]))
        np.add.at(sums, codes, self._sample)
        return sums / sizes[:, None]
