"""Newton sweeps on the likelihood, compared with a dense optimizer."""

import numpy as np
import pytest
from scipy.optimize import minimize

from graph_cases import graph_cases
from residuum import Graph, datasets
from residuum._checkpoint import Store
from residuum._threads import thread_limit
from residuum.nulls import Configuration
from residuum.residual import (
    Likelihood,
    ResidualMatrix,
    Sweeps,
    contexts_per_node,
    factors_of,
    newton,
    random_start,
    vectors_of,
)
from residuum.residual.linalg import factorize_dense
from residuum.residual.sweeps import Swept
from residuum.walks import WindowProbabilities

CASES = graph_cases()
WINDOW = np.full(3, 1 / 3)


def matrix_of(graph, weighting=0.5, floor=-3.0):
    null = Configuration().fit(graph, WINDOW)
    return ResidualMatrix(WindowProbabilities(graph, WINDOW), null, floor, weighting)


def likelihood_of(graph, n_contexts=1000):
    return Likelihood(matrix_of(graph), n_contexts)


def start_of(likelihood, n_components=3, seed=0):
    return random_start(likelihood.matrix.probabilities, n_components, seed)


def run(likelihood, n_sweeps, *, n_components=3, seed=0, store=None, progress=None, start=None, **parameters):
    begin = start_of(likelihood, n_components) if start is None else start
    return Sweeps(likelihood, n_sweeps, **parameters).run(begin, begin, seed, store, progress)


def dense_loss(matrix, likelihood, u, v):
    """The formula, with dense matrices."""
    nodes = np.arange(matrix.n_nodes)
    observed = matrix.probabilities.rows(nodes).astype(float)
    expected = np.exp(matrix.null.log_probability(nodes[:, None], nodes[None, :]))
    scores = u.astype(float) @ v.T.astype(float)
    losses = observed * np.logaddexp(0, -scores) + expected * np.logaddexp(0, scores)
    return float(likelihood.shares @ losses.sum(axis=1))


def test_long_first_steps_from_a_random_start_need_fewer_sweeps():
    likelihood = likelihood_of(datasets.planted_groups(600, 60, average_degree=8, mixing=0.1, random_state=0), 100)
    losses = {
        first: run(likelihood, 5, n_components=16, first_steps=first).losses for first in ((), newton.FIRST_STEPS)
    }
    assert min(losses[newton.FIRST_STEPS][:-1]) < losses[()][-1]


@pytest.mark.parametrize("regularization", [0.0, 0.3])
@pytest.mark.parametrize("case", ["weighted", "directed"])
def test_many_sweeps_converge_to_the_maximum_of_the_dense_formula(case, regularization):
    graph = CASES[case]
    likelihood = likelihood_of(graph, 4000)
    matrix, n = likelihood.matrix, graph.n_nodes
    swept = run(likelihood, 150, regularization=regularization)
    A = graph.adjacency.toarray()
    degrees = [A.sum(axis=k) ** 2 / (A**2).sum(axis=k) for k in (1, 0)]

    def loss(flat):
        u, v = flat.reshape(2, n, 3)
        prior = likelihood.shares @ (np.sum(u**2, axis=1) / degrees[0])
        prior += likelihood.mass @ (np.sum(v**2, axis=1) / degrees[1])
        return dense_loss(matrix, likelihood, u, v) + regularization / 2 * prior

    begin = np.stack([swept.u, swept.v]).astype(float).ravel()
    now = loss(begin)
    best = minimize(loss, begin, method="L-BFGS-B", options={"maxiter": 10}).fun
    assert now - best < 1e-3 * now


@pytest.mark.parametrize("case", CASES)
def test_sweeps_raise_the_likelihood_of_every_kind_of_graph(case):
    swept = run(likelihood_of(CASES[case]), 6)
    assert np.isfinite(swept.u).all()
    assert np.isfinite(swept.v).all()
    assert swept.losses[-1] < swept.losses[0]
    assert swept.losses[-1] < 2 * np.log(2)


def test_sweeps_from_a_factorization_reach_the_loss_of_sweeps_from_a_random_start():
    graph = datasets.planted_groups(300, 6, random_state=0)
    likelihood = likelihood_of(graph)
    matrix = likelihood.matrix
    factors = factorize_dense(matrix.columns(np.arange(300)), 8, symmetric=True)
    u, v = vectors_of(factors, matrix)
    refined = Sweeps(likelihood, 30).run(u, v, seed=1)
    assert refined.losses[0] > refined.losses[-1]
    assert run(likelihood, 30, n_components=8).losses[-1] == pytest.approx(refined.losses[-1], rel=0.01)


def test_the_same_seed_gives_the_same_bits_for_any_number_of_threads():
    for directed in (False, True):
        graph = datasets.planted_groups(900, 6, random_state=0)
        likelihood = likelihood_of(Graph(graph.adjacency, directed=directed), 100)
        results = []
        for n_jobs in (1, 2):
            with thread_limit(n_jobs):
                results.append(run(likelihood, 3, n_components=16))
        np.testing.assert_array_equal(results[0].u, results[1].u)
        np.testing.assert_array_equal(results[0].v, results[1].v)
        assert results[0].losses == results[1].losses


