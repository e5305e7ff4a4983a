"""The degree-corrected stochastic block model: what degree and a label would lead one to expect."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from residuum._validation import window_weights
from residuum.errors import NullModelError
from residuum.graph import Graph, Teleport
from residuum.nulls.blocks import BlockNull, window_blocks
from residuum.nulls.labels import group_codes

__all__ = ["DegreeCorrectedSBM"]


class DegreeCorrectedSBM:
    """``P_0(j | i) = d_j / D_{g_j} · (Σ_t w_t P_SBMᵗ)[g_i, g_j]``: chance knows degrees and groups.

    ``P_SBM[g, g']`` is the share of the edges of group g that lead to g', D_g the total degree of g. It removes
    degree and the mixing of the groups: that people of one gender, country or year know each other more often.
    Use it for any label whose part in the structure is known or unwanted. With one group it equals
    :class:`Configuration`.

    Parameters
    ----------
    groups : array of shape (N,), mapping of node id to label, or name of a node attribute
        The label of each node. Labels of any kind; a missing one is an error.

    Examples
    --------
    >>> from residuum import Graph
    >>> graph = Graph([[0, 1, 0], [1, 0, 1], [0, 1, 0]], node_ids=["a", "b", "c"])
    >>> null = DegreeCorrectedSBM({"a": "end", "b": "middle", "c": "end"}).fit(graph, window=1)
    >>> null.log_probability(0, [0, 1]).round(3)
    array([-inf,   0.])
    """

    def __init__(self, groups: ArrayLike | Mapping[Any, Any] | str | None = None) -> None:
        self.groups = groups

    def fit(self, graph: Graph, window: int | ArrayLike, teleport: Teleport | None = None) -> BlockNull:
        """Fit to a graph: count the weight between each two groups."""
        if self.groups is None:
            raise NullModelError(
                "the degree-corrected SBM needs groups: DegreeCorrectedSBM(groups=labels) with an array, "
                "a dict by node id, or the name of a node attribute (on the command line: --groups FILE:COLUMN)."
            )
        groups, labels = group_codes(graph, self.groups)
        return fit_groups(graph, groups, labels, window_weights(window), teleport)

    def __repr__(self) -> str:
        shown = self.groups if isinstance(self.groups, str) else type(self.groups).__name__
        return f"DegreeCorrectedSBM(groups={shown})"


def fit_groups(
    graph: Graph,
    groups: NDArray[np.int32],
    labels: NDArray[Any],
    window: NDArray[np.float64],
    teleport: Teleport | None,
) -> BlockNull:
    """Fit the dcSBM to group numbers 0, …, B−1 with their labels; every null model of groups ends here."""
    n_groups = len(labels)
    member = sparse.csr_array(
        (np.ones(graph.n_nodes), (np.arange(graph.n_nodes), groups)), shape=(graph.n_nodes, n_groups)
    )
    between = np.asarray((member.T @ (graph.adjacency @ member)).todense())
    leaving = between.sum(axis=1, keepdims=True)
    mixing = np.divide(between, leaving, out=np.zeros_like(between), where=leaving > 0)
    arriving = np.bincount(groups, weights=graph.in_strength, minlength=n_groups)[groups]
    theta = np.divide(graph.in_strength, arriving, out=np.zeros(graph.n_nodes), where=arriving > 0)
    blocks = window_blocks(groups, theta, mixing, window, teleport)
    source = graph.out_strength / graph.out_strength.sum()
    return BlockNull(blocks, source, symmetric=True, labels=labels)
