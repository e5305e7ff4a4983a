import numpy as np
import pytest

from kernel_ranges import over_ranges
from residuum._kernels.skipgram import train_walks, update_pair

NO_TABLES = np.empty(0, dtype=np.float32), np.empty(0, dtype=np.int32)


def loss(U, V, center, targets):
    """``−ln σ(u·v_0) − Σ_k ln σ(−u·v_k)``, from its definition."""
    x = V[targets].astype(float) @ U[center].astype(float)
    x[1:] *= -1
    return np.log1p(np.exp(-x)).sum()


@pytest.mark.parametrize("targets", [[1, 2, 3], [4, 4, 2], [0, 1, 0]], ids=["distinct", "repeated", "center itself"])
def test_a_step_equals_the_gradient_by_finite_differences(targets):
    rng = np.random.default_rng(0)
    U, V = (rng.normal(size=(5, 7)) for _ in range(2))
    targets, center, h = np.array(targets), 0, 1e-5
    expected = [np.zeros_like(U), np.zeros_like(V)]
    for gradient, moved in zip(expected, (U, V), strict=True):
        for place in np.ndindex(*moved.shape):
            kept = moved[place]
            moved[place] = kept + h
            above = loss(U, V, center, targets)
            moved[place] = kept - h
            gradient[place] = (above - loss(U, V, center, targets)) / (2 * h)
            moved[place] = kept
    rate = np.float32(1e-3)
    new_u, new_v = U.astype(np.float32), V.astype(np.float32)
    update_pair(new_u, new_v, center, targets, rate, np.empty(3, np.float32), np.empty(7, np.float32))
    # Rounding to float32, and updates between two visits of the same target, change the step by the order of rate.
    np.testing.assert_allclose((U - new_u) / rate, expected[0], atol=5e-3)
    np.testing.assert_allclose((V - new_v) / rate, expected[1], atol=5e-3)


def train(walks, *, keep_step, both_sides=True, n_ranges=1, keep_node=(), pool=None, rate=0.0, n_nodes=6):
    U, V = np.ones((n_nodes, 4), np.float32), np.zeros((n_nodes, 4), np.float32)
    pool = np.zeros((n_nodes, 1), np.int32) if pool is None else pool
    sums = over_ranges(
        train_walks, np.asarray(walks, dtype=np.int32), 0, len(walks), np.uint64(1), np.asarray(keep_step, dtype=float),
        np.asarray(keep_node, dtype=float), both_sides, 2, rate, rate, np.zeros(n_nodes, np.int32), *NO_TABLES,
        np.empty(0, np.int32), np.zeros(1, np.int64), *NO_TABLES, pool, U, V, length=len(walks),
        n_ranges=n_ranges,
    )  # fmt: skip
    return U, V, *(sum(parts) for parts in zip(*sums, strict=True))


@pytest.mark.parametrize(("both_sides", "expected"), [(True, 2 * (5 + 4 + 3)), (False, 5 + 4 + 3)])
def test_every_pair_within_the_window_is_trained_once_per_direction(both_sides, expected):
    *_, n_pairs = train([[0, 1, 2, 3, 4, 5]], keep_step=[0, 1, 1, 1], both_sides=both_sides)
    assert n_pairs == expected


def test_pairs_at_a_distance_of_weight_zero_are_skipped():
    *_, n_pairs = train([[0, 1, 2, 3, 4, 5]], keep_step=[0, 0, 1])
    assert n_pairs == 2 * 4


def test_a_directed_walk_trains_only_forward_pairs():
    _, V, *_ = train([[0, 1, 2]], keep_step=[0, 1], both_sides=False, rate=0.1, pool=np.full((6, 1), 5, np.int32))
    assert V[0].max() == 0.0
    assert (V[[1, 2]] > 0).all()
    assert (V[5] < 0).all()


def test_pairs_across_a_jump_are_not_trained():
    walk = [[0, 1, -1, 2, 3, 4]]
    *_, n_pairs = train(walk, keep_step=[0, 1, 1, 1, 1], both_sides=False)
    assert n_pairs == 1 + 3


def test_dropped_visits_still_count_as_steps():
    keep_node = np.ones(6)
    keep_node[1] = 0.0
    *_, n_pairs = train([[0, 1, 2]], keep_step=[0, 1], keep_node=keep_node)
    assert n_pairs == 0


def test_the_initial_loss_is_ln_2_per_term():
    _, _, loss, n_losses, _ = train(np.tile(np.arange(6), (40, 1)), keep_step=[0, 1, 1])
    assert loss / n_losses == pytest.approx(3 * np.log(2))


def test_consecutive_ranges_give_the_result_of_one_range():
    walks = np.random.default_rng(0).integers(6, size=(40, 8))
    pool = np.random.default_rng(1).integers(6, size=(6, 9)).astype(np.int32)
    once, parts = (train(walks, keep_step=[0, 1, 0.5], rate=0.1, pool=pool, n_ranges=n_ranges) for n_ranges in (1, 5))
    for expected, result in zip(once, parts, strict=True):
        np.testing.assert_allclose(result, expected, rtol=1e-12)
    assert once[-1] > 40 * 2 * 7
