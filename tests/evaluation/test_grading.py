"""Grades in words are the numbers of the functions that they name."""

import numpy as np
import pytest

from residuum import Embedding, Graph, datasets
from residuum.errors import InvalidGraphError, InvalidParameterError, UnknownNodeError
from residuum.evaluation import (
    attribute_auc,
    auc_roc,
    average_precision,
    degree_matched_non_edges,
    grade_degree,
    grade_labels,
    grade_links,
    grade_numbers,
    group_mix,
    hide_edges,
    hub_share,
    pair_scores,
    predict_classes,
    predict_numbers,
    recommend,
    similarity_dependence,
    similarity_disparity,
    uniform_non_edges,
)

GRAPH = datasets.planted_groups(200, 4, mixing=0.1, average_degree=12, random_state=0)
SPLIT = hide_edges(GRAPH, 0.3, np.random.default_rng(0))
GROUP = GRAPH.node_attributes["group"]
PERFECT = np.eye(4)[GROUP]
RANDOM = np.random.default_rng(1).normal(size=(200, 8))
# Between the two, and of uneven length: no two measures of them are equal.
MIDDLING = (np.pad(PERFECT, ((0, 0), (0, 4))) + 0.5 * RANDOM) * np.random.default_rng(2).lognormal(0, 0.5, (200, 1))


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


@pytest.mark.parametrize("with_offsets", [True, False], ids=["offsets", "degrees"])
def test_every_link_grade_is_that_of_the_function_it_names(with_offsets):
    train, hidden = SPLIT.train, SPLIT.hidden
    offsets = np.random.default_rng(3).normal(size=200) if with_offsets else np.log(train.out_strength)
    vectors = Embedding(GRAPH.node_ids, MIDDLING, offsets=offsets) if with_offsets else MIDDLING
    told = values(grade_links(vectors, train, hidden, random_state=7))
    rng = np.random.default_rng(7)
    negatives = [draw(GRAPH, len(hidden), rng) for draw in (uniform_non_edges, degree_matched_non_edges)]
    scores = pair_scores(vectors.vectors if with_offsets else MIDDLING, offsets=offsets)
    full, other_full = (scores["full"](*pairs.T) for pairs in (hidden, negatives[0]))
    lists = recommend(train, hidden, scores["full"], 10, random_state=7)
    expected = {
        "link AUC, beyond degree": auc_roc(*(scores["residual"](*pairs.T) for pairs in (hidden, negatives[1]))),
        "link AUC": auc_roc(full, other_full),
        "link average precision": average_precision(full, other_full),
        "precision at 10": lists.precision.mean(),
        "recall at 10": lists.recall.mean(),
    }
    assert told == pytest.approx(expected)
    assert len({round(value, 4) for value in told.values()}) == len(told)


def test_every_label_grade_is_that_of_the_function_it_names():
    label = np.array(["a", "b", "c", "c"])[GROUP]
    told = values(grade_labels(MIDDLING, GRAPH, label, "club", random_state=7))
    auc = attribute_auc(MIDDLING, label, random_state=7)
    same = np.diagonal(group_mix(MIDDLING, label, GRAPH, n_neighbors=10).neighbors)
    expected = {
        "R² of similarity on club": similarity_dependence(MIDDLING, label, random_state=7),
        "similarity gap by club": similarity_disparity(MIDDLING, label).gap,
        "same club among neighbours": np.average(same, weights=np.unique(label, return_counts=True)[1]),
        "AUC of club, linear": auc["linear"],
        "AUC of club, neighbours": auc["nearest neighbours"],
        "micro-F1 of club": predict_classes(MIDDLING, label, n_neighbors=10, random_state=7).micro_f1.mean(),
    }
    assert told == pytest.approx(expected)
    assert len({round(value, 4) for value in told.values()}) == len(told)


def test_every_number_grade_is_that_of_the_function_it_names():
    year = 2000.0 + GROUP + np.random.default_rng(4).random(200)
    told = values(grade_numbers(MIDDLING, GRAPH, year, "year", random_state=7))
    expected = {
        "R² of similarity on year": similarity_dependence(MIDDLING, year, random_state=7),
        "AUC of high year, linear": attribute_auc(MIDDLING, year, random_state=7)["linear"],
        "R² of year": predict_numbers(MIDDLING, year, n_neighbors=10, random_state=7).mean(),
    }
    assert told == pytest.approx(expected)
    assert len({round(value, 4) for value in told.values()}) == len(told)


def test_every_degree_grade_of_arcs_with_weights_is_that_of_both_strengths():
    rng = np.random.default_rng(0)
    weights = rng.integers(1, 9, size=(60, 60)) * (rng.random((60, 60)) < 0.2 * rng.random((60, 1)))
    graph = Graph(weights, directed=True)
    both = weights.sum(axis=0) + weights.sum(axis=1)
    vectors = np.stack([np.log1p(both), np.ones(60), rng.random(60)], axis=1)
    told = values(grade_degree(vectors, graph, random_state=7))
    expected = {
        "R² of similarity on degree": similarity_dependence(vectors, np.log1p(both), random_state=7),
        "hubs among neighbours": hub_share(vectors, both, n_neighbors=10, top=0.1),
    }
    assert told == pytest.approx(expected)
    one_way = hub_share(vectors, graph.out_strength, n_neighbors=10, top=0.1)
    assert told["hubs among neighbours"] != pytest.approx(one_way)


def test_degree_only_vectors_find_links_by_degree_alone_and_tell_no_label():
    graph = datasets.planted_groups(400, 4, degree_exponent=2.3, average_degree=12, random_state=0)
    split = hide_edges(graph, 0.3, np.random.default_rng(0))
    vectors = np.stack([np.log(split.train.out_strength), np.ones(400)], axis=1)
    links = values(grade_links(vectors, split.train, split.hidden))
    assert links["link AUC"] > 0.7
    assert links["link AUC, beyond degree"] < links["link AUC"] - 0.1
    told = values(grade_labels(vectors, graph, graph.node_attributes["group"], "club"))
    for name, chance in {
        "R² of similarity on club": 0.0,
        "similarity gap by club": 0.0,
        "same club among neighbours": 0.25,
        "AUC of club, linear": 0.5,
        "AUC of club, neighbours": 0.5,
        "micro-F1 of club": 0.25,
    }.items():
        assert told[name] == pytest.approx(chance, abs=0.06)


def test_a_group_without_vectors_is_left_out_of_the_mean_over_groups():
    label = np.array(list("abcd"))[GROUP]
    vectors = np.where((label == "d")[:, None], 0.0, MIDDLING)
    told = values(grade_labels(vectors, GRAPH, label, "club"))["same club among neighbours"]
    same = np.diagonal(group_mix(vectors, label, GRAPH, n_neighbors=10).neighbors)
    assert np.isnan(same[3])
    assert told == pytest.approx(np.average(same[:3], weights=np.bincount(GROUP)[:3]))
