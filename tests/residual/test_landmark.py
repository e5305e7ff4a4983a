import numpy as np
import pytest

from residuum._store import Store, open_checkpoint
from residuum.errors import MemoryLimitError
from residuum.residual import factorise_by_landmarks

K = 10
PLENTY = 1 << 30


def solve(matrix, n_landmarks, *, tolerance=0.0, memory_limit=PLENTY, seed=0, progress=None, store=None):
    return factorise_by_landmarks(
        matrix,
        K,
        n_landmarks=n_landmarks,
        tolerance=tolerance,
        memory_limit=memory_limit,
        rng=np.random.default_rng(seed),
        store=store or Store(),
        progress=progress,
    )


def approximation(result):
    return (result.factors.left * result.factors.values) @ result.factors.right.T


def excess(result, dense_matrix):
    """What the landmarks lost: √(‖R − approximation‖² − ‖R − best‖²) / ‖R‖."""
    values = np.linalg.svd(dense_matrix, compute_uv=False)
    best = np.sum(values[K:] ** 2)
    got = np.linalg.norm(dense_matrix - approximation(result)) ** 2
    return np.sqrt((got - best) / np.sum(values**2))


def test_with_every_node_as_landmark_the_factors_are_the_exact_ones(matrix, dense_matrix):
    result = solve(matrix, 700)
    np.testing.assert_allclose(result.factors.values, np.linalg.svd(dense_matrix, compute_uv=False)[:K], rtol=1e-3)
    assert excess(result, dense_matrix) < 0.02
    assert result.error == 0.0


def test_the_loss_shrinks_with_landmarks_and_stays_below_the_estimate(matrix, dense_matrix):
    results = [solve(matrix, m) for m in (60, 150, 400)]
    losses = [excess(result, dense_matrix) for result in results]
    assert losses[0] > losses[1] > losses[2]
    for result, loss in zip(results, losses, strict=True):
        assert loss < result.error


def test_landmarks_are_added_until_the_tolerance_is_met(symmetric_matrix, monkeypatch):
    monkeypatch.setattr("residuum.residual.landmark._FIRST_LANDMARKS", 60)
    monkeypatch.setattr("residuum.residual.landmark._HELD_OUT", 30)
    monkeypatch.setattr("residuum.residual.landmark._LANDMARKS_PER_ROOT", 0)
    first = solve(symmetric_matrix, None, tolerance=1.0)
    later = solve(symmetric_matrix, None, tolerance=first.error * 0.7)
    assert first.n_landmarks == 90
    assert later.n_landmarks in {180, 360, 700}
    assert later.error <= first.error * 0.7


def test_a_given_number_of_landmarks_is_kept_to(symmetric_matrix):
    assert solve(symmetric_matrix, 123).n_landmarks == 123


def test_columns_beyond_the_memory_limit_are_on_disk_and_the_factors_the_same(matrix):
    column = 4 * 700
    limit = column * (3 * matrix.probabilities.tile_width + 4 * K) + column * 100
    with Store() as store:
        small = solve(matrix, 300, memory_limit=limit, store=store)
        assert list(store._place().glob("columns-*.npy"))
    np.testing.assert_array_equal(small.factors.left, solve(matrix, 300).factors.left)


def test_saved_columns_are_not_computed_again(matrix, tmp_path, monkeypatch):
    first = solve(matrix, 300, store=open_checkpoint(tmp_path / "run", {}))
    monkeypatch.setattr(type(matrix), "columns", None)
    again = solve(matrix, 300, store=open_checkpoint(tmp_path / "run", {}))
    np.testing.assert_array_equal(first.factors.left, again.factors.left)


def test_too_small_a_limit_is_an_error_with_the_estimate(symmetric_matrix):
    with pytest.raises(MemoryLimitError, match=r"needs at least 2\.2 MiB for 700 nodes and 10 components.*Raise"):
        solve(symmetric_matrix, None, memory_limit=1 << 20)


def test_the_same_seed_gives_the_same_bits(matrix):
    one, two, other = solve(matrix, 100), solve(matrix, 100), solve(matrix, 100, seed=1)
    np.testing.assert_array_equal(one.factors.left, two.factors.left)
    assert not np.array_equal(one.factors.left, other.factors.left)


def test_vectors_are_orthonormal(symmetric_matrix):
    left = solve(symmetric_matrix, 200).factors.left
    np.testing.assert_allclose(left.T @ left, np.eye(K), atol=1e-3)


def test_progress_tells_of_columns_and_factors(symmetric_matrix):
    events = []
    solve(symmetric_matrix, 300, progress=events.append)
    assert {event.stage for event in events} == {"300 landmark columns", "factors"}
    assert events[-1].done == events[-1].total
