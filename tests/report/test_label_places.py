import numpy as np
import pytest

from residuum.report.label_places import label_places


def overlapping(places, sizes):
    return sum(
        bool(np.all(places[a] < places[b] + sizes[b]) and np.all(places[b] < places[a] + sizes[a]))
        for a in range(len(places))
        for b in range(a)
    )


@pytest.mark.parametrize("seed", range(5))
def test_labels_of_crowded_dots_do_not_overlap_and_stay_in_the_figure(seed):
    rng = np.random.default_rng(seed)
    dots = np.array([300.0, 200.0]) + rng.normal(0, 25, (12, 2))
    sizes = np.column_stack([rng.uniform(40, 110, 12), np.full(12, 12.0)])
    places = label_places(dots, sizes, (600, 400))
    assert overlapping(places, sizes) == 0
    assert (places >= 0).all()
    assert (places + sizes <= (600, 400)).all()
    assert overlapping(dots + np.array([8.0, -6.0]), sizes) > 0


def test_labels_do_not_cover_dots():
    dots, size = np.array([[50.0, 50.0], [75.0, 50.0]]), np.array([40.0, 10.0])
    places = label_places(dots, [size, size], (200, 100))
    covered = ((places[:, None] < dots[None]) & (dots[None] < places[:, None] + size)).all(axis=2)
    assert not covered.any()


def test_a_lone_label_is_to_the_right_of_its_dot():
    np.testing.assert_allclose(label_places([[50, 50]], [[40, 10]], (200, 100), gap=8.0), [[58, 45]])


def test_the_label_of_a_dot_at_the_right_edge_is_to_its_left():
    np.testing.assert_allclose(label_places([[195, 50]], [[40, 10]], (200, 100), gap=8.0), [[147, 45]])


def test_a_label_without_a_free_place_is_to_the_right_of_its_dot():
    np.testing.assert_allclose(label_places([[5, 5]], [[40, 10]], (10, 10), gap=8.0), [[13, 0]])


def test_labels_do_not_cover_lines():
    line = [40, 50, 110, 50]
    place, *_ = label_places([[50, 50]], [[40, 10]], (200, 100), gap=8.0, obstacles=[line])
    np.testing.assert_allclose(place, [30, 58])
