import numpy as np
import pytest
from scipy import sparse

from residuum.baselines.gnn.layers import two_layers
from residuum.errors import MissingExtraError

KINDS = ["GCN", "GAT", "GraphSAGE"]


def weights(n_nodes=30, scale=1.0):
    """Return symmetric weights; some nodes have loops, node 7 has no neighbor."""
    rng = np.random.default_rng(0)
    upper = np.triu(np.where(rng.random((n_nodes, n_nodes)) < 0.2, rng.random((n_nodes, n_nodes)), 0.0))
    matrix = scale * (upper + np.triu(upper, 1).T)
    matrix[7], matrix[:, 7] = 0.0, 0.0
    assert 0 < np.count_nonzero(matrix.diagonal()) < n_nodes
    return matrix


def features(n_nodes=30, scale=1.0):
    return (scale * np.random.default_rng(1).normal(size=(n_nodes, 5))).astype(np.float32)


def parameters(layer):
    return {name: value.detach().numpy().astype(float) for name, value in layer.named_parameters()}


def with_loops(A):
    return A + np.diag((A.diagonal() == 0).astype(float))


def gcn(layer, A, x):
    """``D̃^−½ (A + I) D̃^−½ x W + b``."""
    p, looped = parameters(layer), with_loops(A)
    scale = 1 / np.sqrt(looped.sum(axis=1))
    return scale[:, None] * looped * scale @ (x @ p["lin.weight"].T) + p["bias"]


def graph_sage(layer, A, x):
    """``W_1 mean_j x_j + W_2 x_i + b``."""
    p = parameters(layer)
    mean = np.array([x[row > 0].mean(axis=0) if row.any() else np.zeros(x.shape[1]) for row in A])
    return mean @ p["lin_l.weight"].T + p["lin_l.bias"] + x @ p["lin_r.weight"].T


def gat(layer, A, x):
    """``Σ_j softmax_j(LeakyReLU(s_j + t_i)) W x_j`` per head, over the neighbors and the node itself."""
    p = parameters(layer)
    heads = (x @ p["lin.weight"].T).reshape(len(x), layer.heads, layer.out_channels)
    source, target = ((heads * p[name]).sum(axis=-1) for name in ("att_src", "att_dst"))
    out = np.empty_like(heads)
    for i, row in enumerate(with_loops(A)):
        neighbors = np.flatnonzero(row)
        logits = source[neighbors] + target[i]
        logits = np.where(logits > 0, logits, 0.2 * logits)
        attention = np.exp(logits - logits.max(axis=0))
        attention /= attention.sum(axis=0)
        out[i] = (attention[:, :, None] * heads[neighbors]).sum(axis=0)
    return out.reshape(len(x), -1) + p["bias"]


REFERENCE = {"GCN": gcn, "GAT": gat, "GraphSAGE": graph_sage}


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3])
@pytest.mark.parametrize("kind", KINDS)
def test_vectors_equal_the_formula_with_dense_matrices(gnn, kind, scale):
    import torch

    A, x = weights(scale=scale), features(scale=scale)
    layers, vectors_of = two_layers(kind, (5, 16, 4), sparse.csr_array(A))
    hidden = REFERENCE[kind](layers[0], A, x.astype(float))
    hidden = np.where(hidden > 0, hidden, np.expm1(np.minimum(hidden, 0))) if kind == "GAT" else np.maximum(hidden, 0)
    expected = REFERENCE[kind](layers[1], A, hidden)
    vectors = vectors_of(torch.from_numpy(x)).detach().numpy()
    assert vectors.shape == (30, 4)
    np.testing.assert_allclose(vectors, expected, rtol=1e-3, atol=1e-4 * max(1.0, np.abs(expected).max()))


@pytest.mark.parametrize("kind", KINDS)
def test_vectors_and_gradients_equal_those_of_torch_geometric(gnn, kind):
    import torch

    messages = sparse.csr_array(weights())
    layers, vectors_of = two_layers(kind, (5, 16, 4), messages)
    inputs = torch.from_numpy(features())
    edges = torch.from_numpy(np.stack(messages.nonzero()).astype(np.int64))
    edge_weights = (torch.from_numpy(messages.data.astype(np.float32)),) if kind == "GCN" else ()
    activation = torch.nn.functional.elu if kind == "GAT" else torch.relu
    expected = layers[1](activation(layers[0](inputs, edges, *edge_weights)), edges, *edge_weights)
    gradients = []
    for vectors in (vectors_of(inputs), expected):
        layers.zero_grad()
        vectors.square().sum().backward()
        gradients.append([parameter.grad.clone() for parameter in layers.parameters()])
    torch.testing.assert_close(vectors_of(inputs), expected)
    for ours, theirs in zip(*gradients, strict=True):
        torch.testing.assert_close(ours, theirs, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("kind", ["GAT", "GraphSAGE"])
def test_only_gcn_uses_edge_weights(gnn, kind):
    import torch

    inputs, A = torch.from_numpy(features()), weights()
    torch.manual_seed(0)
    _, weighted = two_layers(kind, (5, 16, 4), sparse.csr_array(A))
    torch.manual_seed(0)
    _, unweighted = two_layers(kind, (5, 16, 4), sparse.csr_array((A > 0).astype(float)))
    torch.testing.assert_close(weighted(inputs), unweighted(inputs))


def test_gat_has_eight_heads_of_an_eighth_of_the_hidden_width_and_at_least_1(gnn):
    for n_hidden, width in ((128, 16), (20, 2), (3, 1)):
        layers, _ = two_layers("GAT", (5, n_hidden, 4), sparse.csr_array(weights()))
        assert (layers[0].heads, layers[0].out_channels, layers[1].in_channels) == (8, width, 8 * width)


@pytest.mark.parametrize("kind", KINDS)
def test_a_missing_extra_is_named(kind, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "torch", None)
    with pytest.raises(MissingExtraError, match=r"residuum\[gnn\]"):
        two_layers(kind, (5, 16, 4), sparse.csr_array(weights()))
