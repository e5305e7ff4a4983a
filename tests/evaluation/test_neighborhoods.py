import numpy as np
import pytest
from scipy.stats import skew

from residuum import Embedding, Graph, datasets
from residuum.errors import InvalidParameterError
from residuum.evaluation import group_mix, hub_share, hubness
from residuum.nulls import Configuration, DegreeCorrectedSBM

GRAPH = datasets.planted_groups(300, 3, degree_exponent=2.3, mixing=0.2, random_state=0)
GROUP = GRAPH.node_attributes["group"]
NOISE = np.random.default_rng(0).standard_normal((300, 8))


def test_group_mix_computed_by_hand():
    graph = Graph([[0, 2, 1, 0], [2, 0, 0, 0], [1, 0, 0, 3], [0, 0, 3, 0]])
    vectors = [[1.0, 0.0], [1.0, 0.1], [1.0, 0.3], [0.0, 1.0]]
    mix = group_mix(vectors, ["x", "x", "y", "y"], graph, n_neighbors=1)
    # Nearest: 0 → 1, 1 → 0, 2 → 1, 3 → 2. Weights from x: 4 to x, 1 to y; strengths: x 5, y 7.
    np.testing.assert_allclose(mix.neighbors, [[1.0, 0.0], [0.5, 0.5]])
    np.testing.assert_allclose(mix.graph, [[4 / 5, 1 / 5], [1 / 7, 6 / 7]])
    np.testing.assert_allclose(mix.null, [[5 / 12, 7 / 12]] * 2)
    np.testing.assert_allclose(mix.excess, mix.neighbors - mix.null)


def test_the_default_null_mix_is_that_of_the_configuration_model():
    fitted = Configuration().fit(GRAPH, 10)
    mixes = [group_mix(NOISE, GROUP, GRAPH, null=null).null for null in (None, fitted.log_probability)]
    np.testing.assert_allclose(*mixes)


def test_the_mix_of_a_one_step_dcsbm_is_that_of_the_graph():
    mix = group_mix(NOISE, GROUP, GRAPH, null=DegreeCorrectedSBM(GROUP).fit(GRAPH, 1).log_probability, n_centers=5)
    np.testing.assert_allclose(mix.null, mix.graph, rtol=1e-6)


def test_neighbors_of_perfect_vectors_share_a_group_and_those_of_random_vectors_are_mixed():
    ids = np.random.default_rng(1).permutation(300)
    perfect = np.eye(3)[GROUP] + 1e-3 * NOISE[:, :3]
    mix = group_mix(Embedding(ids, perfect[ids]), GROUP, GRAPH)
    np.testing.assert_array_equal(mix.neighbors, np.eye(3))
    np.testing.assert_allclose(group_mix(NOISE, GROUP, GRAPH).neighbors, 1 / 3, atol=0.06)


def test_occurrences_sum_to_all_neighbors_and_skewness_equals_scipy():
    result = hubness(NOISE, 5)
    assert result.occurrence.sum() == 300 * 5
    assert result.skewness == pytest.approx(skew(result.occurrence))
    assert result.never == np.mean(result.occurrence == 0)


def test_a_circle_has_no_hubs_and_a_star_has_one():
    angle = 2 * np.pi * np.arange(60) / 60
    circle = hubness(np.stack([np.cos(angle), np.sin(angle)], axis=1), 2)
    assert circle.occurrence.tolist() == [2] * 60
    assert circle.skewness == 0.0
    star = hubness(np.vstack([np.eye(60), np.ones(60)]), 1)
    assert star.occurrence[-1] == 60
    assert star.skewness > 5


def test_hub_share_is_low_for_random_vectors_and_high_for_vectors_near_hubs():
    degree = GRAPH.out_strength
    wide = np.random.default_rng(2).standard_normal((300, 64))
    assert hub_share(wide, degree) == pytest.approx(0.1, abs=0.04)
    # Vectors share a direction, more so at high degree: hubs are close to all nodes.
    pulled = wide / degree[:, None] + np.eye(64)[0]
    assert hub_share(pulled, degree) > 0.5


def test_hub_share_computed_by_hand():
    vectors = [[1.0, 0.0], [1.0, 0.1], [1.0, 0.3], [0.0, 1.0]]
    # Nearest: 0 → 1, 1 → 0, 2 → 1, 3 → 2.
    assert hub_share(vectors, [1, 9, 1, 1], n_neighbors=1, top=0.25) == 0.5


def test_zero_vectors_do_not_affect_other_nodes():
    isolated = np.zeros((40, 40))
    isolated[:30, :30] = Graph(GRAPH.adjacency[:30, :30]).adjacency.toarray()
    vectors, groups = np.zeros((40, 8)), np.r_[GROUP[:30], np.zeros(10, dtype=int)]
    vectors[:30] = NOISE[:30]
    whole, part = (
        group_mix(vectors[:n], groups[:n], Graph(isolated[:n, :n]), n_neighbors=5).neighbors for n in (40, 30)
    )
    np.testing.assert_array_equal(whole, part)
    assert hubness(vectors, 5).occurrence.tolist() == [*hubness(vectors[:30], 5).occurrence, *[0] * 10]
    degrees = isolated.sum(axis=1)
    assert hub_share(vectors, degrees, top=3 / 40) == hub_share(vectors[:30], degrees[:30], top=0.1)


