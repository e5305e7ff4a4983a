"""Grades in words are the numbers of the functions that they name."""

import numpy as np
import pytest

from residuum import Embedding, Graph, datasets
from residuum.errors import InvalidGraphError, InvalidParameterError, UnknownNodeError
from residuum.evaluation import (
    attribute_auc,
    auc_roc,
    grade_degree,
    grade_labels,
    grade_links,
    grade_numbers,
    hide_edges,
    similarity_dependence,
)

GRAPH = datasets.planted_groups(200, 4, mixing=0.1, average_degree=12, random_state=0)
SPLIT = hide_edges(GRAPH, 0.3, np.random.default_rng(0))
GROUP = GRAPH.node_attributes["group"]
PERFECT = np.eye(4)[GROUP]
RANDOM = np.random.default_rng(1).normal(size=(200, 8))


def values(findings):
    return {finding.name: finding.value for finding in findings}


def test_vectors_that_know_the_groups_find_edges_and_random_ones_do_not():
    good, bad = (values(grade_links(u, SPLIT.train, SPLIT.hidden)) for u in (PERFECT, RANDOM))
    assert good["link AUC, beyond degree"] > 0.75
    assert good["link AUC"] > 0.75
    assert good["recall at 10"] > 3 * bad["recall at 10"]
    assert bad["link AUC, beyond degree"] == pytest.approx(0.5, abs=0.06)


def test_offsets_of_an_embedding_stand_in_for_degrees():
    offsets = 50.0 * np.arange(200.0)
    embedding = Embedding(GRAPH.node_ids, PERFECT, offsets=offsets)
    told = values(grade_links(embedding, SPLIT.train, SPLIT.hidden))
    # So large that nothing else counts: the AUC is that of the sum of the numbers of two nodes.
    rng = np.random.default_rng(0)
    pairs = rng.integers(200, size=(100_000, 2))
    expected = auc_roc(SPLIT.hidden.sum(axis=1), pairs.sum(axis=1))
    assert told["link AUC"] == pytest.approx(expected, abs=0.05)
    assert told["link AUC, beyond degree"] > 0.75


def test_in_a_directed_graph_degrees_stand_in_for_the_offsets_of_sources():
    # The more edges leave a node, the fewer arrive: what it is as a target says the wrong thing of it as a source.
    rng = np.random.default_rng(0)
    chance = rng.pareto(1.2, 300) + 0.1
    arcs = np.stack([rng.choice(300, 4000, p=p / p.sum()) for p in (chance, 1 / chance)], axis=1)
    adjacency = np.zeros((300, 300))
    adjacency[*arcs[arcs[:, 0] != arcs[:, 1]].T] = 1.0
    split = hide_edges(Graph(adjacency, directed=True), 0.3, rng)
    offsets = np.log(1e-3 + split.train.in_strength)
    with_offsets = Embedding(split.train.node_ids, 1e-6 * rng.normal(size=(300, 8)), offsets=offsets)
    told = values(grade_links(with_offsets, split.train, split.hidden))
    assert told == values(grade_links(with_offsets.vectors, split.train, split.hidden))
    assert told["link AUC"] > 0.75


def test_negatives_are_neither_edges_nor_hidden_ones():
    complete = Graph(np.ones((8, 8)) - np.eye(8))
    split = hide_edges(complete, 0.3, np.random.default_rng(0))
    with pytest.raises(InvalidGraphError, match="no pair of nodes without an edge"):
        grade_links(np.eye(8), split.train, split.hidden)


def test_edges_that_were_shown_are_refused():
    shown = np.argwhere(np.triu(SPLIT.train.adjacency.toarray()))[:2]
    pairs = np.concatenate([SPLIT.hidden, shown])
    with pytest.raises(InvalidParameterError, match=rf"2 of {len(pairs)} are, such as"):
        grade_links(PERFECT, SPLIT.train, pairs)


