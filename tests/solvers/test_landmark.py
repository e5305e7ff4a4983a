import numpy as np
import pytest

from residuum import Graph
from residuum._checkpoint import Store, open_checkpoint
from residuum._threads import thread_limit
from residuum.errors import InvalidParameterError, MemoryLimitError
from residuum.nulls import Configuration
from residuum.residual import ResidualMatrix, working_bytes
from residuum.solvers import Landmark, Problem, Workspace, landmark
from residuum.solvers.landmark import landmark_factors
from residuum.walks import WindowProbabilities

K = 10
PLENTY = 1 << 30


def solve(matrix, n_landmarks, *, tolerance=0.0, memory_limit=PLENTY, seed=0, progress=None, store=None):
    work = Workspace(memory_limit, np.random.default_rng(seed), store or Store(), progress)
    return landmark_factors(matrix, K, n_landmarks, tolerance, work)


def approximation(result):
    return (result.factors.left * result.factors.values) @ result.factors.right.T


def excess(result, dense_matrix):
    """√(‖R − approximation‖² − ‖R − best‖²) / ‖R‖, the loss compared with the exact factors."""
    values = np.linalg.svd(dense_matrix, compute_uv=False)
    best = np.sum(values[K:] ** 2)
    error = np.linalg.norm(dense_matrix - approximation(result)) ** 2
    return np.sqrt((error - best) / np.sum(values**2))


def test_with_every_node_as_landmark_the_factors_are_exact(matrix, dense_matrix):
    result = solve(matrix, 700)
    np.testing.assert_allclose(result.factors.values, np.linalg.svd(dense_matrix, compute_uv=False)[:K], rtol=1e-3)
    assert excess(result, dense_matrix) < 0.02
    assert 0.0 < result.error < 0.02


def test_the_loss_decreases_with_landmarks_and_stays_below_the_estimate(matrix, dense_matrix):
    results = [solve(matrix, m) for m in (60, 150, 400)]
    losses = [excess(result, dense_matrix) for result in results]
    assert losses[0] > losses[1] > losses[2]
    for result, loss in zip(results, losses, strict=True):
        assert loss < result.error


def test_landmarks_are_added_until_the_tolerance_is_met(symmetric_matrix, monkeypatch):
    monkeypatch.setattr("residuum.solvers.landmark_fit._FIRST_LANDMARKS", 60)
    monkeypatch.setattr("residuum.solvers.landmark_fit._HELD_OUT", 30)
    monkeypatch.setattr("residuum.solvers.landmark_fit._LANDMARKS_PER_ROOT", 0)
    first = solve(symmetric_matrix, None, tolerance=1.0)
    later = solve(symmetric_matrix, None, tolerance=first.error * 0.7)
    assert first.n_landmarks == 60
    assert later.n_landmarks in {120, 240, 480, 700}
    assert later.error <= first.error * 0.7


def test_a_fixed_number_of_landmarks_is_used(symmetric_matrix):
    assert solve(symmetric_matrix, 123).n_landmarks == 123


def test_keeping_columns_on_disk_does_not_change_the_factors(general_matrix):
    # Enough for a few tiles and the factors, not for 690 columns and 690 rows.
    limit = 2 * working_bytes(700, general_matrix.probabilities.tile_width, threads=1) + 4 * 4 * 700 * K
    with thread_limit(1), Store() as store:
        small = solve(general_matrix, 690, memory_limit=limit, store=store)
        assert list(store._place().glob("columns-*.npy"))
        plenty = solve(general_matrix, 690)
    np.testing.assert_array_equal(small.factors.left, plenty.factors.left)


def test_saved_columns_are_not_recomputed(matrix, tmp_path, monkeypatch):
    first = solve(matrix, 300, store=open_checkpoint(tmp_path / "run", {}))
    monkeypatch.setattr(type(matrix), "columns", None)
    resumed = solve(matrix, 300, store=open_checkpoint(tmp_path / "run", {}))
    np.testing.assert_array_equal(first.factors.left, resumed.factors.left)


def test_a_limit_below_the_minimum_memory_is_an_error(symmetric_matrix):
    least = Landmark().bytes(Problem.of(symmetric_matrix, K, PLENTY)).least
    rng = np.random.default_rng(0)
    with pytest.raises(MemoryLimitError, match=r"the landmark solver needs at least .* 700 nodes, .* 10 dimensions"):
        Landmark().solve(symmetric_matrix, K, Workspace(least - 1, rng))
    assert Landmark().solve(symmetric_matrix, K, Workspace(least, rng)).details["n_landmarks"] == 512


