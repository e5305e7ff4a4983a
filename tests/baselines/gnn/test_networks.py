import numpy as np
import pytest

from graph_cases import graph_cases
from residuum import datasets
from residuum.baselines import GAT, GCN, GraphSAGE
from residuum.baselines.gnn.networks import _paper_features
from residuum.errors import InvalidParameterError, MissingExtraError
from residuum.evaluation import link_task
from residuum.nulls import DegreeCorrectedSBM

CASES = graph_cases()
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
def test_negatives_of_a_null_model_with_groups_reduce_the_similarity_within_groups(gnn, network):
    def gap(null_model):
        model = network(16, epochs=60, null_model=null_model, n_jobs=1, random_state=0).fit(GRAPH)
        unit = model.embedding_ / np.linalg.norm(model.embedding_, axis=1, keepdims=True)
        same = GRAPH.node_attributes["group"][:, None] == GRAPH.node_attributes["group"]
        return (unit @ unit.T)[same].mean() - (unit @ unit.T)[~same].mean()

    assert gap(DegreeCorrectedSBM("group")) < 0.7 * gap("erdos-renyi")


def test_default_features_are_log_degree_and_laplacian_eigenvectors_of_unit_variance():
    features = _paper_features(GRAPH, 6, np.random.default_rng(0))
    degree, A = GRAPH.out_strength, GRAPH.adjacency.toarray()
    _, vectors = np.linalg.eigh(np.eye(300) - A / np.sqrt(np.outer(degree, degree)))
    expected = np.column_stack([np.log1p(degree / degree.mean()), vectors[:, 1:7]])
    expected = (expected - expected.mean(axis=0)) / expected.std(axis=0)
    assert features.dtype == np.float32
    signs = np.sign((features * expected).sum(axis=0))
    assert signs[0] == 1
    np.testing.assert_allclose(features, expected * signs, atol=1e-3)


@pytest.mark.filterwarnings("ignore:the graph has")
@pytest.mark.parametrize("case", CASES)
def test_default_features_are_finite_on_every_kind_of_graph(case):
    features = _paper_features(CASES[case], 3, np.random.default_rng(0))
    assert features.shape == (CASES[case].n_nodes, 4)
    assert np.isfinite(features).all()


def test_features_of_the_user_replace_the_default_and_are_checked(gnn):
    own = np.random.default_rng(0).normal(size=(300, 3))
    with_own, without = (GCN(4, features=f, epochs=2, n_jobs=1, random_state=0).fit(GRAPH) for f in (own, None))
    assert (with_own.embedding_ != without.embedding_).any()
    for bad in (own[:-1], own[:, 0], np.full((300, 2), np.nan)):
        with pytest.raises(InvalidParameterError, match="features must be finite, with one row for each of the 300"):
            GCN(4, features=bad).fit(GRAPH)


@pytest.mark.parametrize("network", NETWORKS)
def test_the_offset_is_that_of_the_null_model(gnn, network):
    model = network(4, null_model="configuration", epochs=1, n_jobs=1, random_state=0).fit(GRAPH)
    np.testing.assert_allclose(model.offset_, np.log(GRAPH.in_strength / GRAPH.in_strength.sum()))
    np.testing.assert_array_equal(model.embedding_, model.context_embedding_)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"epochs": 0}, "epochs must be at least 1; got 0"),
        ({"n_hidden": 0}, "n_hidden must be at least 1; got 0"),
        ({"n_negatives": 0}, "n_negatives must be at least 1; got 0"),
        ({"learning_rate": 0.0}, "learning_rate must be .*; got 0"),
        ({"n_components": 300}, "n_components must be below the number of nodes, 300; got 300"),
        ({"null_model": "magic"}, "null_model must be one of"),
    ],
)
def test_invalid_parameters_are_named(gnn, parameters, message):
    with pytest.raises(InvalidParameterError, match=message):
        GCN(**{"n_components": 4} | parameters).fit(GRAPH)


@pytest.mark.parametrize("network", NETWORKS)
def test_a_missing_extra_is_named(network, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "torch_geometric", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'residuum\[gnn\]'"):
        network(4).fit(GRAPH)
