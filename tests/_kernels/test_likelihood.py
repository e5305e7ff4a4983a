import numpy as np
import pytest

from residuum._kernels.likelihood import add_pulls, add_pushes, pair_scores, weigh_pushes


def sigmoid(x):
    return 1 / (1 + np.exp(-np.asarray(x, dtype=float)))


def pairs_of(n_rows=5, n_others=7, width=6, seed=0):
    rng = np.random.default_rng(seed)
    borders = np.concatenate([[0], np.cumsum([3, 0, 10, 1, 4][:n_rows])])
    others = rng.integers(n_others, size=borders[-1]).astype(np.int32)
    X, Y = (rng.normal(size=(n, width)).astype(np.float32) for n in (n_rows, n_others))
    return borders, others, rng.random(len(others)).astype(np.float32), rng.random(n_rows).astype(np.float32), X, Y


def slopes(borders, others, weights, scale, X, Y, sign):
    """The formula, one pair at a time."""
    out = np.zeros(X.shape)
    for row in range(len(X)):
        for e in range(borders[row], borders[row + 1]):
            y = Y[others[e]].astype(float)
            weight = weights[e] if len(weights) else 1.0
            out[row] += sign * scale[row] * weight * sigmoid(-sign * X[row].astype(float) @ y) * y
    return out


@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize(("kernel", "sign"), [(add_pulls, 1.0), (add_pushes, -1.0)])
def test_slopes_of_pairs_are_added_to_each_row(kernel, sign, weighted):
    borders, others, weights, scale, X, Y = pairs_of()
    weights = weights if weighted else weights[:0]
    before = np.random.default_rng(1).normal(size=X.shape).astype(np.float32)
    out = before.copy()
    kernel(borders, others, weights, scale, X, Y, out)
    np.testing.assert_allclose(out - before, slopes(borders, others, weights, scale, X, Y, sign), atol=2e-6)


def test_slopes_are_the_derivatives_of_the_log_likelihood():
    borders, others, weights, scale, X, Y = pairs_of()

    def log_likelihood(x):
        scores = np.array([x[np.searchsorted(borders, e, side="right") - 1] @ Y[others[e]] for e in range(len(others))])
        rows = np.searchsorted(borders, np.arange(len(others)), side="right") - 1
        return np.sum(scale[rows] * weights * np.log(sigmoid(scores)))

    out = np.zeros_like(X)
    add_pulls(borders, others, weights, scale, X, Y, out)
    for place in [(0, 0), (2, 3), (4, 5)]:
        step = np.zeros(X.shape)
        step[place] = 1e-5
        difference = (log_likelihood(X + step) - log_likelihood(X - step)) / 2e-5
        assert out[place] == pytest.approx(difference, abs=1e-4)


def test_extreme_scores_have_finite_slopes():
    X = np.array([[1e6], [-1e6]], dtype=np.float32)
    Y = np.ones((1, 1), dtype=np.float32)
    borders, others, one = np.array([0, 1, 2]), np.zeros(2, dtype=np.int32), np.ones(2, dtype=np.float32)
    out = np.zeros_like(X)
    add_pulls(borders, others, one, one, X, Y, out)
    np.testing.assert_allclose(out.ravel(), [0, 1], atol=1e-6)


def test_scores_become_weighted_probabilities():
    rng = np.random.default_rng(0)
    S = rng.normal(scale=5, size=(6, 9)).astype(np.float32)
    groups, table = np.array([0, 1, 1, 0, 2, 2]), rng.random((3, 9)).astype(np.float32)
    scale = rng.random(6).astype(np.float32)
    weights = scale[:, None] * table[groups]
    expected = sigmoid(S) * weights
    weigh_pushes(S, groups, table, scale)
    np.testing.assert_allclose(S, expected, rtol=1e-5, atol=1e-6)


def test_scores_of_pairs_are_products_of_their_vectors():
    borders, others, _, _, X, Y = pairs_of()
    scores = np.empty(len(others), dtype=np.float32)
    pair_scores(borders, others, X, Y, scores)
    rows = np.repeat(np.arange(len(X)), np.diff(borders))
    np.testing.assert_allclose(scores, np.sum(X[rows] * Y[others], axis=1), rtol=1e-5, atol=1e-6)
