from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from residuum import Residual2Vec, datasets
from residuum.residual.cells import Cells
from residuum.residual.flow import separation
from residuum.residual.transport import TransportedRows, equalize


def two_groups(n=400, k=3, seed=0):
    rng = np.random.default_rng(seed)
    codes = np.arange(n) % 2
    X = rng.standard_normal((n, k)) @ np.diag([2.0, 1.0, 0.5][:k])
    X[codes == 1] = X[codes == 1][:, ::-1] + 3.0
    return X, codes


def cells_of(codes):
    return Cells(erasure=None, n_bins=2, cell_of={}, unseen=0, codes=codes)


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


def test_covariances_become_those_of_permuted_groups_and_means_stay():
    X, codes = two_groups(2000)
    u = X.astype(np.float32)
    moved, _, transport = equalize(u, u, cells_of(codes), 1.0, np.random.default_rng(0), keep_means=True)
    groups = [moved[codes == g] for g in (0, 1)]
    for g in (0, 1):
        np.testing.assert_allclose(groups[g].mean(axis=0), u[codes == g].mean(axis=0), atol=1e-4)
    difference = np.cov(groups[0].T) - np.cov(groups[1].T)
    # Of the order of 1 / √n, and not exactly 0.
    assert 0.01 < np.abs(difference).max() < 0.3
    assert np.abs(np.cov(X[codes == 0].T) - np.cov(X[codes == 1].T)).max() > 2.0
    np.testing.assert_allclose(transport.apply(u.astype(np.float64), codes), moved, atol=1e-4)


def test_at_equal_means_a_tree_no_longer_finds_groups_by_their_shift():
    # Most nodes have a zero, a few a large coordinate, more of them in one group: equal means shift the zeros apart.
    from sklearn.model_selection import cross_val_score
    from sklearn.tree import DecisionTreeClassifier

    rng = np.random.default_rng(0)
    codes = np.arange(1000) % 2
    X = rng.exponential(1.0, (1000, 2)) * (rng.random((1000, 2)) < np.where(codes == 1, 0.3, 0.2)[:, None])
    X += 0.02 * rng.standard_normal(X.shape)
    for g in (0, 1):
        X[codes == g] -= X[codes == g].mean(axis=0)
    u = X.astype(np.float32)
    moved, _, _ = equalize(u, u, cells_of(codes), 1.0, rng, keep_means=True)
    before, after = (cross_val_score(DecisionTreeClassifier(max_depth=3), x, codes, cv=5).mean() for x in (u, moved))
    assert before > 0.85
    assert after < 0.6
    for g in (0, 1):
        np.testing.assert_allclose(moved[codes == g].mean(axis=0), 0.0, atol=1e-6)


def test_merged_cells_keep_their_coordinates_up_to_the_affine_map():
    X, codes = two_groups()
    u = X.astype(np.float32)
    merged = Cells(erasure=None, n_bins=2, cell_of={(0,): 0, (1,): 1, (2,): 1}, unseen=1, codes=codes)
    moved, _, transport = equalize(u, u, merged, 1.0, np.random.default_rng(0), keep_means=True)
    affine = transport.maps.apply(u.astype(np.float64), codes)
    np.testing.assert_allclose(moved[codes == 1], affine[codes == 1], atol=1e-5)
    assert np.abs(moved - affine)[codes == 0].max() > 0.01


def test_out_of_sample_nodes_take_places_of_nodes():
    X, codes = two_groups()
    u = X.astype(np.float32)
    moved, _, transport = equalize(u, u, cells_of(codes), 1.0, np.random.default_rng(0))
    new = transport.apply(X[:50] + 0.01, codes[:50])
    assert np.min(cdist(new, moved), axis=1).max() < 1e-5
    np.testing.assert_array_equal(new, transport.apply(X[:50] + 0.01, codes[:50]))


def test_directed_vectors_of_groups_get_the_same_joint_distribution():
    rng = np.random.default_rng(0)
    codes = np.arange(600) % 2
    u = rng.standard_normal((600, 3)).astype(np.float32)
    # Context vectors depend on the embedding vectors with a sign that depends on the group.
    v = (u * (2 * codes - 1)[:, None] + 0.3 * rng.standard_normal((600, 3))).astype(np.float32)
    assert separation(np.hstack([u, v]), codes) > 4.0
    moved_u, moved_v, _ = equalize(u, v, cells_of(codes), 1.0, rng)
    assert separation(np.hstack([moved_u, moved_v]), codes) < 2.0


@pytest.mark.filterwarnings("ignore:1 of 3 out-of-sample nodes")
def test_rows_of_new_nodes_without_edges_stay_zero():
    graph = datasets.karate_club()
    model = Residual2Vec(4, erase="club", erase_level="distribution", random_state=0).fit(graph)
    edges = graph.adjacency[:3].toarray()
    edges[1] = 0.0
    vectors = model.transform(edges, attributes={"club": ["Mr. Hi", "Mr. Hi", "Officer"]})
    assert vectors.any(axis=1).tolist() == [True, False, True]


def test_maps_of_out_of_sample_nodes_cannot_be_changed():
    X, codes = two_groups(40)
    u = X.astype(np.float32)
    transport = equalize(u, u, cells_of(codes), 1.0, np.random.default_rng(0))[2]
    for maps, name in ((transport, "strength"), (TransportedRows(None, transport), "transport")):
        with pytest.raises(FrozenInstanceError):
            setattr(maps, name, None)
