"""The null model summed over clusters, and the residuals of clusters relative to it."""

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from residuum._kernels.clusters import to_cluster_residual
from residuum._threads import even_ranges, log_in_place, run_ranges
from residuum.nulls import BlockForm
from residuum.nulls.block_form import Side
from residuum.residual import ResidualMatrix
from residuum.solvers.block_walk import BlockWalk

__all__ = ["ClusterSums"]


@dataclass(frozen=True)
class ClusterSums:
    """Sums of θ over clusters, and ``δ_j = ln θ̂_j − ln (p_j / p_b)`` with the marginals p of the null model.

    Attributes
    ----------
    theta : float32 array of shape (B,)
        Sum of θ of each cluster.
    groups : int32 array of shape (B,)
        Group of the null model that the cluster lies in.
    delta : float32 array of shape (N,)
        δ of each node.
    low, high : float32 arrays of shape (B,)
        Range of δ in each cluster, with 0.
    """

    theta: NDArray[np.float32]
    groups: NDArray[np.int32]
    delta: NDArray[np.float32]
    low: NDArray[np.float32]
    high: NDArray[np.float32]

    @classmethod
    def of(cls, matrix: ResidualMatrix, walk: BlockWalk) -> "ClusterSums":
        """Return the sums for a matrix and its clusters.

        Parameters
        ----------
        matrix : ResidualMatrix
            Matrix with a null model in block form.
        walk : BlockWalk
            Walk between clusters.

        Returns
        -------
        ClusterSums
            The sums.
        """
        form = matrix.null.block_form
        assert form is not None
        groups = np.zeros(walk.n_clusters, dtype=np.int32)
        groups[walk.labels] = form.groups
        delta = _deviations(matrix, walk)
        low, high = np.zeros((2, walk.n_clusters), dtype=np.float32)
        np.minimum.at(low, walk.labels, delta)
        np.maximum.at(high, walk.labels, delta)
        return cls(walk.sum_by_cluster(form.theta).astype(np.float32), groups, delta, low, high)

    @property
    def is_even(self) -> bool:
        """Whether δ is zero everywhere."""
        return not self.low.any() and not self.high.any()

    @property
    def per_cluster(self) -> NDArray[np.float32]:
        """Sum of θ, and minimum and maximum of δ, shape (B, 3)."""
        return np.stack([self.theta, self.low, self.high], axis=1)

    def to_levels(self, tile: NDArray[np.float32], first: int, form: BlockForm, floor: float) -> None:
        """Turn probabilities of arriving in clusters into their levels in the matrix, in place.

        Parameters
        ----------
        tile : float32 array of shape (n, m)
            ``Q`` of some centers, in the m clusters from ``first`` on; overwritten with H̃.
        first : int
            First cluster.
        form : BlockForm
            Block form at the centers.
        floor : float
            Minimum association.
        """
        columns = slice(first, first + tile.shape[1])
        lowest = float(np.exp(floor - float(self.high.max())) * (1 - 1e-6))
        form.centers().divide(tile, Side(self.theta[columns], self.groups[columns]), form.weights, lowest)
        log_in_place(tile)
        level = partial(to_cluster_residual, tile, first, self.low, self.high, np.float32(floor))
        run_ranges(level, even_ranges(len(tile), tile.size))

    def slope(self, tile: NDArray[np.float32], columns: slice, floor: float) -> NDArray[np.float32]:
        """Return ``U = min((H̃ − floor) / −min δ, 1)``, and 0 in clusters with equal δ.

        Parameters
        ----------
        tile : float32 array of shape (n, m)
            Columns of H̃.
        columns : slice
            Their clusters.
        floor : float
            Minimum association.

        Returns
        -------
        float32 array of shape (n, m)
            Slopes.
        """
        span = -self.low[columns]
        inverse = np.divide(1.0, span, out=np.zeros_like(span), where=span > 0)
        return np.asarray(np.minimum((tile - np.float32(floor)) * inverse, np.float32(1.0)))


def _deviations(matrix: ResidualMatrix, walk: BlockWalk) -> NDArray[np.float32]:
    observed = walk.share
    expected = np.exp(matrix.null.offset)
    positive = (observed > 0) & (expected > 0) & (matrix.column_scale > 0)
    delta = np.zeros(len(observed))
    for marginal, sign in ((observed, 1.0), (expected, -1.0)):
        total = walk.sum_by_cluster(np.where(positive, marginal, 0.0))[walk.labels]
        delta[positive] += sign * np.log(marginal[positive] / total[positive])
    # If the null model is proportional to the in-strength, only rounding errors remain.
    return np.where(np.abs(delta) > 1e-5, delta, 0.0).astype(np.float32)
