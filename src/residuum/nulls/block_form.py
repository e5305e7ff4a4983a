"""Block form ``P_0(j | i) = θ_j W[g_i, g_j]``, shared by all analytic null models."""

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from residuum._kernels.ratios import divide_by_expected
from residuum._threads import even_ranges, run_ranges
from residuum.walks import Teleport

__all__ = ["BlockForm", "Side", "window_form"]

_no_jumps = np.empty(0, dtype=np.float32)


@dataclass(frozen=True)
class BlockForm:
    """``P_0(j | i) = θ_j W[h_i, g_j] + v_j J[h_i]``, without the second term if walkers do not teleport.

    Attributes
    ----------
    groups : int array of shape (N,)
        Group g_j of each node as a context.
    row_groups : int array of shape (N,)
        Row group h_i of each node as a center: the same array as ``groups``, or finer if walkers teleport.
    theta : array of shape (N,)
        θ_j, which sums to 1 within each group of positive in-strength.
    weights : array of shape (H, B)
        W, probability that a walker from a row group reaches a group.
    target : array of shape (N,) or None
        Teleportation target v; None if walkers do not teleport.
    jump : array of shape (H,) or None
        J, probability that a walker from a row group arrives by teleportation; None if walkers do not teleport.

    Examples
    --------
    >>> from residuum.datasets import karate_club
    >>> from residuum.nulls import DegreeCorrectedSBM
    >>> form = DegreeCorrectedSBM("club").fit(karate_club(), window=1).block_form
    >>> form.weights.round(2)
    array([[0.86, 0.14],
           [0.15, 0.85]])
    """

    groups: NDArray[np.int32]
    row_groups: NDArray[np.int32]
    theta: NDArray[np.float64]
    weights: NDArray[np.float64]
    target: NDArray[np.float64] | None = None
    jump: NDArray[np.float64] | None = None

    @property
    def n_groups(self) -> int:
        """Number of groups B of contexts."""
        return int(self.weights.shape[1])

    def probability(self, row_groups: ArrayLike, columns: ArrayLike) -> NDArray[np.float64]:
        """Return ``P_0(j | i)`` for centers i, specified by their row groups, and contexts j.

        Parameters
        ----------
        row_groups, columns : int arrays
            Row groups of the centers and positions of the contexts, broadcast against each other.

        Returns
        -------
        array of the broadcast shape
            Probabilities, not logarithms.
        """
        h, j = np.asarray(row_groups), np.asarray(columns)
        probability = self.theta[j] * self.weights[h, self.groups[j]]
        if self.target is not None and self.jump is not None:
            probability = probability + self.target[j] * self.jump[h]
        return np.asarray(probability)

    def rows_of_groups(self, row_groups: NDArray[np.int32]) -> NDArray[np.float64]:
        """Return ``P_0(j | i)`` for centers i, specified by their row groups, and all contexts j.

        Parameters
        ----------
        row_groups : int array of shape (m,)
            Row groups of the centers.

        Returns
        -------
        array of shape (m, N)
            Probabilities, not logarithms.
        """
        return self.probability(row_groups[:, None], np.arange(len(self.theta))[None, :])

    def marginal(self, source: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return ``Σ_i p_i P_0(j | i)``, the marginal probability of the contexts.

        Parameters
        ----------
        source : array of shape (N,)
            Distribution p of the centers.

        Returns
        -------
        array of shape (N,)
            Probability of each context j.
        """
        mass = np.bincount(self.row_groups, weights=source, minlength=self.weights.shape[0])
        marginal = self.theta * (mass @ self.weights)[self.groups]
        if self.target is not None and self.jump is not None:
            marginal = marginal + self.target * (mass @ self.jump)
        return np.asarray(marginal)

    def centers(self, nodes: NDArray[np.int64] | slice = slice(None)) -> "Side":
        """Return the factors of P_0 for nodes as centers.

        Parameters
        ----------
        nodes : int array of shape (m,) or slice, default all nodes
            Positions of the centers.

        Returns
        -------
        Side
            Factors of the rows of a tile.
        """
        groups = self.row_groups[nodes]
        jump = _no_jumps if self.jump is None else self.jump[groups].astype(np.float32)
        return Side(np.ones(len(groups), dtype=np.float32), groups, jump)

    def contexts(self, nodes: NDArray[np.int64] | slice = slice(None)) -> "Side":
        """Return the factors of P_0 for nodes as contexts.

        Parameters
        ----------
        nodes : int array of shape (m,) or slice, default all nodes
            Positions of the contexts.

        Returns
        -------
        Side
            Factors of the columns of a tile.
        """
        jump = _no_jumps if self.target is None else self.target[nodes].astype(np.float32)
        return Side(self.theta[nodes].astype(np.float32), self.groups[nodes], jump)


@dataclass(frozen=True)
class Side:
    """Rows or columns of a tile of P_0, ``factor · factor' · W[group, group'] + jump · jump'``.

    Attributes
    ----------
    factor : float32 array of shape (m,)
        1 for centers, θ for contexts.
    groups : int32 array of shape (m,)
        Row groups of centers, groups of contexts.
    jump : float32 array of shape (m,) or (0,)
        J for centers, v for contexts; empty if walkers do not teleport.
    """

    factor: NDArray[np.float32]
    groups: NDArray[np.int32]
    jump: NDArray[np.float32]

    def divide(self, values: NDArray[np.float32], other: "Side", weights: NDArray[np.float64], lowest: float) -> None:
        """Compute ``max(P_d / P_0, lowest)`` in place.

        Parameters
        ----------
        values : float32 array of shape (m, m')
            P_d, with the nodes of this side as rows; overwritten with the ratios.
        other : Side
            The m' columns of the tile.
        weights : array
            W, indexed by the groups of the rows, then of the columns.
        lowest : float
            Smallest ratio, also used where P_0 is 0.
        """
        divide = partial(
            divide_by_expected,
            values,
            self.factor,
            other.factor,
            np.ascontiguousarray(weights, dtype=np.float32),
            self.groups,
            other.groups,
            self.jump,
            other.jump,
            np.float32(lowest),
        )
        run_ranges(divide, even_ranges(len(values), values.size))


def window_form(
    groups: NDArray[np.int32],
    theta: NDArray[np.float64],
    mixing: NDArray[np.float64],
    window: NDArray[np.float64],
    teleport: Teleport | None,
) -> BlockForm:
    """Return the window probabilities of a Markov chain that is lumped into groups.

    A walker in group g moves to group g' with probability ``mixing[g, g']`` and there to node j with probability θ_j.
    Without teleportation ``W = Σ_t w_t mixingᵗ``. With teleportation nodes are lumped by group and τ_i: from row group
    h an edge leads to group g' with probability ``(1 − τ_h) mixing[g_h, g']``, and a jump to node j with ``τ_h v_j``.

    Parameters
    ----------
    groups : int array of shape (N,)
        Group of each node.
    theta : array of shape (N,)
        θ, probability of each node within its group.
    mixing : array of shape (B, B)
        Step probabilities between groups; rows sum to 1, or to 0 for groups without out-edges.
    window : array of shape (T,)
        Weights of the steps, which sum to 1.
    teleport : Teleport or None
        Teleportation of the walkers; None if they do not teleport.

    Returns
    -------
    BlockForm
        Block form of ``P_0``.
    """
    if teleport is None:
        return BlockForm(groups, groups, theta, _power_sum(mixing, window) @ mixing)
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
    return BlockForm(groups, row_groups, theta, powers @ by_edge, teleport.target, powers @ tau)


def _power_sum(step: NDArray[np.float64], window: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return ``Σ_t w_t stepᵗ⁻¹`` by Horner's rule."""
    identity = np.eye(step.shape[0])
    total = window[-1] * identity
    for weight in window[-2::-1]:
        total = step @ total + weight * identity
    return np.asarray(total)
