"""Negative samples from a null model, for training with torch and torch-geometric (the ``[gnn]`` extra)."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from residuum._random import as_generator
from residuum._validation import check_integer, import_extra
from residuum.errors import InvalidParameterError
from residuum.graph import as_graph
from residuum.nulls import FittedNull, NullModel, null_model_from_name

__all__ = ["NullNegativeSampler"]


class NullNegativeSampler:
    """Sampler of contexts from ``P_0(· | i)``, the negatives of a null model.

    A model trained to distinguish edges from negatives by ``σ(s(i, j))`` learns
    ``s = ln P_d(j | i) − ln P_0(j | i) − ln k``. With uniform negatives (``negative_sampling`` of torch-geometric), s
    includes the effect of degree; with the negatives of a null model, s is the residual.

    Parameters
    ----------
    graph : graph
        Anything that :func:`residuum.as_graph` accepts; nodes are numbered in the order of its ``node_ids``.
    null_model : str or NullModel, default "configuration"
        Distribution of the negatives.
    window : int or array, default 1
        T, the maximum number of steps between the nodes of a positive pair, or one weight per step; 1 for edges.
    random_state : int, Generator or None
        Seed of the samples.

    Examples
    --------
    Use it in a training loop of torch-geometric instead of ``negative_sampling(edge_index)``:

    >>> import torch
    >>> from residuum import datasets
    >>> from residuum.integrations.torch import NullNegativeSampler
    >>> sampler = NullNegativeSampler(datasets.karate_club(), random_state=0)
    >>> edge_index = torch.tensor([[0, 1, 2], [3, 4, 5]])
    >>> sampler.edges(edge_index, n_negatives=2).shape
    torch.Size([2, 6])
    """

    def __init__(
        self,
        graph: Any,
        null_model: str | NullModel = "configuration",
        *,
        window: int | ArrayLike = 1,
        random_state: Any = None,
    ) -> None:
        self._torch = import_extra("torch", "gnn")
        self.graph = as_graph(graph)
        model = null_model_from_name(null_model) if isinstance(null_model, str) else null_model
        self.null: FittedNull = model.fit(self.graph, window)
        self._rng = as_generator(random_state)

    def contexts(self, centers: Any, n_negatives: int = 1) -> Any:
        """Sample contexts for each center.

        Parameters
        ----------
        centers : integer tensor of shape (m,)
            Node numbers.
        n_negatives : int, default 1
            Contexts per center.

        Returns
        -------
        int64 tensor of shape (m, n_negatives)
            Node numbers of the contexts, on the device of ``centers``.
        """
        n_negatives = check_integer("n_negatives", n_negatives, minimum=1)
        numbers = centers.detach().cpu().numpy().astype(np.int64)
        if numbers.size and (numbers.min() < 0 or numbers.max() >= self.graph.n_nodes):
            raise InvalidParameterError(
                f"centers must be node numbers from 0 to {self.graph.n_nodes - 1}; got values from {numbers.min()} to "
                f"{numbers.max()}."
            )
        contexts = self.null.sample(np.repeat(numbers, n_negatives), self._rng)
        return self._torch.from_numpy(contexts.reshape(len(numbers), n_negatives)).to(centers.device)

    def edges(self, edge_index: Any, n_negatives: int = 1) -> Any:
        """Sample negative edges with the sources of an edge index.

        Parameters
        ----------
        edge_index : integer tensor of shape (2, E)
            Sources and targets, as in torch-geometric; only the sources are used.
        n_negatives : int, default 1
            Negative edges per edge.

        Returns
        -------
        int64 tensor of shape (2, E · n_negatives)
            Sources, each repeated ``n_negatives`` times, and sampled targets.
        """
        targets = self.contexts(edge_index[0], n_negatives)
        return self._torch.stack([edge_index[0].repeat_interleave(n_negatives), targets.reshape(-1)])
