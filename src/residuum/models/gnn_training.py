"""The training of graph neural networks on edges; torch is imported when a function is called."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from residuum._progress import ProgressCallback, Stage
from residuum._threads import resolve_jobs
from residuum._validation import import_extra
from residuum.errors import DivergenceError
from residuum.graph import Graph
from residuum.models._gnn_kernels import link_gradient
from residuum.models.gnn_layers import two_layers
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
    inputs = torch.from_numpy(features)
    widths = (features.shape[1], options.n_hidden, options.n_components)
    network, vectors_of = two_layers(options.kind, widths, _messages(graph))
    optimiser = torch.optim.Adam(network.parameters(), lr=options.learning_rate, weight_decay=5e-4)
    edges = _Edges(graph, options.n_components)
    stage, losses = Stage(options.kind, options.epochs, progress), []
    for _ in range(options.epochs):
        optimiser.zero_grad()
        hidden = vectors_of(inputs)
        negatives = sampler.contexts(torch.from_numpy(edges.sources), options.n_negatives)
        loss, gradient = edges.loss(hidden.detach().numpy(), negatives.numpy())
        hidden.backward(torch.from_numpy(gradient))
        optimiser.step()
        losses.append(loss)
        if not np.isfinite(loss):
            raise DivergenceError(
                f"the training diverged: the loss is {loss} after {len(losses)} epochs. "
                f"learning_rate is {options.learning_rate:g}; take a smaller one, or scale the features."
            )
        stage.advance(loss=loss)
    with torch.no_grad():
        vectors = vectors_of(inputs).numpy().astype(np.float32)
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


def _messages(graph: Graph) -> "sparse.csr_array[Any]":
    """Return A, or A + Aᵀ if the graph is directed, relative to the mean of its entries."""
    both = sparse.csr_array(graph.adjacency + graph.adjacency.T) if graph.directed else graph.adjacency
    return sparse.csr_array(both / both.data.mean())


class _Edges:
    """The edges that the vectors are to tell from negatives, with their weights and room for gradients."""

    def __init__(self, graph: Graph, n_components: int) -> None:
        entries = graph.adjacency.tocoo()
        self.sources, self.targets = entries.row.astype(np.int64), entries.col.astype(np.int64)
        self.weights = (entries.data / entries.data.sum()).astype(np.float32)
        n_blocks = numba.get_num_threads()
        self._gradients = np.empty((n_blocks, graph.n_nodes, n_components), dtype=np.float32)
        self._losses = np.empty(n_blocks)

    def loss(self, hidden: NDArray[np.float32], negatives: NDArray[np.int64]) -> tuple[float, NDArray[np.float32]]:
        """Return the mean loss of an edge, weighted, and its gradient."""
        link_gradient(hidden, self.sources, self.targets, negatives, self.weights, self._gradients, self._losses)
        return float(self._losses.sum()), self._gradients.sum(axis=0)
