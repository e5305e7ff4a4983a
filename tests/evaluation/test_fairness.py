import numpy as np
import pytest

from residuum import Graph, datasets
from residuum.errors import InvalidParameterError
from residuum.evaluation import neighbor_fairness


def complete(n):
    return Graph(np.ones((n, n)) - np.eye(n))


def test_neighbors_of_the_own_group_only():
    groups = np.repeat(["a", "b"], 20)
    vectors = np.repeat(np.eye(2), 20, axis=0) + 0.01 * np.random.default_rng(0).random((40, 2))
    fairness = neighbor_fairness(vectors, groups, complete(40), n_neighbors=5)
    assert fairness.same_group == 1.0
    assert fairness.expected == pytest.approx(0.5, abs=0.03)
    # KL of one group alone from equal shares is ln 2 at every depth.
    assert fairness.ndkl == pytest.approx(np.log(2))


def test_random_neighbors_are_as_fair_as_chance():
    rng = np.random.default_rng(0)
    fairness = neighbor_fairness(rng.standard_normal((600, 5)), np.arange(600) % 3, complete(600))
    assert abs(fairness.excess) < 0.03
    assert fairness.ndkl == pytest.approx(fairness.ndkl_chance, abs=0.02)


def test_ndkl_is_that_of_a_direct_sum():
    groups = np.array([0, 0, 1, 0, 1, 1])
    angle = np.array([0.0, 0.1, 0.3, 0.6, 1.0, 1.5])
    vectors = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    fairness = neighbor_fairness(vectors, groups, complete(6), n_neighbors=2)
    weights = 1 / np.log2([2, 3])
    total = 0.0
    for node in range(6):
        order = np.argsort(np.abs(angle - angle[node]), kind="stable")[1:3]
        for depth, weight in zip((1, 2), weights, strict=True):
            shares = np.bincount(groups[order[:depth]], minlength=2) / depth
            total += weight * sum(p * np.log(p / 0.5) for p in shares if p > 0)
    assert fairness.ndkl == pytest.approx(total / 6 / weights.sum())


def test_nodes_without_a_group_are_counted():
    graph = datasets.karate_club()
    groups = np.where(np.arange(34) < 3, None, graph.node_attributes["club"])
    with pytest.raises(InvalidParameterError, match="3 of 34 have none"):
        neighbor_fairness(np.ones((34, 2)), groups, graph)
