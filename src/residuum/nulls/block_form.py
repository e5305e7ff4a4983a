"""Block form ``P_0(j | i) = θ_j W[g_i, g_j]``, shared by all analytic null models."""

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from residuum._kernels.ratios import divide_by_expected
from residuum._threads import even_ranges, run_ranges

__all__ = ["BlockForm", "Side", "window_form"]


@dataclass(frozen=True)
class BlockForm:
    """``P_0(j | i) = θ_j W[g_i, g_j]``.

    Attributes
    ----------
    groups : int array of shape (N,)
        Group g of each node.
    theta : array of shape (N,)
        θ_j, which sums to 1 within each group of positive in-strength.
    weights : array of shape (B, B)
        W, probability that a walker from a group reaches a group.

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
    theta: NDArray[np.float64]
    weights: NDArray[np.float64]

    @property
    def n_groups(self) -> int:
        """Number of groups B."""
        return int(self.weights.shape[1])

    def probability(self, groups: ArrayLike, columns: ArrayLike) -> NDArray[np.float64]:
        """Return ``P_0(j | i)`` for centers i, specified by their groups, and contexts j.

        Parameters
        ----------
        groups, columns : int arrays
            Groups of the centers and positions of the contexts, broadcast against each other.

        Returns
        -------
        array of the broadcast shape
            Probabilities, not logarithms.
        """
        g, j = np.asarray(groups), np.asarray(columns)
        return np.asarray(self.theta[j] * self.weights[g, self.groups[j]])

    def rows_of_groups(self, groups: NDArray[np.int32]) -> NDArray[np.float64]:
        """Return ``P_0(j | i)`` for centers i, specified by their groups, and all contexts j.

        Parameters
        ----------
        groups : int array of shape (m,)
            Groups of the centers.

        Returns
        -------
        array of shape (m, N)
            Probabilities, not logarithms.
        """
        return self.probability(groups[:, None], np.arange(len(self.theta))[None, :])

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
        mass = np.bincount(self.groups, weights=source, minlength=self.n_groups)
        return np.asarray(self.theta * (mass @ self.weights)[self.groups])

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
        groups = self.groups[nodes]
        return Side(np.ones(len(groups), dtype=np.float32), groups)

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
        return Side(self.theta[nodes].astype(np.float32), self.groups[nodes])


@dataclass(frozen=True)
class Side:
    """Rows or columns of a tile of P_0, ``factor · factor' · W[group, group']``.

    Attributes
    ----------
    factor : float32 array of shape (m,)
        1 for centers, θ for contexts.
    groups : int32 array of shape (m,)
        Groups of the nodes.
    """

    factor: NDArray[np.float32]
    groups: NDArray[np.int32]

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
            np.float32(lowest),
        )
        run_ranges(divide, even_ranges(len(values), values.size))


def window_form(
    groups: NDArray[np.int32],
    theta: NDArray[np.float64],
    mixing: NDArray[np.float64],
    window: NDArray[np.float64],
    dangling: NDArray[np.bool_],
) -> BlockForm:
    """Return the window probabilities of a Markov chain that is lumped into groups.

    A walker in group g moves to group g' with probability ``mixing[g, g']`` and there to node j with probability θ_j,
    so that ``W = Σ_t w_t mixingᵗ``. The walk ends at dangling nodes: with ``a_g``, the sum of θ over the other nodes of
    g, ``W ∝ Σ_t w_t (mixing diag(a))ᵗ⁻¹ mixing``, normalized so that P_0 sums to 1 in each row, as P_d does.

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
    dangling : bool array of shape (N,)
        Whether a node has no out-edges in the null model.

    Returns
    -------
    BlockForm
        Block form of ``P_0``.
    """
    if not theta[dangling].any():
        return BlockForm(groups, theta, _power_sum(mixing, window) @ mixing)
    continuing = np.bincount(groups, weights=np.where(dangling, 0.0, theta), minlength=len(mixing))
    weights = _power_sum(mixing * continuing, window) @ mixing
    completed = weights.sum(axis=1, keepdims=True)
    return BlockForm(groups, theta, np.divide(weights, completed, out=np.zeros_like(weights), where=completed > 0))


def _power_sum(step: NDArray[np.float64], window: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return ``Σ_t w_t stepᵗ⁻¹`` by Horner's rule."""
    identity = np.eye(step.shape[0])
    total = window[-1] * identity
    for weight in window[-2::-1]:
        total = step @ total + weight * identity
    return np.asarray(total)
