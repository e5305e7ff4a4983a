"""Findings have the values of the functions that they name."""

import numpy as np
import pytest

from metric_cases import GRAPH, GROUP, PERFECT, RANDOM, SPLIT, values
from residuum import Embedding, Graph, datasets
from residuum.errors import InvalidGraphError, InvalidParameterError, UnknownNodeError
from residuum.evaluation import (
    attribute_auc,
    auc_roc,
    grade_degree,
    grade_labels,
    grade_links,
    grade_numbers,
    grading,
    hide_edges,
    similarity_dependence,
)
from residuum.evaluation.grading import joined_nodes


def test_vectors_that_encode_the_groups_predict_edges_and_random_vectors_do_not():
    good, bad = (values(grade_links(u, SPLIT.train, SPLIT.hidden)) for u in (PERFECT, RANDOM))
    assert good["link AUC, beyond degree"] > 0.75
    assert good["link AUC"] > 0.75
    assert good["recall at 10"] > 3 * bad["recall at 10"]
    assert bad["link AUC, beyond degree"] == pytest.approx(0.5, abs=0.06)


def test_offsets_of_an_embedding_replace_degrees():
    offsets = 50.0 * np.arange(200.0)
    embedding = Embedding(GRAPH.node_ids, PERFECT, offsets=offsets)
    measured = values(grade_links(embedding, SPLIT.train, SPLIT.hidden))
    # Offsets this large dominate: the AUC is that of the sum of the positions of two nodes.
    rng = np.random.default_rng(0)
    pairs = rng.integers(200, size=(100_000, 2))
    expected = auc_roc(SPLIT.hidden.sum(axis=1), pairs.sum(axis=1))
    assert measured["link AUC"] == pytest.approx(expected, abs=0.05)
    assert measured["link AUC, beyond degree"] > 0.75


def test_degrees_replace_missing_source_offsets_of_a_directed_graph():
    # In-degree decreases with out-degree, so the offsets of targets mislead about sources.
    rng = np.random.default_rng(0)
    chance = rng.pareto(1.2, 300) + 0.1
    arcs = np.stack([rng.choice(300, 4000, p=p / p.sum()) for p in (chance, 1 / chance)], axis=1)
    adjacency = np.zeros((300, 300))
    adjacency[*arcs[arcs[:, 0] != arcs[:, 1]].T] = 1.0
    split = hide_edges(Graph(adjacency, directed=True), 0.3, rng)
    offsets = np.log(1e-3 + split.train.in_strength)
    with_offsets = Embedding(split.train.node_ids, 1e-6 * rng.normal(size=(300, 8)), offsets=offsets)
    measured = values(grade_links(with_offsets, split.train, split.hidden))
    assert measured == values(grade_links(with_offsets.vectors, split.train, split.hidden))
    assert measured["link AUC"] > 0.75


def test_negatives_are_neither_training_nor_held_out_edges():
    complete = Graph(np.ones((8, 8)) - np.eye(8))
    split = hide_edges(complete, 0.3, np.random.default_rng(0))
    with pytest.raises(InvalidGraphError, match="every pair of nodes is joined by an edge"):
        grade_links(np.eye(8), split.train, split.hidden)


def test_held_out_edges_in_the_graph_are_rejected():
    training = np.argwhere(np.triu(SPLIT.train.adjacency.toarray()))[:2]
    pairs = np.concatenate([SPLIT.hidden, training])
    with pytest.raises(InvalidParameterError, match=rf"embedded graph; 2 of {len(pairs)} are, such as"):
        grade_links(PERFECT, SPLIT.train, pairs)


def test_degree_findings_are_high_for_degree_and_low_for_random_vectors():
    degree = np.log1p(GRAPH.out_strength)
    vectors = np.stack([degree, np.ones(200)], axis=1)
    measured = values(grade_degree(vectors, GRAPH))
    assert measured["R² of similarity on degree"] == pytest.approx(similarity_dependence(vectors, degree))
    assert measured["R² of similarity on degree"] > 0.3
    assert values(grade_degree(RANDOM, GRAPH))["R² of similarity on degree"] == pytest.approx(0.0, abs=0.02)
    assert values(grade_degree(RANDOM, GRAPH))["hubs among neighbors"] == pytest.approx(0.1, abs=0.05)


def test_label_findings_are_high_for_perfect_and_low_for_random_vectors():
    measured = values(grade_labels(PERFECT, GRAPH, GROUP, "club"))
    assert measured["R² of similarity on same club"] == pytest.approx(1.0)
    assert measured["similarity gap by club"] == pytest.approx(1.0)
    assert measured["same club among neighbors"] == pytest.approx(1.0)
    assert measured["micro-F1 of club"] == 1.0
    assert measured["AUC of club, linear"] == attribute_auc(PERFECT, GROUP)["linear"]
    by_chance = values(grade_labels(RANDOM, GRAPH, GROUP, "club"))
    assert by_chance["same club among neighbors"] == pytest.approx(0.25, abs=0.05)
    along = next(f.meaning for f in grade_labels(RANDOM, GRAPH, GROUP, "club") if f.name.startswith("same"))
    rows, columns = GRAPH.adjacency.nonzero()
    by_group = [np.mean(GROUP[columns[GROUP[rows] == group]] == group) for group in range(4)]
    assert f"{np.average(by_group, weights=np.bincount(GROUP)):.3f} along edges" in along


