import numpy as np
import pandas as pd
import pytest

from residuum import Embedding, Graph, datasets
from residuum.errors import InvalidParameterError
from residuum.evaluation import (
    attribute_auc,
    community_auc,
    community_recovery,
    grade_labels,
    grade_numbers,
    group_mix,
    hub_share,
    label_predictability,
    predict_classes,
    predict_numbers,
    similarity_dependence,
    similarity_disparity,
)
from residuum.evaluation.values import values_of
from residuum.graph import is_known

GRAPH = datasets.karate_club()
VECTORS = np.random.default_rng(0).standard_normal((34, 4))


@pytest.mark.parametrize(
    "measure",
    [
        attribute_auc,
        community_auc,
        community_recovery,
        lambda vectors, values: group_mix(vectors, values, GRAPH),
        hub_share,
        label_predictability,
        predict_classes,
        predict_numbers,
        similarity_dependence,
        similarity_disparity,
    ],
)
@pytest.mark.parametrize("length", [30, 40])
def test_values_of_the_wrong_length_are_rejected(measure, length):
    with pytest.raises(InvalidParameterError, match=f"one value for each of the 34 nodes; got {length}"):
        measure(VECTORS, np.arange(length) % 2)


def test_two_dimensional_values_are_rejected():
    with pytest.raises(InvalidParameterError, match=r"got shape \(34, 2\)"):
        similarity_dependence(VECTORS, np.ones((34, 2)))


def test_nan_in_a_list_of_strings_is_missing():
    values = values_of(np.ones((4, 2)), ["a", float("nan"), "", "nan"], "labels")
    assert is_known(values).tolist() == [True, False, False, True]


@pytest.mark.parametrize(
    "measure",
    [
        attribute_auc,
        community_auc,
        lambda vectors, values: community_recovery(vectors, values).clusters.tolist(),
        hub_share,
        label_predictability,
        lambda vectors, values: predict_classes(vectors, values, n_neighbors=3).micro_f1.tolist(),
        lambda vectors, values: predict_numbers(vectors, values, n_neighbors=3).tolist(),
        similarity_dependence,
        lambda vectors, values: similarity_disparity(vectors, values).gap,
    ],
)
def test_i1_values_are_matched_by_the_ids_of_an_embedding(measure):
    ids = np.random.default_rng(1).permutation(34)
    embedding = Embedding([f"node {k}" for k in ids], VECTORS[ids])
    value = np.random.default_rng(2).integers(2, size=34)
    by_id = {f"node {k}": value[k] for k in range(34)}
    assert measure(embedding, by_id) == measure(embedding, pd.Series(by_id)) == measure(embedding.vectors, value[ids])
    with pytest.raises(InvalidParameterError, match=r"an array has no node ids.*begin with 'node \d+'.*embedding\.ids"):
        measure(embedding, value)


@pytest.mark.parametrize("grade", [grade_labels, grade_numbers])
def test_i1_an_array_beside_an_embedding_is_refused_unless_its_ids_are_integers_in_ascending_order(grade):
    value = np.random.default_rng(2).integers(2, size=34)
    graph = Graph(GRAPH.adjacency, [f"node {k}" for k in range(34)])
    with pytest.raises(InvalidParameterError, match=r"an array has no node ids.*begin with 'node 0'.*graph\.node_ids"):
        grade(Embedding(graph.node_ids, VECTORS), graph, value, "club")
    backward = Embedding(np.arange(34)[::-1], VECTORS[::-1])
    assert grade(backward, GRAPH, value, "club") == grade(VECTORS.astype(np.float32), GRAPH, value, "club")
    with pytest.raises(InvalidParameterError, match="begin with 33, 32, 31"):
        attribute_auc(backward, value)


def test_a_mapping_is_looked_up_by_the_node_ids_of_a_graph():
    names = [f"node {k}" for k in range(34)]
    graph = Graph(GRAPH.adjacency, names)
    value = np.random.default_rng(2).integers(2, size=34)
    ids = np.random.default_rng(1).permutation(34)
    by_id = {names[k]: value[k] for k in ids}
    shuffled = Embedding([names[k] for k in ids], VECTORS[ids].astype(np.float32))
    vectors = VECTORS.astype(np.float32)
    for variant in (vectors, shuffled):
        np.testing.assert_array_equal(
            group_mix(variant, by_id, graph).neighbors, group_mix(vectors, value, graph).neighbors
        )
        for grade in (grade_labels, grade_numbers):
            assert grade(variant, graph, by_id, "club") == grade(vectors, graph, value, "club")


def test_a_mapping_requires_node_ids_and_a_value_for_each_node():
    with pytest.raises(InvalidParameterError, match=r"labels must be an array in the order .*; got a mapping"):
        label_predictability(VECTORS, dict.fromkeys(range(34), "a"))
    embedding = Embedding(np.arange(34), VECTORS)
    with pytest.raises(InvalidParameterError, match="of the 34 nodes; 4 have none, such as 30"):
        label_predictability(embedding, dict.fromkeys(range(30), "a"))


def test_integers_are_labels_unless_kind_is_number():
    year = np.repeat([1999, 2001, 2004], [12, 11, 11])
    for measure in (similarity_dependence, attribute_auc):
        number, label = measure(VECTORS, year.astype(float)), measure(VECTORS, year.astype(str))
        assert number != label
        assert measure(VECTORS, year) == measure(VECTORS, year.astype(float), kind="label") == label
        assert measure(VECTORS, year, kind="number") == number
        assert measure(VECTORS, year.astype(str), kind="number") == number
        assert measure(VECTORS, np.where(np.arange(34) < 9, None, year), kind="number") == measure(
            VECTORS[9:], year[9:], kind="number"
        )


def test_an_unknown_kind_and_strings_as_numbers_are_rejected():
    with pytest.raises(InvalidParameterError, match="kind must be one of 'number', 'label'; got 'year'"):
        similarity_dependence(VECTORS, np.arange(34), kind="year")
    with pytest.raises(InvalidParameterError, match=r"attribute must be numbers if kind is 'number' .*'many'"):
        attribute_auc(VECTORS, ["many"] * 34, kind="number")
