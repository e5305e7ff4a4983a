"""Sweeps that bring factors closer to the likelihood of which skip-gram draws samples."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from residuum._progress import ProgressCallback
from residuum._threads import exp_in_place
from residuum.residual._refinement_kernels import negate_and_clip, slopes
from residuum.residual.exact import ExactResidual
from residuum.residual.krylov import Factors
from residuum.residual.matrix import ResidualMatrix, unscaled

__all__ = ["Likelihood", "inverse_curvature", "refine", "refinement_bytes"]

# Half of Newton's step: both ends of a pair move at once.
_STEP = 0.5
# Beyond, the logistic function is 0 or 1 to single precision.
_LARGEST = 30.0
_RIDGE = 1e-6
# Of so many columns one is asked for the likelihood, which only has to tell better from worse.
_COLUMNS_PER_SAMPLE = 64
_FEWEST_SAMPLED = 256


class ExactRatios(ExactResidual):
    """``P_d / P_0`` by tiles of columns."""

    _NAME = "refinement"

    def _columns(self, columns: NDArray[np.int64]) -> NDArray[np.float32]:
        return self.matrix.ratios(columns)


@dataclass(frozen=True)
class Likelihood:
    """Whether a walk or the null model led from i to j, by the logistic function of ``s_ij = u_i · v_j``.

    Skip-gram with one negative for each pair, drawn from the configuration model, maximises
    ``L = −Σ_ij a_i b_j [A_ij ln(1 + exp(−s_ij)) + ln(1 + exp(s_ij))]`` with ``A = P_d / P_0``: walks lead from i to j
    A_ij times as often as the null model. Without a limit of rank the maximum is ``s = ln A``, as for the matrix. With
    one, a pair that no walk joins (A = 0) is no longer to have one value, the floor, but any that is low. With other
    null models pairs count as they do here, by degrees.

    Attributes
    ----------
    row_weights, column_weights : float32 arrays of shape (N,)
        a and b, how often centres and contexts are met: their shares of the degrees; 0 for nodes that are left out.
    """

    row_weights: NDArray[np.float32]
    column_weights: NDArray[np.float32]

    @classmethod
    def of(cls, matrix: ResidualMatrix) -> "Likelihood":
        """Return that of the walks and the null model of a matrix."""
        weighted = ResidualMatrix(matrix.probabilities, matrix.null, matrix.floor, weighting=1.0)
        a, b = (scale.astype(np.float64) ** 2 for scale in (weighted.row_scale, weighted.column_scale))
        return cls((a / a.sum()).astype(np.float32), (b / b.sum()).astype(np.float32))

    @staticmethod
    def slopes(
        ratios: NDArray[np.float32], scores: NDArray[np.float32], weights: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        """Return ``w_i (A_ij (1 − σ(s_ij)) − σ(s_ij))``, in the place of the scores: ``∂L/∂s_ij`` if w_i is a_i b_j."""
        negate_and_clip(scores, np.float32(_LARGEST))
        exp_in_place(scores)
        slopes(scores, ratios, weights)
        return scores

    def loss(self, ratios: NDArray[np.float32], scores: NDArray[np.float32], columns: NDArray[np.int64]) -> float:
        """Return −L, of some columns."""
        each = ratios * np.logaddexp(0.0, -scores) + np.logaddexp(0.0, scores)
        return float(self.row_weights.astype(np.float64) @ each @ self.column_weights[columns])


def refinement_bytes(n_nodes: int) -> int:
    """Return the bytes that all ratios take; with fewer, they are computed anew for each sweep."""
    return 4 * n_nodes**2


def refine(
    matrix: ResidualMatrix,
    factors: Factors,
    n_sweeps: int,
    memory_limit: int,
    progress: ProgressCallback | None = None,
) -> Factors:
    """Return factors of a higher likelihood (:class:`Likelihood`), by sweeps over all pairs.

    A sweep is half of a Newton step for all vectors at once. The curvature is that of pairs with ``A = 1``, the same
    for all nodes, so that a sweep takes one product with all pairs beside their scores, two if the matrix is not
    symmetric. If the likelihood fell, half of the last step is taken back, and those that follow are as short.

    Parameters
    ----------
    matrix : ResidualMatrix
    factors : Factors
        Of it, to begin with.
    n_sweeps : int
    memory_limit : int
        Bytes that ratios and their working blocks may take.
    progress : callable, optional

    Returns
    -------
    factors : Factors
        Of ``S U Vᵀ T``, with the scales of the matrix.
    """
    ratios, likelihood = ExactRatios(matrix, memory_limit, progress), Likelihood.of(matrix)
    signs = np.sign(np.einsum("nk,nk->k", factors.left, factors.right)) if matrix.symmetric else None
    root = np.sqrt(factors.values).astype(np.float32)
    now = _Vectors(unscaled(factors.left * root, matrix.row_scale), unscaled(factors.right * root, matrix.column_scale))
    before, direction, lowest, length = now, now, np.inf, _STEP
    for _ in range(n_sweeps):
        found, loss = _newton_step(ratios, likelihood, now, signs)
        if loss > lowest:
            length /= 2
        else:
            before, direction, lowest = now, found, loss
        now = before.plus(direction.times(length))
    return replace(_factorised(now, matrix, signs), passes=factors.passes)


@dataclass(frozen=True)
class _Vectors:
    u: NDArray[np.float32]
    v: NDArray[np.float32]

    def plus(self, step: "_Vectors") -> "_Vectors":
        return _Vectors(self.u + step.u, self.v + step.v)

    def times(self, factor: float) -> "_Vectors":
        return _Vectors(np.float32(factor) * self.u, np.float32(factor) * self.v)


def _newton_step(
    ratios: ExactRatios, likelihood: Likelihood, now: _Vectors, signs: NDArray[np.float32] | None
) -> tuple[_Vectors, float]:
    """Return the step, and the loss at its beginning; with signs, the two sides are the same but for these."""
    a, b = likelihood.row_weights, likelihood.column_weights
    du, dv, loss = np.zeros_like(now.u), np.zeros_like(now.v), 0.0
    every = max(1, min(_COLUMNS_PER_SAMPLE, len(b) // _FEWEST_SAMPLED))
    for columns, tile in ratios.tiles():
        scores = now.u @ now.v[columns].T
        asked = np.arange(-columns.start % every, tile.shape[1], every)
        loss += likelihood.loss(tile[:, asked], scores[:, asked], columns.start + asked)
        uphill = likelihood.slopes(tile, scores, a)
        dv[columns] = uphill.T @ now.u
        if signs is None:
            du += uphill @ (b[columns, None] * now.v[columns])
    dv = np.where(b[:, None] > 0, dv @ inverse_curvature(now.u, a), np.float32(0.0))
    if signs is not None:
        return _Vectors(dv * signs, dv), loss
    return _Vectors(unscaled(du @ inverse_curvature(now.v, b), a), dv), loss


def inverse_curvature(vectors: NDArray[np.float32], weights: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the inverse of ``½ Σ_i a_i u_i u_iᵀ``: the curvature of −L where walks do as the null model."""
    curvature = 0.5 * (vectors * weights[:, None]).T.astype(np.float64) @ vectors
    ridge = _RIDGE * max(np.trace(curvature) / len(curvature), np.finfo(np.float32).tiny)
    return np.linalg.inv(curvature + ridge * np.eye(len(curvature))).astype(np.float32)


def _factorised(now: _Vectors, matrix: ResidualMatrix, signs: NDArray[np.float32] | None) -> Factors:
    q_left, r_left = np.linalg.qr((now.u * matrix.row_scale[:, None]).astype(np.float64))
    if signs is not None:
        eigenvalues, basis = np.linalg.eigh((r_left * signs) @ r_left.T)
        order = np.argsort(-np.abs(eigenvalues))
        left = q_left @ basis[:, order]
        right = left * np.where(eigenvalues[order] < 0, -1.0, 1.0)
        return Factors(left.astype(np.float32), np.abs(eigenvalues[order]), right.astype(np.float32))
    q_right, r_right = np.linalg.qr((now.v * matrix.column_scale[:, None]).astype(np.float64))
    left, values, right = np.linalg.svd(r_left @ r_right.T)
    return Factors((q_left @ left).astype(np.float32), values, (q_right @ right.T).astype(np.float32))
