"""The search on invented AUCs, without fits."""

import pytest

from residuum import datasets
from residuum.models.defaults import geometric_window
from residuum.selection.search import coordinate_search
from residuum.selection.trials import Trial
from residuum.selection.tunables import resolve_search

GRAPH = datasets.karate_club()
WINDOWS = [2, 3, 5, 10, 20]
FALLING_FROM_THREE, FALLING, FALLING_FROM_TEN = (tuple(geometric_window(mean).tolist()) for mean in (2.0, 3.0, 5.5))


def searched(scores, names, scoring="both", search=None):
    """Return the values of all trials, and the best values."""
    tuned = {
        name: tunable
        for name, tunable in resolve_search({"window": WINDOWS} | (search or {}), GRAPH, factorizes=True).items()
        if name in names
    }
    trials, best = coordinate_search(lambda values: Trial(dict(values), *scores(**values)), tuned, scoring)
    return [tuple(trial.parameters.values()) for trial in trials], tuple(best.parameters.values())


def test_values_are_tried_as_long_as_the_auc_rises():
    aucs = {2: 0.1, 3: 0.3, 5: 0.5, 10: 0.8, 20: 0.7, FALLING_FROM_TEN: 0.9}
    tried, best = searched(lambda window: (aucs.get(window, 0.0), 0.0), ["window"])
    assert [window for (window,) in tried] == [5, 10, 20, FALLING_FROM_TEN]
    assert best == (FALLING_FROM_TEN,)
    aucs |= {10: 0.4, 3: 0.6}
    tried, _ = searched(lambda window: (aucs.get(window, 0.0), 0.0), ["window"])
    assert tried == [(5,), (10,), (3,), (2,), (FALLING_FROM_THREE,)]


@pytest.mark.parametrize(("scoring", "taken"), [("residual", -10.0), ("full", -6.0), ("both", -6.0)])
def test_scoring_decides_which_trial_is_better(scoring, taken):
    aucs = {-3.0: (0.5, 0.5), -6.0: (0.52, 0.6), -10.0: (0.6, 0.1), -1.0: (0.4, 0.4), 0.0: (0.3, 0.3)}
    _, best = searched(lambda floor: aucs[floor], ["floor"], scoring)
    assert best == (taken,)


def test_smaller_values_are_tried_if_larger_values_are_not_better():
    aucs = {-3.0: 0.5, -6.0: 0.4, -1.0: 0.55, 0.0: 0.2}
    tried, best = searched(lambda floor: (aucs[floor], 0.5), ["floor"])
    assert tried == [(-3.0,), (-6.0,), (-1.0,), (0.0,)]
    assert best == (-1.0,)


def test_decreasing_weights_are_tried_again_after_the_floor_changes():
    def scores(window, floor, weighting=0.5):
        falls = isinstance(window, tuple)
        auc = 0.5 + 0.1 * (window == 5 or falls) + 0.1 * (floor == -6.0)
        return auc, 0.9 if floor == -6.0 and falls else 0.5 - 0.4 * falls

    _, best = searched(scores, ["window", "floor"])
    assert best == (FALLING, -6.0)
    tried, best = searched(scores, ["window", "weighting", "floor"])
    # The parameter between window and floor is tuned again.
    assert tried[-2:] == [(FALLING, 1.0, -6.0), (FALLING, 0.0, -6.0)]
    assert best == (FALLING, 0.5, -6.0)


def test_decreasing_weights_are_tried_once_if_the_floor_stays():
    tried, best = searched(lambda window, floor: (0.6 if window == 5 else 0.5, 0.5), ["window", "floor"])
    assert best == (5, -3.0)
    assert tried.count((FALLING, -3.0)) == 1
    assert sum(isinstance(window, tuple) for window, _ in tried) == 1


def test_a_fixed_window_has_no_variants():
    tried, best = searched(lambda window, floor: (-floor / 20, 0.5), ["window", "floor"], search={"window": [7]})
    assert tried == [(7, -3.0), (7, -6.0), (7, -10.0)]
    assert best == (7, -10.0)
