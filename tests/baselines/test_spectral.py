import numpy as np
import pytest
from scipy.linalg import block_diag

from graph_cases import graph_cases
from residuum import datasets
from residuum.baselines.spectral import SpectralEmbedding, leading_eigenvectors, leading_singular_vectors
from residuum.errors import InvalidParameterError, ResiduumWarning

CASES = graph_cases()
# 64 nodes are the limit of the dense path at few vectors.
SIZES = pytest.mark.parametrize("n_nodes", [2, 20, 64, 65, 150])


def square(n_nodes, *, symmetric, scale=1.0):
    matrix = np.random.default_rng(n_nodes).normal(size=(n_nodes, n_nodes))
    return scale * (matrix + matrix.T if symmetric else matrix)


def eigenvectors(matrix, n_vectors):
    n_nodes = len(matrix)
    return leading_eigenvectors(lambda x: matrix @ x.reshape(n_nodes, -1), n_nodes, n_vectors, np.random.default_rng(0))


def singular_vectors(matrix, n_vectors):
    n_nodes = len(matrix)
    return leading_singular_vectors(
        lambda x: matrix @ x.reshape(n_nodes, -1),
        lambda x: matrix.T @ x.reshape(n_nodes, -1),
        n_nodes,
        n_vectors,
        np.random.default_rng(0),
    )


@pytest.mark.parametrize("scale", [1e-12, 1.0, 1e12])
@SIZES
def test_eigenvalues_are_the_largest_by_value_not_by_magnitude(n_nodes, scale):
    matrix = square(n_nodes, symmetric=True, scale=scale)
    matrix -= 30.0 * scale * np.ones((n_nodes, n_nodes)) / n_nodes
    n_vectors = min(5, n_nodes - 1)
    values, vectors = eigenvectors(matrix, n_vectors)
    np.testing.assert_allclose(values, np.linalg.eigvalsh(matrix)[::-1][:n_vectors], rtol=1e-9, atol=1e-9 * scale)
    np.testing.assert_allclose(matrix @ vectors, vectors * values, atol=1e-9 * scale * n_nodes)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(n_vectors), atol=1e-10)


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e12])
@SIZES
def test_singular_vectors_give_the_best_approximation_of_their_rank(n_nodes, scale):
    matrix = square(n_nodes, symmetric=False, scale=scale)
    n_vectors = min(5, n_nodes - 1)
    left, values, right = np.linalg.svd(matrix)
    expected = (left[:, :n_vectors] * values[:n_vectors]) @ right[:n_vectors]
    found_values, found_left, found_right = singular_vectors(matrix, n_vectors)
    np.testing.assert_allclose(found_values, values[:n_vectors], rtol=1e-8)
    np.testing.assert_allclose((found_left * found_values) @ found_right.T, expected, atol=1e-7 * scale)


@SIZES
def test_the_entry_of_largest_magnitude_is_positive(n_nodes):
    n_vectors = min(5, n_nodes - 1)
    vectors = eigenvectors(square(n_nodes, symmetric=True), n_vectors)[1]
    left = singular_vectors(square(n_nodes, symmetric=False), n_vectors)[1]
    for columns in (vectors, left):
        assert (columns[np.abs(columns).argmax(axis=0), np.arange(n_vectors)] > 0).all()


@pytest.mark.parametrize("n_groups", [10, 40], ids=["dense", "iterative"])
def test_repeated_eigenvalues_are_all_found(n_groups):
    matrix = block_diag(*[np.ones((3, 3))] * n_groups)
    values, vectors = eigenvectors(matrix, 5)
    np.testing.assert_allclose(values, np.full(5, 3.0))
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(5), atol=1e-10)
    np.testing.assert_allclose(singular_vectors(matrix, 5)[0], np.full(5, 3.0))


def test_many_vectors_of_a_large_matrix_are_those_of_the_dense_solution():
    matrix = square(150, symmetric=True)
    values, vectors = eigenvectors(matrix, 149)
    np.testing.assert_allclose(values, np.linalg.eigvalsh(matrix)[::-1][:149], atol=1e-9)
    assert vectors.shape == (150, 149)


class Weighted(SpectralEmbedding):
    """Embedding with known columns: i + k and i − k."""

    def _decompose(self, graph, n_components, rng):
        rows, columns = np.arange(graph.n_nodes)[:, None], np.arange(n_components)
        return np.ones(n_components), (rows + columns).astype(float), (rows - columns).astype(float)


def test_fit_stores_values_and_both_vectors_and_reports_its_end():
    events = []
    graph = datasets.karate_club()
    model = Weighted(3, progress=events.append)
    assert model.fit(graph) is model
    np.testing.assert_array_equal(model.eigenvalues_, np.ones(3))
    assert model.embedding_.dtype == model.context_embedding_.dtype == np.float32
    np.testing.assert_array_equal(model.embedding_[5], [5, 6, 7])
    np.testing.assert_array_equal(model.context_embedding_[5], [5, 4, 3])
    assert [(event.stage, event.done, event.total) for event in events] == [
        ("eigenvectors", 0, 1),
        ("eigenvectors", 1, 1),
    ]


def test_fit_warns_about_isolated_nodes_and_refuses_too_many_dimensions():
    with pytest.warns(ResiduumWarning, match="2 isolated nodes"):
        Weighted(3).fit(CASES["isolated nodes"])
    with pytest.raises(InvalidParameterError, match="n_components must be below the number of nodes, 34; got 34"):
        Weighted(34).fit(datasets.karate_club())
