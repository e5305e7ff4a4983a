import numpy as np
import pytest

from residuum import Node2Vec, datasets
from residuum.baselines import FairWalk
from residuum.errors import InvalidParameterError

GRAPH = datasets.planted_groups(150, 3, random_state=1)
COMMON = {"n_components": 6, "window": 4, "n_walks": 10, "walk_length": 20, "n_jobs": 1, "random_state": 7}


def same_group_similarity(model):
    unit = model.embedding_ / np.linalg.norm(model.embedding_, axis=1, keepdims=True)
    same = GRAPH.node_attributes["group"][:, None] == GRAPH.node_attributes["group"]
    cosine = unit @ unit.T
    return cosine[same].mean() - cosine[~same].mean()


def test_a_single_group_equals_node2vec_up_to_sampling():
    everyone = np.zeros(150, dtype=int)
    fair, plain = FairWalk(groups=everyone, **COMMON).fit(GRAPH), Node2Vec(**COMMON).fit(GRAPH)
    products = [(model.embedding_ @ model.context_embedding_.T).ravel() for model in (fair, plain)]
    assert np.corrcoef(*products)[0, 1] > 0.8


def test_vectors_depend_less_on_the_group_than_those_of_node2vec():
    fair, plain = FairWalk(groups="group", **COMMON).fit(GRAPH), Node2Vec(**COMMON).fit(GRAPH)
    assert same_group_similarity(fair) < 0.7 * same_group_similarity(plain)


def test_missing_and_invalid_groups_are_refused():
    with pytest.raises(InvalidParameterError, match="FairWalk needs groups"):
        FairWalk(4).fit(GRAPH)
    with pytest.raises(InvalidParameterError, match="one value for each of the 150 nodes"):
        FairWalk(4, groups=[1, 2]).fit(GRAPH)
