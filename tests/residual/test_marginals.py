import numpy as np
import pytest

from residuum.residual.marginals import Marginals


def groups(n=600):
    rng = np.random.default_rng(0)
    codes = np.arange(n) % 3
    X = rng.standard_normal((n, 2)) * np.array([1.0, 3.0])
    X[codes == 1] = rng.exponential(1.0, (np.sum(codes == 1), 2))
    return X, codes


@pytest.mark.parametrize("n", [600, 9000])  # with one knot per node, and with fewer
def test_groups_get_about_the_mean_of_their_quantiles_in_the_same_order_and_keep_their_means(n):
    X, codes = groups(n)
    moved = Marginals.fit(X, codes, [0, 1, 2], np.random.default_rng(2)).apply(X, codes)
    centered = [np.sort(X[codes == g] - X[codes == g].mean(axis=0), axis=0) for g in range(3)]
    expected = np.mean(centered, axis=0)
    for g in range(3):
        before, after = X[codes == g], moved[codes == g]
        for x, y in zip(before.T, after.T, strict=True):
            assert (np.diff(y[np.argsort(x)]) >= 0).all()
        np.testing.assert_allclose(after.mean(axis=0), before.mean(axis=0), atol=1e-12)
        inner = slice(n // 20, -n // 20)
        difference = (np.sort(after, axis=0) - before.mean(axis=0) - expected)[inner]
        assert 0.0 < np.abs(difference).max() < 20 / np.sqrt(n)  # that of a random sample
    assert np.abs(centered[0] - centered[1])[n // 20 : -n // 20].max() > 1.0


def test_other_groups_stay_and_do_not_count():
    X, codes = groups()
    moved = Marginals.fit(X, codes, [0, 2], np.random.default_rng(2)).apply(X, codes)
    np.testing.assert_array_equal(moved[codes == 1], X[codes == 1])
    other = np.where((codes == 1)[:, None], 7.0, X)
    np.testing.assert_array_equal(Marginals.fit(other, codes, [0, 2], np.random.default_rng(2)).apply(X, codes), moved)


def test_trees_are_at_chance_and_not_below():
    from sklearn.model_selection import cross_val_score
    from sklearn.tree import DecisionTreeClassifier

    accuracy = []
    for seed in range(10):
        rng = np.random.default_rng(seed)
        codes = np.arange(200) % 2
        X = rng.standard_normal((200, 8)) * (1.0 + codes)[:, None]
        for g in (0, 1):
            X[codes == g] -= X[codes == g].mean(axis=0)
        moved = Marginals.fit(X, codes, [0, 1], rng).apply(X, codes)
        accuracy.append(cross_val_score(DecisionTreeClassifier(max_depth=3), moved, codes, cv=5).mean())
    assert abs(np.mean(accuracy) - 0.5) < 0.06


def test_nodes_at_the_same_place_in_all_groups_stay_together():
    # Most of each group is at the median; groups of different size and spread have it at the same place after the map.
    rng = np.random.default_rng(1)
    codes = np.repeat([0, 1], [40, 400])
    X = np.where(rng.random(440) < 0.8, 0.0, rng.exponential(1.0 + codes))[:, None]
    for g in (0, 1):
        X[codes == g] -= X[codes == g].mean()
    atoms = [np.median(X[codes == g]) for g in (0, 1)]
    moved = Marginals.fit(X, codes, [0, 1], np.random.default_rng(2)).apply(X, codes)
    after = [np.median(moved[codes == g]) for g in (0, 1)]
    assert abs(atoms[0] - atoms[1]) > 0.1
    assert abs(after[0] - after[1]) < 1e-9


def test_new_vectors_move_with_their_neighbors_and_extremes_become_those_of_the_group():
    X, codes = groups()
    marginals = Marginals.fit(X, codes, [0, 1, 2], np.random.default_rng(2))
    moved = marginals.apply(X, codes)
    np.testing.assert_allclose(marginals.apply(X[:30] + 1e-9, codes[:30]), moved[:30], atol=1e-5)
    extreme = marginals.apply(np.full((1, 2), 1e6), np.array([0]))
    np.testing.assert_allclose(extreme[0], moved[codes == 0].max(axis=0))


@pytest.mark.parametrize("n_columns", [1, 2])
def test_the_maps_of_the_first_coordinates_are_the_same(n_columns):
    X, codes = groups()
    marginals = Marginals.fit(X, codes, [0, 1, 2], np.random.default_rng(2))
    first = marginals.first(n_columns)
    np.testing.assert_array_equal(first.apply(X[:, :n_columns], codes), marginals.apply(X, codes)[:, :n_columns])