def test_narrow_tiles_give_the_same_factors(matrix):
    least = Landmark(300).bytes(Problem.of(matrix, K, PLENTY)).least
    tight, ample = (solve(matrix, 300, memory_limit=limit).factors for limit in (least, PLENTY))
    np.testing.assert_allclose(tight.values, ample.values, rtol=1e-4)
    np.testing.assert_allclose(tight.left, ample.left, atol=2e-3)


def test_fewer_landmarks_than_dimensions_are_rejected(symmetric_matrix):
    with pytest.raises(InvalidParameterError, match="n_landmarks must be at least n_components, which is 10; got 9"):
        Landmark(n_landmarks=9).solve(symmetric_matrix, K, Workspace(PLENTY, np.random.default_rng(0)))
    with pytest.raises(InvalidParameterError, match="tolerance must be a finite number of at least 0"):
        Landmark(tolerance=-1.0)


def test_the_same_seed_reproduces_the_factors_to_the_bit(matrix):
    first, second, reseeded = solve(matrix, 100), solve(matrix, 100), solve(matrix, 100, seed=1)
    np.testing.assert_array_equal(first.factors.left, second.factors.left)
    assert not np.array_equal(first.factors.left, reseeded.factors.left)


def test_vectors_are_orthonormal(symmetric_matrix):
    left = solve(symmetric_matrix, 200).factors.left
    np.testing.assert_allclose(left.T @ left, np.eye(K), atol=1e-3)


def test_progress_reports_columns_and_factors(symmetric_matrix):
    events = []
    solve(symmetric_matrix, 300, progress=events.append)
    assert {event.stage for event in events} == {"300 landmark columns", "factors"}
    assert events[-1].done == events[-1].total


def directed_grid(side):
    path = np.eye(side, k=1)
    A = np.kron(path, np.eye(side)) + np.kron(np.eye(side), path)
    flip = np.random.default_rng(0).random(A.shape) < 0.5
    return Graph(np.where(flip, A, 0.0) + np.where(flip, 0.0, A).T, directed=True)


def matrix_of(graph, window, floor=-3.0):
    null = Configuration().fit(graph, window)
    return ResidualMatrix(WindowProbabilities(graph, window), null, floor)


@pytest.mark.parametrize("window", [1, 2])
def test_n1_sparse_directed_grids_do_not_blow_up_and_the_loss_is_reported(window):
    matrix = matrix_of(directed_grid(30), window)
    dense_matrix = matrix.columns(np.arange(900)).astype(float)
    values = np.linalg.svd(dense_matrix, compute_uv=False)
    result = solve(matrix, 150)
    assert result.factors.values[0] <= 1.01 * values[0]
    missed = np.linalg.norm(dense_matrix - approximation(result)) ** 2
    level = np.sum(dense_matrix) ** 2 / dense_matrix.size
    best = np.sum(values[K:] ** 2)
    loss = np.sqrt((missed - best) / (np.sum(values**2) - level - best))
    assert loss < 2 * result.error + 0.05


def test_n1_a_fit_that_is_worse_than_nothing_has_an_error_above_one(symmetric_matrix, monkeypatch):
    monkeypatch.setattr(
        "residuum.solvers.landmark_fit._determined", lambda rows, share: (np.eye(rows.shape[1]), 10 * rows)
    )
    assert solve(symmetric_matrix, 200).error > 1.0


def test_n3_one_edge_among_isolated_nodes_has_zero_vectors():
    A = np.zeros((6, 6))
    A[0, 1] = A[1, 0] = 1
    result = solve(matrix_of(Graph(A), 2), 12)
    assert result.factors.left.shape == (6, K)
    assert not result.factors.values.any()


@pytest.mark.parametrize("n_landmarks", [10, 11, 13, 20])
def test_n5_the_error_is_measured_whatever_the_number_of_landmarks(symmetric_matrix, n_landmarks):
    result = solve(symmetric_matrix, n_landmarks)
    assert result.error > 0.5
    assert excess(result, symmetric_matrix.columns(np.arange(700)).astype(float)) < result.error


