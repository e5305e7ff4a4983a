import numpy as np
import pytest

from graph_cases import graph_cases
from residuum._validation import window_weights
from residuum.skipgram import co_occurrences
from residuum.skipgram._glove_kernels import train_entries
from residuum.walks import RandomWalks

CASES = graph_cases()


@pytest.mark.parametrize("window", [3, [1.0, 0.0, 0.5]], ids=["equal weights", "own weights"])
@pytest.mark.parametrize("case", ["weighted", "directed"])
def test_co_occurrences_are_those_of_the_walks(case, window, monkeypatch):
    graph = CASES[case]
    monkeypatch.setattr("residuum.walks.random_walks._CHUNK_NODES", 9 * 11)
    walks = RandomWalks(graph, n_walks=4, walk_length=8, random_state=0)
    weights = window_weights(window)
    expected = np.zeros((graph.n_nodes, graph.n_nodes))
    for walk in np.concatenate(list(walks.chunks())):
        for here in range(9):
            for t, weight in enumerate(weights / weights.max(), start=1):
                if here + t < 9:
                    expected[walk[here], walk[here + t]] += weight
    if not graph.directed:
        expected = expected + expected.T
    np.testing.assert_allclose(co_occurrences(walks, weights).toarray(), expected, rtol=1e-5)


def test_a_step_is_the_gradient_by_finite_differences():
    rng = np.random.default_rng(0)
    W, C = rng.normal(size=(3, 5)), rng.normal(size=(3, 5))
    f, log = 0.7, 1.3

    def loss():
        return f * (W[1, :-1] @ C[2, :-1] + W[1, -1] + C[2, -1] - log) ** 2 / 2

    gradients = []
    for moved in (W, C):
        gradient = np.zeros_like(moved)
        for place in np.ndindex(*moved.shape):
            kept = moved[place]
            moved[place] = kept + 1e-5
            above = loss()
            moved[place] = kept - 1e-5
            gradient[place] = (above - loss()) / 2e-5
            moved[place] = kept
        gradients.append(gradient)
    new = [M.astype(np.float32) for M in (W, C)]
    squares, total = [np.ones((3, 5), np.float32) for _ in range(2)], np.zeros(1)
    train_entries(
        np.zeros(1, np.int64), np.array([1], np.int32), np.array([2], np.int32), np.array([log], np.float32),
        np.array([f], np.float32), np.float32(1e-2), 1, *new, *squares, total,
    )  # fmt: skip
    for before, after, gradient, square in zip((W, C), new, gradients, squares, strict=True):
        np.testing.assert_allclose(square, 1 + gradient**2, rtol=1e-4)
        np.testing.assert_allclose((before - after) / 1e-2, gradient / np.sqrt(1 + gradient**2), atol=2e-4)
    assert total[0] == pytest.approx(loss(), rel=1e-5)
