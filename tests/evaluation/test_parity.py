import numpy as np
import pytest

from residuum import Graph
from residuum.errors import InvalidParameterError
from residuum.evaluation import DistanceParity, distance_parity


def brute_force(u, groups, adjacency, max_distance):
    """Mean cosines by distance, from paths found by Floyd and Warshall, pair by pair."""
    n = len(u)
    distance = np.where((adjacency + adjacency.T) > 0, 1.0, np.inf)
    np.fill_diagonal(distance, 0.0)
    for k in range(n):
        for i in range(n):
            for j in range(n):
                distance[i, j] = min(distance[i, j], distance[i, k] + distance[k, j])
    cosines = {(d, same): [] for d in range(1, max_distance + 1) for same in (True, False)}
    for i in range(n):
        for j in range(n):
            usable = i != j and u[i].any() and u[j].any() and groups[i] and groups[j]
            if usable and distance[i, j] <= max_distance:
                cosine = u[i] @ u[j] / np.linalg.norm(u[i]) / np.linalg.norm(u[j])
                cosines[int(distance[i, j]), groups[i] == groups[j]].append(cosine)
    return cosines


@pytest.mark.parametrize("directed", [False, True])
def test_means_are_those_of_all_pairs_at_each_distance(directed):
    rng = np.random.default_rng(0)
    adjacency = np.triu(rng.random((40, 40)) < 0.05, 1) * rng.uniform(0.1, 3.0, (40, 40))
    groups = rng.choice(np.array(["a", "b", "c", ""]), 40, p=[0.4, 0.3, 0.2, 0.1])
    u = rng.standard_normal((40, 3))
    u[5] = 0.0
    graph = Graph(adjacency if directed else adjacency + adjacency.T, directed=directed)
    measured = distance_parity(u, groups, graph, max_distance=5, n_centers=40)
    expected = brute_force(u, groups, adjacency, 5)
    assert measured.distance.tolist() == [1, 2, 3, 4, 5]
    assert measured.n_within.tolist() == [len(expected[d, True]) for d in range(1, 6)]
    assert measured.n_between.tolist() == [len(expected[d, False]) for d in range(1, 6)]
    assert measured.n_within.sum() > 100
    np.testing.assert_allclose(measured.within, [np.mean(expected[d, True]) for d in range(1, 6)], rtol=1e-12)
    np.testing.assert_allclose(measured.between, [np.mean(expected[d, False]) for d in range(1, 6)], rtol=1e-12)


def test_vectors_that_follow_the_distance_only_have_no_gap_though_groups_are_segregated():
    # On a ring of two arcs, the cosine is a function of the distance, and near nodes mostly share the group.
    angle = 2 * np.pi * np.arange(60) / 60
    ring = np.roll(np.eye(60), 1, axis=1)
    groups = np.arange(60) < 30
    parity = distance_parity(np.column_stack([np.cos(angle), np.sin(angle)]), groups, Graph(ring + ring.T))
    assert parity.n_within[0] > 10 * parity.n_between[0]
    np.testing.assert_allclose(parity.gaps, 0.0, atol=1e-12)
    assert parity.gap == pytest.approx(0.0, abs=1e-12)


def test_a_group_in_the_vectors_is_a_gap_at_every_distance():
    ring = np.roll(np.eye(60), 1, axis=1)
    groups = np.arange(60) < 30
    parity = distance_parity(np.eye(2)[groups.astype(int)], groups, Graph(ring + ring.T))
    np.testing.assert_allclose(parity.gaps, 1.0)


def test_distances_without_pairs_have_no_gap():
    complete = Graph(1.0 - np.eye(6))
    parity = distance_parity(np.eye(6), ["a", "a", "a", "b", "b", "b"], complete, max_distance=2)
    assert parity.n_within.tolist() == [12, 0]
    assert np.isnan(parity.gaps).tolist() == [False, True]
    assert parity.gap == 0.0
    assert np.isnan(distance_parity(np.eye(6), ["a"] * 6, complete).gap)


def test_a_sample_of_centers_estimates_the_gaps():
    rng = np.random.default_rng(1)
    adjacency = np.triu(rng.random((300, 300)) < 0.02, 1).astype(float)
    groups = np.arange(300) % 2
    u = rng.standard_normal((300, 4)) + np.eye(4)[groups]
    graph = Graph(adjacency + adjacency.T)
    whole, sample = (distance_parity(u, groups, graph, n_centers=n, random_state=0) for n in (300, 100))
    assert sample.n_within.sum() < whole.n_within.sum() / 2
    assert sample.gap == pytest.approx(whole.gap, abs=0.03)


def test_nothing_to_compare_is_an_error():
    with pytest.raises(InvalidParameterError, match="at least two nodes"):
        distance_parity(np.zeros((3, 2)), ["a", "b", "b"], Graph(1.0 - np.eye(3)))


def test_the_mean_gap_is_weighted_by_pairs_in_the_same_group():
    parity = DistanceParity(*map(np.array, ([1, 2], [0.5, 0.3], [0.1, 0.2], [1, 3], [100, 100])))
    assert parity.gap == pytest.approx((0.4 + 3 * 0.1) / 4)
