import numpy as np

from residuum._kernels.layout import improve_layout

RATES = np.linspace(1.0, 0.0, 50, endpoint=False)


def moved(positions, neighbors, n_negatives, seed=0):
    result = positions.copy()
    improve_layout(result, neighbors, np.ones(neighbors.shape), n_negatives, RATES, np.uint64(seed))
    return result


def test_neighbors_move_toward_each_other():
    start = np.array([[0.0, 0.0], [5.0, 5.0]])
    end = moved(start, np.array([[1], [0]]), 0)
    assert np.linalg.norm(end[0] - end[1]) < 2.0


def test_random_pairs_move_apart():
    start = np.random.default_rng(0).normal(scale=0.01, size=(20, 2))
    neighbors = (np.arange(20) ^ 1)[:, None]
    end = moved(start, neighbors, 5)
    pairs = np.linalg.norm(end[::2] - end[1::2], axis=1)
    others = np.linalg.norm(end[::2] - np.roll(end[1::2], 1, axis=0), axis=1)
    assert np.median(others) > 3 * np.median(pairs)


def test_a_pair_of_weight_zero_and_a_missing_neighbor_do_not_move():
    start = np.array([[0.0, 0.0], [5.0, 5.0]])
    end = start.copy()
    improve_layout(end, np.array([[1], [-1]]), np.array([[0.0], [1.0]]), 5, RATES, np.uint64(0))
    np.testing.assert_array_equal(end, start)


def test_the_same_seed_gives_the_same_layout():
    start = np.random.default_rng(0).normal(size=(30, 2))
    neighbors = np.random.default_rng(1).integers(30, size=(30, 3))
    np.testing.assert_array_equal(moved(start, neighbors, 5), moved(start, neighbors, 5))
    assert not np.array_equal(moved(start, neighbors, 5), moved(start, neighbors, 5, seed=1))
