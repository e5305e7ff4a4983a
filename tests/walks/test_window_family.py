"""Windows that share their walks, compared with window probabilities of each window alone."""

import numpy as np
import pytest

from residuum import Graph
from residuum.walks import WindowFamily, WindowProbabilities

WINDOWS = [1, 3, (4, 3, 2, 1)]
NODES = [0, 3, 7]


def graph(directed, dangling=False):
    rng = np.random.default_rng(0)
    A = (rng.random((15, 15)) < 0.3) * rng.uniform(0.5, 2.0, (15, 15))
    A[np.arange(14), np.arange(1, 15)] += 1.0
    if dangling:
        A[[2, 7]] = 0.0
    return Graph(A if directed else A + A.T, directed=directed)


@pytest.mark.parametrize(("directed", "dangling"), [(False, False), (True, False), (True, True)])
@pytest.mark.parametrize("window", WINDOWS)
def test_columns_and_rows_equal_those_of_each_window(directed, dangling, window):
    full = graph(directed, dangling)
    shared = WindowFamily(full, WINDOWS, budget=1 << 20).probabilities(window)
    alone = WindowProbabilities(full, window)
    np.testing.assert_allclose(shared.columns(NODES), alone.columns(NODES), atol=1e-7)
    np.testing.assert_allclose(shared.rows(NODES), alone.rows(NODES), atol=1e-7)


def steps_of(family, windows, monkeypatch):
    steps, step = [], WindowProbabilities.step
    monkeypatch.setattr(
        WindowProbabilities, "step", lambda self, *args, **options: steps.append(1) or step(self, *args, **options)
    )
    for window in windows:
        family.probabilities(window).columns(NODES)
    return len(steps)


def test_all_windows_take_the_steps_of_the_longest(monkeypatch):
    assert steps_of(WindowFamily(graph(False), WINDOWS, budget=1 << 20), [*WINDOWS, *WINDOWS], monkeypatch) == 4


def test_beyond_the_budget_each_window_walks_alone(monkeypatch):
    assert steps_of(WindowFamily(graph(False), WINDOWS, budget=100), WINDOWS, monkeypatch) == 1 + 3 + 4


def test_a_window_outside_the_family_joins_it(monkeypatch):
    family = WindowFamily(graph(False), [2], budget=1 << 20)
    assert steps_of(family, [2, 5, 5], monkeypatch) == 2 + 5
    expected = WindowProbabilities(graph(False), 5).columns(NODES)
    np.testing.assert_allclose(family.probabilities(5).columns(NODES), expected, atol=1e-7)


def test_changing_a_result_does_not_change_the_next():
    walks = WindowFamily(graph(False), [2], budget=1 << 20).probabilities(2)
    first = walks.columns(NODES)
    first[:] = 0
    assert walks.columns(NODES).sum() > 1
