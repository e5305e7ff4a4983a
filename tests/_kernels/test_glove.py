import numpy as np
import pytest

from kernel_ranges import over_ranges
from residuum._kernels.glove import train_entries, window_pairs


def pairs_of(walks, step_weights, both_sides):
    walks = np.asarray(walks, dtype=np.int32)
    room = 2 * walks.size * len(step_weights)
    rows, columns = np.full((2, room), -1, dtype=np.int32)
    values = np.full(room, np.nan, dtype=np.float32)
    count = window_pairs(walks, np.asarray(step_weights, dtype=float), both_sides, rows, columns, values)
    assert (rows[count:] == -1).all()
    return sorted(zip(rows[:count].tolist(), columns[:count].tolist(), values[:count].tolist(), strict=True))


@pytest.mark.parametrize("both_sides", [False, True])
@pytest.mark.parametrize("step_weights", [[0, 1.0], [0, 0.5, 0.25], [0, 0.0, 0.25], [0] + [0.125] * 20, [0]])
@pytest.mark.parametrize("shape", [(3, 6), (1, 1), (2, 2), (0, 6)])
def test_pairs_equal_a_loop_over_positions(shape, step_weights, both_sides):
    walks = np.random.default_rng(0).integers(4, size=shape)
    expected = []
    for walk in walks:
        for here, center in enumerate(walk):
            for there, context in enumerate(walk):
                distance = abs(there - here) if both_sides else there - here
                if 0 < distance < len(step_weights) and step_weights[distance] > 0:
                    expected.append((center, context, step_weights[distance]))
    assert pairs_of(walks, step_weights, both_sides) == sorted(expected)


def test_pairs_across_a_jump_are_not_counted():
    assert pairs_of([[0, 1, -1, 2, 3]], [0, 1.0, 1.0, 1.0], False) == [(0, 1, 1.0), (2, 3, 1.0)]


class Entries:
    """Random entries of X with vectors, and the AdaGrad steps on them in float64."""

    def __init__(self, n_entries, n_nodes=6, width=4, seed=0):
        rng = np.random.default_rng(seed)
        self.rows, self.columns = rng.integers(n_nodes, size=(2, n_entries)).astype(np.int32)
        self.logs, self.importance = rng.normal(size=(2, n_entries)).astype(np.float32)
        self.importance = np.abs(self.importance)
        self.order = rng.permutation(n_entries)
        self.W, self.C = rng.normal(size=(2, n_nodes, width + 1)).astype(np.float32)

    def trained(self, rate, n_ranges=1):
        W, C = self.W.copy(), self.C.copy()
        squares = [np.ones_like(W), np.ones_like(C)]
        losses = over_ranges(
            train_entries, self.order, self.rows, self.columns, self.logs, self.importance, np.float32(rate), W, C,
            *squares, length=len(self.order), n_ranges=n_ranges,
        )  # fmt: skip
        return W, C, *squares, sum(losses)

    def reference(self, rate):
        W, C = self.W.astype(float), self.C.astype(float)
        squares, loss = [np.ones_like(W), np.ones_like(C)], 0.0
        for e in self.order:
            i, j, f = self.rows[e], self.columns[e], float(self.importance[e])
            # Row of the design: the bias of a side has the factor 1.
            u, v = np.append(W[i, :-1], 1.0), np.append(C[j, :-1], 1.0)
            difference = W[i, :-1] @ C[j, :-1] + W[i, -1] + C[j, -1] - float(self.logs[e])
            loss += f * difference**2 / 2
            for M, square, node, factor in ((W, squares[0], i, v), (C, squares[1], j, u)):
                gradient = f * difference * factor
                square[node] += gradient**2
                M[node] -= rate * gradient / np.sqrt(square[node])
        return W, C, *squares, loss


@pytest.mark.parametrize("n_entries", [0, 1, 40])
def test_training_equals_adagrad_in_the_same_order(n_entries):
    entries = Entries(n_entries)
    *arrays, loss = entries.trained(0.05)
    *expected, expected_loss = entries.reference(0.05)
    for array, reference in zip(arrays, expected, strict=True):
        np.testing.assert_allclose(array, reference, rtol=1e-3, atol=1e-4)
    assert loss == pytest.approx(expected_loss, rel=1e-4)


def test_a_step_is_the_gradient_by_finite_differences():
    entries = Entries(1, n_nodes=3, seed=4)
    W, C = entries.W.astype(float), entries.C.astype(float)
    (i,), (j,), (f,), (log,) = entries.rows, entries.columns, entries.importance, entries.logs

    def loss():
        return f * (W[i, :-1] @ C[j, :-1] + W[i, -1] + C[j, -1] - log) ** 2 / 2

    new_W, new_C, *squares, total = entries.trained(1e-2)
    assert total == pytest.approx(loss(), rel=1e-5)
    for moved, after, square in ((W, new_W, squares[0]), (C, new_C, squares[1])):
        gradient = np.zeros_like(moved)
        for place in np.ndindex(*moved.shape):
            kept = moved[place]
            moved[place] = kept + 1e-5
            above = loss()
            moved[place] = kept - 1e-5
            gradient[place] = (above - loss()) / 2e-5
            moved[place] = kept
        np.testing.assert_allclose(square, 1 + gradient**2, rtol=1e-3)
        np.testing.assert_allclose((moved - after) / 1e-2, gradient / np.sqrt(1 + gradient**2), atol=2e-4)


def test_consecutive_ranges_give_the_result_of_one_range():
    entries = Entries(41)
    *once, loss = entries.trained(0.05)
    for n_ranges in (2, 7, 50):
        *parts, total = entries.trained(0.05, n_ranges)
        for array, expected in zip(parts, once, strict=True):
            np.testing.assert_array_equal(array, expected)
        assert total == pytest.approx(loss, rel=1e-12)
