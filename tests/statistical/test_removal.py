"""On graphs whose only structure is a bias, the matching null model reduces it and erasure removes the rest."""

import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score

from residuum import Graph, Residual2Vec
from residuum.evaluation import similarity_dependence
from residuum.models.defaults import read_floor
from residuum.nulls import Bipartite, Configuration, DegreeCorrectedSBM, DegreeCorrelated, Multilayer, Spatial, Temporal
from residuum.residual import ResidualMatrix
from residuum.walks import WindowProbabilities

sys.path.insert(0, str(Path(__file__).parent))
from planted import citations, planted

NULLS = {
    "dcsbm": lambda attribute: DegreeCorrectedSBM(attribute),
    "multilayer": lambda attribute: Multilayer(attribute),
    "bipartite": lambda attribute: Bipartite(),
    "temporal": lambda attribute: Temporal(attribute),
    "degree-correlated": lambda attribute: DegreeCorrelated(1.6),
    "spatial": lambda attribute: Spatial(attribute, n_places=40),
}


def as_labels(kind, attribute):
    """Return the attribute as labels; coordinates become quadrants."""
    if kind == "spatial":
        return (attribute[:, 0] > 0.5) * 2 + (attribute[:, 1] > 0.5)
    return attribute.astype(int)


def dependence(kind, vectors, attribute):
    return similarity_dependence(vectors, attribute if kind == "temporal" else as_labels(kind, attribute))


def fit(graph, null_model, **parameters):
    settings = {"n_components": 32, "floor": 0.0, "weighting": 0.0, "shrinkage": 0.0, "scale": 1.0, "random_state": 0}
    return Residual2Vec(null_model=null_model, **(settings | parameters)).fit(graph)


def window_for(kind):
    """Return the window; long walks forget the side and the degree of their start, three steps do not."""
    return 3 if kind in {"bipartite", "degree-correlated"} else 10


# Sparse planted graphs have a few connected components, which does not matter here.
pytestmark = pytest.mark.filterwarnings("ignore:the graph has")


@pytest.mark.parametrize("kind", NULLS)
def test_matching_null_model_leaves_less_than_a_third_of_the_dependence(kind):
    graph, attribute = planted(kind)
    plain = dependence(kind, fit(graph, "erdos-renyi", window=window_for(kind)).embedding_, attribute)
    fitted = dependence(kind, fit(graph, NULLS[kind](attribute), window=window_for(kind)).embedding_, attribute)
    assert plain > 0.05
    assert fitted < plain / 3


def test_a_null_model_by_year_leaves_less_than_half_of_the_year_in_directed_citations():
    graph, year = citations()
    by_degree, by_year = (
        similarity_dependence(
            Residual2Vec(32, null_model=null, window=3, shrinkage=0.0, random_state=0).fit(graph).embedding_, year
        )
        for null in ("configuration", Temporal(year))
    )
    assert by_degree > 0.2
    assert by_year < by_degree / 2


@pytest.mark.parametrize("null_model", [Configuration, lambda: Temporal("year")], ids=["configuration", "temporal"])
def test_citations_of_the_future_have_no_association(null_model):
    graph, year = citations()
    graph = Graph(graph.adjacency, directed=True, node_attributes={"year": year})
    matrix = ResidualMatrix(WindowProbabilities(graph, 5), null_model().fit(graph, 5), read_floor(graph)[0])
    values = matrix.columns(np.arange(graph.n_nodes))
    assert not values[year[:, None] <= year].any()
    assert values.max() > 1


@pytest.mark.parametrize("kind", NULLS)
def test_linear_predictor_is_at_chance_after_erasure(kind):
    graph, attribute = planted(kind)
    labels = as_labels(kind, attribute)
    model = fit(graph, NULLS[kind](attribute), erase=labels)
    assert dependence(kind, model.embedding_, attribute) < 0.005
    predictor = LogisticRegression(max_iter=1000, class_weight="balanced")
    accuracy = cross_val_score(predictor, model.embedding_, labels, cv=5, scoring="balanced_accuracy").mean()
    # Usually below chance, because the predictor fits the noise of its training folds.
    assert accuracy < 1 / len(np.unique(labels)) + 0.03


@pytest.mark.parametrize("kind", NULLS)
def test_erasure_holds_for_out_of_sample_nodes(kind):
    graph, attribute = planted(kind)
    labels = as_labels(kind, attribute)
    out_of_sample = np.random.default_rng(1).random(graph.n_nodes) < 0.25
    A = graph.adjacency.toarray()
    has_edges = Graph(A[~out_of_sample][:, ~out_of_sample]).out_strength > 0
    in_sample = np.flatnonzero(~out_of_sample)[has_edges]
    model = fit(
        Graph(A[in_sample][:, in_sample]), NULLS[kind](attribute[in_sample]), erase={"label": labels[in_sample]}
    )
    edges = A[out_of_sample][:, in_sample]
    linked = edges.any(axis=1)
    groups = None if kind in {"bipartite", "degree-correlated"} else attribute[out_of_sample][linked]
    vectors = model.transform(edges[linked], groups=groups, attributes={"label": labels[out_of_sample][linked]})
    # Train the predictor on nodes of the graph, test it on out-of-sample nodes.
    predictor = LogisticRegression(max_iter=1000, class_weight="balanced").fit(model.embedding_, labels[in_sample])
    truth = labels[out_of_sample][linked]
    predicted = predictor.predict(vectors)
    recall = [np.mean(predicted[truth == label] == label) for label in np.unique(truth)]
    n_labels = len(np.unique(labels))
    assert np.mean(recall) < 1 / n_labels + 0.12


def test_configuration_model_removes_degree():
    graph, _ = planted("nothing")
    degree = np.log(graph.out_strength)
    scores = {}
    for name in ("erdos-renyi", "configuration"):
        model = fit(graph, name, window=10)
        association = model.embedding_ @ model.context_embedding_.T
        pairs = np.triu_indices(graph.n_nodes, k=1)
        product = (degree[:, None] + degree)[pairs]
        scores[name] = np.corrcoef(((association + association.T) / 2)[pairs], product)[0, 1] ** 2
    assert scores["erdos-renyi"] > 0.2
    assert scores["configuration"] < scores["erdos-renyi"] / 3
