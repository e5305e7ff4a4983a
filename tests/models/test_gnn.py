import numpy as np
import pytest

from residuum import GAT, GCN, GraphSAGE, datasets
from residuum.errors import DivergenceError, InvalidParameterError, MissingExtraError
from residuum.evaluation import link_task
from residuum.models.gnn import _paper_features
from residuum.nulls import DegreeCorrectedSBM

GRAPH = datasets.planted_groups(300, 4, random_state=2)
NETWORKS = [GCN, GAT, GraphSAGE]


@pytest.mark.parametrize("network", NETWORKS)
def test_links_are_predicted_better_than_by_degree_alone(gnn, network):
    graph = datasets.planted_groups(300, 6, mixing=0.1, random_state=2)
    task = link_task(graph, 0.3, np.random.default_rng(0))
    model = network(16, epochs=30, n_jobs=1, random_state=0).fit(task.train)
    strength = task.train.out_strength
    for negatives in ("uniform", "degree-matched"):
        degree = task.auc(lambda i, j: strength[i] * strength[j], negatives)
        assert task.auc(model.score_pairs, negatives) > degree + 0.05
    assert model.losses_[-1] < model.losses_[0]


@pytest.mark.parametrize("network", NETWORKS)
def test_negatives_of_a_null_model_lower_what_the_vectors_say_of_it(gnn, network):
    def gap(null_model):
        model = network(16, epochs=60, null_model=null_model, n_jobs=1, random_state=0).fit(GRAPH)
        unit = model.embedding_ / np.linalg.norm(model.embedding_, axis=1, keepdims=True)
        same = GRAPH.node_attributes["group"][:, None] == GRAPH.node_attributes["group"]
        return (unit @ unit.T)[same].mean() - (unit @ unit.T)[~same].mean()

    assert gap(DegreeCorrectedSBM("group")) < 0.7 * gap("erdos-renyi")


def test_features_are_degree_and_eigenvectors_of_unit_variance():
    features = _paper_features(GRAPH, 6, np.random.default_rng(0))
    assert features.shape == (300, 7)
    np.testing.assert_allclose(features.std(axis=0), 1.0, rtol=1e-4)
    assert np.corrcoef(features[:, 0], np.log1p(GRAPH.out_strength))[0, 1] > 0.95


def test_own_features_are_used_and_checked(gnn):
    own = np.random.default_rng(0).normal(size=(300, 3))
    with_own, without = (GCN(4, features=f, epochs=2, n_jobs=1, random_state=0).fit(GRAPH) for f in (own, None))
    assert (with_own.embedding_ != without.embedding_).any()
    for bad in (own[:-1], own[:, 0], np.full((300, 2), np.nan)):
        with pytest.raises(InvalidParameterError, match="features must be finite numbers, one row for each of the 300"):
            GCN(4, features=bad).fit(GRAPH)


def test_divergence_stops_with_the_learning_rate_in_its_message(gnn):
    huge = np.full((300, 3), 1e30) * np.random.default_rng(0).normal(size=(300, 3))
    with pytest.raises(DivergenceError, match=r"learning_rate is 10; take a smaller one"):
        GraphSAGE(4, features=huge, learning_rate=10.0, epochs=20, random_state=0).fit(GRAPH)


def test_torchs_own_random_numbers_and_threads_are_left_alone(gnn):
    import torch

    torch.manual_seed(3)
    expected, threads = torch.rand(2), torch.get_num_threads()
    torch.manual_seed(3)
    GCN(4, epochs=1, n_jobs=1, random_state=0).fit(GRAPH)
    assert torch.equal(torch.rand(2), expected)
    assert torch.get_num_threads() == threads


@pytest.mark.parametrize("network", NETWORKS)
def test_a_missing_extra_is_named(network, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "torch_geometric", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'residuum\[gnn\]'"):
        network(4).fit(GRAPH)