def test_n5_held_out_columns_take_no_part_in_the_fit(symmetric_matrix):
    result = solve(symmetric_matrix, 100)
    columns = []
    original = type(symmetric_matrix).columns

    def spy(self, nodes):
        columns.append(len(nodes))
        return original(self, nodes)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(symmetric_matrix), "columns", spy)
        again = solve(symmetric_matrix, 100)
    assert sum(columns) == 100 + 25
    np.testing.assert_array_equal(again.factors.left, result.factors.left)
    assert again.n_landmarks == 100


def test_the_plan_of_a_directed_graph_counts_the_landmarks_that_it_needs():
    undirected, directed = (
        Problem(16_000, 95_000, 64, 18, symmetric=False, memory_limit=8 << 30, directed=directed)
        for directed in (False, True)
    )
    assert Landmark().seconds(directed) > 2 * Landmark().seconds(undirected)
    assert Landmark(n_landmarks=500).seconds(directed) == Landmark(n_landmarks=500).seconds(undirected)


def test_auto_computes_all_columns_where_these_are_quick_and_landmarks_are_not_accurate(symmetric_matrix, monkeypatch):
    monkeypatch.setattr("residuum.solvers.landmark_fit._FIRST_LANDMARKS", 60)
    monkeypatch.setattr("residuum.solvers.landmark_fit._LANDMARKS_PER_ROOT", 0)
    few, auto = (
        solver.solve(symmetric_matrix, K, Workspace(PLENTY, np.random.default_rng(0)))
        for solver in (Landmark(tolerance=1.0), Landmark.candidate())
    )
    assert few.error > 0.15
    assert auto.error < few.error / 2
    assert auto.details["n_landmarks"] == symmetric_matrix.n_nodes


def test_accurate_landmarks_and_slow_columns_are_left_alone(symmetric_matrix, monkeypatch):
    for name, value in (("_QUICK", 0.0), ("_ACCURATE", 10.0)):
        with monkeypatch.context() as patch:
            patch.setattr("residuum.solvers.landmark_fit._FIRST_LANDMARKS", 60)
            patch.setattr("residuum.solvers.landmark_fit._LANDMARKS_PER_ROOT", 0)
            patch.setattr(f"residuum.solvers.landmark.{name}", value)
            solution = Landmark(tolerance=1.0, all_columns=True).solve(
                symmetric_matrix, K, Workspace(PLENTY, np.random.default_rng(0))
            )
            assert solution.details == {"n_landmarks": 60}


def test_a_memory_limit_does_not_change_the_vectors_from_all_columns(symmetric_matrix, monkeypatch):
    monkeypatch.setattr("residuum.solvers.landmark_fit._FIRST_LANDMARKS", 60)
    monkeypatch.setattr("residuum.solvers.landmark_fit._LANDMARKS_PER_ROOT", 0)
    solver = Landmark.candidate()
    problem = Problem.of(symmetric_matrix, K, PLENTY)
    least = problem.factorization_bytes + problem.tile_bytes[0]
    tight, ample = (
        solver.solve(symmetric_matrix, K, Workspace(limit, np.random.default_rng(0))) for limit in (least, PLENTY)
    )
    assert tight.details["tiles_kept"] < ample.details["tiles_kept"] == 1.0
    np.testing.assert_allclose(tight.singular_values, ample.singular_values, rtol=1e-2)
    below = solver.solve(symmetric_matrix, K, Workspace(least - 1, np.random.default_rng(0)))
    assert below.details["n_landmarks"] < symmetric_matrix.n_nodes


@pytest.mark.parametrize(("symmetric", "sides"), [(True, 1), (False, 2)])
def test_kept_columns_and_their_gram_matrix_need_memory(symmetric, sides):
    problem = Problem(100_000, 2_000_000, 64, 10, symmetric=symmetric, memory_limit=64 << 30)
    few, many = (Landmark(n).bytes(problem) for n in (500, 1000))
    gram = 24 * (1000**2 - 500**2)
    assert many.least - few.least == gram
    assert many.most - few.most == gram + sides * 4 * 100_000 * 500


def test_as_many_landmarks_are_added_as_fit_beside_the_factors(symmetric_matrix):
    # Two copies of u and of v in float32, and 24 bytes per pair of landmarks.
    limit = 4 * 4 * symmetric_matrix.n_nodes * K + 24 * 300**2
    _, most = landmark._sketches(symmetric_matrix, K, Workspace(limit, np.random.default_rng(0)))
    assert most == 300
    assert landmark._sketches(symmetric_matrix, K, Workspace(PLENTY, np.random.default_rng(0)))[1] == 4096
