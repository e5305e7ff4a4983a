import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist

from residuum.residual import flow as flows
from residuum.residual.flow import ROUNDS_PER_CHECK, flow, separation


def rings(n=600, seed=0):
    """Return two groups with equal means and covariances: a ring and a disk."""
    rng = np.random.default_rng(seed)
    codes = np.arange(n) % 2
    X = rng.standard_normal((n, 2))
    X[codes == 1] *= (np.sqrt(2.0) / np.linalg.norm(X[codes == 1], axis=1))[:, None]
    return X, codes


def test_flow_ends_where_nearest_neighbors_no_longer_tell_groups_apart():
    X, codes = rings()
    rng = np.random.default_rng(1)
    assert separation(X, codes) > 4.0
    owner = rng.permutation(codes)
    moved = flow(X, codes, X, owner, np.random.default_rng(0))
    assert separation(moved, codes) < 2.0
    # Each group has the coordinates of its places.
    for g in (0, 1):
        np.testing.assert_allclose(np.sort(moved[codes == g, 0]), np.sort(X[owner == g, 0]))


def test_flow_moves_nodes_less_than_taking_a_place_each_in_many_dimensions():
    rng = np.random.default_rng(0)
    X, codes = rng.standard_normal((600, 32)), np.arange(600) % 2
    owner = rng.permutation(codes)
    moved = flow(X, codes, X, owner, np.random.default_rng(0))
    least = 0.0
    for g in (0, 1):
        cost = cdist(X[codes == g], X[owner == g], "sqeuclidean")
        least += cost[linear_sum_assignment(cost)].sum()
    assert np.square(moved - X).sum() < 0.3 * least


def test_separation_of_permuted_groups_is_a_standard_normal():
    rng = np.random.default_rng(0)
    X, codes = rng.standard_normal((500, 4)), np.arange(500) % 3
    values = [separation(X, rng.permutation(codes)) for _ in range(60)]
    assert abs(np.mean(values)) < 0.5
    assert 0.6 < np.std(values) < 1.6


def test_the_end_of_the_flow_is_checked_after_every_tenth_round_only(monkeypatch):
    X, codes = rings(60)
    checks, rounds = [], []
    rotation = flows.random_rotation

    def settled(*_):
        checks.append(len(rounds))
        return len(checks) == 3

    monkeypatch.setattr(flows, "is_settled", settled)
    monkeypatch.setattr(flows, "random_rotation", lambda *sizes: rounds.append(1) or rotation(*sizes))
    flow(X, codes, X, codes, np.random.default_rng(0))
    assert checks == [ROUNDS_PER_CHECK, 2 * ROUNDS_PER_CHECK, 3 * ROUNDS_PER_CHECK]
