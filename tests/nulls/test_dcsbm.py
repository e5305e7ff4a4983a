import numpy as np
import pytest
from scipy import sparse

from graph_cases import graph_cases, labels_for
from residuum import Graph
from residuum.errors import NullModelError
from residuum.nulls import Configuration, DegreeCorrectedSBM

GRAPH = graph_cases()["weighted"]
EVERYONE = np.meshgrid(np.arange(20), np.arange(20), indexing="ij")


def test_one_group_equals_configuration():
    one = DegreeCorrectedSBM(np.zeros(20)).fit(GRAPH, 6)
    many = Configuration().fit(GRAPH, 6)
    np.testing.assert_allclose(one.log_probability(*EVERYONE), many.log_probability(*EVERYONE))
    np.testing.assert_allclose(one.offset, many.offset)


def test_labels_as_array_dict_and_attribute_agree():
    labels = labels_for(GRAPH)
    graph = Graph(GRAPH.adjacency, node_attributes={"kind": labels})
    fits = [
        DegreeCorrectedSBM(groups).fit(graph, 6).log_probability(*EVERYONE)
        for groups in (labels, dict(enumerate(labels)), "kind", labels.tolist())
    ]
    for other in fits[1:]:
        np.testing.assert_array_equal(fits[0], other)


def test_labels_of_mixed_types_are_told_apart():
    labels = np.array([1, "one"] * 10, dtype=object)
    assert DegreeCorrectedSBM(labels).fit(GRAPH, 3).blocks.weights.shape == (2, 2)


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        (None, r"needs groups"),
        (np.zeros(7), r"one label for each of the 20 nodes; got shape \(7,\)"),
        ("colour", r"no node attribute 'colour'; it has none"),
        ({0: "a"}, r"must name every node; 1 is missing \(19 such"),
        ([None] * 2 + [1] * 18, r"node 0 has none \(2 such in all\)"),
        ([np.nan] + [1.0] * 19, r"node 0 has none"),
    ],
)
def test_bad_labels_are_named(groups, message):
    with pytest.raises(NullModelError, match=message):
        DegreeCorrectedSBM(groups).fit(GRAPH, 3)


def test_groups_of_new_nodes_are_looked_up():
    null = DegreeCorrectedSBM(labels_for(GRAPH)).fit(GRAPH, 3)
    edges = sparse.csr_array(np.eye(2, 20))
    np.testing.assert_array_equal(null.row_groups_of(["b", "a"], edges), [1, 0])
    with pytest.raises(NullModelError, match="new nodes need theirs"):
        null.row_groups_of(None, edges)
    with pytest.raises(NullModelError, match="the group 'z' of a new node was not in the graph"):
        null.row_groups_of(["z", "a"], edges)
    with pytest.raises(NullModelError, match="one value for each of the 2 new nodes"):
        null.row_groups_of(["a"], edges)


def test_nothing_is_drawn_for_a_centre_whose_group_has_no_edges():
    adjacency = np.zeros((6, 6))
    adjacency[2:, 2:] = 1 - np.eye(4)
    null = DegreeCorrectedSBM(["alone", "alone", "x", "x", "y", "y"]).fit(Graph(adjacency), 2)
    with pytest.raises(NullModelError, match="group of the node at position 1 has no edges that leave it"):
        null.sample([3, 1, 4], np.random.default_rng(0))
    assert set(null.sample([3] * 50, np.random.default_rng(0))) == {2, 3, 4, 5}