def test_number_findings_detect_a_planted_number():
    year = 2000.0 + GROUP
    measured = values(grade_numbers(PERFECT, GRAPH, year, "year"))
    assert measured["R² of year"] == pytest.approx(1.0)
    assert measured["AUC of high year, linear"] == pytest.approx(1.0)
    assert values(grade_numbers(RANDOM, GRAPH, year, "year"))["R² of year"] < 0.05


@pytest.mark.parametrize("missing_value", [None, np.nan, ""], ids=["None", "NaN", "empty"])
def test_nodes_without_a_label_are_ignored(missing_value):
    missing = np.arange(200) % 4 == 3
    labels = np.array([f"club {group}" for group in GROUP], dtype=object)
    expected = grade_labels(PERFECT[~missing], GRAPH.subgraph(~missing), labels[~missing], "club")
    labels[missing] = missing_value
    assert grade_labels(PERFECT, GRAPH, labels, "club") == expected


def test_numeric_labels_with_missing_values_are_labels():
    labels = np.where(np.arange(200) % 4 == 3, np.nan, GROUP)
    measured = values(grade_labels(RANDOM, GRAPH, labels, "club"))
    as_text = values(grade_labels(RANDOM, GRAPH, labels.astype("U3"), "club"))
    # As text, "nan" is a label.
    assert measured["AUC of club, linear"] != pytest.approx(as_text["AUC of club, linear"])
    assert measured == values(grade_labels(RANDOM, GRAPH, np.where(np.isnan(labels), "", labels.astype("U3")), "club"))


def test_nodes_without_a_number_are_ignored():
    missing, year = np.arange(200) % 4 == 3, 2000.0 + GROUP
    expected = grade_numbers(PERFECT[~missing], GRAPH.subgraph(~missing), year[~missing], "year")
    assert grade_numbers(PERFECT, GRAPH, np.where(missing, np.nan, year), "year") == expected


def test_string_ids_of_an_embedding_match_integer_ids_of_the_graph():
    shuffled = np.random.default_rng(0).permutation(200)
    embedding = Embedding([str(k) for k in shuffled], PERFECT[shuffled])
    assert values(grade_labels(embedding, GRAPH, GROUP, "club"))["micro-F1 of club"] == 1.0
    with pytest.raises(UnknownNodeError, match="node 199 is not in the embedding"):
        grade_degree(Embedding([str(k) for k in range(199)], PERFECT[:199]), GRAPH)


def test_degree_only_vectors_predict_links_by_degree_only_and_no_label():
    graph = datasets.planted_groups(400, 4, degree_exponent=2.3, average_degree=12, random_state=0)
    split = hide_edges(graph, 0.3, np.random.default_rng(0))
    vectors = np.stack([np.log(split.train.out_strength), np.ones(400)], axis=1)
    links = values(grade_links(vectors, split.train, split.hidden))
    assert links["link AUC"] > 0.7
    assert links["link AUC, beyond degree"] < links["link AUC"] - 0.1
    measured = values(grade_labels(vectors, graph, graph.node_attributes["group"], "club"))
    for name, chance in {
        "R² of similarity on same club": 0.0,
        "similarity gap by club": 0.0,
        "same club among neighbors": 0.25,
        "AUC of club, linear": 0.5,
        "AUC of club, neighbors": 0.5,
        "micro-F1 of club": 0.25,
    }.items():
        assert measured[name] == pytest.approx(chance, abs=0.06)


def test_nodes_on_one_side_are_joined_through_the_other():
    rng = np.random.default_rng(0)
    group = np.arange(60) % 2
    likes = rng.random((60, 20)) < np.where(group[:, None] == np.arange(20) % 2, 0.6, 0.1)
    likes[:, 0] = True  # everybody has an item
    graph = Graph(np.block([[np.zeros((60, 60)), likes], [likes.T, np.zeros((20, 20))]]))
    labels = [*np.array(["f", "m"])[group], *[None] * 20]
    measured = values(grade_labels(rng.normal(size=(80, 4)), graph, labels, "gender"))
    users = joined_nodes(graph, np.arange(80) < 60, 0)
    np.testing.assert_allclose(users.in_strength, likes.sum(axis=1), rtol=1e-6)
    expected = likes / likes.sum(axis=0) @ likes.T
    np.testing.assert_allclose(users.adjacency.toarray(), expected, rtol=1e-6)
    assert 0.3 < measured["same gender among neighbors"] < 0.7


def test_few_of_many_common_neighbors_are_used(monkeypatch):
    monkeypatch.setattr(grading, "_JOINED_PAIRS", 50)
    likes = np.ones((6, 40))
    graph = Graph(np.block([[np.zeros((6, 6)), likes], [likes.T, np.zeros((40, 40))]]))
    assert joined_nodes(graph, np.arange(46) < 6, 0).in_strength.tolist() == pytest.approx([2.0] * 6)


def test_numbers_that_are_text_are_refused():
    graph = datasets.karate_club()
    vectors = np.random.default_rng(0).normal(size=(34, 4))
    with pytest.raises(InvalidParameterError, match="numbers must be numbers; got 'x'"):
        grade_numbers(vectors, graph, ["x"] * 34, "age")
