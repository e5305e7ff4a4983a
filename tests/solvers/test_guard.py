from dataclasses import replace

import numpy as np
import pytest

from dense_reference import variation
from residuum import Graph, Residual2Vec, datasets
from residuum.errors import ResiduumWarning
from residuum.nulls import Configuration
from residuum.residual import ResidualMatrix
from residuum.solvers import Block, Exact, Landmark, Problem, Workspace, guard, guarded, measured_errors
from residuum.walks import WindowProbabilities

PLENTY = 1 << 30
GRAPH = datasets.planted_groups(300, 3, random_state=0)


def matrix_of(graph, window=5, floor=-1.0, weighting=0.5):
    return ResidualMatrix(WindowProbabilities(graph, window), Configuration().fit(graph, window), floor, weighting)


def work():
    return Workspace(PLENTY, np.random.default_rng(0))


def checked(solution):
    problem = Problem.of(solution.matrix, len(solution.factors.values), PLENTY)
    return guarded(Exact(), solution, problem, work())


def test_exact_factors_of_any_rank_have_no_projection_error():
    for n_components in (2, 20, 200):
        solution = Exact().solve(matrix_of(GRAPH), n_components, work())
        projection, rest = measured_errors(solution)
        assert projection < 1e-4
    assert rest < measured_errors(Exact().solve(matrix_of(GRAPH), 2, work()))[1]


def test_a_correct_solution_passes_with_its_measured_error_among_the_details():
    solver, solution = checked(Exact().solve(matrix_of(GRAPH), 8, work()))
    assert solver.name == "exact"
    assert solution.details["check"] < 1e-4


@pytest.mark.parametrize("damage", ["values", "vectors", "zero", "nan"])
def test_wrong_factors_are_reported(damage):
    solution = Exact().solve(matrix_of(GRAPH), 8, work())
    factors = solution.factors
    wrong = {
        "values": replace(factors, values=1.5 * factors.values),
        "vectors": replace(factors, left=np.roll(factors.left, 1, axis=0)),
        "zero": replace(factors, left=0 * factors.left, values=0 * factors.values, right=0 * factors.right),
        "nan": replace(factors, left=np.nan * factors.left),
    }[damage]
    with pytest.warns(ResiduumWarning, match="miss sampled rows of the matrix by .* more than the reported error"):
        checked(replace(solution, factors=wrong))


@pytest.mark.parametrize("damage", ["values", "rank"])
def test_the_reported_share_is_the_one_that_is_too_large(damage):
    # Scaled values miss the rows in the dimensions of the factors, too few dimensions only in the others.
    solution = Exact().solve(matrix_of(GRAPH), 8, work())
    factors, kept = solution.factors, np.arange(8) < 2
    wrong = {
        "values": replace(factors, values=1.5 * factors.values),
        "rank": replace(factors, left=kept * factors.left, values=kept * factors.values, right=kept * factors.right),
    }[damage]
    damaged = replace(solution, factors=wrong)
    shares = dict(zip(("values", "rank"), measured_errors(damaged), strict=True))
    with pytest.warns(ResiduumWarning, match=rf"by {shares[damage]:.2g} of their variation"):
        checked(damaged)
    assert f"{shares['values']:.2g}" != f"{shares['rank']:.2g}"


@pytest.mark.parametrize("solver", ["exact", "landmark", "block"])
def test_erased_factors_pass(solver):
    model = Residual2Vec(6, solver=solver, erase="group", random_state=0).fit(GRAPH)
    assert model.solver_details_["check"] < 0.2


def grid(side):
    path = np.eye(side, k=1) + np.eye(side, k=-1)
    return Graph(np.kron(path, np.eye(side)) + np.kron(np.eye(side), path))


def test_n1_a_landmark_fit_that_misses_the_matrix_falls_back_to_the_exact_solver():
    with pytest.warns(
        ResiduumWarning, match="the landmark solver has an error of .*; the exact solver is used instead"
    ):
        model = Residual2Vec(16, window=1, solver=Landmark(100), random_state=0).fit(grid(30))
    exact = Residual2Vec(16, window=1, solver="exact", random_state=0).fit(grid(30))
    assert model.solver_ == "exact"
    np.testing.assert_allclose(model.singular_values_, exact.singular_values_, rtol=1e-3)


