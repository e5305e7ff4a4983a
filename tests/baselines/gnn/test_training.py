from dataclasses import replace

import numpy as np
import pytest

from graph_cases import graph_cases
from residuum import Graph, datasets
from residuum._threads import thread_limit
from residuum.baselines.gnn.training import GNNOptions, _Edges, _messages, seeded_torch, train_gnn
from residuum.errors import DivergenceError
from residuum.integrations.torch import NullNegativeSampler

CASES = graph_cases()
GRAPH = datasets.planted_groups(100, 3, random_state=2)
OPTIONS = GNNOptions("GCN", n_components=4, n_hidden=8, epochs=5, n_negatives=2, learning_rate=0.01, seed=0)
FEATURES = np.random.default_rng(0).normal(size=(100, 3)).astype(np.float32)


def train(graph=GRAPH, features=FEATURES, options=OPTIONS, progress=None):
    with thread_limit(1), seeded_torch(options.seed, 1):
        sampler = NullNegativeSampler(graph, "erdos-renyi", random_state=0)
        return train_gnn(graph, features, sampler, options, progress)


def test_each_epoch_has_a_loss_which_is_reported(gnn):
    events = []
    vectors, losses = train(progress=events.append)
    assert vectors.shape == (100, 4)
    assert vectors.dtype == np.float32
    assert [event.loss for event in events[1:]] == losses
    assert [event.done for event in events] == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize("kind", ["GCN", "GAT", "GraphSAGE"])
def test_training_reduces_the_loss(gnn, kind):
    graph = datasets.planted_groups(100, 5, mixing=0.02, random_state=2)
    groups = np.eye(5, dtype=np.float32)[graph.node_attributes["group"]]
    _, losses = train(graph, groups, replace(OPTIONS, kind=kind, epochs=60))
    # Zero vectors have a loss of 3 ln 2, for an edge and two negatives.
    assert np.mean(losses[-5:]) < min(losses[0], 3 * np.log(2)) - 0.1


@pytest.mark.parametrize("scale", [1e-6, 1e6])
def test_the_scale_of_the_weights_does_not_matter(gnn, scale):
    vectors, losses = train(Graph(scale * GRAPH.adjacency.astype(np.float64)))
    expected_vectors, expected_losses = train()
    np.testing.assert_allclose(vectors, expected_vectors, rtol=1e-3, atol=1e-4)
    np.testing.assert_allclose(losses, expected_losses, rtol=1e-4)


def test_divergence_stops_training_and_names_the_learning_rate(gnn):
    with pytest.raises(DivergenceError, match=r"training diverged: .*learning_rate is 10; use a smaller value"):
        train(features=1e30 * FEATURES, options=replace(OPTIONS, kind="GraphSAGE", learning_rate=10.0, epochs=20))


@pytest.fixture
def two_threads(gnn):
    import torch

    n_threads = torch.get_num_threads()
    torch.set_num_threads(2)
    yield torch
    torch.set_num_threads(n_threads)


def test_the_random_state_and_the_threads_of_torch_are_restored(two_threads):
    torch = two_threads
    torch.manual_seed(3)
    expected = torch.rand(2)
    torch.manual_seed(3)
    inside = []
    for _ in range(2):
        with seeded_torch(7, 1):
            inside.append(torch.rand(2))
            assert torch.get_num_threads() == 1
    assert torch.equal(*inside)
    assert torch.equal(torch.rand(2), expected)
    assert torch.get_num_threads() == 2


def test_threads_are_restored_after_an_error(two_threads):
    with pytest.raises(KeyError), seeded_torch(0, 1):
        raise KeyError
    assert two_threads.get_num_threads() == 2


@pytest.mark.parametrize("case", ["weighted", "weights below one", "directed", "self-loops"])
def test_messages_are_symmetric_and_relative_to_the_mean_weight(case):
    A = CASES[case].adjacency.toarray().astype(float)
    expected = A + A.T if CASES[case].directed else A
    np.testing.assert_allclose(_messages(CASES[case]).toarray(), expected / expected[expected > 0].mean(), rtol=1e-5)


@pytest.mark.parametrize("n_negatives", [1, 3])
@pytest.mark.parametrize("n_threads", [1, 2])
@pytest.mark.parametrize("case", ["weighted", "weights below one", "directed", "self-loops"])
def test_the_loss_of_edges_and_its_gradient_equal_those_of_torch(gnn, case, n_threads, n_negatives):
    import torch

    rng = np.random.default_rng(1)
    A = CASES[case].adjacency.toarray().astype(float)
    sources, targets = np.nonzero(A)
    weights = torch.from_numpy(A[sources, targets] / A.sum())
    negatives = rng.integers(len(A), size=(len(sources), n_negatives))
    hidden = torch.from_numpy(rng.normal(size=(len(A), 6))).requires_grad_()
    attraction = torch.nn.functional.softplus(-(hidden[sources] * hidden[targets]).sum(dim=1))
    repulsion = torch.nn.functional.softplus(torch.einsum("ek,enk->en", hidden[sources], hidden[negatives]))
    expected = (weights * (attraction + repulsion.sum(dim=1))).sum()
    expected.backward()
    with thread_limit(n_threads):
        edges = _Edges(CASES[case], 6)
        np.testing.assert_array_equal(np.stack([edges.sources, edges.targets]), [sources, targets])
        # Buffers are reused: the second call must not add to the first.
        for _ in range(2):
            loss, gradient = edges.loss(hidden.detach().numpy().astype(np.float32), negatives)
    assert loss == pytest.approx(float(expected.detach()), rel=1e-5)
    np.testing.assert_allclose(gradient, hidden.grad.numpy(), rtol=1e-4, atol=1e-5)
