"""Left-out edges: sampling, coordinates, and the values read from them."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import minimize

from residuum import Graph, Residual2Vec, datasets
from residuum.evaluation import auc_roc, link_task
from residuum.nulls import Configuration, DegreeCorrectedSBM
from residuum.residual import ResidualMatrix, Spectrum, leave_out, read_scale, read_shrinkage
from residuum.residual.left_out import LeftOutEdges, _logistic, candidate_shrinkages, number_of_edges
from residuum.solvers import Exact, Workspace
from residuum.walks import WindowProbabilities

# Groups that a few dimensions describe; the other dimensions are noise.
NOISY = datasets.planted_groups(400, 4, mixing=0.3, average_degree=10, random_state=0)
WINDOW = [5, 4, 3, 2, 1]


def left_out(graph, n_components):
    matrix = ResidualMatrix(WindowProbabilities(graph, WINDOW), Configuration().fit(graph, WINDOW), -3.0, 0.5)
    solution = Exact().solve(matrix, n_components, Workspace(1 << 30, np.random.default_rng(0)))
    return leave_out(matrix, solution.factors)


def test_left_out_edges_score_like_held_out_edges_and_not_like_training_edges():
    graph = datasets.planted_groups(800, 8, mixing=0.2, average_degree=20, random_state=0)
    task = link_task(graph, 0.1, np.random.default_rng(0))
    window = {"window": WINDOW, "shrinkage": 0.0, "scale": 1.0, "random_state": 0}
    model = Residual2Vec(16, solver="exact", **window).fit(task.train)
    held_out = task.auc(model.score_pairs, "degree-matched")
    edges, matched, _ = left_out(task.train, 16).scores(Spectrum())
    i, j = task.train.adjacency.nonzero()
    training = auc_roc(model.score_pairs(i, j), matched)
    assert training > held_out + 0.1
    assert auc_roc(edges, matched) == pytest.approx(held_out, abs=0.05)


def test_noise_dimensions_know_less_of_a_left_out_edge_without_their_leakage(monkeypatch):
    # No more than the groups can be known of a held-out edge: AUC ½ + (0.7 − 0.25) / 2.
    graph = datasets.planted_groups(1000, 4, mixing=0.3, average_degree=20, degree_exponent=None, random_state=0)
    known = 0.5 + (0.7 - 0.25) / 2
    corrected = left_out(graph, 64)
    monkeypatch.setattr("residuum.residual.left_out.leakage", lambda values, *_: np.zeros_like(values))
    naive = left_out(graph, 64)
    shrinkages = [read_shrinkage(sample, Spectrum()) for sample in (corrected, naive)]
    assert shrinkages[0] > shrinkages[1]
    aucs = [auc_roc(*sample.scores(Spectrum(shrinkage=shrinkages[1]))[:2]) for sample in (corrected, naive)]
    assert known < aucs[0] < aucs[1] - 0.01


def test_leakage_is_subtracted_on_both_sides_of_a_directed_graph(monkeypatch):
    A = (np.random.default_rng(0).random((120, 120)) < 0.1).astype(float)
    np.fill_diagonal(A, 0)
    graph = Graph(A, directed=True)
    samples = []
    for factor in (0.0, 1.0):
        monkeypatch.setattr("residuum.residual.left_out.leakage", lambda values, *_, f=factor: np.full_like(values, f))
        samples.append(left_out(graph, 8).edges.sum(axis=1).mean())
    assert samples[1] < samples[0]


def test_the_shrinkage_removes_dimensions_that_contain_only_noise():
    sample = left_out(NOISY, 64)
    shrinkage = read_shrinkage(sample, Spectrum())
    assert shrinkage > 1.0
    aucs = [auc_roc(*sample.scores(replace(Spectrum(), shrinkage=value))[:2]) for value in (0.0, shrinkage)]
    assert aucs[1] > aucs[0] + 0.05


@pytest.mark.parametrize(("scale", "spread"), [(2.5, 1.0), (0.1, 40.0), (0.1, 400.0)])
def test_the_scale_is_the_factor_with_which_the_residual_enters_the_log_odds(scale, spread):
    # Newton steps from a scale of 1 overshoot if the residual varies a lot.
    rng = np.random.default_rng(0)
    residual, null = rng.normal(size=(2, 200_000))
    residual *= spread
    is_edge = rng.random(len(null)) < 1 / (1 + np.exp(-(scale * residual + null)))
    column = residual[:, None].astype(np.float32)
    sample = LeftOutEdges(
        np.ones(1), column[is_edge], column[:0], column[~is_edge], null[is_edge], null[~is_edge], np.zeros(1)
    )
    assert read_scale(sample, Spectrum()) == pytest.approx(scale, rel=0.03)


def test_candidates_end_at_the_second_largest_value():
    values = np.geomspace(100.0, 1.0, 64)
    candidates = candidate_shrinkages(values)
    assert candidates[0] == 0.0
    assert (np.diff(candidates) > 0).all()
    assert candidates[-1] == pytest.approx(values[1])


def test_a_graph_with_few_edges_is_not_read():
    assert left_out(Graph(np.ones((5, 5)) - np.eye(5)), 2) is None


def test_pairs_that_the_null_model_excludes_are_not_compared():
    # Later nodes point to earlier nodes only, so that a null model by position excludes half of the pairs.
    A = np.tril(np.random.default_rng(0).random((80, 80)) < 0.3, -1).astype(float)
    graph = Graph(A, directed=True)
    null = DegreeCorrectedSBM(np.arange(80) // 20).fit(graph, 3)
    matrix = ResidualMatrix(WindowProbabilities(graph, 3), null, floor=0.0)
    solution = Exact().solve(matrix, 8, Workspace(1 << 30, np.random.default_rng(0)))
    pairs = leave_out(matrix, solution.factors)
    assert np.isfinite(pairs.uniform_null).all()
    assert len(pairs.uniform_null) == len(pairs.uniform)
    assert np.isfinite(read_scale(pairs, Spectrum()))


@pytest.mark.parametrize("spread", [1.0, 20.0])
def test_slope_and_loss_are_those_of_a_logistic_regression_with_balanced_classes(spread):
    rng = np.random.default_rng(0)
    positive, negative = spread * rng.normal(0.5, 1.0, 40), spread * rng.normal(-0.5, 1.0, 90)
    offsets = rng.normal(size=40), rng.normal(size=90)

    def loss(point):
        scores = (point[0] * x + point[1] + offset for x, offset in zip((positive, negative), offsets, strict=True))
        edges, pairs = scores
        return (np.logaddexp(0, -edges).mean() + np.logaddexp(0, pairs).mean()) / 2

    best = minimize(loss, [0.0, 0.0], tol=1e-12)
    slope, least = _logistic(positive, negative, *offsets)
    assert slope == pytest.approx(best.x[0], rel=1e-3)
    assert least == pytest.approx(best.fun, abs=1e-8)


def test_candidates_keep_numbers_of_dimensions_that_grow_by_the_root_of_two():
    # The value at each rank tells the rank.
    values = np.arange(1064.0, 1000.0, -1.0)
    ranks = 1065 - candidate_shrinkages(values)[4:] * values[-1]
    np.testing.assert_allclose(ranks, [64, 45, 32, 22, 16, 11, 8, 5, 4, 2])


def test_fewer_edges_of_larger_graphs_are_left_out():
    assert [number_of_edges(n) for n in (10, 1000, 25_000, 10**6, 4 * 10**6)] == [256, 256, 96, 96, 96]
    assert [number_of_edges(n) for n in (13 * 10**6, 10**9)] == [32, 32]
    assert 32 < number_of_edges(8 * 10**6) < 96
