"""The shape that every analytic null model has: ``P_0(j | i) = θ_j W[g_i, g_j]``."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from residuum.errors import NullModelError
from residuum.graph import Teleport
from residuum.nulls.groupings import Grouping

__all__ = ["BlockNull", "Blocks", "window_blocks"]


@dataclass(frozen=True)
class Blocks:
    """``P_0(j | i) = θ_j W[h_i, g_j] + v_j J[h_i]``; the second term is there only if walkers teleport.

    Attributes
    ----------
    groups : int array of shape (N,)
        g_j, the group of j as a target.
    row_groups : int array of shape (N,)
        h_i, the group of i as a centre: ``groups`` itself, or finer where dangling nodes teleport.
    theta : array of shape (N,)
        θ_j, summing to 1 within each group that has any.
    weights : array of shape (H, B)
        W.
    target, jump : arrays of shape (N,) and (H,), or None
        v and J.
    """

    groups: NDArray[np.int32]
    row_groups: NDArray[np.int32]
    theta: NDArray[np.float64]
    weights: NDArray[np.float64]
    target: NDArray[np.float64] | None = None
    jump: NDArray[np.float64] | None = None


def window_blocks(
    groups: NDArray[np.int32],
    theta: NDArray[np.float64],
    mixing: NDArray[np.float64],
    window: NDArray[np.float64],
    teleport: Teleport | None,
) -> Blocks:
    """Return the window probabilities of the null chain, lumped into groups.

    A null walker in group g goes to group g' with probability ``mixing[g, g']`` and there to j with ``θ_j``.
    Without teleportation ``W = Σ_t w_t mixingᵗ``. With it the chain is lumped by (group, τ_i): from class h
    an edge leads to group g' with ``(1 − τ_h) mixing[g_h, g']`` and a jump, with τ_h, to j with ``v_j``.

    Parameters
    ----------
    groups, theta : arrays of shape (N,)
    mixing : array of shape (B, B)
        Rows sum to 1, or to 0 for groups that only jump.
    window : array of shape (T,)
        Weights of the steps.
    teleport : Teleport or None
    """
    if teleport is None:
        return Blocks(groups, groups, theta, _power_sum(mixing, window) @ mixing)
    keys, inverse = np.unique(
        np.stack([groups.astype(np.float64), teleport.probability], axis=1), axis=0, return_inverse=True
    )
    row_groups = inverse.ravel().astype(np.int32)
    tau = keys[:, 1]
    by_edge = (1.0 - tau)[:, None] * mixing[keys[:, 0].astype(np.int64)]
    arrive = np.zeros((mixing.shape[0], len(keys)))
    np.add.at(arrive, (groups, row_groups), theta)
    land = np.bincount(row_groups, weights=teleport.target, minlength=len(keys))
    powers = _power_sum(by_edge @ arrive + np.outer(tau, land), window)
    return Blocks(groups, row_groups, theta, powers @ by_edge, teleport.target, powers @ tau)


def _power_sum(step: NDArray[np.float64], window: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return ``Σ_t w_t stepᵗ⁻¹`` by Horner's rule."""
    identity = np.eye(step.shape[0])
    total = window[-1] * identity
    for weight in window[-2::-1]:
        total = step @ total + weight * identity
    return np.asarray(total)