def test_group_mix_of_a_weighted_directed_graph_computed_by_hand():
    # Weights from x: 2 to x, 4 to y; from y: 1 to x, 4 to y. Arriving: 3 at x, 8 at y.
    weights = np.zeros((4, 4))
    weights[[0, 0, 1, 2, 3], [1, 2, 2, 0, 2]] = [2, 1, 3, 1, 4]
    vectors = [[1.0, 0.0], [2.0, 0.2], [0.1, 0.03], [0.0, 1.0]]
    mix = group_mix(vectors, ["x", "x", "y", "y"], Graph(weights, directed=True), n_neighbors=2)
    # The two nearest, nearest first: 0 → 1, 2; 1 → 0, 2; 2 → 1, 0; 3 → 2, 1.
    np.testing.assert_allclose(mix.neighbors, [[1 / 2, 1 / 2], [3 / 4, 1 / 4]])
    np.testing.assert_allclose(mix.graph, [[2 / 6, 4 / 6], [1 / 5, 4 / 5]])
    np.testing.assert_allclose(mix.null, [[3 / 11, 8 / 11]] * 2)


def test_degree_only_vectors_mix_groups_at_random_and_have_no_hubs():
    degree = np.log(GRAPH.out_strength) + 0.01 * np.random.default_rng(3).random(300)
    vectors = np.stack([degree, np.ones(300)], axis=1)
    shares = np.bincount(GROUP) / 300
    np.testing.assert_allclose(group_mix(vectors, GROUP, GRAPH).neighbors, np.tile(shares, (3, 1)), atol=0.08)
    # On a line a node is among the k nearest neighbors of at most k nodes on either side.
    result = hubness(vectors, 5)
    assert result.occurrence.max() <= 10
    assert result.skewness < hubness(NOISE, 5).skewness


@pytest.mark.parametrize("missing_value", [None, np.nan, ""], ids=["None", "NaN", "empty"])
@pytest.mark.parametrize("directed", [True, False])
def test_nodes_with_a_missing_group_are_ignored_with_their_edges(missing_value, directed):
    missing = np.arange(300) % 4 == 0
    arcs = GRAPH.adjacency.toarray() * (np.tri(300) if directed else 1.0)
    graph = Graph(arcs, directed=directed)
    groups = np.array(list("abc"), dtype=object)[GROUP]
    expected = group_mix(NOISE[~missing], groups[~missing], graph.subgraph(~missing))
    groups[missing] = missing_value
    result = group_mix(NOISE, groups, graph)
    assert result.groups.tolist() == ["a", "b", "c"]
    for name in ("neighbors", "graph", "null"):
        np.testing.assert_allclose(getattr(result, name), getattr(expected, name))


def test_the_null_mix_is_normalized_over_labeled_nodes():
    groups = np.where(np.arange(300) % 4 == 0, "", np.array(list("abc"))[GROUP])
    null = Configuration().fit(GRAPH, 10).log_probability
    strength = [GRAPH.out_strength[groups == name].sum() for name in "abc"]
    result = group_mix(NOISE, groups, GRAPH, null=null).null
    np.testing.assert_allclose(result, np.tile(strength / np.sum(strength), (3, 1)))


def test_the_mix_of_a_group_without_vectors_or_edges_is_nan():
    graph = Graph([[0, 1, 1, 0], [1, 0, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0]])
    mix = group_mix([[1.0, 0.0], [1.0, 0.1], [0.0, 0.0], [1.0, 0.3]], ["x", "x", "y", "z"], graph, n_neighbors=1)
    undefined = np.full(3, np.nan)
    np.testing.assert_array_equal(mix.neighbors, [[1, 0, 0], undefined, [1, 0, 0]])
    np.testing.assert_allclose(mix.graph, [[2 / 3, 1 / 3, 0], [1, 0, 0], undefined])
    np.testing.assert_array_equal(np.isnan(mix.excess), [[False] * 3, [True] * 3, [False] * 3])


def test_at_least_one_node_is_a_hub_and_top_zero_is_rejected():
    vectors = [[1.0, 0.0], [1.0, 0.1], [1.0, 0.3], [0.0, 1.0]]
    assert hub_share(vectors, [1, 9, 1, 1], n_neighbors=1, top=0.1) == 0.5
    with pytest.raises(InvalidParameterError, match="top must be above 0"):
        hub_share(vectors, [1, 9, 1, 1], n_neighbors=1, top=0.0)


def test_groups_without_labels_are_rejected():
    with pytest.raises(InvalidParameterError, match="must label at least one node; all 300 labels are missing"):
        group_mix(NOISE, [None] * 300, GRAPH)
