"""Null models that are made of groups: degrees and the weight between each two groups are what chance knows."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from residuum._validation import window_weights
from residuum.graph import Graph, Teleport
from residuum.nulls._mixing_kernels import add_between_groups
from residuum.nulls.block_null import BlockNull
from residuum.nulls.blocks import window_blocks
from residuum.nulls.groupings import Grouping, product_groups

__all__ = ["GroupedNull", "ProductNull", "fit_groups"]


class GroupedNull:
    """Base of the null models that need only say which node is in which group."""

    def groups_of(self, graph: Graph) -> tuple[NDArray[np.int32], Grouping]:
        """Return the group of each node, shape (N,), and the grouping that made them."""
        raise NotImplementedError  # abstract

    def fit(self, graph: Graph, window: int | ArrayLike, teleport: Teleport | None = None) -> BlockNull:
        """Fit to a graph: count the weight between each two groups."""
        codes, grouping = self.groups_of(graph)
        return fit_groups(graph, codes, grouping, window_weights(window), teleport)

    def __mul__(self, other: Any) -> "ProductNull":
        if not isinstance(other, GroupedNull):
            return NotImplemented
        return ProductNull(self, other)


class ProductNull(GroupedNull):
    """Two groupings at once, such as degree × gender or year × language.

    A group is a pair of groups, so that chance knows the mixing of pairs. It removes both biases and what they do
    together. Use it when two attributes drive the structure; written ``Temporal(years) * Multilayer(languages)``.
    New nodes need a value for each grouping, as two columns (``transform(edges, groups=array of shape (m, 2))``), three
    for a product of three, and so on; none for groupings that edges tell, such as those by degree.

    Parameters
    ----------
    first, second : null models that are made of groups
    """

    def __init__(self, first: GroupedNull, second: GroupedNull) -> None:
        self.first = first
        self.second = second

    def groups_of(self, graph: Graph) -> tuple[NDArray[np.int32], Grouping]:
        """Return the pairs of groups that occur, numbered."""
        return product_groups(self.first.groups_of(graph), self.second.groups_of(graph))

    def __repr__(self) -> str:
        return f"{self.first!r} * {self.second!r}"


def fit_groups(
    graph: Graph,
    groups: NDArray[np.int32],
    grouping: Grouping,
    window: NDArray[np.float64],
    teleport: Teleport | None,
    between: NDArray[np.float64] | None = None,
) -> BlockNull:
    """Fit the dcSBM to groups; every null model of groups ends here.

    Parameters
    ----------
    graph : Graph
    groups : int array of shape (N,)
    grouping : Grouping
    window : array of shape (T,)
    teleport : Teleport or None
    between : array of shape (B, B), optional
        Expected weight between each two groups, with the graph's strengths as margins; by default the graph's own.
    """
    n_groups = grouping.n_groups
    if between is None:
        between = weight_between(graph, groups, n_groups)
    leaving = between.sum(axis=1, keepdims=True)
    mixing = np.divide(between, leaving, out=np.zeros_like(between), where=leaving > 0)
    arriving = np.bincount(groups, weights=graph.in_strength, minlength=n_groups)[groups]
    theta = np.divide(graph.in_strength, arriving, out=np.zeros(graph.n_nodes), where=arriving > 0)
    blocks = window_blocks(groups, theta, mixing, window, teleport)
    source = graph.out_strength / graph.out_strength.sum()
    return BlockNull(blocks, source, symmetric=True, grouping=grouping)


def weight_between(
    graph: Graph, groups: NDArray[np.int32], n_groups: int, factor: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """Return the total weight from each group to each other, shape (B, B); rows count ``factor`` times, if given."""
    matrix = graph.adjacency
    members = np.argsort(groups, kind="stable")
    starts = np.searchsorted(groups[members], np.arange(n_groups + 1))
    times = np.ones(graph.n_nodes) if factor is None else factor
    out = np.empty((n_groups, n_groups))
    codes = groups.astype(np.int32, copy=False)
    add_between_groups(matrix.indptr, matrix.indices, matrix.data, times, codes, members, starts, out)
    return out
