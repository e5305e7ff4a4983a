"""Columns of a null model in block form that stand for all others: a weighted sample without replacement."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from residuum._kernels.likelihood import weigh_pushes
from residuum.nulls.block_form import BlockForm

__all__ = [
    "ColumnWeights",
    "NodeSample",
    "NullColumns",
    "Side",
    "add_column_pushes",
    "center_weights",
    "context_weights",
]

Side = Literal["centers", "contexts"]

_ROUNDS = 30


@dataclass(frozen=True)
class NodeSample:
    """Systematic samples of nodes, node j with probability ``π_j = min(1, c p_j)``.

    Nodes with a large share of p are in every sample, and all nodes are if the sample is as large as the graph.

    Attributes
    ----------
    probability : array of shape (N,)
        π.
    cumulative : array of shape (N,)
        Its cumulative sums.
    n_present : int
        Number of nodes that can be sampled.

    Examples
    --------
    >>> sample = NodeSample.of(np.array([0.7, 0.1, 0.1, 0.1]), size=2)
    >>> sample.probability.round(2)
    array([1.  , 0.33, 0.33, 0.33])
    """

    probability: NDArray[np.float64]
    cumulative: NDArray[np.float64]
    n_present: int

    @classmethod
    def of(cls, shares: NDArray[np.float64], size: int) -> "NodeSample":
        """Return samples of a distribution.

        Parameters
        ----------
        shares : array of shape (N,)
            Distribution p.
        size : int
            Expected number of nodes in a sample.

        Returns
        -------
        NodeSample
            The samples.
        """
        present = shares > 0
        probability = present.astype(np.float64)
        if size < np.count_nonzero(present):
            certain = np.zeros(len(shares), dtype=np.bool_)
            for _ in range(_ROUNDS):
                left = max(size - np.count_nonzero(certain), 0)
                rest = np.where(certain, 0.0, shares)
                probability = np.where(certain, 1.0, left * rest / max(rest.sum(), np.finfo(float).tiny))
                too_large = probability > 1.0
                if not too_large.any():
                    break
                certain |= too_large
            probability = np.minimum(probability, 1.0)
        return cls(probability, np.cumsum(probability), int(np.count_nonzero(probability)))

    def draw(self, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return a sample.

        Parameters
        ----------
        rng : numpy Generator
            Source of one random number.

        Returns
        -------
        int array
            Positions of distinct nodes, in ascending order.
        """
        total = self.cumulative[-1]
        points = np.arange(rng.random(), total * (1 - 1e-12), 1.0)
        if len(points) >= self.n_present:
            return np.flatnonzero(self.probability)
        nodes = np.searchsorted(self.cumulative, points, side="right")
        return np.unique(np.minimum(nodes, len(self.cumulative) - 1))


@dataclass(frozen=True)
class ColumnWeights:
    """``weight[r, c] = scale[r] table[groups[r], c]``, see the kernel ``weigh_pushes``.

    Attributes
    ----------
    groups : int array of shape (n,)
        Row of the table of each row.
    table : float32 array of shape (B, m)
        Weights of the columns for each group.
    scale : float32 array of shape (n,)
        Factors of the rows.
    """

    groups: NDArray[np.integer]
    table: NDArray[np.float32]
    scale: NDArray[np.float32]

    def rescaled(self, factors: NDArray[np.float32]) -> "ColumnWeights":
        """Return the weights times a factor for each row.

        Parameters
        ----------
        factors : float32 array of shape (n,)
            Factors of the rows.

        Returns
        -------
        ColumnWeights
            Weights that share the table of these.
        """
        return replace(self, scale=self.scale * factors)

    def of_columns(self, columns: slice) -> "ColumnWeights":
        """Return the weights of some columns.

        Parameters
        ----------
        columns : slice
            Range of columns.

        Returns
        -------
        ColumnWeights
            Weights with fewer columns.
        """
        return replace(self, table=np.ascontiguousarray(self.table[:, columns]))

    def dense(self) -> NDArray[np.float32]:
        """Return all weights.

        Returns
        -------
        array of shape (n, m)
            Weights of the pairs.
        """
        return np.asarray(self.scale[:, None] * self.table[self.groups])


