import numpy as np
import pytest
from scipy import sparse

from graph_cases import graph_cases
from residuum import Graph
from residuum.errors import InvalidParameterError, NullModelError
from residuum.nulls import Spatial, pair_distances
from residuum.nulls.spatial import Places, _embedded

GRAPH = graph_cases()["weighted"]
POINTS = np.random.default_rng(0).random((20, 2))


def test_great_circle_distances_are_in_kilometers():
    cities = np.array([[52.52, 13.405], [48.8566, 2.3522], [-33.87, 151.21]])  # Berlin, Paris, Sydney
    places = Places(_embedded(cities, "great-circle"), "great-circle")
    distances = places.distances()
    assert distances[0, 1] == pytest.approx(878, abs=3)
    assert distances[0, 2] == pytest.approx(16095, abs=60)


def test_pairs_have_the_distances_of_their_places():
    first, second = POINTS[:7], POINTS[7:14]
    expected = [np.linalg.norm(a - b) for a, b in zip(first, second, strict=True)]
    np.testing.assert_allclose(pair_distances(first, second, "euclidean"), expected)


def test_strengths_of_places_are_preserved():
    null = Spatial(POINTS, n_places=5, n_bins=3).fit(GRAPH, 1)
    form = null.block_form
    strength = np.bincount(form.groups, weights=GRAPH.out_strength)
    np.testing.assert_allclose(strength @ form.weights, strength, rtol=1e-8)


def test_coordinates_as_array_names_and_mapping_agree():
    graph = Graph(GRAPH.adjacency, node_attributes={"x": POINTS[:, 0], "y": POINTS[:, 1]})
    fits = [
        Spatial(coordinates, n_places=5).fit(graph, 2).block_form.weights
        for coordinates in (POINTS, ("x", "y"), {k: tuple(point) for k, point in enumerate(POINTS)})
    ]
    np.testing.assert_allclose(fits[0], fits[1])
    np.testing.assert_allclose(fits[0], fits[2])


def test_out_of_sample_nodes_are_assigned_to_the_nearest_place():
    null = Spatial(POINTS, n_places=20).fit(GRAPH, 2)
    edges = sparse.csr_array(np.eye(2, 20))
    np.testing.assert_array_equal(null.groups_of(POINTS[[3, 7]], edges), null.block_form.groups[[3, 7]])


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({}, NullModelError, "needs coordinates"),
        (
            {"coordinates": np.zeros((3, 2))},
            NullModelError,
            r"of shape \(20, 2\), one row per node; got shape \(3, 2\)",
        ),
        ({"coordinates": np.full((20, 2), np.nan)}, NullModelError, "one row per node; got NaN or infinite values"),
        (
            {"coordinates": np.tile([100.0, -20.0], (20, 1)), "metric": "great-circle"},
            NullModelError,
            r"latitude \(-90 to 90\) .* got absolute values up to \[100\.0, 20\.0\]",
        ),
        ({"coordinates": POINTS, "metric": "taxi"}, InvalidParameterError, "metric must be one of"),
        ({"coordinates": ("lat", "lon")}, InvalidParameterError, "no node attribute 'lat'"),
    ],
)
def test_invalid_coordinates_raise(arguments, error, message):
    with pytest.raises(error, match=message):
        Spatial(**arguments).fit(GRAPH, 2)


@pytest.mark.parametrize("shift", [1e6, 1e8])
def test_places_do_not_depend_on_the_origin(shift):
    near, far = (Spatial(10 * POINTS + origin).fit(GRAPH, 1).block_form.groups for origin in (0.0, shift))
    assert len(np.unique(near)) == 20
    np.testing.assert_array_equal(near, far)


@pytest.mark.parametrize("scale", [1e-300, 1e-12, 1e300])
def test_n9_probabilities_do_not_depend_on_the_unit_of_the_weights(scale):
    graph = graph_cases()["weighted"]
    points = np.random.default_rng(0).random((graph.n_nodes, 2))
    plain, scaled = (
        Spatial(points, n_places=6).fit(each, 3).log_rows(np.arange(graph.n_nodes))
        for each in (graph, Graph(scale * graph.adjacency))
    )
    np.testing.assert_allclose(scaled, plain, atol=1e-6)


@pytest.mark.parametrize("weight", [5e-324, 1e-300, 1e-170])
def test_a_place_with_hardly_any_weight_has_a_probability_of_one_in_all(weight):
    graph = Graph(np.diag([weight, 1e-20, 0.0, 1e-20]))
    null = Spatial([[0.0, 0.0], [3.0, 1.0], [5.0, 5.0], [1.0, 9.0]], n_places=4, metric="euclidean").fit(graph, 1)
    np.testing.assert_allclose(np.exp(null.log_rows([0, 1, 3])).sum(axis=1), 1.0, rtol=1e-5)


@pytest.mark.parametrize("directed", [False, True])
def test_weights_whose_ratio_is_no_floating_point_number_are_refused(directed):
    faint = np.zeros((4, 4))
    faint[0, 1] = faint[1, 0] = 5e-324
    faint[2, 3] = faint[3, 2] = 1e300
    graph = Graph(faint, [7, 8, 9, 10], directed=directed)
    wanted = r"the place of node 7 has too little .*: 4\.94e-324, and other places have 1e\+300\."
    with pytest.raises(NullModelError, match=wanted):
        Spatial([[0.0, 0.0], [3.0, 1.0], [5.0, 5.0], [1.0, 9.0]]).fit(graph, 1)


def test_the_nearest_of_many_places_is_that_of_all_distances():
    rng = np.random.default_rng(0)
    points, centers = rng.normal(size=(9000, 2)), rng.normal(size=(7, 2))
    distance = np.linalg.norm(points[:, None] - centers, axis=2)
    places = Places(centers, "euclidean")
    np.testing.assert_array_equal(places.nearest(points), distance.argmin(axis=1))
