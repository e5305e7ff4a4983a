import numpy as np
import pytest

from residuum import datasets
from residuum.errors import InvalidParameterError
from residuum.evaluation import similarity_disparity

RNG = np.random.default_rng(0)


def test_means_are_those_over_all_pairs():
    vectors, groups = RNG.standard_normal((40, 5)) + 0.5, RNG.choice(["x", "y", "z"], 40)
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosine, other = unit @ unit.T, ~np.eye(40, dtype=bool)
    found = similarity_disparity(vectors, groups)
    for a, g in enumerate(found.groups):
        for b, h in enumerate(found.groups):
            here = np.outer(groups == g, groups == h) & other
            assert found.similarity[a, b] == pytest.approx(cosine[here].mean())
    same = groups[:, None] == groups
    assert found.within == pytest.approx(cosine[same & other].mean())
    assert found.between == pytest.approx(cosine[~same].mean())
    assert found.gap == pytest.approx(found.within - found.between)


def test_random_vectors_have_no_gap_and_perfect_ones_a_gap_of_one():
    groups = np.repeat([0, 1, 2], 100)
    assert similarity_disparity(RNG.standard_normal((300, 16)), groups).gap == pytest.approx(0.0, abs=0.01)
    assert similarity_disparity(np.eye(3)[groups], groups).gap == pytest.approx(1.0)


def test_spread_tells_close_knit_groups_from_others():
    tight = np.tile([1.0, 0.0, 0.0], (50, 1)) + 0.01 * RNG.standard_normal((50, 3))
    loose = RNG.standard_normal((50, 3))
    found = similarity_disparity(np.vstack([tight, loose]), np.repeat(["tight", "loose"], 50))
    assert found.spread > 0.9


def test_zero_vectors_are_left_out_and_single_nodes_have_no_pairs():
    found = similarity_disparity([[1, 0], [1, 0], [0, 0], [0, 2]], ["a", "a", "a", "b"])
    np.testing.assert_array_equal(found.similarity, [[1.0, 0.0], [0.0, np.nan]])
    assert (found.within, found.between, found.spread) == (1.0, 0.0, 0.0)


def test_degree_only_vectors_have_no_gap_between_groups_of_equal_degrees():
    graph = datasets.planted_groups(400, 4, degree_exponent=2.3, random_state=0)
    vectors = np.stack([np.log(graph.out_strength), np.ones(400)], axis=1)
    assert similarity_disparity(vectors, graph.node_attributes["group"]).gap == pytest.approx(0.0, abs=0.01)
    # Nodes of low and of high degree point in different directions.
    assert similarity_disparity(vectors, graph.out_strength > np.median(graph.out_strength)).gap > 0.01


@pytest.mark.parametrize("nothing", [None, np.nan, ""], ids=["None", "NaN", "empty"])
def test_nodes_whose_group_is_missing_are_left_out(nothing):
    vectors, groups = RNG.standard_normal((40, 5)) + 0.5, RNG.choice(["x", "y"], 40).astype(object)
    expected = similarity_disparity(vectors[::2], groups[::2])
    groups[1::2] = nothing
    found = similarity_disparity(vectors, groups)
    assert found.groups.tolist() == ["x", "y"]
    np.testing.assert_allclose(found.similarity, expected.similarity)
    assert found.gap == pytest.approx(expected.gap)


def test_groups_that_no_one_knows_are_refused():
    with pytest.raises(InvalidParameterError, match="not zero; of 4 they are for 1"):
        similarity_disparity(np.ones((4, 2)), ["a", None, None, None])
