"""Newton sweeps on the likelihood, compared with the dense formula and optimum."""

import numpy as np
import pytest
from scipy.optimize import minimize

import dense_reference as dense
from graph_cases import OpaqueNull, graph_cases, labels_for
from residuum import Graph, Residual2Vec, datasets
from residuum.errors import InvalidParameterError
from residuum.nulls import Configuration, DegreeCorrectedSBM, ErdosRenyi
from residuum.residual import ResidualMatrix, likelihood, refine
from residuum.solvers import Exact, Workspace
from residuum.walks import WindowProbabilities

pytestmark = pytest.mark.filterwarnings("ignore:a null model with groups")

CASES = graph_cases()
LARGE = 1 << 30
WINDOW = np.full(3, 1 / 3)


def matrix_of(graph, null_model=None, weighting=0.5, floor=-3.0):
    null = (null_model or Configuration()).fit(graph, WINDOW)
    return ResidualMatrix(WindowProbabilities(graph, WINDOW), null, floor, weighting)


def factors_of(matrix, n_components):
    return Exact().solve(matrix, n_components, Workspace(LARGE, np.random.default_rng(0))).factors


def scores_of(matrix, factors):
    """``S⁻¹ left diag(values) rightᵀ T⁻¹``."""
    with np.errstate(divide="ignore"):
        down, across = (np.where(s > 0, 1 / s.astype(float), 0.0) for s in (matrix.row_scale, matrix.column_scale))
    return down[:, None] * (factors.left.astype(float) * factors.values) @ factors.right.T * across


def loss_of(graph, scores, kind="configuration", groups=None):
    """The formula, with dense matrices."""
    A = graph.adjacency.toarray()
    observed, expected = dense.window_probability(A, WINDOW), dense.null_probability(A, kind, WINDOW, groups)
    ratio = np.divide(observed, expected, out=np.zeros_like(observed), where=expected > 0)
    weights = np.outer(A.sum(axis=1), A.sum(axis=0)) / A.sum() ** 2
    return np.sum(weights * (ratio * np.log1p(np.exp(-scores)) + np.log1p(np.exp(scores))))