def test_degree_grades_are_those_of_the_functions():
    degree = np.log1p(GRAPH.out_strength)
    vectors = np.stack([degree, np.ones(200)], axis=1)
    told = values(grade_degree(vectors, GRAPH))
    assert told["R² of similarity on degree"] == pytest.approx(similarity_dependence(vectors, degree))
    assert told["R² of similarity on degree"] > 0.3
    assert values(grade_degree(RANDOM, GRAPH))["R² of similarity on degree"] == pytest.approx(0.0, abs=0.02)
    assert values(grade_degree(RANDOM, GRAPH))["hubs among neighbours"] == pytest.approx(0.1, abs=0.05)


def test_label_grades_are_those_of_the_functions():
    told = values(grade_labels(PERFECT, GRAPH, GROUP, "club"))
    assert told["R² of similarity on club"] == pytest.approx(1.0)
    assert told["similarity gap by club"] == pytest.approx(1.0)
    assert told["same club among neighbours"] == pytest.approx(1.0)
    assert told["micro-F1 of club"] == 1.0
    assert told["AUC of club, linear"] == attribute_auc(PERFECT, GROUP)["linear"]
    by_chance = values(grade_labels(RANDOM, GRAPH, GROUP, "club"))
    assert by_chance["same club among neighbours"] == pytest.approx(0.25, abs=0.05)
    along = next(f.meaning for f in grade_labels(RANDOM, GRAPH, GROUP, "club") if f.name.startswith("same"))
    rows, columns = GRAPH.adjacency.nonzero()
    by_group = [np.mean(GROUP[columns[GROUP[rows] == group]] == group) for group in range(4)]
    assert f"{np.average(by_group, weights=np.bincount(GROUP)):.3f} along edges" in along


def test_number_grades_tell_a_planted_number():
    year = 2000.0 + GROUP
    told = values(grade_numbers(PERFECT, GRAPH, year, "year"))
    assert told["R² of year"] == pytest.approx(1.0)
    assert told["AUC of high year, linear"] == pytest.approx(1.0)
    assert values(grade_numbers(RANDOM, GRAPH, year, "year"))["R² of year"] < 0.05


@pytest.mark.parametrize("nothing", [None, np.nan, ""], ids=["None", "NaN", "empty"])
def test_nodes_without_a_label_are_left_out(nothing):
    missing = np.arange(200) % 4 == 3
    labels = np.array([f"club {group}" for group in GROUP], dtype=object)
    expected = grade_labels(PERFECT[~missing], GRAPH.subgraph(~missing), labels[~missing], "club")
    labels[missing] = nothing
    assert grade_labels(PERFECT, GRAPH, labels, "club") == expected


def test_labels_that_are_numbers_with_gaps_are_labels():
    labels = np.where(np.arange(200) % 4 == 3, np.nan, GROUP)
    told, expected = (values(grade_labels(RANDOM, GRAPH, one, "club")) for one in (labels, labels.astype("U3")))
    assert told["AUC of club, linear"] != pytest.approx(expected["AUC of club, linear"])  # "nan" is a label there
    assert told == values(grade_labels(RANDOM, GRAPH, np.where(np.isnan(labels), "", labels.astype("U3")), "club"))


def test_nodes_without_a_number_are_left_out():
    missing, year = np.arange(200) % 4 == 3, 2000.0 + GROUP
    expected = grade_numbers(PERFECT[~missing], GRAPH.subgraph(~missing), year[~missing], "year")
    assert grade_numbers(PERFECT, GRAPH, np.where(missing, np.nan, year), "year") == expected


def test_ids_that_are_text_in_a_file_are_the_numbers_of_the_graph():
    shuffled = np.random.default_rng(0).permutation(200)
    embedding = Embedding([str(k) for k in shuffled], PERFECT[shuffled])
    assert values(grade_labels(embedding, GRAPH, GROUP, "club"))["micro-F1 of club"] == 1.0
    with pytest.raises(UnknownNodeError, match="node 199 is not among"):
        grade_degree(Embedding([str(k) for k in range(199)], PERFECT[:199]), GRAPH)
