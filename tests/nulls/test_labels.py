import numpy as np
import pytest

from residuum import Graph
from residuum.errors import NullModelError
from residuum.nulls import group_codes

IDS = list("abcd")
GRAPH = Graph([[0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0]], IDS)


def as_mapping(values):
    return dict(zip(IDS, values, strict=True))


@pytest.mark.parametrize("form", [list, tuple, as_mapping, lambda values: np.array(values, dtype=object)])
@pytest.mark.parametrize("missing", [np.nan, None])
@pytest.mark.parametrize("others", [["x", "x", "y"], [1, 1, 2], [1.0, 1.0, 2.0]])
def test_a_missing_label_is_no_label(form, missing, others):
    with pytest.raises(NullModelError, match=r"node 'b' has none \(1 such in all\)"):
        group_codes(GRAPH, form([others[0], missing, *others[1:]]))


@pytest.mark.parametrize("form", [list, as_mapping])
def test_a_number_is_not_its_text(form):
    codes, labels = group_codes(GRAPH, form([1, "1", "1", 2]))
    assert labels.tolist() == [1, 2, "1"]
    assert codes.tolist() == [0, 2, 2, 1]


@pytest.mark.parametrize(
    ("values", "kind"),
    [(["x", "y", "x", "y"], "U"), ([1, 2, 1, 2], "i"), ([1, 2.5, 1, 2.5], "f"), ([True, False] * 2, "b")],
)
def test_labels_of_one_type_keep_it(values, kind):
    for form in (list, as_mapping):
        codes, labels = group_codes(GRAPH, form(values))
        assert labels.dtype.kind == kind
        assert labels[codes].tolist() == values


def test_labels_of_another_number_of_nodes_are_refused():
    for values in ([1, 2], [[1, 2]] * 4):
        with pytest.raises(NullModelError, match="one label for each of the 4 nodes"):
            group_codes(GRAPH, values)
