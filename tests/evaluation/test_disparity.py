import numpy as np
import pytest

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
