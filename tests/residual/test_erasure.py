import numpy as np
import pytest
from scipy import sparse

from residuum import datasets
from residuum.errors import InvalidParameterError, NullModelError
from residuum.nulls import Configuration, DegreeCorrectedSBM
from residuum.residual import build_erasure

GRAPH = datasets.planted_groups(150, 3, random_state=0)
GROUP = GRAPH.node_attributes["group"]
NULL = Configuration().fit(GRAPH, 4)


def erasure(erase, graph=GRAPH, null=NULL):
    return build_erasure(graph, erase, null)


def test_erasing_nothing_returns_none():
    assert erasure(None) is None


def test_labels_become_indicators():
    np.testing.assert_array_equal(erasure("group").columns(), np.eye(3)[GROUP])
    assert erasure("group").names == ["group"]


def test_numbers_become_bins_and_a_linear_term():
    x = np.random.default_rng(0).random(150)
    columns = erasure(x).columns()
    assert columns.shape == (150, 33)
    np.testing.assert_array_equal(columns[:, :32].sum(axis=1), 1)
    np.testing.assert_allclose(np.corrcoef(columns[:, 32], x)[0, 1], 1)


def test_the_degree_of_out_of_sample_nodes_follows_from_their_edges():
    degree = erasure("degree")
    assert degree.names == ["degree"]
    edges = sparse.csr_array(GRAPH.adjacency[:5])
    np.testing.assert_allclose(degree.new_columns(None, edges, None), degree.columns()[:5], atol=1e-9)


def test_the_groups_of_the_null_model_can_be_erased():
    null = DegreeCorrectedSBM(GROUP).fit(GRAPH, 3)
    np.testing.assert_array_equal(erasure("null", null=null).columns(), np.eye(3)[GROUP])
    with pytest.raises(NullModelError, match="this one has none; use erase='degree'"):
        erasure("null")


@pytest.mark.parametrize(
    ("erase", "names"),
    [
        (["group", "degree"], ["group", "degree"]),
        ({"kind": GROUP, "size": "degree"}, ["kind", "degree"]),
        ([GROUP, np.arange(150.0)], ["attribute 1", "attribute 2"]),
        (GROUP.tolist(), ["attribute 1"]),
        (dict(enumerate(GROUP.tolist())), ["attribute 1"]),
    ],
    ids=["names", "dict of attributes", "arrays", "list of labels", "mapping by node"],
)
def test_several_attributes_are_erased_at_once(erase, names):
    assert erasure(erase).names == names


def test_out_of_sample_nodes_need_attribute_values():
    kind = erasure({"kind": GROUP})
    edges = sparse.csr_array(GRAPH.adjacency[:2])
    np.testing.assert_array_equal(kind.new_columns({"kind": [2, 0]}, edges, None), np.eye(3)[[2, 0]])
    with pytest.raises(InvalidParameterError, match=r"erased attribute 'kind'; use .* attributes=\{'kind': …\}"):
        kind.new_columns(None, edges, None)
    with pytest.raises(InvalidParameterError, match="erase: no node of the graph has the label 9"):
        kind.new_columns({"kind": [9, 0]}, edges, None)
    with pytest.raises(InvalidParameterError, match="one value for each of the 2 out-of-sample nodes; got 3"):
        kind.new_columns({"kind": [0, 0, 0]}, edges, None)


@pytest.mark.parametrize("erase", [[], {}])
def test_an_empty_collection_is_rejected(erase):
    with pytest.raises(InvalidParameterError, match="erase must name at least one attribute"):
        erasure(erase)


@pytest.mark.parametrize("missing", [None, float("nan"), ""])
def test_i6_a_missing_label_is_not_a_label(missing):
    labels = {node: "a" if node % 2 else "b" for node in range(150)} | {7: missing, 9: missing}
    with pytest.raises(InvalidParameterError, match=r"erase: 'kind' needs .* node 7 has none \(2 of 150 in total\)"):
        erasure({"kind": labels})
    numbers = {node: float(node % 5) for node in range(150)} | {7: np.nan}
    with pytest.raises(InvalidParameterError, match=r"node 7 has none \(1 of 150 in total\)"):
        erasure(numbers)


def test_i6_nodes_absent_from_a_mapping_are_named():
    with pytest.raises(InvalidParameterError, match="erase must have a value for each of the 150 nodes; 1 have none"):
        erasure({node: "a" if node % 2 else "b" for node in range(149)})


def test_labels_of_different_types_are_different():
    labels = {node: 1 if node % 3 else "1" for node in range(150)}
    assert erasure({"kind": labels}).columns().sum(axis=0).tolist() == [100, 50]