class BlockNull:
    """A fitted null model of block shape.

    Parameters
    ----------
    blocks : Blocks
    source : array of shape (N,)
        p_i, the null's distribution over centres.
    symmetric : bool
        Whether ``P_d / P_0`` is symmetric on the undirected graph it was fitted to.
    grouping : Grouping, optional
        How nodes fall into groups, if the null model has any.
    """

    def __init__(
        self,
        blocks: Blocks,
        source: NDArray[np.float64],
        *,
        symmetric: bool,
        grouping: Grouping | None = None,
    ) -> None:
        self.blocks = blocks
        self.symmetric = symmetric
        self.grouping = grouping
        self._source = source

    def row_groups_of(self, values: ArrayLike | None, edges: "sparse.csr_array[Any]") -> NDArray[np.int32]:
        """Return the row groups of nodes that were not in the graph, shape (m,).

        Parameters
        ----------
        values : array of length m, or None
            What the null model groups by, if it cannot see it in the edges.
        edges : sparse array of shape (m, N)
            Their edges to nodes of the graph.
        """
        if self.grouping is None:
            groups = np.zeros(edges.shape[0], dtype=np.int32)
        else:
            groups = self.grouping.codes_of(values, edges)
        blocks = self.blocks
        if blocks.row_groups is blocks.groups:
            return groups
        # With teleportation a group is split by τ; nodes with edges of their own are in the part of lowest τ,
        # which window_blocks numbers first.
        first = np.full(blocks.weights.shape[1], np.iinfo(np.int32).max, dtype=np.int32)
        np.minimum.at(first, blocks.groups, blocks.row_groups)
        return np.asarray(first[groups])

    @cached_property
    def source_offset(self) -> NDArray[np.float64]:
        """``ln p_i``, shape (N,)."""
        with np.errstate(divide="ignore"):
            return np.log(self._source)

    @cached_property
    def offset(self) -> NDArray[np.float64]:
        """``ln Σ_i p_i P_0(j | i)``, shape (N,)."""
        blocks = self.blocks
        mass = np.bincount(blocks.row_groups, weights=self._source, minlength=blocks.weights.shape[0])
        marginal = blocks.theta * (mass @ blocks.weights)[blocks.groups]
        if blocks.target is not None and blocks.jump is not None:
            marginal = marginal + blocks.target * (mass @ blocks.jump)
        with np.errstate(divide="ignore"):
            return np.log(marginal)

    def log_probability(self, rows: ArrayLike, columns: ArrayLike) -> NDArray[np.float64]:
        """Return ``ln P_0(columns | rows)``, broadcasting the two index arrays against each other."""
        blocks = self.blocks
        rows, columns = np.asarray(rows), np.asarray(columns)
        centre = blocks.row_groups[rows]
        probability = blocks.theta[columns] * blocks.weights[centre, blocks.groups[columns]]
        if blocks.target is not None and blocks.jump is not None:
            probability = probability + blocks.target[columns] * blocks.jump[centre]
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(probability))

    def sample(self, centers: ArrayLike, rng: np.random.Generator) -> NDArray[np.int64]:
        """Draw one context from ``P_0(· | i)`` for each centre i, by inverse transform: group first, then node.

        A centre in a group that no edge leaves is an error, unless walkers jump from there: it expects nothing.
        """
        blocks = self.blocks
        centre = blocks.row_groups[np.asarray(centers)]
        order, cumulative, starts, masses = self._sampler
        choices = np.concatenate(
            [
                blocks.weights * masses,
                np.zeros((len(blocks.weights), 1)) if blocks.jump is None else blocks.jump[:, None],
            ],
            axis=1,
        )
        edges = np.cumsum(choices, axis=1)
        if (edges[centre, -1] == 0).any():
            node = int(np.atleast_1d(centers)[np.atleast_1d(edges[centre, -1] == 0)][0])
            raise NullModelError(
                f"the group of the node at position {node} has no edges that leave it, so that the null model leads "
                "nowhere from there: leave such nodes out of the centres, or put them into a group that has edges."
            )
        draw = rng.random(centre.shape) * edges[centre, -1]
        group = np.empty(centre.shape, dtype=np.int64)
        for value in np.unique(centre) if len(edges) > 1 else (0,):
            here = centre == value if len(edges) > 1 else ...
            group[here] = np.searchsorted(edges[value], draw[here], side="right")
        uniform = rng.random(centre.shape)
        jumps = group == len(masses)
        inside = np.where(jumps, 0, group)
        position = np.searchsorted(cumulative, starts[inside] + uniform * masses[inside], side="right")
        context = order[np.minimum(position, len(order) - 1)]
        if jumps.any() and blocks.target is not None:
            context[jumps] = np.searchsorted(np.cumsum(blocks.target), uniform[jumps], side="right")
        return np.asarray(context, dtype=np.int64)

    @cached_property
    def _sampler(
        self,
    ) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Nodes with θ > 0 in group order, their cumulated θ, and where each group starts and how much it has."""
        blocks = self.blocks
        order = np.argsort(blocks.groups, kind="stable")
        order = order[blocks.theta[order] > 0]
        masses = np.bincount(blocks.groups, weights=blocks.theta, minlength=blocks.weights.shape[1]).astype(np.float64)
        return order.astype(np.int64), np.cumsum(blocks.theta[order]), np.cumsum(masses) - masses, masses
