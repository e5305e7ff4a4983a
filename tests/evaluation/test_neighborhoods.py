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


def test_mix_by_hand():
    graph = Graph([[0, 2, 1, 0], [2, 0, 0, 0], [1, 0, 0, 3], [0, 0, 3, 0]])
    vectors = [[1.0, 0.0], [1.0, 0.1], [1.0, 0.3], [0.0, 1.0]]
    mix = group_mix(vectors, ["x", "x", "y", "y"], graph, n_neighbors=1)
    # Nearest: 0 → 1, 1 → 0, 2 → 1, 3 → 2. Weights from x: 4 to x, 1 to y; strengths: x 5, y 7.
    np.testing.assert_allclose(mix.neighbors, [[1.0, 0.0], [0.5, 0.5]])
    np.testing.assert_allclose(mix.graph, [[4 / 5, 1 / 5], [1 / 7, 6 / 7]])
    np.testing.assert_allclose(mix.null, [[5 / 12, 7 / 12]] * 2)
    np.testing.assert_allclose(mix.excess, mix.neighbors - mix.null)


def test_the_mix_of_the_default_null_is_that_of_the_configuration_model():
    fitted = Configuration().fit(GRAPH, 10)
    mixes = [group_mix(NOISE, GROUP, GRAPH, null=null).null for null in (None, fitted.log_probability)]
    np.testing.assert_allclose(*mixes)


def test_the_mix_of_a_block_null_of_one_step_is_that_of_the_graph():
    mix = group_mix(NOISE, GROUP, GRAPH, null=DegreeCorrectedSBM(GROUP).fit(GRAPH, 1).log_probability, n_centers=5)
    np.testing.assert_allclose(mix.null, mix.graph, rtol=1e-6)


def test_perfect_and_random_vectors_get_the_mix_that_they_must():
    ids = np.random.default_rng(1).permutation(300)
    perfect = np.eye(3)[GROUP] + 1e-3 * NOISE[:, :3]
    mix = group_mix(Embedding(ids, perfect[ids]), GROUP, GRAPH)
    np.testing.assert_array_equal(mix.neighbors, np.eye(3))
    np.testing.assert_allclose(group_mix(NOISE, GROUP, GRAPH).neighbors, 1 / 3, atol=0.06)


def test_occurrences_and_skewness():
    found = hubness(NOISE, 5)
    assert found.occurrence.sum() == 300 * 5
    assert found.skewness == pytest.approx(skew(found.occurrence))
    assert found.never == np.mean(found.occurrence == 0)


def test_a_circle_has_no_hubs_and_a_star_has_one():
    angle = 2 * np.pi * np.arange(60) / 60
    circle = hubness(np.stack([np.cos(angle), np.sin(angle)], axis=1), 2)
    assert circle.occurrence.tolist() == [2] * 60
    assert circle.skewness == 0.0
    star = hubness(np.vstack([np.eye(60), np.ones(60)]), 1)
    assert star.occurrence[-1] == 60
    assert star.skewness > 5


def test_hub_share_of_random_and_of_degree_only_vectors():
    degree = GRAPH.out_strength
    wide = np.random.default_rng(2).standard_normal((300, 64))
    assert hub_share(wide, degree) == pytest.approx(0.1, abs=0.04)
    # All point where hubs point, the more so the higher the degree: hubs are near to everyone.
    pulled = wide / degree[:, None] + np.eye(64)[0]
    assert hub_share(pulled, degree) > 0.5


def test_hub_share_by_hand():
    vectors = [[1.0, 0.0], [1.0, 0.1], [1.0, 0.3], [0.0, 1.0]]
    # Nearest: 0 → 1, 1 → 0, 2 → 1, 3 → 2.
    assert hub_share(vectors, [1, 9, 1, 1], n_neighbors=1, top=0.25) == 0.5


def test_nodes_without_a_vector_change_nothing_for_the_others():
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


