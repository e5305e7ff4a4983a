import pickle

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from residuum import Residual2Vec, datasets
from residuum.nulls import Configuration

GRAPH = datasets.planted_groups(300, 3, random_state=2)
PARAMETERS = {"n_components": 5, "null_model": Configuration(0.75), "window": [0.5, 0.5], "random_state": 3}


def edge_table(graph):
    upper = sparse.coo_array(sparse.triu(graph.adjacency))
    return pd.DataFrame({"source": upper.row, "target": upper.col})


def test_init_only_stores_what_it_is_given():
    odd = {"n_components": "many", "window": object(), "solver": 7}
    model = Residual2Vec(**odd)
    assert {name: model.get_params()[name] for name in odd} == odd


def test_clone_and_set_params():
    model = Residual2Vec(**PARAMETERS).fit(GRAPH)
    twin = clone(model)
    assert not hasattr(twin, "embedding_")
    assert twin.get_params()["window"] == [0.5, 0.5]
    assert twin.set_params(n_components=7).fit_transform(GRAPH).shape == (300, 7)


def test_fit_returns_self_and_leaves_parameters_alone():
    model = Residual2Vec(**PARAMETERS)
    before = dict(model.get_params())
    assert model.fit(GRAPH) is model
    assert model.get_params() == before


def test_a_pipeline_trains_a_classifier_on_the_vectors():
    pipeline = make_pipeline(Residual2Vec(8, random_state=0), StandardScaler(), LogisticRegression())
    group = GRAPH.node_attributes["group"]
    pipeline.fit(GRAPH.adjacency, group)
    assert pipeline.score(GRAPH.adjacency, group) > 0.9


def test_grid_search_over_the_window_hides_edges_and_asks_for_them():
    folds = KFold(3, shuffle=True, random_state=0)
    search = GridSearchCV(Residual2Vec(8, random_state=0), {"window": [1, 5]}, cv=folds, error_score="raise")
    search.fit(edge_table(GRAPH))
    scores = search.cv_results_["mean_test_score"]
    assert search.best_params_ == {"window": [1, 5][int(np.argmax(scores))]}
    assert scores.max() > 0.6


def test_score_is_the_auc_of_the_full_score():
    model = Residual2Vec(16, random_state=0).fit(GRAPH)
    assert model.score(GRAPH) > 0.8
    assert model.score(edge_table(GRAPH)) == pytest.approx(model.score(GRAPH), abs=0.01)


def test_edges_that_are_asked_for_are_not_among_those_that_should_lose(monkeypatch):
    dense = datasets.planted_groups(60, 2, average_degree=30, random_state=0)
    hidden = edge_table(dense)[::2]
    model = Residual2Vec(8, random_state=0).fit(edge_table(dense)[1::2])
    asked = []
    monkeypatch.setattr(model, "score_pairs", lambda i, j, mode: asked.append((i, j)) or np.ones(len(i)))
    assert model.score(hidden) == 0.5
    whole = dense.adjacency.toarray() > 0
    (rows, columns), (others, ends) = asked
    assert whole[rows, columns].all()
    assert not whole[others, ends].any()


def test_feature_names_and_pandas_output():
    model = Residual2Vec(3, random_state=0).set_output(transform="pandas")
    frame = model.fit_transform(GRAPH.adjacency)
    assert list(frame.columns) == ["residual2vec0", "residual2vec1", "residual2vec2"]
    np.testing.assert_array_equal(frame.to_numpy(), model.embedding_)
    assert list(model.get_feature_names_out()) == list(frame.columns)
    assert list(model.transform(GRAPH.adjacency[:4]).columns) == list(frame.columns)


def test_pandas_output_of_an_edge_table_has_the_nodes_as_index():
    table = edge_table(GRAPH).astype(str)
    model = Residual2Vec(3, random_state=0).set_output(transform="pandas")
    assert model.fit_transform(table).index.tolist() == model.node_ids_.tolist()
    newcomers = pd.DataFrame({"source": ["x", "x", "y"], "target": ["5", "6", "7"]})
    assert model.transform(newcomers).shape == (2, 3)


def test_pickling_keeps_everything():
    model = Residual2Vec(4, random_state=0).fit(GRAPH)
    twin = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(twin.embedding_, model.embedding_)
    np.testing.assert_array_equal(twin.transform(GRAPH.adjacency[:3]), model.transform(GRAPH.adjacency[:3]))


@pytest.mark.parametrize("method", ["transform", "score", "to_embedding", "score_pairs"])
def test_before_fit_methods_say_so(method):
    arguments = {"transform": [GRAPH.adjacency], "score": [GRAPH], "score_pairs": [[0], [1]]}.get(method, [])
    with pytest.raises(NotFittedError):
        getattr(Residual2Vec(), method)(*arguments)
