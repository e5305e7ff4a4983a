"""Factors of the residual matrix on shared storage, whichever solver found them."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum.distributed.tall import TallMatrix

__all__ = ["PartitionedFactors"]


@dataclass(frozen=True)
class PartitionedFactors:
    """``R̃ ≈ left · diag(values) · rightᵀ`` with left and right on shared storage.

    Attributes
    ----------
    left, right : TallMatrix
        Left and right singular vectors, shape (N, K).
    values : array of shape (K,)
        Singular values, descending; beyond the rank they are zero.
    left_signs, right_signs : arrays of shape (K,)
        Signs of the columns.
    error : float
        Estimated loss compared with the best factors of the same rank.
    details : dict
        Facts about the run.
    is_refined : bool
        Whether the factors maximize the likelihood, rather than the least-squares fit.
    readout : TallMatrix or None
        Right vectors that rows of the matrix before erasure are multiplied with, before signs; None for ``right``.
    erased : array of shape (c, K) or None
        Correction of the coordinates for the columns of the erased attributes, before signs.
    """

    left: TallMatrix
    right: TallMatrix
    values: NDArray[np.float64]
    left_signs: NDArray[np.float32]
    right_signs: NDArray[np.float32]
    error: float
    details: dict[str, Any] = field(default_factory=dict)
    is_refined: bool = False
    readout: TallMatrix | None = None
    erased: NDArray[np.float64] | None = None

    @classmethod
    def signed(
        cls,
        left: TallMatrix,
        right: TallMatrix,
        values: NDArray[np.float64],
        relative: NDArray[Any] | None,
        error: float,
        details: dict[str, Any],
    ) -> "PartitionedFactors":
        """Return factors whose largest entry of each left vector, by magnitude, is positive.

        Parameters
        ----------
        left, right : TallMatrix
            Singular vectors.
        values : array of shape (K,)
            Singular values.
        relative : array of shape (K,) or None
            Signs of the right vectors if these are the left ones; None if they are others.
        error : float
            Estimated error.
        details : dict
            Facts about the run.

        Returns
        -------
        PartitionedFactors
            The factors.
        """
        signs = np.where(left.extremes() < 0, -1.0, 1.0).astype(np.float32)
        return cls(left, right, values, signs, signs if relative is None else signs * relative, error, details)
