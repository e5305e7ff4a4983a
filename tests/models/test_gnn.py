import numpy as np
import pytest
from scipy import sparse

from residuum import GAT, GCN, GraphSAGE, datasets
from residuum.errors import DivergenceError, InvalidParameterError, MissingExtraError
from residuum.evaluation import link_task
from residuum.models._gnn_kernels import link_gradient
from residuum.models.gnn import _paper_features
from residuum.models.gnn_layers import two_layers
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


@pytest.mark.parametrize("kind", ["GCN", "GAT", "GraphSAGE"])
def test_the_layers_are_those_of_torch_geometric(gnn, kind):
    import torch

    rng = np.random.default_rng(0)
    weights = np.where(rng.random((30, 30)) < 0.2, rng.random((30, 30)), 0.0)
    # Two nodes have loops, one has nothing at all.
    weights = np.triu(weights) + np.triu(weights, 1).T
    weights[7], weights[:, 7] = 0.0, 0.0
    messages = sparse.csr_array(weights)
    assert 0 < np.count_nonzero(messages.diagonal()) < 30
    layers, vectors_of = two_layers(kind, (5, 16, 4), messages)
    inputs = torch.from_numpy(rng.normal(size=(30, 5)).astype(np.float32))
    edges = torch.from_numpy(np.stack(messages.nonzero()).astype(np.int64))
    known = (torch.from_numpy(messages.data.astype(np.float32)),) if kind == "GCN" else ()
    bend = torch.nn.functional.elu if kind == "GAT" else torch.relu
    expected = layers[1](bend(layers[0](inputs, edges, *known)), edges, *known)
    gradients = []
    for found in (vectors_of(inputs), expected):
        layers.zero_grad()
        found.square().sum().backward()
        gradients.append([parameter.grad.clone() for parameter in layers.parameters()])
    torch.testing.assert_close(vectors_of(inputs), expected)
    for ours, theirs in zip(*gradients, strict=True):
        torch.testing.assert_close(ours, theirs, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("n_negatives", [1, 3])
@pytest.mark.parametrize("n_blocks", [1, 2])
def test_the_loss_of_edges_and_its_gradient_are_those_of_torch(gnn, n_negatives, n_blocks):
    import torch

    rng = np.random.default_rng(1)
    hidden = torch.from_numpy(rng.normal(size=(20, 6)).astype(np.float32)).requires_grad_()
    sources, targets = rng.integers(20, size=(2, 57))
    negatives, weights = rng.integers(20, size=(57, n_negatives)), rng.random(57).astype(np.float32)
    assert (sources == targets).any()
    gradients, losses = np.full((n_blocks, 20, 6), np.nan, dtype=np.float32), np.full(n_blocks, np.nan)
    link_gradient(hidden.detach().numpy(), sources, targets, negatives, weights, gradients, losses)
    attraction = torch.nn.functional.softplus(-(hidden[sources] * hidden[targets]).sum(dim=1))
    repulsion = torch.nn.functional.softplus(torch.einsum("ek,enk->en", hidden[sources], hidden[negatives]))
    expected = (torch.from_numpy(weights) * (attraction + repulsion.sum(dim=1))).sum()
    expected.backward()
    np.testing.assert_allclose(losses.sum(), float(expected.detach()), rtol=1e-5)
    np.testing.assert_allclose(gradients.sum(axis=0), hidden.grad.numpy(), rtol=1e-4, atol=1e-5)
