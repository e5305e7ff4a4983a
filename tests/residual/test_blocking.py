import numpy as np
import pytest

from graph_cases import graph_cases, labels_for
from residuum import Graph, datasets
from residuum.graph import resolve_teleport
from residuum.nulls import Configuration, DegreeCorrectedSBM, ErdosRenyi
from residuum.residual.blocking import blocks_to_find, find_blocks
from residuum.walks import WindowProbabilities

CASES = graph_cases()


def blocks_of(graph, null_model, n_blocks, seed=0):
    teleport = resolve_teleport(graph, None)
    null = null_model.fit(graph, 4, teleport)
    return find_blocks(WindowProbabilities(graph, 4, teleport), null, n_blocks, np.random.default_rng(seed))


@pytest.mark.parametrize("n_blocks", [1, 6, 100])
@pytest.mark.parametrize("case", CASES)
def test_blocks_refine_the_groups_of_the_null_model(case, n_blocks):
    graph = CASES[case]
    groups = labels_for(graph)
    labels = blocks_of(graph, DegreeCorrectedSBM(groups), n_blocks)
    assert labels.dtype == np.int32
    np.testing.assert_array_equal(np.unique(labels), np.arange(labels.max() + 1))
    assert all(len(set(groups[labels == block])) == 1 for block in range(labels.max() + 1))


def test_planted_groups_are_found():
    graph = datasets.planted_groups(600, 4, random_state=1)
    labels = blocks_of(graph, Configuration(), 12)
    planted = graph.node_attributes["group"]
    pure = sum(np.bincount(planted[labels == block]).max() for block in range(labels.max() + 1))
    assert pure > 0.8 * 600  # 12 random blocks: about 0.37


def test_as_many_blocks_as_nodes_are_one_for_each():
    assert len(set(blocks_of(CASES["weighted"], Configuration(), 20).tolist())) == 20


def test_components_do_not_share_blocks():
    A = np.kron(np.eye(5), np.ones((8, 8)) - np.eye(8))
    labels = blocks_of(Graph(A), Configuration(), 15)
    assert all(len(set((np.flatnonzero(labels == block) // 8).tolist())) == 1 for block in range(labels.max() + 1))


def test_nodes_that_no_edge_reaches_are_apart():
    A = np.zeros((12, 12))
    A[np.arange(9), (np.arange(9) + 1) % 9] = 1.0
    A[9, 0] = A[10, 3] = 1.0
    labels = blocks_of(Graph(A, directed=True), ErdosRenyi(), 4)
    assert set(labels[9:]) == {labels[9]}
    assert labels[9] not in labels[:9]


def test_the_same_seed_finds_the_same_blocks():
    graph = datasets.planted_groups(300, 3, random_state=1)
    one, two, other = (blocks_of(graph, Configuration(), 30, seed) for seed in (0, 0, 1))
    np.testing.assert_array_equal(one, two)
    assert (one != other).any()


def test_the_number_of_blocks_follows_the_groups_unless_it_is_given():
    graph = datasets.planted_groups(600, 3, random_state=0)
    few = DegreeCorrectedSBM("group").fit(graph, 3)
    many = DegreeCorrectedSBM(np.arange(600) // 5).fit(graph, 3)
    assert blocks_to_find(few, None) == 1000
    assert blocks_to_find(many, None) == 25 * 120
    assert blocks_to_find(many, 40) == 40
