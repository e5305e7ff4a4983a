"""The Erdős–Rényi null model: nothing is expected, nothing is removed."""

import numpy as np
from numpy.typing import ArrayLike

from residuum._validation import window_weights
from residuum.graph import Graph, Teleport
from residuum.nulls.block_null import BlockNull
from residuum.nulls.blocks import window_blocks

__all__ = ["ErdosRenyi"]


class ErdosRenyi:
    """``P_0(j | i) = 1/N``: every node is as likely as any other.

    It removes no bias: vectors keep the degree of the nodes. This is what DeepWalk assumes, and what a
    debiased embedding is compared with.

    Examples
    --------
    >>> from residuum import Graph
    >>> null = ErdosRenyi().fit(Graph([[0, 1], [1, 0]]), window=10)
    >>> null.log_probability(0, 1).round(3)
    np.float64(-0.693)
    """

    def fit(self, graph: Graph, window: int | ArrayLike, teleport: Teleport | None = None) -> BlockNull:
        """Fit to a graph; isolated nodes count as nodes that nothing is known of, and get no probability."""
        present = (graph.in_strength > 0) | (graph.out_strength > 0)
        theta = present / present.sum()
        if teleport is not None:
            # Every node of the null graph has edges, so that none is dangling.
            base = teleport.base_probability if (graph.out_strength > 0).any() else 0.0
            teleport = Teleport(np.full(graph.n_nodes, base), teleport.target)
        blocks = window_blocks(
            np.zeros(graph.n_nodes, dtype=np.int32), theta, np.ones((1, 1)), window_weights(window), teleport
        )
        return BlockNull(blocks, theta, symmetric=False)

    def __repr__(self) -> str:
        return "ErdosRenyi()"
