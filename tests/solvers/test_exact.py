import numpy as np
import pytest
from scipy import sparse

import dense_reference as dense
from graph_cases import graph_cases
from residuum import Graph, Residual2Vec, datasets
from residuum._checkpoint import Store, open_checkpoint
from residuum.errors import MemoryLimitError, ResiduumWarning
from residuum.nulls import Configuration
from residuum.residual import ResidualMatrix, build_erasure
from residuum.solvers import Exact, Problem, Workspace, choose_solver, resolve_solver, solver_names
from residuum.walks import WindowProbabilities

CASES = graph_cases()
K = 10
PLENTY = 1 << 30


def solve(matrix, *, n_components=K, memory_limit=PLENTY, seed=0, store=None, progress=None):
    work = Workspace(memory_limit, np.random.default_rng(seed), store or Store(), progress)
    return Exact().solve(matrix, n_components, work)


def approximation(factors):
    return (factors.left.astype(float) * factors.values) @ factors.right.T


def best_approximation(dense_matrix, rank):
    left, values, right = np.linalg.svd(dense_matrix)
    return (left[:, :rank] * values[:rank]) @ right[:rank]


@pytest.mark.parametrize("floor", [0.0, -1.0])
@pytest.mark.parametrize("case", CASES)
def test_factors_of_small_graphs_are_those_of_the_dense_formula(case, floor):
    graph = CASES[case]
    weights, A = np.full(3, 1 / 3), graph.adjacency.toarray()
    matrix = ResidualMatrix(WindowProbabilities(graph, weights), Configuration().fit(graph, weights), floor)
    observed = dense.window_probability(A, weights)
    expected = dense.null_probability(A, "configuration", weights)
    residual = dense.residual(observed, expected, floor, matrix.row_scale > 0, matrix.column_scale > 0)
    factors = solve(matrix, n_components=graph.n_nodes - 1).factors
    values = np.linalg.svd(residual, compute_uv=False)
    np.testing.assert_allclose(factors.values, values[:-1], atol=1e-3)
    # A tolerance on the product, because equal singular values leave the vectors undetermined.
    np.testing.assert_allclose(approximation(factors), residual, atol=values[-1] + 1e-3)


def test_factors_of_larger_graphs_are_the_best_of_their_rank(matrix, dense_matrix):
    solution = solve(matrix)
    values = np.linalg.svd(dense_matrix, compute_uv=False)
    np.testing.assert_allclose(solution.singular_values, values[:K], rtol=1e-4)
    error = np.linalg.norm(dense_matrix - approximation(solution.factors))
    assert error == pytest.approx(np.sqrt(np.sum(values[K:] ** 2)), rel=1e-3)
    assert solution.factors.relative_error <= 1e-4
    assert 0.0 < solution.error < 0.02


def test_vectors_are_orthonormal(matrix):
    factors = solve(matrix).factors
    for vectors in (factors.left, factors.right):
        np.testing.assert_allclose(vectors.T @ vectors, np.eye(K), atol=1e-4)


def test_factors_do_not_depend_on_the_memory_limit(matrix, dense_matrix):
    least = Exact().bytes(Problem.of(matrix, K, PLENTY)).least
    tight, ample = solve(matrix, memory_limit=least), solve(matrix)
    assert tight.details["tiles_kept"] == 0.0
    assert ample.details["tiles_kept"] == 1.0
    difference = np.linalg.norm(approximation(tight.factors) - approximation(ample.factors))
    assert difference < 0.02 * np.linalg.norm(best_approximation(dense_matrix, K))


def test_a_limit_below_the_minimum_memory_fails_before_any_column_is_computed(symmetric_matrix, monkeypatch):
    least = Exact().bytes(Problem.of(symmetric_matrix, K, PLENTY)).least
    monkeypatch.setattr(ResidualMatrix, "columns", None)
    with pytest.raises(MemoryLimitError, match=r"the exact solver needs at least .* 700 nodes, .* 10 dimensions"):
        solve(symmetric_matrix, memory_limit=least - 1)


