"""Training of graph neural networks on edges; functions import torch when called."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from residuum._kernels.links import link_gradient
from residuum._progress import ProgressCallback, Stage
from residuum._threads import in_threads, n_threads, resolve_jobs
from residuum._validation import import_extra
from residuum.baselines.gnn.layers import two_layers
from residuum.errors import DivergenceError
from residuum.graph import Graph
from residuum.integrations.torch import NullNegativeSampler

__all__ = ["GNNOptions", "seeded_torch", "train_gnn"]


@dataclass(frozen=True)
class GNNOptions:
    """Architecture and training parameters of a network.

    Attributes
    ----------
    kind : {"GCN", "GAT", "GraphSAGE"}
        Type of the layers.
    n_components : int
        K, the number of dimensions.
    n_hidden : int
        Width of the first layer.
    epochs : int
        Passes over all edges.
    n_negatives : int
        k, the number of negatives per edge.
    learning_rate : float
        Learning rate of Adam.
    seed : int
        Seed of torch.
    """

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
    """Minimize ``Σ_(i, j) A_ij [−ln σ(h_i·h_j) − Σ_k ln σ(−h_i·h_n)]``, n sampled from ``P_0(· | i)``, by Adam.

    Messages pass in both directions along the edges of a directed graph. Weights are relative to their mean, so that
    the result does not depend on their scale.

    Parameters
    ----------
    graph : Graph
        The training graph.
    features : float32 array of shape (N, F)
        Features of the nodes.
    sampler : NullNegativeSampler
        Source of negatives.
    options : GNNOptions
        Architecture and training parameters.
    progress : callable, optional
        Called after each epoch, with its loss.

    Returns
    -------
    vectors : float32 array of shape (N, K)
        h.
    losses : list of float
        Mean loss per edge in each epoch.

    Raises
    ------
    DivergenceError
        If the loss is not finite.
    """
    torch = import_extra("torch", "gnn")
    inputs = torch.from_numpy(features)
    widths = (features.shape[1], options.n_hidden, options.n_components)
    network, vectors_of = two_layers(options.kind, widths, _messages(graph))
    optimizer = torch.optim.Adam(network.parameters(), lr=options.learning_rate, weight_decay=5e-4)
    edges = _Edges(graph, options.n_components)
    stage, losses = Stage(options.kind, options.epochs, progress), []
    for _ in range(options.epochs):
        optimizer.zero_grad()
        hidden = vectors_of(inputs)
        negatives = sampler.contexts(torch.from_numpy(edges.sources), options.n_negatives)
        loss, gradient = edges.loss(hidden.detach().numpy(), negatives.numpy())
        hidden.backward(torch.from_numpy(gradient))
        optimizer.step()
        losses.append(loss)
        if not np.isfinite(loss):
            raise DivergenceError(
                f"training diverged: the loss is {loss} in epoch {len(losses)}. "
                f"learning_rate is {options.learning_rate:g}; use a smaller value, or scale the features."
            )
        stage.advance(loss=loss)
    with torch.no_grad():
        vectors = vectors_of(inputs).numpy().astype(np.float32)
    return vectors, losses


@contextlib.contextmanager
def seeded_torch(seed: int, n_jobs: int | None) -> Iterator[None]:
    """Context manager that sets the seed and the number of threads of torch, and restores both on exit.

    Parameters
    ----------
    seed : int
        Seed of torch.
    n_jobs : int or None
        Number of threads; None for all cores.

    Yields
    ------
    None
        Within the context, torch is seeded.
    """
    torch = import_extra("torch", "gnn")
    threads = torch.get_num_threads()
    torch.set_num_threads(resolve_jobs(n_jobs))
    try:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            yield
    finally:
        torch.set_num_threads(threads)


def _messages(graph: Graph) -> "sparse.csr_array[Any]":
    """Return A, or A + Aᵀ for a directed graph, divided by the mean of its entries."""
    weights = sparse.csr_array(graph.adjacency + graph.adjacency.T) if graph.directed else graph.adjacency
    return sparse.csr_array(weights / weights.data.mean())


class _Edges:
    """Edges with normalized weights, and buffers for the gradient of their loss."""

    def __init__(self, graph: Graph, n_components: int) -> None:
        entries = graph.adjacency.tocoo()
        self.sources, self.targets = entries.row.astype(np.int64), entries.col.astype(np.int64)
        self.weights = (entries.data / entries.data.sum()).astype(np.float32)
        self._gradients = np.empty((n_threads(), graph.n_nodes, n_components), dtype=np.float32)

    def loss(self, hidden: NDArray[np.float32], negatives: NDArray[np.int64]) -> tuple[float, NDArray[np.float32]]:
        """Return the weighted mean loss per edge, and its gradient with respect to ``hidden``."""
        n_edges, parts = len(self.sources), len(self._gradients)

        def part(number: int) -> float:
            gradient, begin, end = self._gradients[number], n_edges * number // parts, n_edges * (number + 1) // parts
            edges = self.sources, self.targets, negatives, self.weights
            return float(link_gradient(hidden, *edges, gradient, begin, end))

        return sum(in_threads(part, range(parts))), self._gradients.sum(axis=0)