def test_mix_of_arcs_with_weights_by_hand():
    # Weights from x: 2 to x, 4 to y; from y: 1 to x, 4 to y. Arriving: 3 at x, 8 at y.
    weights = np.zeros((4, 4))
    weights[[0, 0, 1, 2, 3], [1, 2, 2, 0, 2]] = [2, 1, 3, 1, 4]
    vectors = [[1.0, 0.0], [2.0, 0.2], [0.1, 0.03], [0.0, 1.0]]
    mix = group_mix(vectors, ["x", "x", "y", "y"], Graph(weights, directed=True), n_neighbors=2)
    # The two nearest, nearest first: 0 → 1, 2; 1 → 0, 2; 2 → 1, 0; 3 → 2, 1.
    np.testing.assert_allclose(mix.neighbors, [[1 / 2, 1 / 2], [3 / 4, 1 / 4]])
    np.testing.assert_allclose(mix.graph, [[2 / 6, 4 / 6], [1 / 5, 4 / 5]])
    np.testing.assert_allclose(mix.null, [[3 / 11, 8 / 11]] * 2)


def test_degree_only_vectors_mix_groups_as_chance_does_and_have_no_hubs():
    degree = np.log(GRAPH.out_strength) + 0.01 * np.random.default_rng(3).random(300)
    vectors = np.stack([degree, np.ones(300)], axis=1)
    shares = np.bincount(GROUP) / 300
    np.testing.assert_allclose(group_mix(vectors, GROUP, GRAPH).neighbors, np.tile(shares, (3, 1)), atol=0.08)
    # Along a line a node is among the k nearest of at most k on either side.
    found = hubness(vectors, 5)
    assert found.occurrence.max() <= 10
    assert found.skewness < hubness(NOISE, 5).skewness


@pytest.mark.parametrize("nothing", [None, np.nan, ""], ids=["None", "NaN", "empty"])
@pytest.mark.parametrize("directed", [True, False])
def test_nodes_whose_group_is_missing_are_left_out_with_their_edges(nothing, directed):
    missing = np.arange(300) % 4 == 0
    arcs = GRAPH.adjacency.toarray() * (np.tri(300) if directed else 1.0)
    graph = Graph(arcs, directed=directed)
    groups = np.array(list("abc"), dtype=object)[GROUP]
    expected = group_mix(NOISE[~missing], groups[~missing], graph.subgraph(~missing))
    groups[missing] = nothing
    found = group_mix(NOISE, groups, graph)
    assert found.groups.tolist() == ["a", "b", "c"]
    for name in ("neighbors", "graph", "null"):
        np.testing.assert_allclose(getattr(found, name), getattr(expected, name))


def test_the_mix_of_a_given_null_is_shared_among_the_groups_that_are_known():
    groups = np.where(np.arange(300) % 4 == 0, "", np.array(list("abc"))[GROUP])
    null = Configuration().fit(GRAPH, 10).log_probability
    strength = [GRAPH.out_strength[groups == name].sum() for name in "abc"]
    found = group_mix(NOISE, groups, GRAPH, null=null).null
    np.testing.assert_allclose(found, np.tile(strength / np.sum(strength), (3, 1)))


def test_a_group_without_vectors_or_edges_has_no_mix():
    graph = Graph([[0, 1, 1, 0], [1, 0, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0]])
    mix = group_mix([[1.0, 0.0], [1.0, 0.1], [0.0, 0.0], [1.0, 0.3]], ["x", "x", "y", "z"], graph, n_neighbors=1)
    nothing = np.full(3, np.nan)
    np.testing.assert_array_equal(mix.neighbors, [[1, 0, 0], nothing, [1, 0, 0]])
    np.testing.assert_allclose(mix.graph, [[2 / 3, 1 / 3, 0], [1, 0, 0], nothing])
    np.testing.assert_array_equal(np.isnan(mix.excess), [[False] * 3, [True] * 3, [False] * 3])


def test_few_nodes_have_one_hub_and_a_share_of_none_is_refused():
    vectors = [[1.0, 0.0], [1.0, 0.1], [1.0, 0.3], [0.0, 1.0]]
    assert hub_share(vectors, [1, 9, 1, 1], n_neighbors=1, top=0.1) == 0.5
    with pytest.raises(InvalidParameterError, match="top must be above 0"):
        hub_share(vectors, [1, 9, 1, 1], n_neighbors=1, top=0.0)


def test_groups_that_no_one_knows_are_refused():
    with pytest.raises(InvalidParameterError, match="of 300 they are for none"):
        group_mix(NOISE, [None] * 300, GRAPH)
