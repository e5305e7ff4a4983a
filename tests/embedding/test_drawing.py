import numpy as np
import pytest

from residuum.embedding.drawing import COLORS, draw_map
from residuum.errors import InvalidParameterError

pytest.importorskip("matplotlib")
POINTS = np.random.default_rng(0).uniform(-1, 1, size=(40, 2)).astype(np.float32)


def drawn(axes):
    return sum(len(layer.get_offsets()) for layer in axes.collections)


def test_every_node_with_a_point_is_drawn_once():
    points = POINTS.copy()
    points[3] = np.nan
    assert drawn(draw_map(points)) == 39
    assert drawn(draw_map(points, [f"l{k % 12}" for k in range(40)])) == 39


def test_the_most_frequent_labels_have_colors_and_the_rest_is_other():
    labels = np.array([f"l{min(k // 4, 8)}" for k in range(38)] + [None, ""], dtype=object)
    axes = draw_map(POINTS, labels, name="kind")
    texts = [text.get_text() for text in axes.get_legend().get_texts()]
    assert texts[-2:] == ["missing", "other"]
    assert len(texts) == 2 + len(COLORS)
    assert axes.get_legend().get_title().get_text() == "kind"


def test_floats_have_a_color_bar_and_missing_ones_are_gray():
    numbers = np.arange(40.0)
    numbers[:5] = np.nan
    axes = draw_map(POINTS, numbers, name="year")
    assert drawn(axes) == 40
    assert [axis.get_xlabel() for axis in axes.figure.axes] == ["", "year"]


def test_a_few_extreme_numbers_do_not_take_all_colors():
    numbers = np.arange(40.0)
    numbers[0] = -1e6
    (_, shown) = draw_map(POINTS, numbers).collections
    assert shown.get_clim()[0] > -1e6
    assert shown.get_clim()[1] == np.quantile(numbers, 0.98)


def test_numbers_that_are_all_missing_are_drawn():
    assert drawn(draw_map(POINTS, np.full(40, np.nan))) == 40


def test_given_axes_are_used():
    from matplotlib.figure import Figure

    axes = Figure().add_subplot()
    assert draw_map(POINTS, ax=axes) is axes


def test_a_wrong_number_of_values_is_refused():
    with pytest.raises(InvalidParameterError, match="color must have one value for each of 40 nodes; got 2"):
        draw_map(POINTS, ["a", "b"])
