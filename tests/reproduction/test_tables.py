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


def test_the_best_mean_is_bold_and_missing_values_are_blank():
    lines = mean_table(ROWS, "AUC").splitlines()
    assert lines[0] == "| AUC | a | b |"
    assert lines[2] == "| ours | **0.850** [0.534, 1.166] | **0.600** (1 run) |"
    assert lines[3] == "| theirs | 0.700 [0.700, 0.700] |  |"
    assert lines[4] == "| absent |  |  |"


def test_a_single_run_has_no_interval_and_no_count():
    first = [result for result in ROWS if result.run == 0]
    assert mean_table(first, "AUC").splitlines()[2] == "| ours | **0.900** | **0.600** |"


def test_a_cell_with_fewer_runs_shows_their_number():
    more = [*ROWS, row("a", "ours", 2, 0.85)]
    assert mean_table(more, "AUC").splitlines()[3] == "| theirs | 0.700 [0.700, 0.700] (2 runs) |  |"


def test_the_lowest_value_can_be_the_best():
    assert "| theirs | **1.000**" in mean_table(ROWS, "seconds", lowest=True)


def test_methods_are_compared_on_shared_splits():
    lines = comparison_table(ROWS[:5], "AUC", "ours").splitlines()
    assert lines[0] == "| ours minus | AUC | wins | p | graphs |"
    # One graph is not enough for a test over graphs.
    assert lines[2] == "| theirs | +0.150 | 100% |  | 1 |"
    assert len(lines) == 3
    one_graph = comparison_table(ROWS[:4], "AUC", "ours").splitlines()
    assert one_graph[0].endswith("| runs |")
    assert one_graph[2] == "| theirs | +0.150 [-0.166, +0.466] | 100% | 0.2 | 2 |"


def test_n7_runs_on_one_graph_do_not_count_as_independent():
    # Five runs on each of two graphs with opposite differences: significant over ten runs, not over two graphs.
    rows = [
        row(graph, method, run, value + 0.001 * run)
        for run in range(5)
        for graph, method, value in (
            ("a", "ours", 0.9),
            ("a", "theirs", 0.7),
            ("b", "ours", 0.79),
            ("b", "theirs", 0.8),
        )
    ]
    line = comparison_table(rows, "AUC", "ours").splitlines()[2]
    assert line == "| theirs | +0.095 [-0.568, +0.758] | 50% | 0.53 | 2 |"


def test_a_split_without_a_finite_value_is_not_compared():
    more = [*ROWS, row("a", "ours", 2, 0.8), row("a", "theirs", 2, float("nan"))]
    assert comparison_table(more, "AUC", "ours") == comparison_table(ROWS, "AUC", "ours")
    assert len(comparison_table(ROWS, "AUC", "ours").splitlines()) == 3


def test_the_interval_without_runs_is_none():
    assert interval_of(ROWS, "AUC", "b", "theirs") is None
    assert interval_of(ROWS, "AUC", "a", "ours").mean == pytest.approx(0.85)