@pytest.mark.parametrize("case", ["weighted", "isolated nodes", "directed"])
@pytest.mark.parametrize("kind", ["configuration", "erdos-renyi", "dcsbm"])
def test_ratios_match_dense_matrices(case, kind):
    graph = CASES[case]
    groups = labels_for(graph)
    nulls = {"configuration": Configuration(), "erdos-renyi": ErdosRenyi(), "dcsbm": DegreeCorrectedSBM(groups)}
    A = graph.adjacency.toarray()
    observed, expected = dense.window_probability(A, WINDOW), dense.null_probability(A, kind, WINDOW, groups)
    ratio = np.divide(observed, expected, out=np.zeros_like(observed), where=expected > 0)
    ratios = matrix_of(graph, nulls[kind]).ratios(np.arange(graph.n_nodes))
    np.testing.assert_allclose(ratios, ratio, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("case", ["weighted", "isolated nodes", "directed"])
def test_null_models_without_a_block_form_have_the_same_ratios(case):
    graph = CASES[case]
    matrix = matrix_of(graph)
    opaque = ResidualMatrix(matrix.probabilities, OpaqueNull(matrix.null), -3.0)
    nodes = np.arange(graph.n_nodes)
    np.testing.assert_allclose(opaque.ratios(nodes), matrix.ratios(nodes), rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("case", ["weighted", "isolated nodes", "directed"])
def test_every_sweep_raises_the_likelihood(case):
    graph = CASES[case]
    matrix = matrix_of(graph)
    factors = factors_of(matrix, 4)
    losses = [loss_of(graph, scores_of(matrix, refine(matrix, factors, n, LARGE))) for n in (0, 1, 2, 5, 20)]
    assert np.all(np.diff(losses) < 0), losses


@pytest.mark.parametrize(("case", "symmetric"), [("weighted", True), ("directed", False)])
def test_many_sweeps_converge_to_a_maximum(case, symmetric):
    graph = CASES[case]
    matrix = matrix_of(graph, weighting=0.0)
    assert matrix.symmetric == symmetric
    n, k = graph.n_nodes, 3
    refined = refine(matrix, factors_of(matrix, k), 600, LARGE)
    root = np.sqrt(refined.values)
    begin = np.concatenate([refined.left * root, refined.right * root]).astype(float)

    def loss(flat):
        u, v = flat.reshape(2, n, k)
        return loss_of(graph, u @ v.T)

    now = loss(begin.ravel())
    assert now - minimize(loss, begin.ravel(), method="L-BFGS-B", options={"maxiter": 5}).fun < 2e-4 * now


def test_at_full_rank_the_scores_are_the_log_ratios():
    graph = datasets.karate_club()
    null = Configuration().fit(graph, np.full(6, 1 / 6))
    matrix = ResidualMatrix(WindowProbabilities(graph, np.full(6, 1 / 6)), null, -10.0)
    ratios = matrix.ratios(np.arange(34))
    assert (ratios > 0).all()
    blurred = factors_of(matrix, 33)
    blurred.values = 0.7 * blurred.values
    refined = refine(matrix, blurred, 300, LARGE)
    seen = ratios > 0.2
    np.testing.assert_allclose(scores_of(matrix, refined)[seen], np.log(ratios)[seen], atol=0.1)


def test_both_sides_of_a_symmetric_matrix_stay_equal_up_to_sign():
    matrix = matrix_of(CASES["weighted"])
    refined = refine(matrix, factors_of(matrix, 6), 10, LARGE)
    np.testing.assert_allclose(np.abs(refined.left), np.abs(refined.right), atol=1e-6)
    np.testing.assert_allclose(refined.left.T @ refined.left, np.eye(6), atol=1e-5)
    assert np.all(np.diff(refined.values) <= 0)


@pytest.mark.filterwarnings("ignore:the graph has")
def test_isolated_nodes_keep_zero_vectors():
    graph = CASES["isolated nodes"]
    model = Residual2Vec(5, refine=5, random_state=0).fit(graph)
    isolated = graph.out_strength == 0
    assert not model.embedding_[isolated].any()
    assert model.embedding_[~isolated].any(axis=1).all()


def test_factors_do_not_depend_on_the_memory_limit():
    graph = datasets.planted_groups(300, 3, random_state=0)
    matrix = matrix_of(graph)
    factors = factors_of(matrix, 8)
    kept, recomputed = (scores_of(matrix, refine(matrix, factors, 3, limit)) for limit in (LARGE, 40_000))
    np.testing.assert_allclose(recomputed, kept, atol=1e-4)


def test_a_step_that_lowers_the_likelihood_is_halved(monkeypatch):
    graph = CASES["weighted"]
    matrix = matrix_of(graph)
    factors = factors_of(matrix, 4)
    before = loss_of(graph, scores_of(matrix, factors))
    monkeypatch.setattr(likelihood, "_STEP", 40.0)
    assert loss_of(graph, scores_of(matrix, refine(matrix, factors, 12, LARGE))) < before


@pytest.mark.parametrize("step", [0.5, 8.0, 40.0])
@pytest.mark.parametrize("case", ["weighted", "directed"])
def test_n8_refinement_never_ends_worse_than_it_began(case, step, monkeypatch):
    graph = CASES[case]
    matrix = matrix_of(graph)
    factors = factors_of(matrix, 4)
    monkeypatch.setattr(likelihood, "_STEP", step)
    losses = [loss_of(graph, scores_of(matrix, refine(matrix, factors, n, LARGE))) for n in range(6)]
    assert all(loss <= losses[0] + 1e-6 for loss in losses)


def test_n8_a_zero_matrix_has_zero_vectors():
    star = np.zeros((30, 30))
    star[0, 1:] = star[1:, 0] = 1
    model = Residual2Vec(8, window=10, floor=0.0, refine=3, random_state=0).fit(Graph(star))
    assert not model.embedding_.any()
    assert not model.transform(star[:2]).any()


def test_sweeps_fit_many_small_groups_better_than_factorization():
    graph = datasets.planted_groups(400, 40, mixing=0.1, average_degree=8, random_state=0)
    matrix = matrix_of(graph)
    factors = factors_of(matrix, 16)
    assert loss_of(graph, scores_of(matrix, refine(matrix, factors, 10, LARGE))) < 0.98 * loss_of(
        graph, scores_of(matrix, factors)
    )


@pytest.mark.filterwarnings("ignore:the graph has")
@pytest.mark.parametrize("case", ["weighted", "directed"])
def test_the_edges_of_a_node_reproduce_its_vector(case):
    graph = CASES[case]
    model = Residual2Vec(4, refine=800, power=1.2, scale=2.0, random_state=0).fit(graph)
    error = np.abs(model.transform(graph.adjacency) - model.embedding_).max()
    assert error < 0.02 * np.abs(model.embedding_).max()
    projected = Residual2Vec(4, power=1.2, scale=2.0, random_state=0).fit(graph).transform(graph.adjacency)
    assert np.abs(projected - model.embedding_).max() > 10 * error


def test_unsupported_refinement_is_rejected():
    graph = datasets.karate_club()
    with pytest.raises(InvalidParameterError, match=r"refine=5 would reintroduce the erased attributes"):
        Residual2Vec(4, refine=5, erase="degree").fit(graph)
    with pytest.raises(InvalidParameterError, match=r"refine needs a solver that factorizes"):
        Residual2Vec(4, refine=5, solver="skipgram").fit(graph)
    with pytest.raises(InvalidParameterError, match=r"refine must be at least 0; got -1"):
        Residual2Vec(4, refine=-1).fit(graph)
    with pytest.raises(InvalidParameterError, match=r"refine must be an integer of at least 0; got 'much'"):
        Residual2Vec(4, refine="much").fit(graph)