def test_n1_without_an_affordable_solver_the_fit_is_kept_and_reported(monkeypatch):
    monkeypatch.setattr("residuum.solvers.guard._affordable", lambda solver, problem: None)
    with pytest.warns(ResiduumWarning, match=r"no other solver is affordable; .* solver='exact' \(about 0 minutes\)"):
        model = Residual2Vec(16, window=1, solver=Landmark(100), random_state=0).fit(grid(30))
    assert model.solver_ == "landmark"
    assert model.approximation_error_ > 0.5


@pytest.mark.parametrize("erase", [None, "degree"])
def test_n1_a_landmark_fit_falls_back_to_the_block_solver_if_the_exact_one_is_too_slow(monkeypatch, erase):
    monkeypatch.setattr("residuum.solvers.exact.Exact.seconds", lambda solver, problem: 1e6)
    with pytest.warns(ResiduumWarning, match=r"the block solver is used instead, with an error of \S"):
        model = Residual2Vec(16, window=1, solver=Landmark(100), erase=erase, random_state=0).fit(grid(30))
    exact = Residual2Vec(16, window=1, solver="exact", erase=erase, random_state=0).fit(grid(30))
    assert model.solver_ == "block"
    np.testing.assert_allclose(model.singular_values_, exact.singular_values_, rtol=1e-2)


@pytest.mark.parametrize("floor", [0.0, -3.0])
def test_n2_the_block_solver_at_window_one_finds_all_dimensions(floor):
    graph = datasets.planted_groups(800, 4, random_state=0)
    block, exact = (
        Residual2Vec(32, window=1, floor=floor, solver=solver, random_state=0).fit(graph)
        for solver in (Block(), Exact())
    )
    np.testing.assert_allclose(block.singular_values_, exact.singular_values_, rtol=2e-3)


def test_n2_few_clusters_lose_no_singular_values_of_their_approximation():
    graph = datasets.planted_groups(800, 4, random_state=0)
    model = Residual2Vec(32, window=3, solver=Block(4), random_state=0).fit(graph)
    assert (model.singular_values_ > 0).all()
    assert model.solver_details_["passes"] < 32


def test_factors_on_a_few_nodes_that_are_not_sampled_pass():
    weights = 10 ** np.random.default_rng(0).uniform(-2, 2, 400)
    matching = Graph(np.kron(np.diag(weights), [[0, 1], [1, 0]]))
    _, solution = checked(Exact().solve(matrix_of(matching, window=1, floor=0.0, weighting=0.0), 3, work()))
    assert solution.details["check"] < 0.05


def test_the_captured_variation_leaves_out_the_common_level():
    solution = Exact().solve(matrix_of(GRAPH), 6, work())
    factors, rows, columns = solution.factors, solution.matrix.row_scale, solution.matrix.column_scale.astype(float)
    product = (factors.left.astype(float) * factors.values) @ factors.right.T
    captured = guard._captured(factors, rows, columns)
    assert captured == pytest.approx(variation(product, rows.astype(float), columns) ** 2, rel=1e-5)
    assert captured < 0.9 * np.sum(factors.values**2)


def test_the_missed_share_is_relative_to_the_variation_in_any_unit():
    rng = np.random.default_rng(0)
    whole, level = rng.standard_normal((6, 9)) - 2.0, np.outer(rng.random(6), rng.random(9))
    difference = 0.1 * rng.standard_normal((6, 9))
    scales = rng.random(6), rng.random(9)
    level = np.outer(*scales)
    expected = np.linalg.norm(difference) / variation(whole, *scales)
    for unit in (1.0, 1e-3, 1e3):
        share = guard._Share()
        for part in (slice(0, 4), slice(4, 9)):
            share.add(unit * difference[:, part], unit * whole[:, part], level[:, part])
        assert share.value() == pytest.approx(expected)
        assert share.value(usual=1e12) == pytest.approx(1e-6 * unit * np.linalg.norm(difference))
