import numpy as np
import pytest

from graph_cases import graph_cases, labels_for
from residuum import Graph, datasets
from residuum.nulls import Configuration, DegreeCorrectedSBM, ErdosRenyi
from residuum.solvers.clusters import _shares, find_clusters, k_means, relative_strength, surplus_of
from residuum.walks import WindowProbabilities

CASES = graph_cases()


def clusters_of(graph, null_model, n_clusters, seed=0):
    null = null_model.fit(graph, 4)
    return find_clusters(WindowProbabilities(graph, 4), null, n_clusters, np.random.default_rng(seed))


@pytest.mark.parametrize("n_clusters", [1, 6, 100])
@pytest.mark.parametrize("case", CASES)
def test_clusters_refine_the_groups_of_the_null_model(case, n_clusters):
    graph = CASES[case]
    groups = labels_for(graph)
    labels = clusters_of(graph, DegreeCorrectedSBM(groups), n_clusters)
    assert labels.dtype == np.int32
    np.testing.assert_array_equal(np.unique(labels), np.arange(labels.max() + 1))
    assert all(len(set(groups[labels == cluster])) == 1 for cluster in range(labels.max() + 1))


def test_clusters_recover_planted_groups():
    graph = datasets.planted_groups(600, 4, random_state=1)
    labels = clusters_of(graph, Configuration(), 12)
    planted = graph.node_attributes["group"]
    pure = sum(np.bincount(planted[labels == cluster]).max() for cluster in range(labels.max() + 1))
    assert pure > 0.8 * 600  # 12 random clusters: about 0.37


def test_two_clusters_are_the_fewest_that_divide_a_group():
    graph = datasets.planted_groups(40, 2, random_state=0)
    assert set(clusters_of(graph, Configuration(), 2)) == {0, 1}


def test_as_many_clusters_as_nodes_separate_all_nodes():
    assert len(set(clusters_of(CASES["weighted"], Configuration(), 20).tolist())) == 20


def test_connected_components_do_not_share_clusters():
    A = np.kron(np.eye(5), np.ones((8, 8)) - np.eye(8))
    labels = clusters_of(Graph(A), Configuration(), 15)
    assert all(len(set((np.flatnonzero(labels == cluster) // 8).tolist())) == 1 for cluster in range(labels.max() + 1))


def test_nodes_without_in_edges_form_a_separate_cluster():
    A = np.zeros((12, 12))
    A[np.arange(9), (np.arange(9) + 1) % 9] = 1.0
    A[9, 0] = A[10, 3] = 1.0
    labels = clusters_of(Graph(A, directed=True), ErdosRenyi(), 4)
    assert set(labels[9:]) == {labels[9]}
    assert labels[9] not in labels[:9]


def test_the_same_seed_gives_the_same_clusters():
    graph = datasets.planted_groups(300, 3, random_state=1)
    first, second, reseeded = (clusters_of(graph, Configuration(), 30, seed) for seed in (0, 0, 1))
    np.testing.assert_array_equal(first, second)
    assert (first != reseeded).any()


@pytest.mark.parametrize(
    ("sizes", "total", "shares"),
    [
        ([60, 30, 10, 0], 10, [6, 3, 1, 0]),
        ([5, 5], 1, [1, 1]),
        ([2, 100], 60, [1, 59]),
        ([3], 9, [3]),
    ],
)
def test_groups_get_clusters_in_proportion_to_their_size(sizes, total, shares):
    assert _shares(np.array(sizes), total).tolist() == shares


def test_more_clusters_than_distinct_rows_leave_some_empty():
    star = np.zeros((30, 30))
    star[0, 1:] = star[1:, 0] = 1.0
    labels = clusters_of(Graph(star), Configuration(), 10)
    assert len(set(labels.tolist())) <= 10


def test_the_generator_seeds_k_means():
    rows = np.random.default_rng(0).standard_normal((60, 3)).astype(np.float32)
    first, again, other = (k_means(rows, 8, np.random.default_rng(seed))[0] for seed in (0, 0, 1))
    np.testing.assert_array_equal(first, again)
    together = [labels[:, None] == labels for labels in (first, other)]
    assert (together[0] != together[1]).any()


@pytest.mark.parametrize("case", ["weighted", "directed", "isolated nodes"])
def test_the_surplus_is_a_quarter_of_the_log_ratio_of_strength_to_expectation(case):
    graph = CASES[case]
    assert surplus_of(graph, Configuration().fit(graph, 3)).shape == (0,)
    reached = graph.in_strength > 0
    ratios = np.log(graph.in_strength[reached] / graph.in_strength.sum() * np.count_nonzero(reached))
    surplus = surplus_of(graph, ErdosRenyi().fit(graph, 3))
    assert (surplus.dtype, surplus.shape) == (np.float32, (20,))
    np.testing.assert_allclose(
        surplus[reached][:, None] - surplus[reached], np.subtract.outer(ratios, ratios) / 4, atol=1e-6
    )
    assert surplus.mean() == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("case", ["weighted", "directed", "isolated nodes"])
def test_relative_strength_is_the_sum_of_both_strengths_in_units_of_the_largest(case):
    graph = CASES[case]
    strength, root = relative_strength(graph)
    A = graph.adjacency.toarray()
    both = A.sum(axis=0) + A.sum(axis=1)
    np.testing.assert_allclose(strength, both / (A.sum(axis=0).max() + A.sum(axis=1).max()))
    assert root.dtype == np.float32
    np.testing.assert_allclose(root[both > 0], strength[both > 0] ** -0.5, rtol=1e-6)
    assert not root[both == 0].any()
