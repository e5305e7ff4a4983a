"""Erdős–Rényi null model, which removes nothing."""

from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from residuum._validation import window_weights
from residuum.graph import Graph
from residuum.nulls.block_form import window_form
from residuum.nulls.block_null import BlockNull

__all__ = ["ErdosRenyi"]


class ErdosRenyi:
    """``P_0(j | i) = 1/N``: all contexts are equally likely.

    Removes nothing: the vectors encode degree. It is the implicit null model of DeepWalk, and the baseline for
    debiased embeddings. N counts the nodes with edges.

    Examples
    --------
    >>> import numpy as np
    >>> from residuum.datasets import karate_club
    >>> from residuum.nulls import ErdosRenyi
    >>> null = ErdosRenyi().fit(karate_club(), window=10)
    >>> np.exp(null.log_probability(0, [1, 33])) * 34
    array([1., 1.])
    """

    name: ClassVar[str] = "erdos-renyi"
    removes: ClassVar[str] = "nothing; the implicit null model of DeepWalk"
    options: ClassVar[dict[str, str]] = {}

    def fit(self, graph: Graph, window: int | ArrayLike) -> BlockNull:
        """Fit to a graph; isolated nodes get probability 0.

        Parameters
        ----------
        graph : Graph
            Graph whose nodes with edges are the contexts.
        window : int or array of shape (T,)
            Number of steps T, or one weight for each step.

        Returns
        -------
        BlockNull
            Window probabilities ``P_0`` in block form, with one group.
        """
        present = (graph.in_strength > 0) | (graph.out_strength > 0)
        theta = present / present.sum()
        groups = np.zeros(graph.n_nodes, dtype=np.int32)
        form = window_form(groups, theta, np.ones((1, 1)), window_weights(window), ~present)
        return BlockNull(form, theta, symmetric=False)

    def __repr__(self) -> str:
        return "ErdosRenyi()"
