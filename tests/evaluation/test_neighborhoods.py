import numpy as np
import pytest
from scipy.stats import skew

from residuum import Embedding, Graph, datasets
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
