import numpy as np

from residuum import Node2Vec, Residual2Vec, datasets
from residuum.nulls import Configuration
from residuum.solvers import SkipGram

GRAPH = datasets.planted_groups(120, 3, random_state=1)
COMMON = {"n_components": 6, "window": 4, "n_jobs": 1, "random_state": 7}
SHORT = {"n_walks": 3, "walk_length": 20, "epochs": 2, "p": 0.5, "q": 2.0}


def test_it_equals_residual2vec_with_a_configuration_null_model_of_exponent_three_quarters():
    node2vec = Node2Vec(**COMMON, **SHORT).fit(GRAPH)
    residual = Residual2Vec(null_model=Configuration(0.75), solver=SkipGram(**SHORT), **COMMON).fit(GRAPH)
    np.testing.assert_array_equal(node2vec.embedding_, residual.embedding_)


def test_p_and_q_and_the_exponent_change_the_vectors():
    plain, *changed = (
        Node2Vec(**COMMON, n_walks=1, epochs=1, **extra).fit(GRAPH).embedding_
        for extra in ({}, {"p": 4.0}, {"q": 0.25}, {"exponent": 1.0})
    )
    assert all((plain != vectors).any() for vectors in changed)


def test_the_defaults_are_those_of_the_paper():
    model = Node2Vec()
    assert (model.n_walks, model.walk_length, model.window, model.epochs) == (10, 80, 10, 5)
    assert (model.p, model.q, model.exponent) == (1.0, 1.0, 0.75)
