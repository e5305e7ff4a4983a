import numpy as np
import pytest
from sklearn.manifold import SpectralEmbedding

from residuum import Graph, datasets
from residuum.baselines import LaplacianEigenmap


@pytest.mark.parametrize("n_nodes", [60, 400], ids=["dense", "iterative"])
def test_it_equals_scikit_learns_spectral_embedding_up_to_rotation(n_nodes):
    graph = datasets.planted_groups(n_nodes, 4, random_state=3)
    ours = LaplacianEigenmap(5, random_state=0).fit_transform(graph).astype(float)
    theirs = SpectralEmbedding(5, affinity="precomputed", random_state=0).fit_transform(graph.adjacency.toarray())
    np.testing.assert_allclose(ours @ ours.T, theirs @ theirs.T, atol=1e-5)


def test_vectors_solve_the_generalized_eigenproblem():
    graph = datasets.planted_groups(200, 4, random_state=3)
    model = LaplacianEigenmap(4, random_state=0).fit(graph)
    A, d, y = graph.adjacency.toarray(), graph.out_strength, model.embedding_.astype(float)
    np.testing.assert_allclose(d[:, None] * y - A @ y, d[:, None] * y * model.eigenvalues_, atol=1e-5)
    np.testing.assert_allclose(y.T @ (d[:, None] * y), np.eye(4), atol=1e-5)
    assert (np.diff(model.eigenvalues_) > 0).all()


def test_directions_are_ignored():
    rng = np.random.default_rng(0)
    A = np.roll(np.eye(40), 1, axis=1) + (rng.random((40, 40)) < 0.1)
    graphs = Graph(A, directed=True), Graph(A + A.T)
    directed, undirected = (LaplacianEigenmap(3, random_state=0).fit_transform(graph) for graph in graphs)
    np.testing.assert_allclose(directed, undirected, atol=1e-5)
