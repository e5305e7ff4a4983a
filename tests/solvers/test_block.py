from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest

from residuum import Residual2Vec, datasets
from residuum.errors import InvalidParameterError
from residuum.nulls import DegreeCorrectedSBM
from residuum.solvers import Block, Problem

PLENTY = 8 << 30
PROBLEM = Problem(50_000, 1_000_000, 64, 10, symmetric=True, memory_limit=PLENTY)


def test_default_number_of_clusters_grows_with_the_number_of_groups():
    graph = datasets.planted_groups(600, 3, random_state=0)
    groups = np.arange(600) // 5
    few, many = (
        Residual2Vec(4, null_model=DegreeCorrectedSBM(groups), solver=Block(n), floor=0.0, random_state=0).fit(graph)
        for n in (150, None)
    )
    assert few.solver_details_["n_clusters"] <= 150
    # 25 clusters for each of 120 groups are more than the number of nodes.
    assert many.solver_details_["n_clusters"] == 600


def test_a_null_model_without_block_form_is_rejected():
    sampled = Problem(100, 1000, 8, 5, symmetric=True, memory_limit=PLENTY, n_groups=0)
    assert "this one is sampled; use solver='landmark'" in Block().refusal(sampled)
    assert Block().refusal(PROBLEM) is None


def test_invalid_parameters_are_rejected():
    with pytest.raises(InvalidParameterError, match="n_clusters must be at least 1; got 0"):
        Block(n_clusters=0)


def test_operation_counts_are_proportional_to_the_graph():
    counts = Block(500).features(PROBLEM)
    np.testing.assert_array_equal(Block(500).features(replace(PROBLEM, n_nodes=100_000)), counts * [1, 1, 2, 2])
    np.testing.assert_array_equal(Block(500).features(replace(PROBLEM, n_entries=2_000_000)), counts * [1, 2, 1, 1])
    # Three passes of 4 N B K multiply-adds each, in addition to N B² for the clusters.
    wider = Block(500).features(replace(PROBLEM, n_components=65))
    np.testing.assert_array_equal(wider - counts, [0, 3 * 2 * 1_000_000, 3 * 4 * 50_000 * 500, 0])


def test_a_solver_cannot_be_changed_and_is_equal_to_one_with_the_same_parameters():
    solver = Block(300)
    with pytest.raises(FrozenInstanceError):
        solver.n_clusters = 0
    assert {solver, Block(300), Block()} == {Block(300), Block()}
