"""The factorised matrix without what is erased: a low-rank change of every solver."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum._store import Store
from residuum.residual.erasure import Erasure
from residuum.residual.krylov import GramOperator
from residuum.residual.matrix import ResidualMatrix

__all__ = ["ErasedOperator", "Projector", "Side"]


class Side:
    """``E = S (I − Π) S⁻¹`` on one side of the scaled matrix ``S R̃ T``: erases what Π spans before the scale counts.

    ``E = I − raised loweredᵀ`` with ``raised = S Q``, ``lowered = S⁻¹ Q`` and Q an orthonormal basis of the attribute's
    columns Z among the nodes that take part.

    Attributes
    ----------
    raised, lowered : arrays of shape (N, c')
    towards : array of shape (c, c')
        ``Q = Z towards``.
    """

    def __init__(self, columns: NDArray[np.float64], scale: NDArray[np.float32]) -> None:
        active = scale > 0
        Z = columns * active[:, None]
        values, vectors = np.linalg.eigh(Z.T @ Z)
        safe = values > 1e-10 * values[-1]
        self.towards = vectors[:, safe] / np.sqrt(values[safe])
        Q = Z @ self.towards
        inverse = np.divide(1.0, scale, out=np.zeros(len(scale)), where=active)
        self.raised, self.lowered = Q * scale[:, None].astype(np.float64), Q * inverse[:, None]

    def erase(self, X: NDArray[Any]) -> NDArray[np.float32]:
        """Return ``E X``, in two rounds so that float32 leaves nothing behind."""
        wide = X.astype(np.float64)
        for _ in range(2):
            wide = wide - self.raised @ (self.lowered.T @ wide)
        return wide.astype(np.float32)

    def erase_transposed(self, X: NDArray[Any]) -> NDArray[np.float32]:
        """Return ``Eᵀ X``."""
        wide = X.astype(np.float64)
        return np.asarray(wide - self.lowered @ (self.raised.T @ wide), dtype=np.float32)


class Projector:
    """The erasure of both sides: ``F = E_l (S R̃ T) E_rᵀ = S (I − Π) R̃ (I − Π) T``."""

    def __init__(self, erasure: Erasure, matrix: ResidualMatrix) -> None:
        columns = erasure.columns()
        self.left = Side(columns, matrix.row_scale)
        self.right = self.left if matrix.symmetric else Side(columns, matrix.column_scale)

    def clean(self, dense: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return F of a matrix that is small enough to be there."""
        return self.right.erase(self.left.erase(dense).T).T


class ErasedOperator:
    """F with the products that :func:`factorise` needs, from one extra pass over the matrix.

    Parameters
    ----------
    operator : an operator with ``matmat``, ``rmatmat`` and ``gram``
    projector : Projector
    store : Store
        Where the products of the extra pass are saved.
    """

    def __init__(self, operator: GramOperator, projector: Projector, store: Store) -> None:
        self.operator = operator
        self.left, self.right = projector.left, projector.right
        self.symmetric = operator.symmetric
        both = np.concatenate([self.right.raised, self.right.lowered], axis=1).astype(np.float32)
        images = store.once("erased", lambda: operator.matmat(both)).astype(np.float64)
        width = self.right.raised.shape[1]
        self._raised_image, self._lowered_image = images[:, :width], images[:, width:]

    @property
    def at_hand(self) -> bool:
        """Always gone through in whole passes."""
        return False

    def matmat(self, X: NDArray[Any]) -> NDArray[np.float32]:
        """Return ``F X``."""
        return self.left.erase(self.operator.matmat(self.right.erase_transposed(X)))

    def rmatmat(self, X: NDArray[Any]) -> NDArray[np.float32]:
        """Return ``FᵀX``."""
        return self.right.erase(self.operator.rmatmat(self.left.erase_transposed(X)))

    def gram(self, X: NDArray[Any]) -> NDArray[np.float32]:
        """Return ``FᵀX`` and ``F FᵀX`` side by side."""
        products = self.operator.gram(self.left.erase_transposed(X)).astype(np.float64)
        image, onward = products[:, : X.shape[1]], products[:, X.shape[1] :]
        inner = self.right.erase(image)
        # R E_rᵀ inner = R image − R raised (loweredᵀ image) − R lowered (raisedᵀ inner)
        onward = onward - self._raised_image @ (self.right.lowered.T @ image)
        onward = onward - self._lowered_image @ (self.right.raised.T @ inner.astype(np.float64))
        return np.concatenate([inner, self.left.erase(onward)], axis=1)

    def erased_rows(self) -> NDArray[np.float64]:
        """Return ``loweredᵀ R``, shape (c', N): the mean rows of the matrix in the erased directions."""
        if self.symmetric:
            return self._lowered_image.T
        return np.asarray(self.operator.rmatmat(self.left.lowered.astype(np.float32)).T, dtype=np.float64)
