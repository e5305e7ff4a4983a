"""The likelihood and its gradient, compared with dense formulas."""

import numpy as np
import pytest

from graph_cases import OpaqueNull, graph_cases, labels_for
from residuum.nulls import Configuration, DegreeCorrectedSBM, ErdosRenyi
from residuum.residual import Likelihood, ResidualMatrix
from residuum.walks import WindowProbabilities

CASES = graph_cases()
WINDOW = np.array([0.4, 0.3, 0.2, 0.1])
N = 20


def likelihood_of(graph, kind="configuration", n_contexts=20_000, n_columns=N):
    nulls = {"erdos-renyi": ErdosRenyi(), "dcsbm": DegreeCorrectedSBM(labels_for(graph))}
    null = nulls.get(kind, Configuration()).fit(graph, WINDOW)
    null = OpaqueNull(null) if kind == "opaque" else null
    return Likelihood(ResidualMatrix(WindowProbabilities(graph, WINDOW), null, -3.0, 0.5), n_contexts, n_columns)


def probabilities(likelihood):
    matrix = likelihood.matrix
    nodes = np.arange(matrix.n_nodes)
    observed = matrix.probabilities.rows(nodes).astype(float)
    expected = np.exp(matrix.null.log_probability(nodes[:, None], nodes[None, :]))
    active = likelihood.shares > 0
    return np.where(active[:, None], observed, 0.0), np.where(active[:, None], expected, 0.0)


def dense_loss(likelihood, u, v):
    """The formula, with dense matrices."""
    observed, expected = probabilities(likelihood)
    scores = u.astype(float) @ v.T.astype(float)
    losses = observed * np.logaddexp(0, -scores) + expected * np.logaddexp(0, scores)
    return float(likelihood.shares @ losses.sum(axis=1))


def dense_gradient(likelihood, side, u, v):
    observed, expected = probabilities(likelihood)
    sigma = 1 / (1 + np.exp(-(u.astype(float) @ v.T.astype(float))))
    slopes = observed * (1 - sigma) - expected * sigma
    if side == "centers":
        return slopes @ v
    mass = np.where(likelihood.mass > 0, likelihood.mass, np.inf)
    return (likelihood.shares[:, None] * slopes / mass).T @ u


def vectors(likelihood, seed=0):
    rng = np.random.default_rng(seed)
    u, v = rng.normal(size=(2, likelihood.n_nodes, 4)).astype(np.float32)
    u[likelihood.shares == 0] = v[likelihood.mass == 0] = 0.0
    return u, v


def gradient(likelihood, side, u, v, seed):
    X, Y = (u, v) if side == "centers" else (v, u)
    draws = likelihood.draws(side, seed)
    return np.concatenate([likelihood.gradient(side, rows, X, Y, draws) for rows in likelihood.chunks()])


@pytest.mark.parametrize("side", ["centers", "contexts"])
@pytest.mark.parametrize("kind", ["configuration", "erdos-renyi", "dcsbm", "opaque"])
@pytest.mark.parametrize("case", ["weighted", "directed", "isolated nodes", "dangling nodes", "self-loops"])
def test_the_sampled_gradient_is_that_of_the_dense_formula(case, kind, side):
    likelihood = likelihood_of(CASES[case], kind)
    u, v = vectors(likelihood)
    expected = dense_gradient(likelihood, side, u, v)
    active = likelihood.shares > 0 if side == "centers" else likelihood.mass > 0
    sampled = np.mean([gradient(likelihood, side, u, v, seed) for seed in range(3)], axis=0)
    np.testing.assert_allclose(sampled[active], expected[active], atol=0.05)
    assert not sampled[~active].any()


@pytest.mark.parametrize("side", ["centers", "contexts"])
@pytest.mark.parametrize("case", ["weighted", "directed"])
def test_a_sample_of_columns_estimates_all(case, side):
    likelihood = likelihood_of(CASES[case], "dcsbm", n_contexts=500, n_columns=6)
    u, v = vectors(likelihood)
    sampled = np.mean([gradient(likelihood, side, u, v, seed) for seed in range(600)], axis=0)
    np.testing.assert_allclose(sampled, dense_gradient(likelihood, side, u, v), atol=0.08)


@pytest.mark.parametrize("case", ["weighted", "directed"])
def test_gradients_are_derivatives_of_the_loss_divided_by_the_weight_of_the_row(case):
    likelihood = likelihood_of(CASES[case])
    u, v = (x.astype(float) for x in vectors(likelihood))
    for side, weights in (("centers", likelihood.shares), ("contexts", likelihood.mass)):
        expected = dense_gradient(likelihood, side, u, v)
        for row, k in ((0, 1), (7, 3)):
            step = np.zeros_like(u)
            step[row, k] = 1e-5
            ends = [
                dense_loss(likelihood, *((u + s * step, v) if side == "centers" else (u, v + s * step)))
                for s in (1, -1)
            ]
            assert -(ends[0] - ends[1]) / 2e-5 / weights[row] == pytest.approx(expected[row, k], abs=1e-5)


@pytest.mark.parametrize("kind", ["configuration", "dcsbm", "opaque"])
@pytest.mark.parametrize("case", ["weighted", "directed", "isolated nodes", "dangling nodes"])
def test_the_measured_loss_is_that_of_the_dense_formula(case, kind):
    likelihood = likelihood_of(CASES[case], kind)
    u, v = vectors(likelihood)
    assert likelihood.loss(u, v) == pytest.approx(dense_loss(likelihood, u, v), rel=0.02)
    assert likelihood.loss(0 * u, v) == pytest.approx(2 * np.log(2), rel=0.02)


@pytest.mark.parametrize("side", ["centers", "contexts"])
def test_the_curvature_is_that_of_pairs_which_the_null_model_explains(side):
    likelihood = likelihood_of(CASES["weighted"])
    u, _ = vectors(likelihood)
    weights = likelihood.marginal if side == "centers" else likelihood.shares
    np.testing.assert_allclose(likelihood.curvature(side, u), 0.5 * (weights[:, None] * u).T @ u, rtol=1e-4, atol=1e-6)


def test_the_likelihood_does_not_depend_on_floor_and_weighting():
    graph = CASES["weighted"]
    null = Configuration().fit(graph, WINDOW)
    likelihoods = [
        Likelihood(ResidualMatrix(WindowProbabilities(graph, WINDOW), null, floor, weighting), 100)
        for floor, weighting in ((-3.0, 0.5), (0.0, 0.0))
    ]
    u, v = vectors(likelihoods[0])
    assert likelihoods[0].loss(u, v) == likelihoods[1].loss(u, v)
    np.testing.assert_array_equal(*(gradient(likelihood, "centers", u, v, 5) for likelihood in likelihoods))
