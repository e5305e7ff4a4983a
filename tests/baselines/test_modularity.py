import numpy as np
import pytest

from residuum import Graph, datasets
from residuum.baselines import ModularitySpectral


@pytest.mark.parametrize("n_nodes", [50, 300], ids=["dense", "iterative"])
def test_vectors_are_the_leading_eigenvectors_of_the_modularity_matrix(n_nodes):
    graph = datasets.planted_groups(n_nodes, 3, random_state=3)
    A, d = graph.adjacency.toarray().astype(float), graph.out_strength
    values, vectors = np.linalg.eigh((A - np.outer(d, d) / d.sum()) / d.sum())
    model = ModularitySpectral(4, random_state=0).fit(graph)
    np.testing.assert_allclose(model.eigenvalues_, values[::-1][:4], atol=1e-8)
    best = (vectors[:, ::-1][:, :4] * values[::-1][:4]) @ vectors[:, ::-1][:, :4].T
    np.testing.assert_allclose(model.embedding_ @ model.context_embedding_.T, best, atol=1e-6)


@pytest.mark.parametrize("n_nodes", [40, 200], ids=["dense", "iterative"])
def test_vectors_of_a_directed_graph_are_singular_vectors(n_nodes):
    rng = np.random.default_rng(0)
    A = np.roll(np.eye(n_nodes), 1, axis=1) + (rng.random((n_nodes, n_nodes)) < 0.1)
    model = ModularitySpectral(4, random_state=0).fit(Graph(A, directed=True))
    left, values, right = np.linalg.svd((A - np.outer(A.sum(axis=1), A.sum(axis=0)) / A.sum()) / A.sum())
    np.testing.assert_allclose(model.eigenvalues_, values[:4], atol=1e-8)
    best = (left[:, :4] * values[:4]) @ right[:4]
    np.testing.assert_allclose(model.embedding_ @ model.context_embedding_.T, best, atol=1e-6)
