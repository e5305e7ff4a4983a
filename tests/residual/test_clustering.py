import numpy as np

from residuum.residual.clustering import k_means, shares


def test_separate_points_are_separate_clusters():
    rng = np.random.default_rng(0)
    points = np.repeat(10 * np.eye(3, dtype=np.float32), 50, axis=0) + rng.normal(size=(150, 3)).astype(np.float32)
    labels = k_means(points, 12, rng, 10)
    assert all(len(set((np.flatnonzero(labels == label) // 50).tolist())) == 1 for label in set(labels.tolist()))


def test_labels_are_those_of_the_nearest_centre():
    rng = np.random.default_rng(1)
    points = rng.normal(size=(80, 2)).astype(np.float32)
    labels = k_means(points, 4, rng, 50)
    centres = np.array([points[labels == label].mean(axis=0) for label in range(4)])
    distance = np.linalg.norm(points[:, None] - centres[None], axis=2)
    np.testing.assert_array_equal(labels, distance.argmin(axis=1))


def test_one_cluster_and_as_many_as_points():
    points = np.zeros((5, 2), dtype=np.float32)
    rng = np.random.default_rng(0)
    np.testing.assert_array_equal(k_means(points, 1, rng, 3), 0)
    np.testing.assert_array_equal(k_means(points, 9, rng, 3), np.arange(5))


def test_shares_add_up_and_leave_nobody_out():
    np.testing.assert_array_equal(shares(np.array([60, 30, 10]), 10), [6, 3, 1])
    np.testing.assert_array_equal(shares(np.array([1000, 1, 1, 0]), 2), [1, 1, 1, 0])
    np.testing.assert_array_equal(shares(np.array([3, 3]), 100), [3, 3])
    assert shares(np.array([33, 33, 34]), 10).sum() == 10
