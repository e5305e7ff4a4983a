import numpy as np
import pytest

from residuum import DeepWalk, Node2Vec
from residuum.models.walk_embedding import WalkEmbedding
from residuum.nulls import Configuration, ErdosRenyi
from residuum.solvers import SkipGram


class Uniform(WalkEmbedding):
    def _null_model(self) -> ErdosRenyi:
        return ErdosRenyi()


def test_parameters_reach_the_solver():
    model = Uniform(4, n_walks=3, walk_length=20, epochs=2, n_negatives=7, learning_rate=0.01, window=[2, 1])
    settings = model._settings()
    assert settings.solver == SkipGram(n_walks=3, walk_length=20, epochs=2, n_negatives=7, learning_rate=0.01)
    np.testing.assert_allclose(settings.window, [2 / 3, 1 / 3])


def test_walks_are_unbiased_unless_p_and_q_are_parameters():
    assert Uniform()._settings().solver == SkipGram(p=1.0, q=1.0)
    assert Node2Vec(p=2.0, q=0.5)._settings().solver == SkipGram(p=2.0, q=0.5)


@pytest.mark.parametrize(("model", "null_model"), [(DeepWalk(), ErdosRenyi), (Node2Vec(exponent=0.5), Configuration)])
def test_subclasses_define_the_null_model(model, null_model):
    assert isinstance(model._settings().null_model, null_model)


def test_the_base_class_has_no_null_model():
    with pytest.raises(NotImplementedError):
        WalkEmbedding()._settings()


def test_parameters_of_subclasses_are_those_of_scikit_learn():
    assert set(Uniform().get_params()) == set(DeepWalk().get_params())
    assert set(Node2Vec().get_params()) - set(DeepWalk().get_params()) == {"p", "q", "exponent"}
    assert Node2Vec(p=3.0).set_params(q=0.1).get_params()["q"] == 0.1
