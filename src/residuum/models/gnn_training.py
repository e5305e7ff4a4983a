"""Two-layer graph neural networks and their training on edges; torch is imported when a function is called."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from residuum._progress import ProgressCallback, Stage
from residuum._threads import resolve_jobs
from residuum._validation import import_extra
from residuum.errors import DivergenceError
from residuum.graph import Graph
from residuum.torch import NullNegativeSampler

__all__ = ["GNNOptions", "seeded_torch", "train_gnn"]


@dataclass(frozen=True)
class GNNOptions:
    """How a network is made and trained."""

    kind: str
    n_components: int
    n_hidden: int
    epochs: int
    n_negatives: int
    learning_rate: float
    seed: int


def train_gnn(
    graph: Graph,
    features: NDArray[np.float32],
    sampler: NullNegativeSampler,
    options: GNNOptions,
    progress: ProgressCallback | None = None,
) -> tuple[NDArray[np.float32], list[float]]:
    """Minimise ``Σ_(i, j) A_ij [−ln σ(h_i·h_j) − Σ_k ln σ(−h_i·h_n)]``, n drawn from ``P_0(· | i)``, by Adam.

    Messages go both ways along the edges of a directed graph. Weights are relative to their mean, so that scaling all
    of them changes nothing.

    Parameters
    ----------
    graph : Graph
    features : array of shape (N, F)
    sampler : NullNegativeSampler
    options : GNNOptions
    progress : callable, optional
        Told of each epoch, with its loss.

    Returns
    -------
    vectors : array of shape (N, K)
    losses : list of float
        One for each epoch.
    """
    torch = import_extra("torch", "gnn")
    positive, weights = _edges(graph.adjacency, torch)
    messages = (
        _edges(sparse.csr_array(graph.adjacency + graph.adjacency.T), torch) if graph.directed else (positive, weights)
    )
    inputs = torch.from_numpy(features)
    network = _network(options.kind, features.shape[1], options.n_hidden, options.n_components)
    optimiser = torch.optim.Adam(network.parameters(), lr=options.learning_rate, weight_decay=5e-4)
    stage, losses = Stage(options.kind, options.epochs, progress), []
    for _ in range(options.epochs):
        optimiser.zero_grad()
        hidden = _forward(network, inputs, *messages)
        loss = _link_loss(hidden, positive, weights, sampler.contexts(positive[0], options.n_negatives), torch)
        loss.backward()
        optimiser.step()
        losses.append(float(loss.detach()))
        if not np.isfinite(losses[-1]):
            raise DivergenceError(
                f"the training diverged: the loss is {losses[-1]} after {len(losses)} epochs. "
                f"learning_rate is {options.learning_rate:g}; take a smaller one, or scale the features."
            )
        stage.advance(loss=losses[-1])
    with torch.no_grad():
        vectors = _forward(network.eval(), inputs, *messages).numpy().astype(np.float32)
    return vectors, losses


@contextlib.contextmanager
def seeded_torch(seed: int, n_jobs: int | None) -> Iterator[None]:
    """Run a block with torch's random numbers and threads set, then restore what was set before."""
    torch = import_extra("torch", "gnn")
    threads = torch.get_num_threads()
    torch.set_num_threads(resolve_jobs(n_jobs))
    try:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            yield
    finally:
        torch.set_num_threads(threads)


def _edges(adjacency: "sparse.csr_array[Any]", torch: Any) -> tuple[Any, Any]:
    """Return edges as torch-geometric has them, shape (2, E), and their weights relative to the mean."""
    entries = adjacency.tocoo()
    index = torch.from_numpy(np.stack([entries.row, entries.col]).astype(np.int64))
    return index, torch.from_numpy((entries.data / entries.data.mean()).astype(np.float32))


def _network(kind: str, n_features: int, n_hidden: int, n_components: int) -> Any:
    torch, nn = import_extra("torch", "gnn"), import_extra("torch_geometric.nn", "gnn")
    if kind == "GCN":
        layers = [nn.GCNConv(n_features, n_hidden), nn.GCNConv(n_hidden, n_components)]
    elif kind == "GAT":
        heads = 8
        width = max(1, n_hidden // heads)
        layers = [nn.GATConv(n_features, width, heads=heads), nn.GATConv(heads * width, n_components, heads=1)]
    else:
        layers = [nn.SAGEConv(n_features, n_hidden), nn.SAGEConv(n_hidden, n_components)]
    return torch.nn.ModuleList(layers)


def _forward(network: Any, inputs: Any, edge_index: Any, weights: Any) -> Any:
    """Return the vectors: two layers, a rectifier (GAT: ELU) between them; only GCN's convolution knows weights."""
    torch = import_extra("torch", "gnn")
    first, second = network
    name = type(first).__name__
    arguments = (edge_index, weights) if name == "GCNConv" else (edge_index,)
    bend = torch.nn.functional.elu if name == "GATConv" else torch.relu
    return second(bend(first(inputs, *arguments)), *arguments)


def _link_loss(hidden: Any, positive: Any, weights: Any, negatives: Any, torch: Any) -> Any:
    """Return the mean loss of an edge, weighted."""
    sources = hidden[positive[0]]
    attraction = torch.nn.functional.softplus(-(sources * hidden[positive[1]]).sum(dim=1))
    repulsion = torch.nn.functional.softplus(torch.einsum("ek,enk->en", sources, hidden[negatives])).sum(dim=1)
    return (weights * (attraction + repulsion)).sum() / weights.sum()