@dataclass(frozen=True)
class NullColumns:
    """Samples of the columns of a null model in block form, and their weights for some rows.

    Attributes
    ----------
    form : BlockForm
        Block form of P_0.
    shares : array of shape (N,)
        Weights a of the centers.
    mass : array of shape (N,)
        Weights m of the contexts.
    samples : dict of side to NodeSample
        Samples of contexts for centers, and of centers for contexts.
    """

    form: BlockForm
    shares: NDArray[np.float64]
    mass: NDArray[np.float64]
    samples: dict[Side, NodeSample]

    @classmethod
    def of(
        cls,
        form: BlockForm,
        shares: NDArray[np.float64],
        marginal: NDArray[np.float64],
        mass: NDArray[np.float64],
        size: int,
    ) -> "NullColumns":
        """Return the samples for both sides.

        Parameters
        ----------
        form : BlockForm
            Block form of P_0.
        shares, marginal, mass : arrays of shape (N,)
            Weights of the centers, probability of the contexts under the null model, and weights of the contexts.
        size : int
            Expected number of columns in a sample.

        Returns
        -------
        NullColumns
            The samples.
        """
        contexts = NodeSample.of(np.where(mass > 0, marginal, 0.0), size)
        return cls(form, shares, mass, {"centers": contexts, "contexts": NodeSample.of(shares, size)})

    def draw(self, side: Side, rows: slice, rng: np.random.Generator) -> tuple[NDArray[np.int64], ColumnWeights]:
        """Return a sample of columns for a range of rows.

        Parameters
        ----------
        side : {"centers", "contexts"}
            The side of the rows.
        rows : slice
            Range of rows.
        rng : numpy Generator
            Source of one random number.

        Returns
        -------
        nodes : int array of shape (m,)
            Positions of the columns, ascending.
        weights : ColumnWeights
            Weights of the pairs.
        """
        sample = self.samples[side]
        nodes = sample.draw(rng)
        if side == "centers":
            weights = context_weights(self.form, rows, nodes, sample)
            return nodes, weights.rescaled((self.shares[rows] > 0).astype(np.float32))
        return nodes, center_weights(self.form, rows, nodes, sample, self.shares, self.mass)


def add_column_pushes(
    x: NDArray[np.float32], columns: NDArray[np.float32], weights: ColumnWeights, out: NDArray[np.float32]
) -> None:
    """Subtract ``Σ_c weight[r, c] σ(x_r · y_c) y_c`` from each row.

    Parameters
    ----------
    x : float32 array of shape (n, K)
        Vectors of the rows.
    columns : float32 array of shape (m, K)
        Vectors of the sampled columns.
    weights : ColumnWeights
        Weights of the pairs.
    out : float32 array of shape (n, K)
        Gradient, changed.
    """
    scores = x @ columns.T
    weigh_pushes(scores, weights.groups, weights.table, weights.scale)
    out -= scores @ columns


def context_weights(form: BlockForm, centers: slice, contexts: NDArray[np.int64], sample: NodeSample) -> ColumnWeights:
    """Return ``P_0(j | i) / π_j`` for some centers i and sampled contexts j.

    Parameters
    ----------
    form : BlockForm
        Block form of P_0.
    centers : slice
        Range of the centers.
    contexts : int array of shape (m,)
        Positions of the contexts.
    sample : NodeSample
        Sample that the contexts are from.

    Returns
    -------
    ColumnWeights
        Weights with centers as rows.
    """
    kinds, groups = np.unique(form.groups[centers], return_inverse=True)
    table = form.probability(kinds[:, None], contexts[None, :]) / sample.probability[contexts]
    return ColumnWeights(groups.ravel(), table.astype(np.float32), np.ones(len(groups), dtype=np.float32))


def center_weights(
    form: BlockForm,
    contexts: slice,
    centers: NDArray[np.int64],
    sample: NodeSample,
    shares: NDArray[np.float64],
    mass: NDArray[np.float64],
) -> ColumnWeights:
    """Return ``a_i P_0(j | i) / (π_i m_j)`` for some contexts j and sampled centers i.

    Parameters
    ----------
    form : BlockForm
        Block form of P_0.
    contexts : slice
        Range of the contexts.
    centers : int array of shape (m,)
        Positions of the centers.
    sample : NodeSample
        Sample that the centers are from.
    shares : array of shape (N,)
        Weights a of the centers.
    mass : array of shape (N,)
        m; contexts with mass 0 have weight 0.

    Returns
    -------
    ColumnWeights
        Weights with contexts as rows.
    """
    kinds, groups = np.unique(form.groups[contexts], return_inverse=True)
    factor = shares[centers] / sample.probability[centers]
    rows = form.groups[centers]
    table = form.weights[rows[None, :], kinds[:, None]] * factor
    below = mass[contexts]
    inverse = np.divide(1.0, below, out=np.zeros_like(below), where=below > 0)
    scale = (form.theta[contexts] * inverse).astype(np.float32)
    return ColumnWeights(groups.ravel(), table.astype(np.float32), scale)
