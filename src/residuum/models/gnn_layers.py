"""Two layers of a graph neural network; torch is imported when a function is called."""

import warnings
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from scipy import sparse

from residuum._validation import import_extra
from residuum.models._attention_kernels import attend, attend_back

__all__ = ["two_layers"]

Layer = Callable[[Any, Any], Any]
Widths = tuple[int, int, int]
_HEADS = 8


def two_layers(kind: str, widths: Widths, messages: "sparse.csr_array[Any]") -> tuple[Any, Callable[[Any], Any]]:
    """Return the layers of torch-geometric, and what gives the vectors of features with them.

    One product with a sparse matrix is taken instead of a message along each edge or, where neighbours are weighed by
    what they say (GAT), one pass over them. A rectifier (GAT: ELU) is between the layers; only GCN knows weights.

    Parameters
    ----------
    kind : {"GCN", "GAT", "GraphSAGE"}
    widths : tuple of int
        Of the features, between the layers, and of the vectors.
    messages : csr array of shape (N, N), symmetric
    """
    torch, nn = import_extra("torch", "gnn"), import_extra("torch_geometric.nn", "gnn")
    layers, layer = {"GCN": _gcn, "GAT": _gat, "GraphSAGE": _sage}[kind](widths, messages, torch, nn)
    bend = torch.nn.functional.elu if kind == "GAT" else torch.relu
    first, second = layers
    return torch.nn.ModuleList(layers), lambda inputs: layer(second, bend(layer(first, inputs)))


def _gcn(widths: Widths, messages: "sparse.csr_array[Any]", torch: Any, nn: Any) -> tuple[list[Any], Layer]:
    spread = _product(_with_loops(messages), torch)
    return [nn.GCNConv(*widths[:2]), nn.GCNConv(*widths[1:])], lambda one, x: spread(one.lin(x)) + one.bias


def _gat(widths: Widths, messages: "sparse.csr_array[Any]", torch: Any, nn: Any) -> tuple[list[Any], Layer]:
    n_features, n_hidden, n_components = widths
    width = max(1, n_hidden // _HEADS)
    attention = _attention(_with_loops(messages), torch)

    def layer(one: Any, x: Any) -> Any:
        heads = one.lin(x).view(-1, one.heads, one.out_channels)
        source, target = ((heads * vector).sum(dim=-1) for vector in (one.att_src, one.att_dst))
        return attention(heads, source, target).flatten(1) + one.bias

    return [nn.GATConv(n_features, width, heads=_HEADS), nn.GATConv(_HEADS * width, n_components, heads=1)], layer


def _sage(widths: Widths, messages: "sparse.csr_array[Any]", torch: Any, nn: Any) -> tuple[list[Any], Layer]:
    total = _product(sparse.csr_array(messages.astype(np.bool_)), torch)
    share = torch.from_numpy(1 / np.maximum(np.diff(messages.indptr), 1)).to(torch.float32)[:, None]
    layers = [nn.SAGEConv(*widths[:2]), nn.SAGEConv(*widths[1:])]
    return layers, lambda one, x: one.lin_l(share * total(x)) + one.lin_r(x)


def _with_loops(messages: "sparse.csr_array[Any]") -> "sparse.csr_array[Any]":
    """Return ``D̃^−½ (A + I) D̃^−½``; nodes that have a loop keep theirs."""
    missing = messages.diagonal() == 0
    looped = messages + sparse.diags_array(missing.astype(np.float32))
    scale = sparse.diags_array(1 / np.sqrt(looped.sum(axis=1)))
    return sparse.csr_array(scale @ looped @ scale)


def _product(matrix: "sparse.csr_array[Any]", torch: Any) -> Callable[[Any], Any]:
    """Return the product with a symmetric matrix: torch's own would sort the entries in each step back."""
    parts = [matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64), matrix.data.astype(np.float32)]
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Sparse CSR tensor support is in beta state")
        tensors = [torch.from_numpy(part) for part in parts]
        held = torch.sparse_csr_tensor(*tensors, size=matrix.shape, check_invariants=False)

    class Product(torch.autograd.Function):
        @staticmethod
        def forward(context: Any, x: Any) -> Any:
            del context
            return held @ x

        @staticmethod
        def backward(context: Any, gradient: Any) -> Any:
            del context
            return held @ gradient

    return Product.apply  # type: ignore[no-any-return]


def _attention(matrix: "sparse.csr_array[Any]", torch: Any) -> Callable[[Any, Any, Any], Any]:
    """Return what takes the heads of all nodes, and what they say as sources and as targets, to the heads' means."""
    neighbors = matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64)

    class Attention(torch.autograd.Function):
        @staticmethod
        def forward(context: Any, *inputs: Any) -> Any:
            heads, source, target = (one.detach().contiguous() for one in inputs)
            out, log_total = torch.empty_like(heads), torch.empty_like(source)
            kept = heads, source, target, out, log_total
            attend(*neighbors, *(one.numpy() for one in kept))
            context.save_for_backward(*kept)
            return out

        @staticmethod
        def backward(context: Any, gradient: Any) -> Any:
            heads, source, *_ = kept = context.saved_tensors
            X_back, source_back = torch.empty_like(heads), torch.empty_like(source)
            target_backs = torch.empty((numba.get_num_threads(), *source.shape))
            given = *kept, gradient.contiguous()
            attend_back(*neighbors, *(one.numpy() for one in (*given, X_back, source_back, target_backs)))
            return X_back, source_back, target_backs.sum(dim=0)

    return Attention.apply  # type: ignore[no-any-return]
