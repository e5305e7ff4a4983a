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


def test_init_only_stores_its_arguments():
    odd = {"n_components": "many", "window": object(), "solver": 7}
    model = Residual2Vec(**odd)
    assert {name: model.get_params()[name] for name in odd} == odd


def test_clone_copies_parameters_but_not_the_fit():
    model = Residual2Vec(**PARAMETERS).fit(GRAPH)
    unfitted = clone(model)
    assert not hasattr(unfitted, "embedding_")
    assert unfitted.get_params()["window"] == [0.5, 0.5]
    assert unfitted.set_params(n_components=7).fit_transform(GRAPH).shape == (300, 7)


def test_fit_returns_self_and_does_not_change_parameters():
    model = Residual2Vec(**PARAMETERS)
    before = dict(model.get_params())
    assert model.fit(GRAPH) is model
    assert model.get_params() == before


def test_a_pipeline_trains_a_classifier_on_the_vectors():
    pipeline = make_pipeline(Residual2Vec(8, random_state=0), StandardScaler(), LogisticRegression())
    group = GRAPH.node_attributes["group"]
    pipeline.fit(GRAPH.adjacency, group)
    assert pipeline.score(GRAPH.adjacency, group) > 0.9


def test_grid_search_tunes_the_window_on_held_out_edges():
    folds = KFold(3, shuffle=True, random_state=0)
    search = GridSearchCV(Residual2Vec(8, random_state=0), {"window": [1, 5]}, cv=folds, error_score="raise")
    search.fit(edge_table(GRAPH))
    scores = search.cv_results_["mean_test_score"]
    assert search.best_params_ == {"window": [1, 5][int(np.argmax(scores))]}
    assert scores.max() > 0.6


def test_pandas_output_has_feature_names():
    model = Residual2Vec(3, random_state=0).set_output(transform="pandas")
    frame = model.fit_transform(GRAPH.adjacency)
    assert list(frame.columns) == ["residual2vec0", "residual2vec1", "residual2vec2"]
    np.testing.assert_array_equal(frame.to_numpy(), model.embedding_)
    assert list(model.get_feature_names_out()) == list(frame.columns)
    assert list(model.transform(GRAPH.adjacency[:4]).columns) == list(frame.columns)


def test_pandas_output_of_an_edge_table_is_indexed_by_node_id():
    table = edge_table(GRAPH).astype(str)
    model = Residual2Vec(3, random_state=0).set_output(transform="pandas")
    assert model.fit_transform(table).index.tolist() == model.node_ids_.tolist()
    new_edges = pd.DataFrame({"source": ["x", "x", "y"], "target": ["5", "6", "7"]})
    assert model.transform(new_edges).shape == (2, 3)


def test_pickling_keeps_vectors_and_transform():
    model = Residual2Vec(4, random_state=0).fit(GRAPH)
    unpickled = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(unpickled.embedding_, model.embedding_)
    np.testing.assert_array_equal(unpickled.transform(GRAPH.adjacency[:3]), model.transform(GRAPH.adjacency[:3]))


@pytest.mark.parametrize("method", ["transform", "score", "to_embedding", "score_pairs"])
def test_methods_before_fit_raise_not_fitted_error(method):
    arguments = {"transform": [GRAPH.adjacency], "score": [GRAPH], "score_pairs": [[0], [1]]}.get(method, [])
    with pytest.raises(NotFittedError):
        getattr(Residual2Vec(), method)(*arguments)
