"""The spatial null model: what degree and distance would lead one to expect."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.cluster import KMeans

from residuum._validation import check_choice, check_integer, window_weights
from residuum.errors import NullModelError
from residuum.graph import Graph, Teleport
from residuum.nulls.block_null import BlockNull
from residuum.nulls.grouped import fit_groups, weight_between
from residuum.nulls.groupings import _require
from residuum.nulls.temporal import number_of_each_node

__all__ = ["Spatial", "pair_distances"]

EARTH_RADIUS_KM = 6371.0
Metric = Literal["euclidean", "great-circle"]


class Spatial:
    """``E[A_ij] = a_i b_j f(distance(i, j))``: chance knows degrees and how ties thin out with distance.

    The doubly constrained gravity model. Nodes are put into places (k-means of their coordinates); the deterrence f is
    the weight that the graph has between places of a bin of distances, as a share of what degrees alone would put;
    the factors a and b make every place keep its in- and out-strength. It removes that near nodes know each other: use
    it for airports, commuters, calls, to see which places are tied beyond being near.

    Parameters
    ----------
    coordinates : array of shape (N, 2), pair of node attribute names, or mapping of node id to a pair
        x and y, or latitude and longitude in degrees for great-circle distances.
    metric : "euclidean" or "great-circle", default "euclidean"
    n_places : int, default 200
        Places, at most one for each distinct pair of coordinates.
    n_bins : int, default 20
        Bins of distances, with equally many pairs of places in each; pairs inside a place are a bin of their own.
    """

    def __init__(
        self,
        coordinates: ArrayLike | Sequence[str] | Mapping[Any, Any] | None = None,
        metric: Metric = "euclidean",
        n_places: int = 200,
        n_bins: int = 20,
    ) -> None:
        self.coordinates = coordinates
        self.metric = metric
        self.n_places = n_places
        self.n_bins = n_bins

    def fit(self, graph: Graph, window: int | ArrayLike, teleport: Teleport | None = None) -> BlockNull:
        """Fit to a graph: find places, estimate the deterrence, balance the margins."""
        check_choice("metric", self.metric, ["euclidean", "great-circle"])
        points = _embedded(self._coordinates(graph), self.metric)
        places = _Places.around(points, check_integer("n_places", self.n_places, minimum=1), self.metric)
        groups = places.nearest(points)
        expected = self.expected_between(graph, groups, places)
        return fit_groups(graph, groups, places, window_weights(window), teleport, between=expected)

    def expected_between(self, graph: Graph, groups: NDArray[np.int32], places: "_Places") -> NDArray[np.float64]:
        """Return the expected weight between each two places."""
        n_bins = check_integer("n_bins", self.n_bins, minimum=1)
        observed = weight_between(graph, groups, places.n_groups)
        leaving, arriving = observed.sum(axis=1), observed.sum(axis=0)
        bins = _distance_bins(places.distances(), n_bins)
        by_degree = np.outer(leaving, arriving) / observed.sum()
        seen, explained = (np.bincount(bins.ravel(), weights=w.ravel()) for w in (observed, by_degree))
        deterrence = np.divide(seen, explained, out=np.zeros_like(seen), where=explained > 0)
        return _balanced(by_degree * deterrence[bins], leaving, arriving)

    def _coordinates(self, graph: Graph) -> NDArray[np.float64]:
        given = self.coordinates
        if given is None:
            raise NullModelError(
                "the spatial null needs coordinates: Spatial(coordinates=array of shape (N, 2)), or a pair of node "
                "attribute names (on the command line: --coordinates FILE:X,Y)."
            )
        if isinstance(given, Mapping):
            pairs = [{identity: pair[axis] for identity, pair in given.items()} for axis in (0, 1)]
            return np.stack([number_of_each_node(graph, pair, "coordinates") for pair in pairs], axis=1)
        if isinstance(given, Sequence) and len(given) == 2 and all(isinstance(name, str) for name in given):
            return np.stack([number_of_each_node(graph, name, "coordinates") for name in given], axis=1)
        array = np.asarray(given, dtype=np.float64)
        if array.shape != (graph.n_nodes, 2) or not np.isfinite(array).all():
            raise NullModelError(
                f"coordinates must be two finite numbers for each of the {graph.n_nodes} nodes; "
                f"got shape {array.shape}."
            )
        return array

    def __repr__(self) -> str:
        return f"Spatial(metric={self.metric!r})"


class _Places:
    """Centres of places, as points in the plane or on the unit sphere; a grouping of nodes by the nearest one."""

    def __init__(self, centres: NDArray[np.float64], metric: Metric) -> None:
        self.centres = centres
        self.metric = metric

    @classmethod
    def around(cls, points: NDArray[np.float64], n_places: int, metric: Metric) -> "_Places":
        distinct = np.unique(points, axis=0)
        if len(distinct) <= n_places:
            return cls(distinct, metric)
        return cls(KMeans(n_places, n_init=1, random_state=0).fit(points).cluster_centers_, metric)

    @property
    def n_groups(self) -> int:
        return len(self.centres)

    @property
    def n_columns(self) -> int:
        return 2

    def nearest(self, points: NDArray[np.float64]) -> NDArray[np.int32]:
        # Around their mean: far from 0, as in coordinates of maps, squares would cancel.
        middle = self.centres.mean(axis=0)
        centres = self.centres - middle
        nearest = np.empty(len(points), dtype=np.int32)
        for begin in range(0, len(points), 4096):
            part = points[begin : begin + 4096] - middle
            squares = (centres**2).sum(axis=1) - 2.0 * part @ centres.T
            nearest[begin : begin + 4096] = squares.argmin(axis=1)
        return nearest

    def codes_of(self, values: ArrayLike | None, edges: "sparse.csr_array[Any]") -> NDArray[np.int32]:
        coordinates = np.asarray(_require(values, edges.shape[0]), dtype=np.float64)
        return self.nearest(_embedded(coordinates, self.metric))

    def distances(self) -> NDArray[np.float64]:
        difference = self.centres[:, None, :] - self.centres[None, :, :]
        return _lengths(np.sqrt((difference**2).sum(axis=2)), self.metric)


def pair_distances(first: NDArray[np.float64], second: NDArray[np.float64], metric: Metric) -> NDArray[np.float64]:
    """Return the distances between matching rows of two arrays of coordinates; kilometres on the great circle."""
    difference = _embedded(first, metric) - _embedded(second, metric)
    return _lengths(np.sqrt((difference**2).sum(axis=1)), metric)


def _lengths(chords: NDArray[np.float64], metric: Metric) -> NDArray[np.float64]:
    """Return straight lines as they are, chords of the unit sphere as arcs on earth."""
    if metric == "euclidean":
        return chords
    return np.asarray(2.0 * EARTH_RADIUS_KM * np.arcsin(np.clip(chords / 2.0, 0.0, 1.0)))


def _embedded(coordinates: NDArray[np.float64], metric: Metric) -> NDArray[np.float64]:
    """Return points whose straight-line order is the order of distances: latitude and longitude go on the sphere."""
    if metric == "euclidean":
        return coordinates
    if np.abs(coordinates[:, 0]).max() > 90 or np.abs(coordinates[:, 1]).max() > 360:
        raise NullModelError(
            "great-circle distances need latitude (−90 to 90) and longitude in degrees, in this order; "
            f"got values up to {np.abs(coordinates).max(axis=0).tolist()}."
        )
    latitude, longitude = np.radians(coordinates).T
    return np.stack(
        [np.cos(latitude) * np.cos(longitude), np.cos(latitude) * np.sin(longitude), np.sin(latitude)], axis=1
    )


def _distance_bins(distances: NDArray[np.float64], n_bins: int) -> NDArray[np.int64]:
    """Return the bin of each pair of places: 0 inside a place, then bins with equally many pairs."""
    apart = distances[np.triu_indices(len(distances), k=1)]
    borders = np.unique(np.quantile(apart, np.linspace(0, 1, n_bins + 1)[1:-1])) if len(apart) else np.empty(0)
    bins = 1 + np.searchsorted(borders, distances, side="right")
    np.fill_diagonal(bins, 0)
    return np.asarray(bins, dtype=np.int64)


def _balanced(
    expected: NDArray[np.float64], leaving: NDArray[np.float64], arriving: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Scale rows and columns until the margins are the strengths (iterative proportional fitting)."""
    for _ in range(1000):
        for axis, margin in ((1, leaving), (0, arriving)):
            total = expected.sum(axis=axis, keepdims=True)
            wanted = margin[:, None] if axis == 1 else margin[None, :]
            expected = expected * np.divide(wanted, total, out=np.zeros_like(total), where=total > 0)
        if np.allclose(expected.sum(axis=1), leaving, rtol=1e-10):
            break
    return expected
