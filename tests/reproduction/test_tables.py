import pytest

from residuum.reproduction.tables import comparison_table, interval_of, mean_table
from residuum.reproduction.target import Row


def row(graph, method, run, value, seconds=1.0):
    return Row(graph, method, run, {"AUC": value, "seconds": seconds})


ROWS = [
    row("a", "ours", 0, 0.9, 2.0),
    row("a", "theirs", 0, 0.7, 1.0),
    row("a", "ours", 1, 0.8, 2.0),
    row("a", "theirs", 1, 0.7, 1.0),
    row("b", "ours", 0, 0.6, 2.0),
    row("b", "absent", 0, float("nan"), 9.0),
]


def test_means_over_runs_with_the_best_in_bold_and_gaps_left_blank():
    lines = mean_table(ROWS, "AUC").splitlines()
    assert lines[0] == "| AUC | a | b |"
    assert lines[2] == "| ours | **0.850** [0.800, 0.900] | **0.600** (1 run) |"
    assert lines[3] == "| theirs | 0.700 [0.700, 0.700] |  |"
    assert lines[4] == "| absent |  |  |"


def test_one_run_everywhere_needs_no_words():
    first = [one for one in ROWS if one.run == 0]
    assert mean_table(first, "AUC").splitlines()[2] == "| ours | **0.900** | **0.600** |"


def test_fewer_runs_than_elsewhere_are_told():
    more = [*ROWS, row("a", "ours", 2, 0.85)]
    assert mean_table(more, "AUC").splitlines()[3] == "| theirs | 0.700 [0.700, 0.700] (2 runs) |  |"


def test_the_lowest_can_be_the_best():
    assert "| theirs | **1.000**" in mean_table(ROWS, "seconds", lowest=True)


def test_comparison_is_over_the_splits_that_both_have():
    lines = comparison_table(ROWS[:5], "AUC", "ours").splitlines()
    assert lines[2] == "| theirs | +0.150 [+0.100, +0.200] | 100% | 0.5 | 2 |"
    assert len(lines) == 3


def test_a_split_without_a_number_is_left_out_of_the_comparison():
    more = [*ROWS, row("a", "ours", 2, 0.8), row("a", "theirs", 2, float("nan"))]
    assert comparison_table(more, "AUC", "ours") == comparison_table(ROWS, "AUC", "ours")
    assert len(comparison_table(ROWS, "AUC", "ours").splitlines()) == 3


def test_interval_of_nothing_is_none():
    assert interval_of(ROWS, "AUC", "b", "theirs") is None
    assert interval_of(ROWS, "AUC", "a", "ours").mean == pytest.approx(0.85)
