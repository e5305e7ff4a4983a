import numpy as np
import pytest

from residuum.embedding import nearest
from residuum.embedding.nearest import nearest_rows, unit_rows
from residuum.errors import InvalidParameterError


def test_nearest_rows_are_those_of_highest_cosine():
    rng = np.random.default_rng(0)
    vectors = rng.standard_normal((40, 3)) * rng.uniform(0.1, 10, (40, 1))
    cosine = unit_rows(vectors) @ unit_rows(vectors).T
    np.fill_diagonal(cosine, -np.inf)
    rows, near = nearest_rows(vectors, 5)
    np.testing.assert_array_equal(rows, np.arange(40))
    np.testing.assert_array_equal(near, np.argsort(-cosine, axis=1)[:, :5])


def test_zero_vectors_have_no_neighbors_and_are_no_neighbors():
    # Rows 0 and 3 have a cosine of 0.4; by distance, the zero vectors would be nearer to both.
    rows, near = nearest_rows(np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.4, 0.9165]]), 1)
    assert rows.tolist() == [0, 3]
    assert near.tolist() == [[3], [0]]


def test_zero_vectors_stay_zero():
    np.testing.assert_array_equal(unit_rows(np.array([[0.0, 0.0], [3.0, 4.0]])), [[0.0, 0.0], [0.6, 0.8]])


def test_more_neighbors_than_other_nodes_are_rejected():
    with pytest.raises(InvalidParameterError, match=r"n_neighbors must be below 3, the number of nodes .*; got 3"):
        nearest_rows(np.eye(3), 3)


def test_tiles_and_one_matrix_give_the_same(monkeypatch):
    vectors = np.random.default_rng(0).standard_normal((40, 3))
    whole = nearest_rows(vectors, 4)[1]
    monkeypatch.setattr(nearest, "_TILE", 7 * 40)
    np.testing.assert_array_equal(nearest_rows(vectors, 4)[1], whole)


def test_a_node_is_not_its_own_neighbor_even_among_equal_vectors():
    _, near = nearest_rows(np.ones((5, 2)), 2)
    assert near.tolist() == [[1, 2], [0, 2], [0, 1], [0, 1], [0, 1]]
