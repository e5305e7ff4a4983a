from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from scipy import sparse

from residuum import Graph
from residuum.errors import InvalidParameterError, ResiduumWarning
from residuum.nulls import Configuration
from residuum.residual import build_cells, build_erasure, label_cells


def ring(n):
    A = np.zeros((n, n))
    A[np.arange(n), (np.arange(n) + 1) % n] = 1
    return Graph(A + A.T)


def erasure(attribute, n=100):
    graph = ring(n)
    return build_erasure(graph, attribute, Configuration().fit(graph, window=2))


def new_edges(m, n=100):
    return sparse.csr_array(np.eye(m, n))


def test_each_label_is_a_cell():
    labels = np.arange(100) % 3
    cells = build_cells(erasure({"label": labels}))
    assert len(np.unique(cells.codes)) == 3
    assert len(np.unique(np.stack([cells.codes, labels]), axis=1).T) == 3
    assert cells.new_codes({"label": [2, 0]}, new_edges(2), None).tolist() == [cells.codes[2], cells.codes[0]]


def test_several_attributes_are_divided_by_their_combinations():
    cells = build_cells(erasure({"a": np.arange(100) % 2, "b": np.arange(100) // 50}))
    assert np.bincount(cells.codes).tolist() == [25, 25, 25, 25]


def test_small_groups_are_merged_with_a_warning_until_the_merged_cell_has_ten_nodes():
    labels = np.repeat(["a", "b", "c", "d"], [3, 12, 40, 45])
    with pytest.warns(ResiduumWarning, match="2 small groups of 'label' \\(15 nodes"):
        cells = build_cells(erasure({"label": labels}))
    assert np.bincount(cells.codes).tolist() == [15, 40, 45]
    assert cells.codes[0] == cells.codes[3]


def test_unseen_combination_belongs_to_the_merged_cell():
    a, b = np.repeat([0, 1], [96, 4]), np.arange(100) % 2
    a[90:] = 1
    with pytest.warns(ResiduumWarning, match="small groups"):
        cells = build_cells(erasure({"a": a, "b": b}))
    assert cells.unseen == 0
    assert cells.codes[95] == 0


def test_numbers_are_binned_more_coarsely_with_more_attributes():
    numbers = np.random.default_rng(0).random(400)
    one = build_cells(erasure({"x": numbers}, 400))
    two = build_cells(erasure({"x": numbers, "y": numbers[::-1].copy()}, 400))
    assert len(np.unique(one.codes)) == 20
    assert two.n_bins == 4
    order = np.argsort(numbers)
    assert np.all(np.diff(_first_seen(one.codes[order])) >= 0)


def _first_seen(codes):
    """Return codes renumbered in order of appearance: sorted if each code is one interval."""
    number = {code: position for position, code in enumerate(dict.fromkeys(codes.tolist()))}
    return np.array([number[code] for code in codes.tolist()])


def test_time_stamps_are_numbers():
    days = np.datetime64("2020-01-01") + np.arange(100)
    cells = build_cells(erasure({"day": days}))
    assert len(np.unique(cells.codes)) == 5
    assert cells.new_codes({"day": days[[50]]}, new_edges(1), None)[0] == cells.codes[50]


@pytest.mark.parametrize("labels", [np.arange(100) // 4, np.zeros(100, dtype=int)])
def test_too_few_large_groups_are_an_error(labels):
    with pytest.raises(InvalidParameterError, match="at least two groups of 10"):
        build_cells(erasure({"label": labels}))


def test_cells_of_labels_need_no_minimum_size_and_numbers_have_none():
    small = np.minimum(np.arange(100), 20)
    assert np.bincount(label_cells(erasure({"label": small})).codes).tolist() == [20, 80]
    assert label_cells(erasure({"number": np.linspace(0.0, 1.0, 100)})) is None
    assert label_cells(erasure({"label": np.arange(100) % 3})).codes.max() == 2


def test_cells_of_several_small_labels_are_merged():
    labels = np.r_[np.zeros(60, dtype=int), np.ones(30, dtype=int), np.repeat([2, 3], 5)]
    cells = label_cells(erasure({"label": labels}))
    assert {cells.cell_of[(2,)], cells.cell_of[(3,)]} == cells.merged
    assert label_cells(erasure({"label": labels % 2})).merged == frozenset()


def test_cells_cannot_be_changed():
    cells = build_cells(erasure({"label": np.arange(100) % 3}))
    with pytest.raises(FrozenInstanceError):
        cells.unseen = 5
