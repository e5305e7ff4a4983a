"""Residual rows of nodes that were not in the graph, from their edges to nodes that were."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from residuum.errors import NullModelError
from residuum.residual.matrix import ResidualMatrix

__all__ = ["residual_rows_of_newcomers"]


def residual_rows_of_newcomers(
    matrix: ResidualMatrix, edges: "sparse.csr_array[Any]", row_groups: NDArray[np.int32]
) -> NDArray[np.float32]:
    """Return the rows of ``R̃ T`` for new centres, shape (m, N).

    A newcomer's walker makes its first step along the newcomer's own edges and goes on in the known graph:
    ``P_d(j | new) = Σ_t w_t (p Pᵗ⁻¹)_j`` with p the newcomer's edge weights, normalised.

    Parameters
    ----------
    matrix : ResidualMatrix
    edges : sparse array of shape (m, N)
        Weights of the edges from newcomers to known nodes; a newcomer without any gets a zero row.
    row_groups : int array of shape (m,)
        The group of each newcomer in the null model's blocks.
    """
    blocks = matrix.null.blocks
    if blocks is None:
        raise NullModelError("new nodes need a null model with groups or degrees (a block shape); this one is sampled.")
    strength = np.asarray(edges.sum(axis=1)).ravel()
    first = edges.toarray().astype(np.float64) / np.where(strength > 0, strength, 1.0)[:, None]
    observed = matrix.probabilities.continue_from(first.astype(np.float32))
    expected = blocks.weights[row_groups][:, blocks.groups] * blocks.theta
    if blocks.target is not None and blocks.jump is not None:
        expected = expected + np.outer(blocks.jump[row_groups], blocks.target)
    with np.errstate(divide="ignore", invalid="ignore"):
        residual = np.fmax(np.log(observed) - np.log(expected), matrix.floor)
    known = (strength > 0)[:, None] & (matrix.column_scale > 0)
    return np.where(known, residual * matrix.column_scale, 0.0).astype(np.float32)
