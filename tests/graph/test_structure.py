import numpy as np
import pytest
from scipy import sparse

from residuum import Residual2Vec
from residuum.errors import InvalidGraphError
from residuum.graph import Graph
from residuum.graph.structure import checked_coordinates, compressed_fault

RING = sparse.coo_array(np.roll(np.eye(4), 1, axis=1) + np.roll(np.eye(4), -1, axis=1))


@pytest.mark.parametrize("kind", ["coo", "csr", "csc", "bsr", "dia", "lil", "dok"])
def test_entries_of_any_format_are_returned(kind: str) -> None:
    np.testing.assert_array_equal(checked_coordinates(RING.asformat(kind)).toarray(), RING.toarray())


def damaged(kind: str, name: str, values: list[int]) -> object:
    matrix = RING.asformat(kind).copy()
    getattr(matrix, name)[: len(values)] = values
    return matrix


@pytest.mark.parametrize("kind", ["csr", "csc"])
@pytest.mark.parametrize(
    ("name", "values", "message"),
    [
        ("indptr", [0, 10**9], "indptr decreases at position 2"),
        ("indptr", [0, -(10**9)], "indptr decreases at position 1"),
        ("indptr", [-7], "indptr starts at -7 instead of 0"),
        ("indptr", [0, 2, 4, 6, 10**9], "indptr ends at 1000000000, but there are 8 indices"),
        ("indices", [10**9], "the index 1000000000 is not between 0 and 3"),
        ("indices", [-1], "the index -1 is not between 0 and 3"),
    ],
)
def test_s2_index_arrays_that_lead_outside_are_refused_by_fit(
    kind: str, name: str, values: list[int], message: str
) -> None:
    with pytest.raises(InvalidGraphError, match=f"the {kind} matrix has damaged index arrays: {message}"):
        Residual2Vec(2).fit(damaged(kind, name, values))


def test_s2_index_arrays_that_lead_outside_are_refused_by_transform() -> None:
    model = Residual2Vec(2, random_state=0).fit(RING)
    with pytest.raises(InvalidGraphError, match="damaged index arrays"):
        model.transform(damaged("csr", "indptr", [0, 10**9]))


def test_damaged_coordinates_and_blocks_are_refused() -> None:
    matrix = RING.copy()
    matrix.coords[0][0] = 99
    with pytest.raises(InvalidGraphError, match=r"one index below 4 is needed for each entry|square array"):
        Graph(matrix)
    with pytest.raises(InvalidGraphError, match="the bsr matrix has damaged index arrays"):
        Graph(damaged("bsr", "indptr", [0, 10**9]))


def test_arrays_of_the_wrong_type_or_length_are_named() -> None:
    floats, ends = np.array([0.0, 1.0]), np.array([0])
    assert compressed_fault(floats, ends, 1, (1, 1)) == "indptr and indices must be one-dimensional arrays of integers"
    assert compressed_fault(np.array([0, 1]), ends, 1, (2, 2)) == "indptr has length 2 instead of 3"
    assert compressed_fault(np.array([0, 1]), ends, 1, (1, 1)) is None


def test_masked_entries_are_not_edges() -> None:
    matrix = np.ma.masked_array([[0.0, 1.0], [1.0, 0.0]], mask=[[False, True], [False, False]])
    np.testing.assert_array_equal(checked_coordinates(matrix).toarray(), [[0, 0], [1, 0]])
