import numpy as np
import pytest
from scipy import sparse

from graph_cases import graph_cases
from residuum import Graph
from residuum.errors import InvalidParameterError, NullModelError
from residuum.nulls import Spatial
from residuum.nulls.spatial import _embedded, _Places

GRAPH = graph_cases()["weighted"]
POINTS = np.random.default_rng(0).random((20, 2))


def test_great_circle_distances_are_those_on_earth():
    cities = np.array([[52.52, 13.405], [48.8566, 2.3522], [-33.87, 151.21]])  # Berlin, Paris, Sydney
    places = _Places(_embedded(cities, "great-circle"), "great-circle")
    distances = places.distances()
    assert distances[0, 1] == pytest.approx(878, abs=3)
    assert distances[0, 2] == pytest.approx(16095, abs=60)


def test_places_keep_their_strengths():
    null = Spatial(POINTS, n_places=5, n_bins=3).fit(GRAPH, 1)
    blocks = null.blocks
    strength = np.bincount(blocks.groups, weights=GRAPH.out_strength)
    np.testing.assert_allclose(strength @ blocks.weights, strength, rtol=1e-8)


def test_coordinates_as_array_names_and_mapping_agree():
    graph = Graph(GRAPH.adjacency, node_attributes={"x": POINTS[:, 0], "y": POINTS[:, 1]})
    fits = [
        Spatial(form, n_places=5).fit(graph, 2).blocks.weights
        for form in (POINTS, ("x", "y"), {k: tuple(point) for k, point in enumerate(POINTS)})
    ]
    np.testing.assert_allclose(fits[0], fits[1])
    np.testing.assert_allclose(fits[0], fits[2])


def test_newcomers_are_put_into_the_nearest_place():
    null = Spatial(POINTS, n_places=20).fit(GRAPH, 2)
    edges = sparse.csr_array(np.eye(2, 20))
    np.testing.assert_array_equal(null.row_groups_of(POINTS[[3, 7]], edges), null.blocks.groups[[3, 7]])


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({}, NullModelError, "needs coordinates"),
        ({"coordinates": np.zeros((3, 2))}, NullModelError, r"each of the 20 nodes; got shape \(3, 2\)"),
        ({"coordinates": 100 * np.ones((20, 2)), "metric": "great-circle"}, NullModelError, "latitude"),
        ({"coordinates": POINTS, "metric": "taxi"}, InvalidParameterError, "metric must be one of"),
        ({"coordinates": ("lat", "lon")}, NullModelError, "no node attribute 'lat'"),
    ],
)
def test_bad_coordinates_are_named(arguments, error, message):
    with pytest.raises(error, match=message):
        Spatial(**arguments).fit(GRAPH, 2)


@pytest.mark.parametrize("shift", [1e6, 1e8])
def test_places_are_the_same_wherever_the_map_begins(shift):
    near, far = (Spatial(10 * POINTS + by).fit(GRAPH, 1).blocks.groups for by in (0.0, shift))
    assert len(np.unique(near)) == 20
    np.testing.assert_array_equal(near, far)
