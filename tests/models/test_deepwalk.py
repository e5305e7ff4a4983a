import numpy as np
import pytest

from residuum import DeepWalk, Residual2Vec, datasets
from residuum.errors import InvalidParameterError
from residuum.nulls import ErdosRenyi
from residuum.solvers import SkipGram

GRAPH = datasets.planted_groups(120, 3, random_state=1)
SHORT = {"n_walks": 3, "walk_length": 20, "epochs": 2, "n_negatives": 3, "learning_rate": 0.05}
COMMON = {"n_components": 6, "window": 4, "n_jobs": 1, "random_state": 7}


def test_it_equals_residual2vec_with_the_erdos_renyi_null_model_and_the_skipgram_solver():
    deepwalk = DeepWalk(**COMMON, **SHORT).fit(GRAPH)
    residual = Residual2Vec(null_model="erdos-renyi", solver=SkipGram(**SHORT), **COMMON).fit(GRAPH)
    np.testing.assert_array_equal(deepwalk.embedding_, residual.embedding_)
    np.testing.assert_array_equal(deepwalk.context_embedding_, residual.context_embedding_)
    np.testing.assert_array_equal(deepwalk.offset_, residual.offset_)
    np.testing.assert_array_equal(deepwalk.transform(GRAPH.adjacency[:3]), residual.transform(GRAPH.adjacency[:3]))


def test_the_defaults_are_those_of_the_paper():
    model = DeepWalk()
    assert (model.n_walks, model.walk_length, model.window, model.epochs) == (10, 80, 10, 5)
    assert isinstance(model._settings().null_model, ErdosRenyi)


def test_vectors_separate_planted_groups():
    model = DeepWalk(8, window=4, n_jobs=1, random_state=0).fit(GRAPH)
    unit = model.embedding_ / np.linalg.norm(model.embedding_, axis=1, keepdims=True)
    same = GRAPH.node_attributes["group"][:, None] == GRAPH.node_attributes["group"]
    cosine = unit @ unit.T
    assert cosine[same].mean() > cosine[~same].mean() + 0.2


@pytest.mark.parametrize(("name", "value"), [("epochs", 0), ("n_walks", -1), ("window", 0), ("learning_rate", 0.0)])
def test_invalid_parameters_are_named(name, value):
    with pytest.raises(InvalidParameterError, match=f"{name} must be"):
        DeepWalk(4, **{name: value}).fit(GRAPH)