@pytest.mark.parametrize("n_nodes", [150, 700], ids=["dense", "iterative"])
@pytest.mark.parametrize("weighting", [0.0, 0.6])
def test_erased_factors_are_those_of_the_projected_matrix(n_nodes, weighting):
    graph = datasets.planted_groups(n_nodes, 5, random_state=3)
    group = graph.node_attributes["group"]
    null = Configuration().fit(graph, 5)
    erasure = build_erasure(graph, "group", null)
    matrix = ResidualMatrix(WindowProbabilities(graph, 5), null, -2.0, weighting, erasure)
    plain = matrix.columns(np.arange(n_nodes)) / np.outer(matrix.row_scale, matrix.column_scale)
    indicators = np.eye(5)[group]
    keep = np.eye(n_nodes) - indicators @ np.linalg.pinv(indicators)
    projected = keep @ plain @ keep * np.outer(matrix.row_scale, matrix.column_scale)
    solution = solve(matrix)
    np.testing.assert_allclose(solution.singular_values, np.linalg.svd(projected, compute_uv=False)[:K], rtol=2e-3)
    means = indicators.T @ (solution.factors.left / matrix.row_scale[:, None]) / np.bincount(group)[:, None]
    assert np.abs(means).max() < 1e-5


def test_the_same_seed_reproduces_the_factors_to_the_bit(matrix):
    first, second = solve(matrix).factors, solve(matrix).factors
    np.testing.assert_array_equal(first.left, second.left)
    np.testing.assert_array_equal(first.right, second.right)


def test_a_resumed_run_computes_no_columns(matrix, tmp_path, monkeypatch):
    first = solve(matrix, store=open_checkpoint(tmp_path / "run", {}))
    monkeypatch.setattr(ResidualMatrix, "columns", None)
    monkeypatch.setattr(ResidualMatrix, "rows", None)
    resumed = solve(matrix, store=open_checkpoint(tmp_path / "run", {}), seed=1)
    np.testing.assert_array_equal(resumed.factors.left, first.factors.left)


def test_columns_of_the_start_do_not_stay_on_disk(matrix, tmp_path):
    solve(matrix, store=open_checkpoint(tmp_path / "run", {}))
    saved = {path.name for path in (tmp_path / "run").glob("*.npy")}
    assert "start.npy" in saved
    assert not {name for name in saved if name.startswith(("columns", "rows"))}


def test_progress_reports_passes_over_the_matrix_only(symmetric_matrix):
    events = []
    solution = solve(symmetric_matrix, progress=events.append)
    stages = list(dict.fromkeys(event.stage for event in events))
    assert stages == [f"residual matrix, pass {number}" for number in range(1, solution.details["passes"] + 1)]
    assert events[-1].done == events[-1].total


def test_operation_counts_of_a_small_graph_are_those_of_one_pass():
    problem = Problem(400, 3000, 8, 5, symmetric=True, memory_limit=PLENTY)
    expected = [1.0, 5 * 3000 * 400, 400 * (8 + 16) ** 2, 400**2 * (8 + 16) * 3]
    np.testing.assert_allclose(Exact().features(problem), expected)


def test_without_memory_for_tiles_every_pass_computes_all_columns():
    ample = Problem(20_000, 10**6, 8, 5, symmetric=True, memory_limit=100 << 30)
    least = Exact().bytes(ample).least
    tight = Problem(20_000, 10**6, 8, 5, symmetric=True, memory_limit=least)
    start = 8 * (8 + 16)
    per_column = 5 * 10**6 * ample.gathering
    assert Exact().features(ample)[1] == per_column * (20_000 + start)
    assert Exact().features(tight)[1] == per_column * (3 * 20_000 + start)


def grid(side):
    path = np.eye(side, k=1) + np.eye(side, k=-1)
    return Graph(np.kron(path, np.eye(side)) + np.kron(np.eye(side), path))


def matrix_of(graph, window, floor):
    return ResidualMatrix(WindowProbabilities(graph, window), Configuration().fit(graph, window), floor)


@pytest.mark.parametrize(("window", "floor"), [(1, -10.0), (1, -3.0), (2, -3.0)])
def test_n4_each_singular_value_is_accurate_whatever_the_floor(window, floor):
    matrix = matrix_of(grid(25), window, floor)
    reference, _, _ = dense.residual_matrix(
        grid(25).adjacency.toarray(), directed=False, kind="configuration", window=window, floor=floor
    )
    solution = solve(matrix, n_components=40)
    values = np.linalg.svd(reference, compute_uv=False)[:40]
    np.testing.assert_allclose(solution.singular_values, values, rtol=1e-4)
    second = solve(matrix, n_components=40, seed=1)
    np.testing.assert_allclose(second.singular_values, solution.singular_values, rtol=1e-4)


