import numpy as np
import pytest

from graph_cases import graph_cases
from residuum import Graph, Residual2Vec, datasets
from residuum.nulls import Configuration
from residuum.residual import ResidualMatrix, Spectrum, read_alpha
from residuum.residual.left_out_ends import LocalEnds
from residuum.residual.linalg import factorize_dense
from residuum.walks import WindowProbabilities, neighbor_degree

CASES = graph_cases()


def ends_of(graph, n_components=6, weighting=0.8):
    null = Configuration().fit(graph, 3)
    matrix = ResidualMatrix(WindowProbabilities(graph, 3), null, -2.0, weighting)
    return LocalEnds(matrix, factorize_dense(matrix.columns(np.arange(graph.n_nodes)), n_components, matrix.symmetric))


@pytest.mark.parametrize("case", ["weighted", "unweighted"])
@pytest.mark.parametrize("scale", [1e-30, 1.0, 1e30])
def test_quotients_are_those_of_the_dense_formula(case, scale):
    graph = CASES[case]
    ends = ends_of(Graph(graph.adjacency.astype(np.float64) * scale))
    u = ends.vectors(np.arange(graph.n_nodes), "rows").astype(np.float64)
    A = graph.adjacency.toarray()
    expected = np.einsum("ik,ij,jk->k", u, A, u) / np.einsum("ik,i,ik->k", u, A.sum(axis=1), u)
    np.testing.assert_allclose(ends.quotients(), expected, atol=1e-5)


def test_the_degree_of_neighbors_is_the_mean_of_squares_over_the_mean():
    graph = CASES["unweighted"]
    A = graph.adjacency.toarray().astype(np.float64)
    strength = A.sum(axis=1)
    degree = strength**2 / (A**2).sum(axis=1)
    assert neighbor_degree(graph) == pytest.approx((strength * degree).sum() / strength.sum())
    assert neighbor_degree(Graph(7.0 * A)) == pytest.approx(neighbor_degree(graph))


@pytest.mark.parametrize("mixing", [0.1, 0.3, 0.4])
def test_four_planted_groups_have_four_dimensions_above_the_noise(mixing):
    graph = datasets.planted_groups(1000, 4, mixing=mixing, average_degree=20.0, degree_exponent=None, random_state=1)
    model = Residual2Vec(32, random_state=0).fit(graph)
    assert 3 <= model.solver_details_["signal_dimensions"] <= 5
    assert (
        model.alpha_
        == 1 - 0.5 * model.solver_details_["signal_dimensions"] / (model.solver_details_["remaining_dimensions"])
    )


def test_dimensions_of_length_zero_do_not_count():
    ends = ends_of(CASES["unweighted"])
    n_kept = 2
    shrinkage = (ends.values[n_kept] + 1e-9) / ends.values[-1]
    alpha, details = read_alpha(ends, Spectrum(shrinkage=float(shrinkage)))
    assert alpha == 1 - 0.5 * details["signal_dimensions"] / n_kept


def test_a_path_has_no_limit_and_keeps_one_half():
    path = np.diag(np.ones(29), 1)
    assert read_alpha(ends_of(Graph(path + path.T)), Spectrum()) == (0.5, {})


def test_alpha_changes_neither_scores_of_pairs_nor_a_value_that_is_set():
    graph = datasets.planted_groups(300, 4, mixing=0.3, random_state=0)
    read, half = (Residual2Vec(32, alpha=alpha, random_state=0).fit(graph) for alpha in (None, 0.5))
    assert read.alpha_ > 0.55
    assert (half.alpha_, "signal_dimensions" in half.solver_details_) == (0.5, False)
    i, j = np.arange(299), np.arange(1, 300)
    np.testing.assert_allclose(read.score_pairs(i, j), half.score_pairs(i, j), atol=1e-3)


@pytest.mark.parametrize("parameters", [{"solver": "likelihood"}, {"refine": 1}])
def test_alpha_is_one_half_where_vectors_maximize_the_likelihood(parameters):
    graph = datasets.planted_groups(300, 4, mixing=0.3, random_state=0)
    assert Residual2Vec(8, random_state=0, **parameters).fit(graph).alpha_ == 0.5


def test_alpha_is_one_half_in_directed_graphs():
    assert Residual2Vec(6, random_state=0).fit(CASES["directed"]).alpha_ == 0.5
