"""Leakage of an edge into singular vectors: formula, and a random matrix."""

import numpy as np
import pytest

from residuum import Graph, datasets
from residuum.nulls import Configuration
from residuum.residual import ResidualMatrix
from residuum.residual.noise import leakage, noise_steps, remaining_energy
from residuum.solvers import Exact, Workspace
from residuum.walks import WindowProbabilities, effective_degree, noise_eigenvalue


def test_a_strong_dimension_of_a_random_matrix_follows_a_change_of_a_row_as_the_formula_says():
    rng = np.random.default_rng(0)
    n_nodes, strength = 1500, 3.0 * np.sqrt(1500)
    noise = rng.normal(size=(n_nodes, n_nodes))
    planted = np.ones(n_nodes) / np.sqrt(n_nodes)
    matrix = (noise + noise.T) / np.sqrt(2) + strength * np.outer(planted, planted)
    values, vectors = np.linalg.eigh(matrix)
    value, vector = values[-1], vectors[:, -1]
    # Change of the entry (0, 1), first order: all eigenvectors contribute to the new leading eigenvector.
    overlaps = vectors[0, :-1] * vector[1] + vectors[1, :-1] * vector[0]
    mixed = vectors[:, :-1] @ (overlaps / (value - values[:-1]))
    indirect = (matrix @ mixed)[0]
    direct = vector[1]
    assert leakage(np.array([value]), 1.0 * n_nodes)[0] == pytest.approx(indirect / direct, rel=0.15)


def test_the_leakage_is_one_at_the_edge_of_the_noise_and_vanishes_far_above_it():
    values = np.array([1000.0, 10.0, 4.0])
    factors = leakage(values, energy=4.0)
    assert factors[2] == pytest.approx(1.0, abs=1e-3)
    assert factors[1] == pytest.approx(2 / (1 + np.sqrt(1 - 16 / 100)) - 1, rel=1e-6)
    assert factors[0] < 1e-5


def test_walks_of_several_steps_leak_more():
    window = np.array([3.0, 2.0, 1.0]) / 6
    graph = datasets.planted_groups(200, 4, average_degree=20, random_state=0)
    rate = noise_eigenvalue(effective_degree(graph))
    expected = (3 * rate + 4 * rate**2 + 3 * rate**3) / (3 * rate + 2 * rate**2 + rate**3)
    assert noise_steps(graph, window) == pytest.approx(expected)
    values = np.array([10.0])
    assert leakage(values, 1.0, 1.5)[0] == pytest.approx(1.5 * leakage(values, 1.0)[0])


@pytest.mark.parametrize(("degree", "largest"), [(10.0, 0.6), (1.5, 1.0)])
def test_the_noise_eigenvalue_is_the_edge_of_a_regular_random_graph(degree, largest):
    assert noise_eigenvalue(degree) == pytest.approx(largest)


def random_graph(degree, n_nodes=400):
    A = np.triu(np.random.default_rng(0).random((n_nodes, n_nodes)) < degree / n_nodes, 1).astype(float)
    A[np.arange(n_nodes - 1), np.arange(1, n_nodes)] = 1.0
    return Graph(A + A.T)


def test_equal_weights_give_the_mean_degree_and_unequal_weights_less():
    graph = random_graph(10)
    mean = graph.adjacency.nnz / graph.n_nodes
    assert effective_degree(graph) == pytest.approx(mean)
    assert effective_degree(Graph(7.0 * graph.adjacency)) == pytest.approx(mean)
    weights = graph.adjacency.toarray()
    weights[0] *= 100.0
    weights[:, 0] *= 100.0
    assert effective_degree(Graph(weights)) < mean


def test_empty_dimensions_have_no_leakage():
    assert leakage(np.array([3.0, 0.0]), 0.0).tolist() == [0.0, 0.0]


def test_the_remaining_energy_is_what_the_factors_do_not_capture():
    graph = datasets.planted_groups(16, 2, average_degree=6, random_state=0)
    matrix = ResidualMatrix(WindowProbabilities(graph, 3), Configuration().fit(graph, 3), floor=-3.0)
    factors = Exact().solve(matrix, 4, Workspace(1 << 30, np.random.default_rng(0))).factors
    singular_values = np.linalg.svd(matrix.rows(np.arange(16)), compute_uv=False)
    assert remaining_energy(matrix, factors) == pytest.approx(np.sum(singular_values[4:] ** 2) / 16, rel=1e-4)


def test_the_leakage_inside_the_noise_is_linear_in_the_squared_value():
    # The edge of the noise is 2 √4.
    np.testing.assert_allclose(leakage(np.array([4.0, 3.5, 3.0, 2.0, 1.0]), 4.0), [1, 0.53125, 0.125, 0, 0])
