import itertools

import pytest

from residuum.report.charts import FrontierRow, frontier_chart, interval_chart, length_chart, nice_ticks

CHECK = {"value": 0.7, "margin": 0.02, "expected": 0.5, "low": 0.47, "high": 0.53, "level": "red"}


@pytest.mark.parametrize(
    ("low", "high"), [(0.47, 0.71), (-0.001, 0.0004), (0.0, 0.0), (0.3, 0.3), (0.0, 1.0), (17.0, 2300.0)]
)
def test_ticks_cover_the_interval_with_a_few_round_numbers(low, high):
    ticks = nice_ticks(low, high)
    assert ticks[0] <= low
    assert ticks[-1] >= high
    assert 2 <= len(ticks) <= 7
    assert ticks == sorted(set(ticks))


def test_marks_are_in_order_and_inside():
    chart = interval_chart({"a": CHECK, "b": {**CHECK, "value": 0.51, "level": "green"}})
    first, second = chart["rows"]
    assert first["low"] < first["value"] < first["high"]
    assert first["band"][0] < first["expected"] < first["band"][1] < first["low"]
    assert second["value"] < first["value"]
    assert second["y"] > first["y"]
    places = [tick["x"] for tick in chart["ticks"]]
    assert places == sorted(places)
    assert 0 <= places[0] < places[-1] <= 100


def test_differences_of_no_importance_look_small():
    check = {**CHECK, "value": 0.09, "margin": 0.002, "expected": 0.1, "low": 0.1, "high": 0.1}
    (row,) = interval_chart({"a": check})["rows"]
    assert abs(row["value"] - row["expected"]) < 15


def test_longer_vectors_are_higher():
    chart = length_chart([{"degree": d, "low": d, "middle": d + 1, "high": d + 2} for d in (1, 5)])
    short, long = chart["marks"]
    assert long["middle"] < short["middle"]
    assert short["high"] < short["middle"] < short["low"]
    assert long["x"] > short["x"]


def test_zero_vectors_have_a_chart():
    assert length_chart([{"degree": 1, "low": 0.0, "middle": 0.0, "high": 0.0}])["marks"][0]["middle"] > 0


def test_better_settings_are_up_and_left():
    chart = frontier_chart([FrontierRow("none", 0.4, 0.02, 0.9, 0.01), FrontierRow("erased", 0.1, 0.02, 0.8, 0.01)])
    none, erased = chart["points"]
    assert none["y"] < erased["y"]
    assert erased["x"] < none["x"]
    assert erased["across"][0] < erased["x"] < erased["across"][1] < none["across"][0]
    assert none["down"][1] < none["y"] < none["down"][0] < erased["down"][1]


def test_the_intervals_of_a_setting_end_where_values_end():
    row = FrontierRow("erased", 0.01, 0.03, 0.99, 0.02)
    assert row.leak_interval == (0.0, 0.04)
    assert row.auc_interval == (0.97, 1.0)


def test_one_setting_has_a_chart():
    assert len(frontier_chart([FrontierRow("none", 0.0, 0.0, 0.9, 0.0)])["points"]) == 1


def test_intervals_end_where_shares_end():
    check = {"value": 0.99, "margin": 0.03, "expected": 0.0, "low": -0.01, "high": 0.01, "level": "red"}
    chart = interval_chart({"r2v": check})
    assert [tick["text"] for tick in chart["ticks"]][:: len(chart["ticks"]) - 1] == ["0%", "100%"]
    assert chart["rows"][0]["high"] == chart["ticks"][-1]["x"]
    assert chart["rows"][0]["band"][0] == chart["ticks"][0]["x"]


def test_names_of_close_settings_do_not_overlap():
    rows = [FrontierRow(f"setting {k}", 0.4 + 0.002 * k, 0.02, 0.8 + 0.001 * k, 0.01) for k in range(5)]
    points = frontier_chart(rows)["points"]
    tops = sorted((point["y"] + point["label"][1], 3.3 * point["x"] + point["label"][0]) for point in points)
    assert all(b[0] - a[0] >= 11 or abs(b[1] - a[1]) >= 50 for a, b in itertools.pairwise(tops))
