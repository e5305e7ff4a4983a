import numpy as np

from residuum.residual.affine_maps import AffineMaps


def two_groups(n=400, k=3, seed=0):
    rng = np.random.default_rng(seed)
    codes = np.arange(n) % 2
    X = rng.standard_normal((n, k)) @ np.diag([2.0, 1.0, 0.5][:k])
    X[codes == 1] = X[codes == 1][:, ::-1] + 3.0
    return X, codes


def test_affine_maps_equalize_means_and_covariances():
    X, codes = two_groups()
    moved = AffineMaps.to_barycenter(X, codes, shrinkage=0.0).apply(X, codes)
    groups = [moved[codes == g] for g in (0, 1)]
    np.testing.assert_allclose(groups[0].mean(axis=0), groups[1].mean(axis=0), atol=1e-8)
    np.testing.assert_allclose(np.cov(groups[0].T), np.cov(groups[1].T), rtol=1e-2, atol=1e-2)


def test_affine_maps_leave_equal_groups_in_place():
    X, _ = two_groups()
    twice, codes = np.concatenate([X, X]), np.repeat([0, 1], len(X))
    np.testing.assert_allclose(AffineMaps.to_barycenter(twice, codes).apply(twice, codes), twice, atol=1e-4)


def test_affine_map_of_a_small_group_is_mostly_a_shift():
    X, _ = two_groups(100)
    codes = np.zeros(100, dtype=np.int64)
    codes[:2] = 1
    maps = AffineMaps.to_barycenter(X, codes)
    np.testing.assert_allclose(maps.matrices[1], np.eye(3), atol=0.4)
    assert np.isfinite(maps.apply(X, codes)).all()


def test_maps_to_places_give_each_group_the_moments_of_the_places_that_it_owns():
    X, codes = two_groups(2000)
    owner = np.random.default_rng(1).permutation(codes)
    moved = AffineMaps.to_places(X, codes, owner).apply(X, codes)
    for g in (0, 1):
        np.testing.assert_allclose(moved[codes == g].mean(axis=0), X[owner == g].mean(axis=0), atol=1e-8)
        np.testing.assert_allclose(np.cov(moved[codes == g].T), np.cov(X[owner == g].T), rtol=0.05, atol=0.05)


def test_composed_maps_are_one_map_after_the_other():
    X, codes = two_groups()
    first = AffineMaps.to_barycenter(X, codes)
    second = AffineMaps.to_places(first.apply(X, codes), codes, codes[::-1])
    np.testing.assert_allclose(
        first.then(second).apply(X, codes), second.apply(first.apply(X, codes), codes), atol=1e-10
    )