def test_n4_too_few_passes_are_reported(monkeypatch):
    monkeypatch.setattr("residuum.residual.krylov._MAX_PRODUCTS", 2)
    with pytest.warns(ResiduumWarning, match="singular values are accurate to .* after 2 passes"):
        solution = solve(matrix_of(grid(25), 1, -3.0))
    assert solution.error > 0.01


@pytest.mark.parametrize("floor", [0.0, -3.0])
@pytest.mark.parametrize("window", [1, 10])
def test_n3_stars_have_zero_dimensions_beyond_their_rank(window, floor):
    star = np.zeros((701, 701))
    star[0, 1:] = star[1:, 0] = 1
    solution = solve(matrix_of(Graph(star), window, floor), n_components=32)
    reference, _, _ = dense.residual_matrix(star, directed=False, kind="configuration", window=window, floor=floor)
    values = np.linalg.svd(reference, compute_uv=False)[:32]
    np.testing.assert_allclose(solution.singular_values, np.where(values > 1e-3, values, 0.0), rtol=1e-4)


def sparse_grid(side):
    path = sparse.diags_array([np.ones(side - 1), np.ones(side - 1)], offsets=[-1, 1])
    one = sparse.eye_array(side)
    return Graph(sparse.csr_array(sparse.kron(path, one) + sparse.kron(one, path)))


@pytest.mark.parametrize("window", [1, (2, 1)])
@pytest.mark.parametrize("erase", [None, "degree"])
def test_n1_a_short_window_in_a_sparse_graph_needs_only_the_pairs_within_reach(window, erase, monkeypatch):
    graph = sparse_grid(32)
    model = Residual2Vec(8, window=window, solver="exact", erase=erase, random_state=0).fit(graph)
    monkeypatch.setattr("residuum.solvers.exact._SPARSE_SHARE", 0.0)
    by_tiles = Residual2Vec(8, window=window, solver="exact", erase=erase, random_state=0).fit(graph)
    assert 0 < model.solver_details_["pairs_above_floor"] < 14 * graph.n_nodes
    assert by_tiles.solver_details_["tiles_kept"] == 1.0
    np.testing.assert_allclose(model.singular_values_, by_tiles.singular_values_, rtol=1e-4)


def test_n1_auto_takes_the_pairs_within_reach_of_a_large_grid_and_walks_of_a_long_window():
    short, long = (
        Problem(10**6, 4 * 10**6, 16, window, symmetric=True, memory_limit=16 << 30, n_walks=walks)
        for window, walks in ((1, 4e6), (40, float("inf")))
    )
    assert choose_solver(short)[0] == Exact()
    assert choose_solver(long)[0] != Exact()


def test_n4_rounding_errors_of_the_level_are_reported(monkeypatch):
    # As in a graph of a million nodes: values below the rounding error of the largest one are not iterated further.
    monkeypatch.setattr("residuum.residual.krylov._ROUNDING", 0.003)
    graph = sparse_grid(40)
    matrix = ResidualMatrix(WindowProbabilities(graph, 1), Configuration().fit(graph, 1), floor=-3.0)
    with pytest.warns(ResiduumWarning, match="the singular values are accurate to 0.0"):
        solve(matrix, n_components=8)


def test_pairs_within_reach_beyond_the_memory_limit_are_computed_in_tiles():
    sizes = {"n_nodes": 10**5, "n_entries": 10**6, "n_components": 16, "window": 2, "symmetric": True}
    ample = Exact().bytes(Problem(**sizes, memory_limit=100 << 30, n_walks=1e8))
    tight = Exact().bytes(Problem(**sizes, memory_limit=1 << 30, n_walks=1e8))
    assert ample.least == ample.most > 4e9 > tight.least


def test_no_other_solver_is_as_exact():
    others = [resolve_solver(name).exactness for name in solver_names() if name != "exact"]
    assert Exact.exactness == 0
    assert all(exactness is None or exactness > 0 for exactness in others)


def test_the_start_is_that_of_landmarks_unless_these_are_most_of_the_nodes(symmetric_matrix):
    work = Workspace(PLENTY, np.random.default_rng(0))
    assert Exact._start(symmetric_matrix, 100, work).shape == (700, 0)
    start = Exact._start(symmetric_matrix, 8, work).astype(float)
    assert start.shape == (700, 8 + 16)
    leading = np.linalg.svd(symmetric_matrix.columns(np.arange(700)))[0][:, :4]
    np.testing.assert_allclose(np.linalg.norm(start.T @ leading, axis=0), 1.0, atol=0.05)
