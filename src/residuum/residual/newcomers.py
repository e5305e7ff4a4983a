"""Vectors of nodes that were not in the graph, from their edges to nodes that were."""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from residuum.errors import NullModelError
from residuum.residual.matrix import ResidualMatrix
from residuum.residual.refinement import Likelihood, inverse_curvature

__all__ = ["Newcomers", "ProjectedNewcomers", "RefinedNewcomers"]

# Steps in which the vector of a newcomer is found by the likelihood of its row, and what share of Newton's each is.
_STEPS, _LENGTH = 50, np.float32(0.5)


class Newcomers(Protocol):
    """What turns edges into vectors."""

    def embed(self, edges: "sparse.csr_array[Any]", row_groups: NDArray[np.int32]) -> NDArray[np.float32]:
        """Return vectors, shape (m, K).

        A newcomer's walker makes its first step along the newcomer's own edges and goes on in the known graph:
        ``P_d(j | new) = Σ_t w_t (p Pᵗ⁻¹)_j`` with p the newcomer's edge weights, normalised.

        Parameters
        ----------
        edges : sparse array of shape (m, N)
            Weights of the edges from newcomers to known nodes; a newcomer without any gets a zero vector.
        row_groups : int array of shape (m,)
            The group of each newcomer in the null model's blocks.
        """
        ...


@dataclass(frozen=True)
class ProjectedNewcomers:
    """Newcomers of a matrix that was factorised: a product with their residual rows.

    Attributes
    ----------
    matrix : ResidualMatrix
    projection : float32 array of shape (N, K)
        ``T Φ_r s^α / σ``.
    """

    matrix: ResidualMatrix
    projection: NDArray[np.float32]

    def embed(self, edges: "sparse.csr_array[Any]", row_groups: NDArray[np.int32]) -> NDArray[np.float32]:
        """Return vectors, shape (m, K)."""
        observed, expected, known = _rows_of_newcomers(self.matrix, edges, row_groups)
        with np.errstate(divide="ignore", invalid="ignore"):
            residual = np.fmax(np.log(observed) - np.log(expected), self.matrix.floor)
        rows = np.where(known, residual * self.matrix.column_scale, 0.0).astype(np.float32)
        return np.asarray(rows @ self.projection)


@dataclass(frozen=True)
class RefinedNewcomers:
    """Newcomers of factors that were refined: the vectors with the highest likelihood of their rows.

    Attributes
    ----------
    matrix : ResidualMatrix
    contexts : float32 array of shape (N, K)
        v, of the refined factors.
    towards : array of shape (K,)
        What turns the components of ``u`` beside these ``v`` into those of the embedding.
    """

    matrix: ResidualMatrix
    contexts: NDArray[np.float32]
    towards: NDArray[np.float64]

    def embed(self, edges: "sparse.csr_array[Any]", row_groups: NDArray[np.int32]) -> NDArray[np.float32]:
        """Return vectors, shape (m, K)."""
        observed, expected, known = _rows_of_newcomers(self.matrix, edges, row_groups)
        ratios = np.divide(observed, expected, out=np.zeros_like(observed), where=expected > 0, casting="same_kind")
        weights = Likelihood.of(self.matrix).column_weights
        everyone = np.ones(len(ratios), dtype=np.float32)
        towards = (weights[:, None] * self.contexts) @ inverse_curvature(self.contexts, weights)
        vectors = np.zeros((len(ratios), self.contexts.shape[1]), dtype=np.float32)
        for _ in range(_STEPS):
            uphill = Likelihood.slopes(ratios, vectors @ self.contexts.T, everyone)
            vectors += _LENGTH * (uphill @ towards)
        vectors[~known.any(axis=1)] = 0.0
        return np.asarray(vectors * self.towards.astype(np.float32))


def _rows_of_newcomers(
    matrix: ResidualMatrix, edges: "sparse.csr_array[Any]", row_groups: NDArray[np.int32]
) -> tuple[NDArray[np.float32], NDArray[np.float64], NDArray[np.bool_]]:
    """Return P_d and P_0 of new centres, and what is known of them, shape (m, N) each."""
    blocks = matrix.null.blocks
    if blocks is None:
        raise NullModelError("new nodes need a null model with groups or degrees (a block shape); this one is sampled.")
    strength = np.asarray(edges.sum(axis=1)).ravel()
    first = edges.toarray().astype(np.float64) / np.where(strength > 0, strength, 1.0)[:, None]
    observed = matrix.probabilities.continue_from(first.astype(np.float32))
    expected = blocks.weights[row_groups][:, blocks.groups] * blocks.theta
    if blocks.target is not None and blocks.jump is not None:
        expected = expected + np.outer(blocks.jump[row_groups], blocks.target)
    return observed, expected, (strength > 0)[:, None] & (matrix.column_scale > 0)
