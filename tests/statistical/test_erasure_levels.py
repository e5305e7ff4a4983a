"""What each level of erasure promises, on planted graphs whose only structure is a label, a year, or the degree."""

import sys
from pathlib import Path

import numpy as np
import pytest

from residuum import Graph, Residual2Vec
from residuum.evaluation import attack
from residuum.nulls import DegreeCorrectedSBM

sys.path.insert(0, str(Path(__file__).parent))
from planted import planted, uneven_citations

# Sparse planted graphs have a few connected components, which does not matter here.
pytestmark = pytest.mark.filterwarnings("ignore:the graph has")
LINEAR = ["logistic regression", "linear SVM"]


def fit(graph, **parameters):
    return Residual2Vec(**({"n_components": 16, "random_state": 0} | parameters)).fit(graph)


def strongest(model, attribute, attackers=None, **options):
    report = attack(
        model.embedding_, attribute, context_vectors=model.context_embedding_, attackers=attackers, **options
    )
    return report.strongest


def test_linear_attackers_find_a_planted_label_before_erasure_and_not_after():
    graph, labels = planted("dcsbm")
    assert strongest(fit(graph), labels, LINEAR).leak > 0.5
    erased = strongest(fit(graph, erase=labels), labels, LINEAR)
    assert erased.accuracy < erased.chance + 0.05


@pytest.mark.parametrize("parameters", [{}, {"null_model": "dcsbm", "erase": "null"}, {"solver": "landmark"}])
def test_no_attacker_finds_a_planted_label_at_level_distribution(parameters):
    graph, labels = planted("dcsbm")
    if "null_model" in parameters:
        parameters = parameters | {"null_model": DegreeCorrectedSBM(labels)}
    model = fit(graph, **({"erase": labels, "erase_level": "distribution"} | parameters))
    assert strongest(model, labels).leak < 0.07  # four labels, 600 nodes: 95 % of permuted labels are below 0.05


def test_no_attacker_finds_any_of_two_labels_or_their_combination():
    graph, labels = planted("dcsbm")
    other = (np.arange(graph.n_nodes) // 4) % 2
    model = fit(graph, erase={"label": labels, "other": other}, erase_level="distribution")
    fast = ["logistic regression", "1 nearest neighbor", "20 nearest neighbors", "associations"]
    for attribute in (labels, other, labels * 2 + other):
        assert strongest(model, attribute, fast).leak < 0.07


def test_no_attacker_finds_a_planted_year_or_the_degree():
    graph, years = planted("temporal")
    fast = ["logistic regression", "1 nearest neighbor", "20 nearest neighbors", "boosted trees"]
    assert strongest(fit(graph), years, fast, kind="number").leak > 0.3
    model = fit(graph, erase=years, erase_level="distribution")
    assert strongest(model, years, fast, kind="number").leak < 0.07
    degree = np.log(graph.out_strength)
    assert strongest(fit(graph, null_model="erdos-renyi"), degree, fast).leak > 0.2
    model = fit(graph, null_model="erdos-renyi", erase="degree", erase_level="distribution")
    assert strongest(model, degree, fast).leak < 0.07


@pytest.mark.parametrize(("level", "strength"), [("linear", 0.5), ("linear", 1.0), ("distribution", 0.5)])
def test_no_attacker_does_better_than_before_erasure(level, strength):
    # Each label has communities of its own: after equal means alone, they still vary in different dimensions.
    rng = np.random.default_rng(0)
    communities = np.arange(600) % 20
    labels = communities // 10
    same_label = np.where(labels[:, None] == labels, 0.03, 0.02)
    probability = np.where(communities[:, None] == communities, 0.3, same_label)
    upper = np.triu(rng.random((600, 600)) < probability, 1)
    graph = Graph((upper | upper.T).astype(float))
    attackers = ["logistic regression", "1 nearest neighbor", "boosted trees", "neural network"]
    before, after = (
        attack(fit(graph, **parameters).embedding_, labels, attackers=attackers).attacks
        for parameters in ({}, {"erase": labels, "erase_level": level, "erase_strength": strength})
    )
    for first, second in zip(before, after, strict=True):
        assert second.leak < first.leak + 0.03, second.name
        if strength == 1.0 and second.name in attackers[2:]:
            assert second.leak < 0.15, second.name


def test_trees_do_not_find_the_year_of_hardly_cited_papers_by_its_trend(monkeypatch):
    graph, year = uneven_citations()
    attackers = ["logistic regression", "1 nearest neighbor", "boosted trees"]

    def leaks(**parameters):
        model = fit(graph, **parameters)
        options = {"context_vectors": model.context_embedding_, "attackers": attackers}
        return {result.name: result.leak for result in attack(model.embedding_, year, **options).attacks}

    before, after = leaks(), leaks(erase=year)
    for name in attackers:
        assert after[name] < before[name] + 0.03, name
    assert after["logistic regression"] < 0.1 < before["logistic regression"]
    monkeypatch.setattr("residuum.models.erasing.erases_trend", lambda *_: False)
    assert leaks(erase=year)["boosted trees"] > before["boosted trees"] + 0.1


@pytest.mark.parametrize("level", ["linear", "distribution"])
def test_leak_of_linear_attackers_falls_with_the_strength(level):
    graph, labels = planted("dcsbm")
    leaks = [
        strongest(fit(graph, erase=labels, erase_level=level, erase_strength=s), labels, LINEAR[:1]).accuracy
        for s in (0.0, 0.8, 1.0)
    ]
    assert leaks[0] > leaks[1] > leaks[2] - 0.05
    assert leaks[2] < 0.32


def test_attacker_trained_on_the_graph_is_at_chance_on_out_of_sample_nodes():
    from sklearn.neighbors import KNeighborsClassifier

    graph, labels = planted("dcsbm", n=800)
    A = graph.adjacency.toarray()
    new = np.random.default_rng(1).random(graph.n_nodes) < 0.2
    has_edges = A[~new][:, ~new].any(axis=1)
    old = np.flatnonzero(~new)[has_edges]
    new = np.flatnonzero(new)[A[new][:, old].any(axis=1)]
    accuracy = {}
    for erased in (False, True):
        parameters = {"erase": {"label": labels[old]}, "erase_level": "distribution"} if erased else {}
        model = fit(Graph(A[old][:, old]), **parameters)
        vectors = model.transform(A[new][:, old], attributes={"label": labels[new]})
        predicted = KNeighborsClassifier(5).fit(model.embedding_, labels[old]).predict(vectors)
        accuracy[erased] = np.mean([np.mean(predicted[labels[new] == g] == g) for g in range(4)])
    assert accuracy[False] > 0.6
    assert abs(accuracy[True] - 0.25) < 0.08


def test_scores_of_pairs_no_longer_depend_on_a_common_label():
    graph, labels = planted("dcsbm")
    same = labels[:, None] == labels
    gaps = []
    for model in (fit(graph), fit(graph, erase=labels, erase_level="distribution")):
        scores = model.embedding_ @ model.context_embedding_.T
        gaps.append((scores[same].mean() - scores[~same].mean()) / scores.std())
    assert gaps[0] > 0.5
    assert abs(gaps[1]) < 0.05
