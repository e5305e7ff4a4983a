from math import comb

import numpy as np
import pytest

import dense_reference as dense
from graph_cases import graph_cases
from residuum import Graph, datasets
from residuum.graph import effective_degrees
from residuum.walks import WindowProbabilities, effective_rank, noise_eigenvalue

CASES = graph_cases()


@pytest.mark.parametrize("window", [1, 3, [0, 0, 0, 1]])
@pytest.mark.parametrize("case", CASES)
def test_the_rank_is_the_trace_of_an_even_power_beyond_noise(case, window):
    graph = CASES[case]
    probabilities = WindowProbabilities(graph, window)
    A = graph.adjacency.toarray()
    steps = round(float(probabilities.window @ np.arange(1, len(probabilities.window) + 1)))
    exact = np.trace(np.linalg.matrix_power(dense.step_matrix(A + A.T), 2 * steps))
    degree = effective_degrees(graph.adjacency)[graph.out_strength > 0].mean()
    semicircle = 20 * noise_eigenvalue(degree) ** (2 * steps) * comb(2 * steps, steps) / (steps + 1) / 4**steps
    assert effective_rank(probabilities) == pytest.approx(max(exact - semicircle, 0.0), abs=0.35 * exact)


def test_a_random_graph_has_no_rank_beyond_the_first():
    graph = datasets.planted_groups(4000, 1, average_degree=12, degree_exponent=8, random_state=0)
    assert effective_rank(WindowProbabilities(graph, 4)) < 12


def test_the_noise_of_sparse_graphs_has_the_largest_eigenvalue():
    eigenvalues = [noise_eigenvalue(degree) for degree in (1.0, 2.0, 3.0, 10.0, 1e6)]
    assert eigenvalues[:2] == [1.0, 1.0]
    assert (np.diff(eigenvalues[1:]) < 0).all()


def test_groups_that_walkers_do_not_leave_count_as_one():
    for n_groups in (3, 20):
        graph = datasets.planted_groups(40 * n_groups, n_groups, mixing=0.01, average_degree=20, random_state=0)
        assert effective_rank(WindowProbabilities(graph, [0, 0, 0, 1])) == pytest.approx(n_groups, rel=0.25)


@pytest.mark.parametrize("unit", [1e-300, 1e300])
def test_the_unit_of_the_weights_does_not_matter(unit):
    graph = CASES["weighted"]
    ranks = [effective_rank(WindowProbabilities(Graph(factor * graph.adjacency), 3)) for factor in (1.0, unit)]
    assert ranks[0] == pytest.approx(ranks[1], rel=1e-4)
