"""Clusters of vectors: spherical k-means, or Leiden communities of the neighbor graph."""

import random
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum._validation import check_choice, check_integer, check_positive, import_extra
from residuum.embedding.kmeans import KMeansClusters
from residuum.embedding.nearest import nearest_rows, unit_rows
from residuum.errors import InvalidParameterError, ResiduumWarning

__all__ = ["METHODS", "Clustering", "cluster_vectors"]

#: Methods of :func:`cluster_vectors`.
METHODS = ("kmeans", "leiden")
_NUMBERS = (2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50)
# Nodes whose silhouettes are averaged; more do not change the choice.
_SAMPLED_NODES = 2000
# Iterations of Leiden: a few suffice, and until nothing changes igraph 0.11 never ends on some graphs.
_ITERATIONS = 20
_RESOLUTIONS = (0.25, 0.5, 1.0, 2.0, 4.0)
_N_NEIGHBORS = 15


@dataclass(frozen=True)
class Clustering:
    """Clusters of nodes, numbered by decreasing size.

    Attributes
    ----------
    labels : int array of shape (N,)
        Cluster of each node; −1 for nodes with a zero vector, such as isolated nodes.
    method : str
        ``"kmeans"`` or ``"leiden"``.
    criterion : str
        What chose the number of clusters: ``"silhouette"``, ``"modularity"``, or ``"given"``.
    scores : dict of number to float
        Value of the criterion for each number of clusters (k-means) or resolution (Leiden) that was tried.
    """

    labels: NDArray[np.int64]
    method: str
    criterion: str
    scores: dict[float, float]

    @property
    def sizes(self) -> list[int]:
        """Number of nodes of each cluster, in descending order."""
        return [int(size) for size in np.bincount(self.labels[self.labels >= 0])]


def cluster_vectors(
    vectors: NDArray[np.floating],
    number: int | None = None,
    method: str = "kmeans",
    *,
    resolution: float | None = None,
    n_neighbors: int = _N_NEIGHBORS,
    random_state: int = 0,
) -> Clustering:
    """Cluster the directions of vectors.

    Parameters
    ----------
    vectors : array of shape (N, K)
        One vector per node. They are divided by their lengths, so that clusters depend on the cosine only.
    number : int, optional
        Number of clusters of k-means. By default the number from 2 to 50 with the highest mean silhouette (on at most
        2000 nodes).
    method : {"kmeans", "leiden"}, default "kmeans"
        k-means; or Leiden communities of the graph of nearest neighbors, which needs igraph (the ``[graphs]`` extra).
    resolution : float, optional
        Resolution of Leiden; higher values give more clusters. By default the value from 0.25 to 4 with the highest
        modularity.
    n_neighbors : int, default 15
        Neighbors of each node in the graph of Leiden.
    random_state : int, default 0
        Seed.

    Returns
    -------
    Clustering
        Clusters, and how their number was chosen.

    Raises
    ------
    InvalidParameterError
        If a parameter does not apply to the method, or there are fewer vectors than clusters.

    Examples
    --------
    >>> vectors = np.array([[1, 0], [2, 0.1], [1, 0.1], [0, 1], [0, 3]])
    >>> cluster_vectors(vectors, number=2).labels
    array([0, 0, 0, 1, 1])
    """
    check_choice("method", method, METHODS)
    nonzero = np.flatnonzero(vectors.any(axis=1))
    unit = unit_rows(vectors[nonzero].astype(np.float64))
    if len(nonzero) < 3:
        raise InvalidParameterError(f"clusters need at least 3 nodes with a nonzero vector; got {len(nonzero)}.")
    if method == "kmeans":
        if resolution is not None:
            raise InvalidParameterError("resolution is for method='leiden'; use number for k-means.")
        codes, scores = _kmeans(unit, number, random_state)
        criterion = "silhouette"
    else:
        if number is not None:
            raise InvalidParameterError("number is for method='kmeans'; use resolution for Leiden.")
        codes, scores = _leiden(unit, resolution, n_neighbors, random_state)
        criterion = "modularity"
    labels = np.full(len(vectors), -1, dtype=np.int64)
    labels[nonzero] = _by_size(codes)
    return Clustering(labels, method, criterion if scores else "given", scores)


def _by_size(codes: NDArray[np.integer]) -> NDArray[np.int64]:
    """Return the clusters numbered by decreasing size; of equal ones, the one that occurs first comes first."""
    _, first, inverse, sizes = np.unique(codes, return_index=True, return_inverse=True, return_counts=True)
    rank = np.empty(len(sizes), dtype=np.int64)
    rank[np.lexsort((first, -sizes))] = np.arange(len(sizes))
    return np.asarray(rank[inverse])


def _kmeans(
    unit: NDArray[np.float64], number: int | None, random_state: int
) -> tuple[NDArray[np.integer], dict[float, float]]:
    from sklearn.metrics import silhouette_score

    clusters = KMeansClusters(unit, random_state)
    n_distinct = len(np.unique(unit.round(6), axis=0))
    if number is not None:
        check_integer("number", number, minimum=1)
        if number > n_distinct:
            raise InvalidParameterError(
                f"number must be at most {n_distinct}, the number of distinct vectors; got {number}."
            )
        return clusters.labels(number), {}
    sample = np.random.default_rng(random_state).permutation(len(unit))[:_SAMPLED_NODES]
    scores: dict[float, float] = {}
    best: NDArray[np.integer] = np.zeros(len(unit), dtype=np.int64)
    for n_clusters in (n for n in _NUMBERS if n < min(n_distinct, len(unit))):
        codes = clusters.labels(n_clusters)
        if not 1 < len(np.unique(codes[sample])) < len(sample):
            continue
        score = float(silhouette_score(unit[sample], codes[sample]))
        if score > max(scores.values(), default=-np.inf):
            best = codes
        scores[n_clusters] = score
    if scores and max(scores, key=scores.__getitem__) == _NUMBERS[-1]:
        warnings.warn(
            f"the silhouette is highest at {_NUMBERS[-1]} clusters, the largest number that is tried; set number.",
            ResiduumWarning,
            stacklevel=3,
        )
    return best, scores


def _leiden(
    unit: NDArray[np.float64], resolution: float | None, n_neighbors: int, random_state: int
) -> tuple[NDArray[np.integer], dict[float, float]]:
    igraph = import_extra("igraph", "graphs")
    n_neighbors = min(check_integer("n_neighbors", n_neighbors, minimum=1), len(unit) - 1)
    rows, nearest = nearest_rows(unit, n_neighbors)
    pairs = np.stack([np.repeat(rows, n_neighbors), nearest.ravel()], axis=1)
    graph = igraph.Graph(len(unit), np.unique(np.sort(pairs, axis=1), axis=0).tolist())

    def fit(value: float) -> Any:
        with _seeded(igraph, random_state):
            return graph.community_leiden("modularity", resolution=value, n_iterations=_ITERATIONS)

    if resolution is not None:
        return np.array(fit(check_positive("resolution", resolution)).membership), {}
    partitions = {value: fit(value) for value in _RESOLUTIONS}
    scores = {value: float(graph.modularity(partition.membership)) for value, partition in partitions.items()}
    return np.array(partitions[max(scores, key=scores.__getitem__)].membership), scores


@contextmanager
def _seeded(igraph: Any, seed: int) -> Iterator[None]:
    """Seed the generator of igraph, which is global, within the block."""
    igraph.set_random_number_generator(random.Random(seed))
    try:
        yield
    finally:
        igraph.set_random_number_generator(random)
