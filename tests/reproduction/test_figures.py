import pytest

pytest.importorskip("matplotlib")
from residuum.evaluation import Interval
from residuum.reproduction.figures import auc_scales, dot_panels, new_figure, style_of, sweep_panels

INTERVAL = Interval(0.8, 0.75, 0.85)


def test_every_method_has_a_distinct_style():
    styles = style_of([str(number) for number in range(14)])
    assert len({tuple(style.values()) for style in styles.values()}) == 14
    assert len({(style["color"], style["marker"]) for style in styles.values()}) == 14


def test_dots_are_labeled_with_the_highest_at_the_top():
    figure = dot_panels({"g": {"good": INTERVAL, "poor": Interval(0.6, 0.5, 0.7)}, "h": {"good": INTERVAL}}, "AUC")
    first, second = figure.axes
    assert [text.get_text() for text in first.get_yticklabels()] == ["poor", "good"]
    assert (first.get_title(), second.get_title()) == ("g", "h")
    assert first.get_xlabel() == "AUC"


@pytest.mark.parametrize(("worst", "best"), [(0.55, 0.999), (0.96, 0.98), (0.5, 1.0)])
def test_equal_factors_of_1_minus_auc_have_equal_distances(worst, best):
    figure, axes = new_figure(1, 1)
    panel = axes[0, 0]
    panel.plot([worst, best], [worst, best])
    auc_scales(panel)
    figure.canvas.draw()
    places = panel.transData.transform([[0.96, 0.96], [0.98, 0.98], [0.99, 0.99]])
    first, second = places[1:] - places[:-1]
    assert first == pytest.approx(second)
    assert (first > 0).all()
    for axis in (panel.xaxis, panel.yaxis):
        low, high = axis.get_view_interval()
        ticks = axis.get_ticklocs()
        assert sum(low <= tick <= high for tick in ticks) >= 3
        assert [label.get_text() for label in axis.get_ticklabels()] == [f"{tick:g}" for tick in ticks]


def test_sweeps_have_one_line_per_method_and_the_limit():
    panels = {"s": {"one": {0.1: INTERVAL, 0.5: INTERVAL}, "two": {0.5: INTERVAL, 0.1: INTERVAL}}}
    figure = sweep_panels(panels, "mixing", "AUC", limits={"s": 0.4})
    axis = figure.axes[0]
    assert axis.lines[1].get_xdata().tolist() == [0.1, 0.5]
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["one", "two", "detectability limit"]
