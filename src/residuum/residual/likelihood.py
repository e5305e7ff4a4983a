"""Newton sweeps on the full skip-gram likelihood."""

from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from residuum._kernels.likelihood import negate_and_clip, slopes
from residuum._progress import ProgressCallback
from residuum._threads import even_ranges, exp_in_place, run_ranges
from residuum.residual.linalg import Factors, leading_eigenpairs
from residuum.residual.matrix import ResidualMatrix, unscaled
from residuum.residual.tiles import TiledMatrix

__all__ = ["Likelihood", "refine", "refinement_bytes"]

# Half of a Newton step, because both ends of a pair move at once.
_STEP = 0.5
# Beyond this score the logistic function is 0 or 1 in single precision.
_LARGEST = 30.0
_RIDGE = 1e-6
# The loss only compares sweeps, so it is evaluated on one in 64 columns, or more to have at least 256 columns.
_COLUMNS_PER_SAMPLE = 64
_FEWEST_SAMPLED = 256


@dataclass(frozen=True)
class Likelihood:
    """``L = −Σ_ij a_i b_j [A_ij ln(1 + exp(−s_ij)) + ln(1 + exp(s_ij))]``, ``A = P_d / P_0``, ``s_ij = u_i · v_j``.

    The objective of skip-gram with one negative per pair, sampled from the configuration model: ``σ(s_ij)`` is the
    probability that a walk, and not the null model, generated the pair. Without a rank constraint the maximum is
    ``s = ln A``, as for the matrix. With one, a pair that no walk joins (A = 0) does not have to be at the floor: any
    low score will do. For other null models, pairs have the same weights, by degree.

    Attributes
    ----------
    row_weights, column_weights : float32 arrays of shape (N,)
        Shares a and b of the centers and contexts in the total degree; 0 for excluded nodes.

    Examples
    --------
    >>> from residuum import datasets
    >>> from residuum.nulls import Configuration
    >>> from residuum.walks import WindowProbabilities
    >>> graph = datasets.karate_club()
    >>> matrix = ResidualMatrix(WindowProbabilities(graph, 5), Configuration().fit(graph, 5), floor=-1.0)
    >>> Likelihood.of(matrix).row_weights[:3].round(3)
    array([0.103, 0.058, 0.064], dtype=float32)
    """

    row_weights: NDArray[np.float32]
    column_weights: NDArray[np.float32]

    @classmethod
    def of(cls, matrix: ResidualMatrix) -> "Likelihood":
        """Return the likelihood that belongs to a matrix.

        Parameters
        ----------
        matrix : ResidualMatrix
            Matrix with the degrees of the graph; its floor and weighting do not matter.

        Returns
        -------
        Likelihood
            Likelihood with weights that sum to 1.
        """
        weighted = ResidualMatrix(matrix.probabilities, matrix.null, matrix.floor, weighting=1.0)
        a, b = (scale.astype(np.float64) ** 2 for scale in (weighted.row_scale, weighted.column_scale))
        return cls((a / a.sum()).astype(np.float32), (b / b.sum()).astype(np.float32))

    @staticmethod
    def slopes(
        ratios: NDArray[np.float32], scores: NDArray[np.float32], weights: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        """Return ``w_i (A_ij (1 − σ(s_ij)) − σ(s_ij))``, which is ``∂L/∂s_ij`` for ``w_i = a_i b_j``.

        Parameters
        ----------
        ratios : array of shape (n, m)
            Ratios A.
        scores : array of shape (n, m)
            Scores s; overwritten with the result.
        weights : array of shape (n,)
            Row weights w.

        Returns
        -------
        array of shape (n, m)
            The array ``scores``.
        """
        ranges = even_ranges(len(scores), scores.size)
        run_ranges(partial(negate_and_clip, scores, np.float32(_LARGEST)), ranges)
        exp_in_place(scores)
        run_ranges(partial(slopes, scores, ratios, weights), ranges)
        return scores

    def loss(self, ratios: NDArray[np.float32], scores: NDArray[np.float32], columns: NDArray[np.int64]) -> float:
        """Return the contribution of some columns to ``−L``.

        Parameters
        ----------
        ratios : array of shape (N, m)
            Ratios A in these columns.
        scores : array of shape (N, m)
            Scores s in these columns.
        columns : int array of shape (m,)
            Positions of the columns.

        Returns
        -------
        float
            Loss, at least 0.
        """
        losses = ratios * np.logaddexp(0.0, -scores) + np.logaddexp(0.0, scores)
        return float(self.row_weights.astype(np.float64) @ losses @ self.column_weights[columns])


def refinement_bytes(n_nodes: int) -> int:
    """Return the memory of all ratios; with less memory, :func:`refine` recomputes them in every sweep.

    Parameters
    ----------
    n_nodes : int
        Number of nodes N.

    Returns
    -------
    int
        Bytes of a float32 array of shape (N, N).

    Examples
    --------
    >>> refinement_bytes(10_000)
    400000000
    """
    return 4 * n_nodes**2


def refine(
    matrix: ResidualMatrix,
    factors: Factors,
    n_sweeps: int,
    memory_limit: int,
    progress: ProgressCallback | None = None,
) -> Factors:
    """Raise the likelihood of factors (:class:`Likelihood`) by Newton sweeps over all pairs.

    A sweep is half a Newton step for all vectors at once. The curvature is that of pairs with ``A = 1``, the same for
    all nodes, so a sweep computes the scores of all pairs and one product with their slopes, or two if the matrix is
    not symmetric. If the likelihood does not increase, half of the last step is undone and later steps are halved, too.
    The result never has a lower likelihood than the starting point; a zero matrix stays zero.

    Parameters
    ----------
    matrix : ResidualMatrix
        Matrix of the factors.
    factors : Factors
        Starting point.
    n_sweeps : int
        Number of sweeps.
    memory_limit : int
        Bytes for the ratios and working arrays.
    progress : callable, optional
        Called with the progress of each sweep.

    Returns
    -------
    Factors
        Factors of ``S U Vᵀ T``, where S and T are the scales of the matrix.

    Examples
    --------
    >>> from residuum import datasets
    >>> from residuum.nulls import Configuration
    >>> from residuum.residual.linalg import factorize_dense
    >>> from residuum.walks import WindowProbabilities
    >>> graph = datasets.karate_club()
    >>> matrix = ResidualMatrix(WindowProbabilities(graph, 5), Configuration().fit(graph, 5), floor=-1.0)
    >>> factors = factorize_dense(matrix.columns(np.arange(34)), 4, symmetric=True)
    >>> refine(matrix, factors, n_sweeps=5, memory_limit=1 << 20).values.round()
    array([31., 18., 11.,  8.])
    """
    ratios = TiledMatrix(
        matrix.ratios,
        matrix.n_nodes,
        symmetric=matrix.symmetric,
        width=matrix.probabilities.tile_width,
        memory_limit=memory_limit,
        name="refinement",
        progress=progress,
    )
    likelihood = Likelihood.of(matrix)
    signs = np.sign(np.einsum("nk,nk->k", factors.left, factors.right)) if matrix.symmetric else None
    root = np.sqrt(factors.values).astype(np.float32)
    vectors = _Vectors(
        unscaled(factors.left * root, matrix.row_scale), unscaled(factors.right * root, matrix.column_scale)
    )
    if not factors.values.any():
        return factors
    best, direction, lowest_loss, length = vectors, vectors, np.inf, _STEP
    for _ in range(n_sweeps):
        step, loss = _newton_step(ratios, likelihood, vectors, signs)
        if loss < lowest_loss:
            best, direction, lowest_loss = vectors, step, loss
        else:
            length /= 2
        vectors = best.plus(direction.times(length))
    # The last step is kept only if it lowers the loss, like all others.
    if _loss(ratios, likelihood, vectors) < lowest_loss:
        best = vectors
    return replace(_factorized(best, matrix, signs), passes=factors.passes)


@dataclass(frozen=True)
class _Vectors:
    u: NDArray[np.float32]
    v: NDArray[np.float32]

    def plus(self, step: "_Vectors") -> "_Vectors":
        return _Vectors(self.u + step.u, self.v + step.v)

    def times(self, factor: float) -> "_Vectors":
        return _Vectors(np.float32(factor) * self.u, np.float32(factor) * self.v)


def _sampled(columns: slice, n_columns: int, n_nodes: int) -> NDArray[np.int64]:
    """Return the columns of a tile on which the loss is evaluated."""
    stride = max(1, min(_COLUMNS_PER_SAMPLE, n_nodes // _FEWEST_SAMPLED))
    return np.arange(-columns.start % stride, n_columns, stride)


def _loss(ratios: TiledMatrix, likelihood: Likelihood, vectors: _Vectors) -> float:
    """Return the loss on the sampled columns."""

    def tile_loss(columns: slice, tile: NDArray[np.float32]) -> float:
        sampled = _sampled(columns, tile.shape[1], len(vectors.v))
        scores = vectors.u @ vectors.v[columns][sampled].T
        return likelihood.loss(tile[:, sampled], scores, columns.start + sampled)

    return sum(ratios.each(tile_loss))


def _newton_step(
    ratios: TiledMatrix, likelihood: Likelihood, vectors: _Vectors, signs: NDArray[np.float32] | None
) -> tuple[_Vectors, float]:
    """Return the Newton step and the loss before it; with signs, ``u = signs · v`` and only v is differentiated."""
    a, b = likelihood.row_weights, likelihood.column_weights
    u, v = vectors.u, vectors.v
    du, dv, loss = np.zeros_like(u), np.zeros_like(v), 0.0

    def tile_step(columns: slice, tile: NDArray[np.float32]) -> tuple[float, NDArray[np.float32] | None]:
        scores = u @ v[columns].T
        sampled = _sampled(columns, tile.shape[1], len(b))
        tile_loss = likelihood.loss(tile[:, sampled], scores[:, sampled], columns.start + sampled)
        gradient = likelihood.slopes(tile, scores, a)
        dv[columns] = gradient.T @ u
        return tile_loss, gradient @ (b[columns, None] * v[columns]) if signs is None else None

    for tile_loss, part in ratios.each(tile_step):
        loss += tile_loss
        if part is not None:
            du += part
    dv = np.where(b[:, None] > 0, dv @ _inverse_curvature(u, a), np.float32(0.0))
    if signs is not None:
        return _Vectors(dv * signs, dv), loss
    return _Vectors(unscaled(du @ _inverse_curvature(v, b), a), dv), loss


def _inverse_curvature(vectors: NDArray[np.float32], weights: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the inverse of ``½ Σ_i a_i u_i u_iᵀ``, the curvature of −L where P_d equals P_0."""
    curvature = 0.5 * (vectors * weights[:, None]).T.astype(np.float64) @ vectors
    ridge = _RIDGE * max(np.trace(curvature) / len(curvature), np.finfo(np.float32).tiny)
    return np.linalg.inv(curvature + ridge * np.eye(len(curvature))).astype(np.float32)


def _factorized(vectors: _Vectors, matrix: ResidualMatrix, signs: NDArray[np.float32] | None) -> Factors:
    """Return the factors of ``S U Vᵀ T``."""
    q_left, r_left = np.linalg.qr((vectors.u * matrix.row_scale[:, None]).astype(np.float64))
    if signs is not None:
        values, directions, basis = leading_eigenpairs((r_left * signs) @ r_left.T, len(r_left))
        left = q_left @ basis
        return Factors(left.astype(np.float32), values, (left * directions).astype(np.float32))
    q_right, r_right = np.linalg.qr((vectors.v * matrix.column_scale[:, None]).astype(np.float64))
    left, values, right = np.linalg.svd(r_left @ r_right.T)
    return Factors((q_left @ left).astype(np.float32), values, (q_right @ right.T).astype(np.float32))
