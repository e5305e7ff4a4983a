import numpy as np

from residuum.embedding.map_columns import map_columns
from residuum.embedding.nearest import nearest_rows, unit_rows

VECTORS = np.random.default_rng(0).normal(size=(30, 4))


def test_neighbors_are_rows_and_cosine_distances_nearest_first():
    columns = map_columns(VECTORS)
    unit = unit_rows(VECTORS)
    near = nearest_rows(VECTORS, 10)[1]
    for row, entry in enumerate(columns["neighbors"]):
        assert entry["ids"] == near[row].tolist()
        np.testing.assert_allclose(entry["distances"], 1 - unit[near[row]] @ unit[row])
    assert len(columns["x"]) == len(columns["y"]) == 30


def test_a_zero_vector_has_neither_point_nor_neighbors():
    columns = map_columns(np.vstack([VECTORS, np.zeros(4)]))
    assert columns["x"][-1] is None
    assert columns["neighbors"][-1] == {"ids": [], "distances": []}
    assert all(30 not in entry["ids"] for entry in columns["neighbors"])