def test_another_seed_gives_other_vectors_of_about_the_same_loss():
    likelihood = likelihood_of(datasets.planted_groups(300, 6, random_state=0), 200)
    first, second = (run(likelihood, 5, n_components=8, seed=seed) for seed in (0, 1))
    assert (first.u != second.u).any()
    assert first.losses[-1] == pytest.approx(second.losses[-1], rel=0.01)


def test_an_interrupted_run_resumes_to_the_same_bits(tmp_path):
    likelihood = likelihood_of(datasets.planted_groups(300, 6, random_state=0), 100)
    whole = run(likelihood, 5)
    run(likelihood, 2, store=Store(tmp_path))
    assert sorted(path.stem for path in tmp_path.glob("*.npy")) == ["losses-0002", "sweep-0002"]
    resumed = run(likelihood, 5, store=Store(tmp_path))
    np.testing.assert_array_equal(resumed.u, whole.u)
    np.testing.assert_array_equal(resumed.v, whole.v)
    assert resumed.losses == whole.losses


def test_vectors_of_isolated_nodes_stay_zero():
    graph = CASES["isolated nodes"]
    swept = run(likelihood_of(graph), 3)
    isolated = graph.out_strength == 0
    assert not swept.u[isolated].any()
    assert not swept.v[isolated].any()
    assert swept.u[~isolated].any(axis=1).all()


def test_sweeps_stop_when_the_loss_settles():
    likelihood = likelihood_of(CASES["weighted"])
    assert len(run(likelihood, 60).losses) == 61
    n_losses = len(run(likelihood, 60, tolerance=0.01).losses)
    assert 4 <= n_losses < 40


def test_a_starting_point_that_no_sweep_improves_is_returned(monkeypatch):
    likelihood = likelihood_of(CASES["weighted"])
    best = run(likelihood, 40)
    monkeypatch.setattr(newton, "_STEP", 40.0)
    monkeypatch.setattr(newton, "_LONGEST", 40.0)
    swept = Sweeps(likelihood, 2).run(best.u, best.v, seed=5)
    assert swept.losses[-1] > swept.losses[0]
    np.testing.assert_array_equal(swept.u, best.u)


def test_regularization_makes_the_vectors_of_nodes_with_few_edges_shorter():
    graph = datasets.planted_groups(400, 4, average_degree=8, random_state=0)
    likelihood = likelihood_of(graph, 200)
    plain, regular = (run(likelihood, 8, n_components=8, regularization=r) for r in (0.0, 0.5))
    ratio = np.linalg.norm(regular.u, axis=1) / np.linalg.norm(plain.u, axis=1)
    degree = np.diff(graph.adjacency.indptr)
    assert ratio[degree <= 4].mean() < 0.9 * ratio[degree >= 16].mean()
    assert np.linalg.norm(regular.u @ regular.v.T) < np.linalg.norm(plain.u @ plain.v.T)


def test_the_loss_is_reported_after_every_sweep():
    events = []
    swept = run(likelihood_of(CASES["weighted"]), 3, progress=events.append)
    assert [event.loss for event in events if event.done and event.loss is not None][-3:] == swept.losses[1:]


@pytest.mark.parametrize(
    ("losses", "error"),
    [
        ([1.5, 1.0, 0.9, 0.85], np.sqrt(0.05 / (2 * np.log(2) - 0.85))),
        ([1.5, 1.0, 1.0, 1.0], 0.0),
        ([1.5, 1.4, 1.4, 1.4], 1.0),
    ],
)
def test_the_error_extrapolates_the_gain_of_further_sweeps(losses, error):
    empty = np.empty((0, 0), dtype=np.float32)
    assert Swept(empty, empty, losses).error == pytest.approx(error)


@pytest.mark.parametrize("case", ["weighted", "directed", "isolated nodes"])
def test_factors_reproduce_the_products_of_the_vectors(case):
    matrix = matrix_of(CASES[case])
    rng = np.random.default_rng(0)
    u, v = rng.normal(size=(2, 20, 4)).astype(np.float32)
    u[matrix.row_scale == 0] = v[matrix.column_scale == 0] = 0.0
    factors = factors_of(u, v, matrix)
    np.testing.assert_allclose(factors.left.T @ factors.left, np.eye(4), atol=1e-5)
    back_u, back_v = vectors_of(factors, matrix)
    np.testing.assert_allclose(back_u @ back_v.T, u @ v.T, atol=1e-4)
    assert (np.diff(factors.values) <= 0).all()


def test_factors_beyond_the_rank_are_zero():
    matrix = matrix_of(CASES["weighted"])
    u = np.zeros((20, 4), dtype=np.float32)
    u[:, 0] = 1.0
    factors = factors_of(u, u, matrix)
    assert factors.values[0] > 0
    assert not factors.values[1:].any()


def test_fewer_nodes_have_more_contexts():
    assert [contexts_per_node(n) for n in (10, 10_000, 10**7)] == [1024, 400, 64]


def test_nearby_nodes_start_close_together():
    graph = datasets.planted_groups(300, 3, mixing=0.05, random_state=0)
    start = random_start(WindowProbabilities(graph, 3), 16, seed=0)
    group = graph.node_attributes["group"]
    cosine = start @ start.T / 4
    same = np.equal.outer(group, group)
    assert cosine[same].mean() > cosine[~same].mean() + 0.5
