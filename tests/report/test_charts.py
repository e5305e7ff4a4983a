import pytest

from residuum.report.charts import frontier_chart, interval_chart, length_chart, nice_ticks

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
    chart = frontier_chart([("none", 0.4, 0.9), ("erased", 0.1, 0.8)])
    none, erased = chart["points"]
    assert none["y"] < erased["y"]
    assert erased["x"] < none["x"]


def test_one_setting_has_a_chart():
    assert len(frontier_chart([("none", 0.0, 0.9)])["points"]) == 1
