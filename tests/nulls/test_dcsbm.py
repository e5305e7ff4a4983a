import numpy as np
import pytest
from scipy import sparse

from graph_cases import graph_cases, labels_for
from residuum import Graph
from residuum.errors import InvalidParameterError, NullModelError
from residuum.nulls import Configuration, DegreeCorrectedSBM, Multilayer

GRAPH = graph_cases()["weighted"]
ALL_PAIRS = np.meshgrid(np.arange(20), np.arange(20), indexing="ij")


def test_one_group_equals_configuration():
    dcsbm = DegreeCorrectedSBM(np.zeros(20)).fit(GRAPH, 6)
    configuration = Configuration().fit(GRAPH, 6)
    np.testing.assert_allclose(dcsbm.log_probability(*ALL_PAIRS), configuration.log_probability(*ALL_PAIRS))
    np.testing.assert_allclose(dcsbm.offset, configuration.offset)


def test_labels_as_array_dict_and_attribute_agree():
    labels = labels_for(GRAPH)
    graph = Graph(GRAPH.adjacency, node_attributes={"kind": labels})
    fits = [
        DegreeCorrectedSBM(groups).fit(graph, 6).log_probability(*ALL_PAIRS)
        for groups in (labels, dict(enumerate(labels)), "kind", labels.tolist())
    ]
    for log_probability in fits[1:]:
        np.testing.assert_array_equal(fits[0], log_probability)


def test_labels_of_different_types_are_different_groups():
    labels = np.array([1, "one"] * 10, dtype=object)
    assert DegreeCorrectedSBM(labels).fit(GRAPH, 3).block_form.weights.shape == (2, 2)


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        (None, r"needs groups"),
        (np.zeros(7), r"one value for each of the 20 nodes; got 7"),
        ("color", r"no node attribute 'color'; it has none"),
        ({0: "a"}, r"19 have none, such as 1"),
        ([None] * 2 + [1] * 18, r"node 0 has none \(2 in total\)"),
        ([np.nan] + [1.0] * 19, r"node 0 has none"),
    ],
)
def test_invalid_labels_raise(groups, message):
    with pytest.raises((NullModelError, InvalidParameterError), match=message):
        DegreeCorrectedSBM(groups).fit(GRAPH, 3)


def test_out_of_sample_nodes_get_the_group_of_their_label():
    null = DegreeCorrectedSBM(labels_for(GRAPH)).fit(GRAPH, 3)
    edges = sparse.csr_array(np.eye(2, 20))
    np.testing.assert_array_equal(null.groups_of(["b", "a"], edges), [1, 0])
    with pytest.raises(NullModelError, match="out-of-sample nodes need groups, too"):
        null.groups_of(None, edges)
    with pytest.raises(InvalidParameterError, match="no node of the graph has the label 'z'"):
        null.groups_of(["z", "a"], edges)
    with pytest.raises(NullModelError, match="one value for each of the 2 out-of-sample nodes"):
        null.groups_of(["a"], edges)


def test_multilayer_equals_the_dcsbm_of_the_layers():
    layers = labels_for(GRAPH)
    np.testing.assert_array_equal(
        Multilayer(layers).fit(GRAPH, 3).log_probability(*ALL_PAIRS),
        DegreeCorrectedSBM(layers).fit(GRAPH, 3).log_probability(*ALL_PAIRS),
    )
    with pytest.raises(NullModelError, match="Multilayer needs layers"):
        Multilayer().fit(GRAPH, 3)


def test_layers_may_be_named_and_missing_must_be():
    layers = labels_for(GRAPH)
    assert Multilayer(layers=layers, missing="group").layers is layers
    with pytest.raises(TypeError, match="positional"):
        Multilayer(layers, "group")
