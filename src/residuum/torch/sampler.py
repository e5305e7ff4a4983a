"""Negatives from a null model, as tensors."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from residuum._random import as_generator
from residuum._validation import check_integer, import_extra
from residuum.errors import InvalidParameterError
from residuum.graph import as_graph, resolve_teleport
from residuum.nulls import FittedNull, NullModel, null_model_from_name

__all__ = ["NullNegativeSampler"]


class NullNegativeSampler:
    """Draws contexts from ``P_0(· | i)``: negatives that teach a model what the null model does not explain.

    A model that tells edges from negatives by ``σ(s(i, j))`` learns ``s = ln P_d(j | i) − ln P_0(j | i) − ln k``. With
    uniform negatives (torch-geometric's ``negative_sampling``) that is degree and all; with those of a null model it
    is the residual.

    Parameters
    ----------
    graph : graph
        Whatever :func:`residuum.as_graph` takes; nodes are numbered as in its ``node_ids``.
    null_model : str or null model, default "configuration"
    window : int or array, default 1
        Steps of the walks whose ends are the positives: 1 for edges.
    teleport : float, or pair of a float and a target, optional
        For directed graphs; see :class:`residuum.Residual2Vec`.
    random_state : int, Generator or None

    Examples
    --------
    In a training loop of torch-geometric, instead of ``negative_sampling(edge_index)``::

        sampler = NullNegativeSampler(graph, DegreeCorrectedSBM(groups))
        negatives = sampler.edges(edge_index)
    """

    def __init__(
        self,
        graph: Any,
        null_model: str | NullModel = "configuration",
        *,
        window: int | ArrayLike = 1,
        teleport: Any = None,
        random_state: Any = None,
    ) -> None:
        self._torch = import_extra("torch", "gnn")
        self.graph = as_graph(graph)
        model = null_model_from_name(null_model) if isinstance(null_model, str) else null_model
        self.null: FittedNull = model.fit(self.graph, window, resolve_teleport(self.graph, teleport))
        self._rng = as_generator(random_state)

    def contexts(self, centers: Any, n_negatives: int = 1) -> Any:
        """Return ``n_negatives`` contexts for each centre, a tensor of shape (len(centers), n_negatives).

        Parameters
        ----------
        centers : integer tensor of shape (m,)
            Node numbers; the result is on the same device.
        n_negatives : int, default 1
        """
        n_negatives = check_integer("n_negatives", n_negatives, minimum=1)
        numbers = centers.detach().cpu().numpy().astype(np.int64)
        if numbers.size and (numbers.min() < 0 or numbers.max() >= self.graph.n_nodes):
            raise InvalidParameterError(
                f"centers must be node numbers below {self.graph.n_nodes}; got values from {numbers.min()} to "
                f"{numbers.max()}."
            )
        drawn = self.null.sample(np.repeat(numbers, n_negatives), self._rng)
        return self._torch.from_numpy(drawn.reshape(len(numbers), n_negatives)).to(centers.device)

    def edges(self, edge_index: Any, n_negatives: int = 1) -> Any:
        """Return negative edges from the sources of given edges, a tensor of shape (2, E · n_negatives).

        Parameters
        ----------
        edge_index : integer tensor of shape (2, E)
            As in torch-geometric.
        n_negatives : int, default 1
        """
        targets = self.contexts(edge_index[0], n_negatives)
        return self._torch.stack([edge_index[0].repeat_interleave(n_negatives), targets.reshape(-1)])
