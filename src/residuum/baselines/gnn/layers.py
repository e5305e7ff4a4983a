"""Two-layer graph neural networks; functions import torch when called."""

import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from scipy import sparse

from residuum._kernels.attention import attend, attend_back
from residuum._threads import even_ranges, in_threads, n_threads, run_ranges
from residuum._validation import import_extra

__all__ = ["two_layers"]

Layer = Callable[[Any, Any], Any]
Widths = tuple[int, int, int]
_HEADS = 8


def two_layers(kind: str, widths: Widths, messages: "sparse.csr_array[Any]") -> tuple[Any, Callable[[Any], Any]]:
    """Return two torch-geometric layers, and the function from features to vectors.

    Instead of sending messages along edges, the function multiplies by a sparse matrix (GCN, GraphSAGE) or passes once
    over the neighbors (GAT). The activation between the layers is ReLU, or ELU for GAT. Only GCN uses edge weights.

    Parameters
    ----------
    kind : {"GCN", "GAT", "GraphSAGE"}
        Type of the layers.
    widths : tuple of int
        Number of features, hidden units and dimensions.
    messages : csr array of shape (N, N)
        Symmetric matrix of edge weights.

    Returns
    -------
    layers : torch.nn.ModuleList
        The layers, with the parameters to train.
    vectors_of : callable
        Function from a tensor of shape (N, F) to a tensor of shape (N, K).
    """
    torch, nn = import_extra("torch", "gnn"), import_extra("torch_geometric.nn", "gnn")
    layers, apply_layer = {"GCN": _gcn, "GAT": _gat, "GraphSAGE": _sage}[kind](widths, messages, torch, nn)
    activation = torch.nn.functional.elu if kind == "GAT" else torch.relu
    first, second = layers
    return torch.nn.ModuleList(layers), lambda inputs: apply_layer(second, activation(apply_layer(first, inputs)))


def _gcn(widths: Widths, messages: "sparse.csr_array[Any]", torch: Any, nn: Any) -> tuple[list[Any], Layer]:
    product = _product(_with_loops(messages), torch)
    return [nn.GCNConv(*widths[:2]), nn.GCNConv(*widths[1:])], lambda conv, x: product(conv.lin(x)) + conv.bias


def _gat(widths: Widths, messages: "sparse.csr_array[Any]", torch: Any, nn: Any) -> tuple[list[Any], Layer]:
    n_features, n_hidden, n_components = widths
    width = max(1, n_hidden // _HEADS)
    attention = _attention(_with_loops(messages), torch)

    def apply_layer(conv: Any, x: Any) -> Any:
        heads = conv.lin(x).view(-1, conv.heads, conv.out_channels)
        source, target = ((heads * vector).sum(dim=-1) for vector in (conv.att_src, conv.att_dst))
        return attention(heads, source, target).flatten(1) + conv.bias

    layers = [nn.GATConv(n_features, width, heads=_HEADS), nn.GATConv(_HEADS * width, n_components, heads=1)]
    return layers, apply_layer


def _sage(widths: Widths, messages: "sparse.csr_array[Any]", torch: Any, nn: Any) -> tuple[list[Any], Layer]:
    neighbor_sum = _product(sparse.csr_array(messages.astype(np.bool_)), torch)
    share = torch.from_numpy(1 / np.maximum(np.diff(messages.indptr), 1)).to(torch.float32)[:, None]
    layers = [nn.SAGEConv(*widths[:2]), nn.SAGEConv(*widths[1:])]
    return layers, lambda conv, x: conv.lin_l(share * neighbor_sum(x)) + conv.lin_r(x)


def _with_loops(messages: "sparse.csr_array[Any]") -> "sparse.csr_array[Any]":
    """Return ``D̃^−½ (A + I) D̃^−½``; nodes with a self-loop keep it instead."""
    missing = messages.diagonal() == 0
    looped = messages + sparse.diags_array(missing.astype(np.float32))
    scale = sparse.diags_array(1 / np.sqrt(looped.sum(axis=1)))
    return sparse.csr_array(scale @ looped @ scale)


def _product(matrix: "sparse.csr_array[Any]", torch: Any) -> Callable[[Any], Any]:
    """Return the product with a symmetric matrix; that of torch would sort the entries in every backward pass."""
    parts = [matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64), matrix.data.astype(np.float32)]
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Sparse CSR tensor support is in beta state")
        tensors = [torch.from_numpy(part) for part in parts]
        tensor = torch.sparse_csr_tensor(*tensors, size=matrix.shape, check_invariants=False)

    class Product(torch.autograd.Function):
        @staticmethod
        def forward(context: Any, x: Any) -> Any:
            del context
            return tensor @ x

        @staticmethod
        def backward(context: Any, gradient: Any) -> Any:
            del context
            return tensor @ gradient

    return Product.apply  # type: ignore[no-any-return]


def _attention(matrix: "sparse.csr_array[Any]", torch: Any) -> Callable[[Any, Any, Any], Any]:
    """Return the function from heads, source scores and target scores of all nodes to attention-weighted means."""
    neighbors = matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64)

    class Attention(torch.autograd.Function):
        @staticmethod
        def forward(context: Any, *inputs: Any) -> Any:
            heads, source, target = (tensor.detach().contiguous() for tensor in inputs)
            out, log_total = torch.empty_like(heads), torch.empty_like(source)
            saved = heads, source, target, out, log_total
            step = partial(attend, *neighbors, *(tensor.numpy() for tensor in saved))
            run_ranges(step, even_ranges(len(heads), len(neighbors[1]) * heads[0].numel()))
            context.save_for_backward(*saved)
            return out

        @staticmethod
        def backward(context: Any, gradient: Any) -> Any:
            heads, source, target, out, log_total = context.saved_tensors
            X_back, source_back = torch.empty_like(heads), torch.empty_like(source)
            target_backs = torch.empty((n_threads(), *source.shape))
            mean_dot = (gradient * out).sum(dim=2)
            tensors = heads, source, target, mean_dot, log_total, gradient.contiguous(), X_back, source_back
            step = partial(attend_back, *neighbors, *(tensor.numpy() for tensor in tensors))
            n_nodes, parts = len(heads), len(target_backs)

            def part(number: int) -> None:
                begin, end = n_nodes * number // parts, n_nodes * (number + 1) // parts
                step(target_backs[number].numpy(), begin, end)

            for _ in in_threads(part, range(parts)):
                pass
            return X_back, source_back, target_backs.sum(dim=0)

    return Attention.apply  # type: ignore[no-any-return]
