import base64

import numpy as np
import pytest

from residuum.embedding.nearest import nearest_rows, unit_rows
from residuum.embedding.projection import project
from residuum.report import label_coloring, map_data, number_coloring

VECTORS = np.random.default_rng(0).normal(size=(40, 5))


def decoded(text, kind):
    return np.frombuffer(base64.b64decode(text), dtype=kind)


def test_points_neighbors_and_cosines_are_those_of_the_vectors():
    (data,) = map_data(range(40), {"x": VECTORS}, [], method="neighbors")["maps"]
    near = nearest_rows(VECTORS, 10)[1]
    unit = unit_rows(VECTORS)
    np.testing.assert_array_equal(
        decoded(data["points"], "<f4").reshape(-1, 2), project(VECTORS, "neighbors", nearest=near)
    )
    np.testing.assert_array_equal(decoded(data["neighbors"], "<i4").reshape(40, 10), near)
    cosines = decoded(data["cosines"], "<i2").reshape(40, 10) / 10_000
    np.testing.assert_allclose(cosines, np.einsum("ik,ijk->ij", unit, unit[near]), atol=1e-4)


def test_given_neighbors_are_used():
    near = (np.arange(40), np.tile((np.arange(40) + 1)[:, None] % 40, 10))
    (data,) = map_data(range(40), {"x": VECTORS}, [], nearest={"x": near})["maps"]
    assert decoded(data["neighbors"], "<i4").tolist() == near[1].ravel().tolist()


def test_zero_vectors_have_no_neighbors_and_no_point():
    (data,) = map_data(range(41), {"x": np.vstack([VECTORS, np.zeros(5)])}, [])["maps"]
    assert decoded(data["neighbors"], "<i4").reshape(41, 10)[-1].tolist() == [-1] * 10
    assert np.isnan(decoded(data["points"], "<f4")[-2:]).all()


@pytest.mark.parametrize("n_nodes", [1, 2, 3])
def test_few_nodes_have_few_neighbors(n_nodes):
    (data,) = map_data(range(n_nodes), {"x": np.eye(3)[:n_nodes]}, [])["maps"]
    assert data["n_neighbors"] == n_nodes - 1


def test_the_most_frequent_label_is_first_and_missing_ones_have_no_code():
    coloring = label_coloring("club", np.array(["b", "a", "b", "", None], dtype=object))
    assert coloring.labels == ("b", "a")
    assert coloring.values.tolist() == [0, 1, 0, -1, -1]


def test_numbers_stay_numbers():
    data = map_data(range(2), {}, [number_coloring("year", [1999, float("nan")], is_log=True)])["colorings"][0]
    assert data["labels"] is None
    assert data["log"] is True
    np.testing.assert_array_equal(decoded(data["values"], "<f4"), [1999, np.nan])
