import numpy as np
import pytest
from scipy import sparse

from residuum import Graph
from residuum.errors import InvalidGraphError
from residuum.graph.symmetry import asymmetric_pair, symmetric


def test_error_names_the_asymmetric_pair_of_an_undirected_graph() -> None:
    with pytest.raises(
        InvalidGraphError, match=r"from 'a' to 'b' is 2 and the weight from 'b' to 'a' is 0\. Pass directed=True"
    ):
        Graph([[0, 2], [0, 0]], ["a", "b"])


@pytest.mark.parametrize("lone", [1e-3, 5e-324])
def test_weights_within_the_rounding_error_of_the_largest_become_symmetric(lone: float) -> None:
    matrix = np.array([[0.5, 1.0, lone], [1.0 + 1e-12, 0.0, 0.0], [0.0, 0.0, 1e300]])
    graph = Graph(matrix)
    np.testing.assert_array_equal(graph.adjacency.toarray(), graph.adjacency.T.toarray())
    np.testing.assert_allclose(graph.adjacency.toarray(), (matrix + matrix.T) / 2, rtol=1e-15)
    assert (graph.adjacency.data > 0).all()
    assert matrix[0, 2] == lone


def test_a_symmetric_matrix_is_not_copied() -> None:
    matrix = sparse.csr_array(np.array([[0.0, 2.0], [2.0, 1.0]]))
    assert symmetric(matrix, np.arange(2)) is matrix


def test_a_pair_is_asymmetric_beyond_a_millionth_of_the_larger_weight() -> None:
    for difference, pair in ((0.9e-6, None), (1.1e-6, (0, 1))):
        assert asymmetric_pair(sparse.csr_array(np.array([[0.0, 1.0], [1.0 - difference, 0.0]]))) == pair
