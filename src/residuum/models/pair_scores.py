"""Scores of pairs of nodes: what the null model does not explain, and what it does."""

import numpy as np
from numpy.typing import NDArray

from residuum.nulls import FittedNull

__all__ = ["null_scores", "residual_scores"]


def residual_scores(
    u: NDArray[np.float32],
    v: NDArray[np.float32],
    rows: NDArray[np.int64],
    columns: NDArray[np.int64],
    *,
    directed: bool,
) -> NDArray[np.float64]:
    """Return ``u_i · v_j``, in an undirected graph ``(u_i · v_j + u_j · v_i) / 2``, for pairs of positions."""
    forward = _dot(u[rows], v[columns])
    return forward if directed else (forward + _dot(u[columns], v[rows])) / 2


def null_scores(
    null: FittedNull, rows: NDArray[np.int64], columns: NDArray[np.int64], *, directed: bool
) -> NDArray[np.float64]:
    """Return the log of the null's joint probability of the pair, the mean of both directions if undirected."""
    forward = null.log_probability(rows, columns) + null.source_offset[rows]
    if directed:
        return forward
    backward = null.log_probability(columns, rows) + null.source_offset[columns]
    return np.asarray((forward + backward) / 2)


def _dot(left: NDArray[np.float32], right: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return the inner products of matching rows."""
    return np.asarray(np.einsum("pk,pk->p", left, right, dtype=np.float64))
