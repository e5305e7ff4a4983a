"""Spatial null model, which removes degree and the decay of ties with distance."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from residuum._ids import python_value
from residuum._validation import check_choice, check_integer, window_weights
from residuum.errors import NullModelError
from residuum.graph import Graph, node_numbers, weight_between
from residuum.graph.attributes import as_numbers
from residuum.graph.graph import attribute_array
from residuum.nulls.block_null import BlockNull
from residuum.nulls.grouped import fit_groups
from residuum.nulls.grouping import require_numbers

__all__ = ["Spatial", "pair_distances"]

EARTH_RADIUS_KM = 6371.0
Metric = Literal["euclidean", "great-circle"]


class Spatial:
    """``E[A_ij] = a_i b_j f(distance(i, j))``, the doubly constrained gravity model.

    Nodes are grouped into places by k-means on their coordinates. The deterrence function f is the observed weight
    between places in a bin of distances, divided by the weight that the configuration model expects there. The factors
    a and b preserve the in- and out-strength of every place. Removes degree and the tendency of nearby nodes to be
    connected: use it for airports, commuting or phone calls, to find ties that distance does not explain.

    Parameters
    ----------
    coordinates : array of shape (N, 2), pair of str, or mapping of node id to a pair
        x and y, or latitude and longitude in degrees for great-circle distances; two strings are names of node
        attributes.
    metric : {"euclidean", "great-circle"}, default "euclidean"
        Distance between two points; great-circle distances are in kilometers.
    n_places : int, default 200
        Maximum number of places; fewer if the nodes have fewer distinct coordinates.
    n_bins : int, default 20
        Number of distance bins, with equally many pairs of places each; pairs within a place have a separate bin.

    Examples
    --------
    >>> import numpy as np
    >>> from residuum import Graph
    >>> from residuum.nulls import Spatial
    >>> path = Graph(np.eye(6, k=1) + np.eye(6, k=-1))
    >>> null = Spatial([[x, 0] for x in range(6)], n_bins=3).fit(path, window=1)
    >>> np.exp(null.log_rows([0])).round(2)
    array([[0., 1., 0., 0., 0., 0.]])
    """

    name: ClassVar[str] = "spatial"
    removes: ClassVar[str] = "degree and the decay of ties with distance"
    options: ClassVar[dict[str, str]] = {"coordinates": "coordinates"}

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

    def fit(self, graph: Graph, window: int | ArrayLike) -> BlockNull:
        """Fit to a graph: cluster nodes into places, estimate the deterrence function, balance the strengths.

        Parameters
        ----------
        graph : Graph
            Graph whose strengths of places and distances of edges the null model keeps.
        window : int or array of shape (T,)
            Number of steps T, or one weight for each step.

        Returns
        -------
        BlockNull
            Window probabilities ``P_0`` in block form, with one group per place.
        """
        check_choice("metric", self.metric, ["euclidean", "great-circle"])
        points = _embedded(self._coordinates(graph), self.metric)
        places = Places.around(points, check_integer("n_places", self.n_places, minimum=1), self.metric)
        groups = places.nearest(points)
        expected = self._expected_between(graph, groups, places)
        return fit_groups(graph, groups, places, window_weights(window), between=expected)

    def _expected_between(self, graph: Graph, groups: NDArray[np.int32], places: "Places") -> NDArray[np.float64]:
        """Return the expected weight between places, shape (B, B)."""
        n_bins = check_integer("n_bins", self.n_bins, minimum=1)
        weights = weight_between(graph, groups, places.n_groups)
        # Relative weights, so that neither products nor tolerances depend on the unit of the weights.
        observed = weights / weights.max()
        observed /= observed.sum()
        out_strength, in_strength = observed.sum(axis=1), observed.sum(axis=0)
        bins = _distance_bins(places.distances(), n_bins)
        by_degree = np.outer(out_strength, in_strength)
        observed_in_bin, by_degree_in_bin = (
            np.bincount(bins.ravel(), weights=w.ravel()) for w in (observed, by_degree)
        )
        deterrence = np.divide(
            observed_in_bin, by_degree_in_bin, out=np.zeros_like(observed_in_bin), where=by_degree_in_bin > 0
        )
        # Not by_degree, which is zero for places with less than 1e-154 of the weight: the first step scales the rows.
        expected = _balanced(in_strength * deterrence[bins], out_strength, in_strength)
        for axis in (1, 0):
            lost = np.flatnonzero((expected.sum(axis=axis) == 0.0) & (weights.max(axis=axis) > 0.0))
            if len(lost):
                node = python_value(graph.node_ids[np.flatnonzero(groups == lost[0])[0]])
                raise NullModelError(
                    f"the place of node {node!r} has too little of the weight of the graph for floating-point numbers: "
                    f"{weights.max(axis=axis)[lost[0]]:.3g}, and other places have {weights.max():.3g}. "
                    "Remove the faint edges, or compress the weights, for example by their logarithm."
                )
        return expected

    def _coordinates(self, graph: Graph) -> NDArray[np.float64]:
        coordinates = self.coordinates
        if coordinates is None:
            raise NullModelError(
                "Spatial needs coordinates: an array of shape (N, 2), pairs by node id, or a pair of node attribute "
                "names (on the command line: --coordinates FILE:X,Y)."
            )
        if isinstance(coordinates, Mapping):
            axes = [{node: pair[axis] for node, pair in coordinates.items()} for axis in (0, 1)]
            return np.stack([node_numbers(graph, axis, "coordinates") for axis in axes], axis=1)
        if (
            isinstance(coordinates, Sequence)
            and len(coordinates) == 2
            and all(isinstance(name, str) for name in coordinates)
        ):
            return np.stack([node_numbers(graph, name, "coordinates") for name in coordinates], axis=1)
        array = as_numbers(attribute_array(coordinates), "coordinates")
        if array.shape != (graph.n_nodes, 2) or not np.isfinite(array).all():
            problem = f"shape {array.shape}" if array.shape != (graph.n_nodes, 2) else "NaN or infinite values"
            raise NullModelError(
                f"coordinates must be an array of finite numbers of shape ({graph.n_nodes}, 2), one row per node; "
                f"got {problem}."
            )
        return array

    def __repr__(self) -> str:
        return f"Spatial(metric={self.metric!r})"


class Places:
    """Grouping of nodes by the nearest of several centers, points in the plane or on the unit sphere."""

    def __init__(self, centers: NDArray[np.float64], metric: Metric) -> None:
        self.centers = centers
        self.metric = metric

    @classmethod
    def around(cls, points: NDArray[np.float64], n_places: int, metric: Metric) -> "Places":
        distinct = np.unique(points, axis=0)
        if len(distinct) <= n_places:
            return cls(distinct, metric)
        from sklearn.cluster import KMeans

        return cls(KMeans(n_places, n_init=1, random_state=0).fit(points).cluster_centers_, metric)

    @property
    def n_groups(self) -> int:
        return len(self.centers)

    @property
    def n_columns(self) -> int:
        return 2

    def nearest(self, points: NDArray[np.float64]) -> NDArray[np.int32]:
        # Subtract the mean, or squares of coordinates far from the origin would cancel.
        mean = self.centers.mean(axis=0)
        centers = self.centers - mean
        nearest = np.empty(len(points), dtype=np.int32)
        for begin in range(0, len(points), 4096):
            chunk = points[begin : begin + 4096] - mean
            squared_distance = (centers**2).sum(axis=1) - 2.0 * chunk @ centers.T
            nearest[begin : begin + 4096] = squared_distance.argmin(axis=1)
        return nearest

    def codes_of(self, values: ArrayLike | None, edges: "sparse.csr_array[Any]") -> NDArray[np.int32]:
        coordinates = require_numbers(values, edges.shape[0], n_columns=2)
        return self.nearest(_embedded(coordinates, self.metric))

    def distances(self) -> NDArray[np.float64]:
        difference = self.centers[:, None, :] - self.centers[None, :, :]
        return _lengths(np.sqrt((difference**2).sum(axis=2)), self.metric)


def pair_distances(first: NDArray[np.float64], second: NDArray[np.float64], metric: Metric) -> NDArray[np.float64]:
    """Return the distances between corresponding rows of two coordinate arrays.

    Parameters
    ----------
    first, second : arrays of shape (n, 2)
        x and y, or latitude and longitude in degrees for great-circle distances.
    metric : {"euclidean", "great-circle"}
        Distance between two points.

    Returns
    -------
    array of shape (n,)
        Distances in the unit of the coordinates, or in kilometers for great-circle distances.

    Examples
    --------
    >>> import numpy as np
    >>> from residuum.nulls import pair_distances
    >>> berlin, paris = np.array([[52.52, 13.41]]), np.array([[48.86, 2.35]])
    >>> pair_distances(berlin, paris, "great-circle").round(-1)
    array([880.])
    """
    difference = _embedded(first, metric) - _embedded(second, metric)
    return _lengths(np.sqrt((difference**2).sum(axis=1)), metric)


def _lengths(chords: NDArray[np.float64], metric: Metric) -> NDArray[np.float64]:
    """Return Euclidean distances unchanged, and chords of the unit sphere as kilometers on the surface of the earth."""
    if metric == "euclidean":
        return chords
    return np.asarray(2.0 * EARTH_RADIUS_KM * np.arcsin(np.clip(chords / 2.0, 0.0, 1.0)))


def _embedded(coordinates: NDArray[np.float64], metric: Metric) -> NDArray[np.float64]:
    """Return points whose Euclidean distances sort like the metric, on the unit sphere for great-circle distances."""
    if metric == "euclidean":
        return coordinates
    if np.abs(coordinates[:, 0]).max() > 90 or np.abs(coordinates[:, 1]).max() > 360:
        raise NullModelError(
            "coordinates must be latitude (-90 to 90) and longitude (-360 to 360) in degrees, in this order, for "
            f"great-circle distances; got absolute values up to {np.abs(coordinates).max(axis=0).tolist()}."
        )
    latitude, longitude = np.radians(coordinates).T
    return np.stack(
        [np.cos(latitude) * np.cos(longitude), np.cos(latitude) * np.sin(longitude), np.sin(latitude)], axis=1
    )


def _distance_bins(distances: NDArray[np.float64], n_bins: int) -> NDArray[np.int64]:
    """Return the bin of each pair of places: 0 within a place, then bins with equally many pairs."""
    apart = distances[np.triu_indices(len(distances), k=1)]
    borders = np.unique(np.quantile(apart, np.linspace(0, 1, n_bins + 1)[1:-1])) if len(apart) else np.empty(0)
    bins = 1 + np.searchsorted(borders, distances, side="right")
    np.fill_diagonal(bins, 0)
    return np.asarray(bins, dtype=np.int64)


def _balanced(
    expected: NDArray[np.float64], out_strength: NDArray[np.float64], in_strength: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Scale rows and columns until they sum to the strengths (iterative proportional fitting)."""
    for _ in range(1000):
        for axis, margin in ((1, out_strength), (0, in_strength)):
            total = expected.sum(axis=axis, keepdims=True)
            target = margin[:, None] if axis == 1 else margin[None, :]
            expected = expected * np.divide(target, total, out=np.zeros_like(total), where=total > 0)
        if np.allclose(expected.sum(axis=1), out_strength, rtol=1e-10, atol=0.0):
            break
    return expected
