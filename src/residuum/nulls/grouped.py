"""Base class and products of null models with groups, which are dcSBMs."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from residuum._validation import window_weights
from residuum.graph import Graph, weight_between
from residuum.nulls.block_form import window_form
from residuum.nulls.block_null import BlockNull
from residuum.nulls.grouping import Grouping, product_groups

__all__ = ["GroupedNull", "ProductNull", "fit_groups"]


class GroupedNull:
    """Base class of null models with groups; subclasses implement :meth:`groups_of`.

    The expected weight of an edge follows from the degrees of its nodes and the total weight between their groups. The
    product of two null models with groups is a :class:`ProductNull`.

    Examples
    --------
    >>> import numpy as np
    >>> from residuum.datasets import karate_club
    >>> from residuum.nulls import DegreeCorrectedSBM, GroupedNull
    >>> class Parity(GroupedNull):
    ...     def groups_of(self, graph):
    ...         return DegreeCorrectedSBM(np.arange(graph.n_nodes) % 2).groups_of(graph)
    >>> Parity().fit(karate_club(), window=10).block_form.n_groups
    2
    """

    def groups_of(self, graph: Graph) -> tuple[NDArray[np.int32], Grouping]:
        """Return the groups of the nodes.

        Parameters
        ----------
        graph : Graph
            Graph that the null model is fitted to.

        Returns
        -------
        codes : int array of shape (N,)
            Group of each node, from 0 to B − 1.
        grouping : Grouping
            Rule that assigns out-of-sample nodes to groups.
        """
        raise NotImplementedError  # abstract

    def fit(self, graph: Graph, window: int | ArrayLike) -> BlockNull:
        """Fit to a graph by summing the weight between groups.

        Parameters
        ----------
        graph : Graph
            Graph whose degrees and mixing of groups the null model keeps.
        window : int or array of shape (T,)
            Number of steps T, or one weight for each step.

        Returns
        -------
        BlockNull
            Window probabilities ``P_0`` in block form.
        """
        codes, grouping = self.groups_of(graph)
        return fit_groups(graph, codes, grouping, window_weights(window))

    def __mul__(self, other: Any) -> "ProductNull":
        if not isinstance(other, GroupedNull):
            return NotImplemented
        return ProductNull(self, other)


class ProductNull(GroupedNull):
    """The dcSBM whose groups are pairs of groups of two null models, such as degree × gender or year × language.

    Removes both biases and their interaction. Use it if two attributes drive the structure, usually written
    ``Temporal(years) * Multilayer(languages)``. Out-of-sample nodes need a value for each null model, as columns
    (``transform(edges, groups=array of shape (m, 2))``), except where the group follows from the edges, such as bins
    of the degree.

    Parameters
    ----------
    first, second : GroupedNull
        Null models with groups; products are allowed.

    Examples
    --------
    >>> from residuum.datasets import karate_club
    >>> from residuum.nulls import DegreeCorrectedSBM, DegreeCorrelated
    >>> null = DegreeCorrectedSBM("club") * DegreeCorrelated()
    >>> null.fit(karate_club(), window=10).block_form.n_groups
    9
    """

    def __init__(self, first: GroupedNull, second: GroupedNull) -> None:
        self.first = first
        self.second = second

    def groups_of(self, graph: Graph) -> tuple[NDArray[np.int32], Grouping]:
        """Return the group of each node, one group per pair that occurs."""
        return product_groups(self.first.groups_of(graph), self.second.groups_of(graph))

    def __repr__(self) -> str:
        return f"{self.first!r} * {self.second!r}"


def fit_groups(
    graph: Graph,
    groups: NDArray[np.int32],
    grouping: Grouping,
    window: NDArray[np.float64],
    between: NDArray[np.float64] | None = None,
) -> BlockNull:
    """Fit a dcSBM to groups.

    Parameters
    ----------
    graph : Graph
        Graph whose degrees the null model keeps.
    groups : int array of shape (N,)
        Group of each node, from 0 to B − 1.
    grouping : Grouping
        Rule that assigns out-of-sample nodes to groups.
    window : array of shape (T,)
        Weights of the steps, which sum to 1.
    between : array of shape (B, B), optional
        Expected weight between groups, with the strengths of the groups as margins; by default the observed weight.

    Returns
    -------
    BlockNull
        Window probabilities ``P_0`` in block form.
    """
    n_groups = grouping.n_groups
    if between is None:
        between = weight_between(graph, groups, n_groups)
    group_out = between.sum(axis=1, keepdims=True)
    mixing = np.divide(between, group_out, out=np.zeros_like(between), where=group_out > 0)
    group_in = np.bincount(groups, weights=graph.in_strength, minlength=n_groups)[groups]
    theta = np.divide(graph.in_strength, group_in, out=np.zeros(graph.n_nodes), where=group_in > 0)
    form = window_form(groups, theta, mixing, window, graph.out_strength == 0)
    source = graph.out_strength / graph.out_strength.sum()
    return BlockNull(form, source, symmetric=True, grouping=grouping)
