import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist

from residuum import Residual2Vec, datasets
from residuum.residual.cells import Cells
from residuum.residual.transport import AffineMaps, assign, equalize, exchange


def two_groups(n=400, k=3, seed=0):
    rng = np.random.default_rng(seed)
    codes = np.arange(n) % 2
    X = rng.standard_normal((n, k)) @ np.diag([2.0, 1.0, 0.5][:k])
    X[codes == 1] = X[codes == 1][:, ::-1] + 3.0
    return X, codes


def cells_of(codes):
    return Cells(erasure=None, n_bins=2, cell_of={}, unseen=0, codes=codes)


def test_affine_maps_equalize_means_and_covariances():
    X, codes = two_groups()
    moved = AffineMaps.fit(X, codes, shrinkage=0.0).apply(X, codes)
    groups = [moved[codes == g] for g in (0, 1)]
    np.testing.assert_allclose(groups[0].mean(axis=0), groups[1].mean(axis=0), atol=1e-8)
    np.testing.assert_allclose(np.cov(groups[0].T), np.cov(groups[1].T), rtol=1e-2, atol=1e-2)


def test_affine_maps_leave_equal_groups_in_place():
    X, _ = two_groups()
    twice, codes = np.concatenate([X, X]), np.repeat([0, 1], len(X))
    np.testing.assert_allclose(AffineMaps.fit(twice, codes).apply(twice, codes), twice, atol=1e-4)


def test_affine_map_of_a_small_group_is_mostly_a_shift():
    X, _ = two_groups(100)
    codes = np.zeros(100, dtype=np.int64)
    codes[:2] = 1
    maps = AffineMaps.fit(X, codes)
    np.testing.assert_allclose(maps.matrices[1], np.eye(3), atol=0.4)
    assert np.isfinite(maps.apply(X, codes)).all()


def test_assignment_is_optimal_for_few_points():
    rng = np.random.default_rng(0)
    points, places = rng.random((2, 60, 3))
    cost = cdist(points, places, "sqeuclidean")
    rows, columns = linear_sum_assignment(cost)
    assert cost[np.arange(60), assign(points, places)].sum() == pytest.approx(cost[rows, columns].sum())


def test_assignment_of_many_points_is_a_permutation_near_the_optimum(monkeypatch):
    rng = np.random.default_rng(0)
    points, places = rng.random((2, 300, 2))
    best = np.square(points - places[assign(points, places)]).sum()
    monkeypatch.setattr("residuum.residual.transport._LARGEST_ASSIGNMENT", 50)
    place_of = assign(points, places)
    assert sorted(place_of.tolist()) == list(range(300))
    assert np.square(points - places[place_of]).sum() < 2.5 * best


def test_exchange_deals_places_at_random_and_moves_each_node_to_one_of_its_group():
    X, codes = two_groups()
    same = []
    for seed in range(20):
        place_of = exchange(X, codes, 1.0, np.random.default_rng(seed))
        assert sorted(place_of.tolist()) == list(range(len(X)))
        same.append(np.mean(codes[place_of] == codes))
    # A place is dealt to the group of its node half of the time, as under permutation.
    assert abs(np.mean(same) - 0.5) < 0.03


def test_exchange_keeps_the_places_that_are_not_dealt():
    X, codes = two_groups()
    place_of = exchange(X, codes, 0.2, np.random.default_rng(0))
    assert np.mean(codes[place_of] == codes) > 0.85


def test_embedding_and_context_vectors_move_together():
    X, codes = two_groups()
    u = X.astype(np.float32)
    signs = np.array([1, -1, 1], dtype=np.float32)
    moved_u, moved_v, _ = equalize(u, u * signs, cells_of(codes), 1.0, np.random.default_rng(0))
    np.testing.assert_allclose(moved_v, moved_u * signs, atol=1e-4)


def test_strength_zero_leaves_vectors_and_zero_vectors_stay_zero():
    X, codes = two_groups()
    u = X.astype(np.float32)
    u[:5] = 0.0
    same_u, same_v, _ = equalize(u, u, cells_of(codes), 0.0, np.random.default_rng(0))
    np.testing.assert_allclose(same_u, u, atol=1e-5)
    np.testing.assert_allclose(same_v, u, atol=1e-5)
    moved, _, _ = equalize(u, u, cells_of(codes), 1.0, np.random.default_rng(0))
    assert not moved[:5].any()
    assert moved[5:].any(axis=1).all()


def test_out_of_sample_nodes_take_places_of_nodes():
    X, codes = two_groups()
    u = X.astype(np.float32)
    _, _, maps = equalize(u, u, cells_of(codes), 1.0, np.random.default_rng(0))
    new = maps.apply(X[:50] + 0.01, codes[:50])
    assert np.min(cdist(new, maps.places), axis=1).max() < 1e-9
    np.testing.assert_array_equal(new, maps.apply(X[:50] + 0.01, codes[:50]))


@pytest.mark.filterwarnings("ignore:1 of 3 out-of-sample nodes")
def test_rows_of_new_nodes_without_edges_stay_zero():
    graph = datasets.karate_club()
    model = Residual2Vec(4, erase="club", erase_level="distribution", random_state=0).fit(graph)
    edges = graph.adjacency[:3].toarray()
    edges[1] = 0.0
    vectors = model.transform(edges, attributes={"club": ["Mr. Hi", "Mr. Hi", "Officer"]})
    assert vectors.any(axis=1).tolist() == [True, False, True]
