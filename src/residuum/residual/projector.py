"""Erasure as a projection: a low-rank update of the matrix that every solver can apply."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum._checkpoint import Store
from residuum.residual.krylov import Operator, factorize
from residuum.residual.linalg import Factors, factorize_dense

__all__ = ["ErasedOperator", "Projector", "Side", "erased_basis", "factorize_erased", "factorize_operator"]


class Side:
    """``E = S (I − s Π) S⁻¹``, which erases the span of Π on one side of the scaled matrix ``S R̃ T``.

    ``E = I − raised loweredᵀ`` with ``raised = s S Q`` and ``lowered = S⁻¹ Q``, where Q is an orthonormal basis of the
    columns Z of the attribute, restricted to nodes with a positive scale.

    Parameters
    ----------
    columns : array of shape (N, c)
        Columns Z of the attribute.
    scale : array of shape (N,)
        Diagonal of S; zero for excluded nodes.
    strength : float
        Share s of the projection that is subtracted.

    Attributes
    ----------
    raised, lowered : arrays of shape (N, c')
        ``s S Q`` and ``S⁻¹ Q``.
    towards : array of shape (c, c')
        ``s Q = Z towards``.
    """

    def __init__(self, columns: NDArray[np.float64], scale: NDArray[np.float32], strength: float = 1.0) -> None:
        active = scale > 0
        Z = columns * active[:, None]
        basis = erased_basis(Z.T @ Z)
        Q = Z @ basis
        self.strength, self.towards = strength, strength * basis
        inverse = np.divide(1.0, scale, out=np.zeros(len(scale)), where=active)
        self.raised, self.lowered = strength * Q * scale[:, None].astype(np.float64), Q * inverse[:, None]

    def erase(self, X: NDArray[Any]) -> NDArray[np.float32]:
        """Return ``E X``; a projection is applied twice to remove rounding errors.

        Parameters
        ----------
        X : array of shape (N, k)
            Vectors in columns.

        Returns
        -------
        array of shape (N, k)
            The product in float32.
        """
        wide = X.astype(np.float64)
        for _ in range(2 if self.strength == 1.0 else 1):
            wide = wide - self.raised @ (self.lowered.T @ wide)
        return wide.astype(np.float32)

    def erase_transposed(self, X: NDArray[Any]) -> NDArray[np.float32]:
        """Return ``Eᵀ X``.

        Parameters
        ----------
        X : array of shape (N, k)
            Vectors in columns.

        Returns
        -------
        array of shape (N, k)
            The product in float32.
        """
        wide = X.astype(np.float64)
        return np.asarray(wide - self.lowered @ (self.raised.T @ wide), dtype=np.float32)


class Projector:
    """``F = E_l (S R̃ T) E_rᵀ = S (I − s Π) R̃ (I − s Π) T``: erasure on both sides of the matrix.

    Parameters
    ----------
    columns : array of shape (N, c)
        Columns whose span is erased.
    row_scale : array of shape (N,)
        Diagonal of S.
    column_scale : array of shape (N,), optional
        Diagonal of T; None if the matrix is symmetric.
    strength : float
        Share s of the projection that is subtracted.

    Examples
    --------
    Erasing the groups {0, 1} and {2, 3} removes their means:

    >>> projector = Projector(np.eye(2)[[0, 0, 1, 1]], np.ones(4, dtype=np.float32))
    >>> erased = projector.clean(np.diag([1.0, 2.0, 3.0, 4.0]).astype(np.float32))
    >>> erased[:2, :2]
    array([[ 0.75, -0.75],
           [-0.75,  0.75]], dtype=float32)
    """

    def __init__(
        self,
        columns: NDArray[np.float64],
        row_scale: NDArray[np.float32],
        column_scale: NDArray[np.float32] | None = None,
        strength: float = 1.0,
    ) -> None:
        self.left = Side(columns, row_scale, strength)
        self.right = self.left if column_scale is None else Side(columns, column_scale, strength)

    def clean(self, dense: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return F for a dense matrix.

        Parameters
        ----------
        dense : array of shape (N, N)
            Scaled matrix ``S R̃ T``.

        Returns
        -------
        array of shape (N, N)
            Matrix without the erased columns.
        """
        return self.right.erase(self.left.erase(dense).T).T


def erased_basis(gram: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return B such that ``Q = Z B`` is an orthonormal basis of the columns Z of an attribute.

    Parameters
    ----------
    gram : array of shape (c, c)
        ``ZᵀZ``.

    Returns
    -------
    array of shape (c, c')
        Combinations of the columns, without linearly dependent ones.

    Examples
    --------
    >>> erased_basis(np.array([[4.0, 4.0], [4.0, 4.0]])).shape
    (2, 1)
    """
    values, vectors = np.linalg.eigh(gram)
    safe = values > 1e-10 * values[-1]
    return np.asarray(vectors[:, safe] / np.sqrt(values[safe]))


def factorize_erased(
    dense: NDArray[np.float32],
    projector: Projector | None,
    n_components: int,
    symmetric: bool,
    resolution: float = 0.0,
) -> Factors:
    """Return the leading factors of a dense matrix after erasure.

    Parameters
    ----------
    dense : array of shape (N, N)
        Scaled matrix ``S R̃ T``.
    projector : Projector or None
        Erasure, or None to factorize the matrix as it is.
    n_components : int
        Number of dimensions K.
    symmetric : bool
        Whether the matrix is symmetric.
    resolution : float, default 0
        Rounding error of the matrix.

    Returns
    -------
    Factors
        Factors with ``readout`` and ``erased`` set if there is a projector.

    Examples
    --------
    >>> projector = Projector(np.eye(2)[[0, 0, 1, 1]], np.ones(4, dtype=np.float32))
    >>> dense = np.diag([1.0, 2.0, 3.0, 4.0]).astype(np.float32)
    >>> factorize_erased(dense, projector, n_components=2, symmetric=True).values
    array([3.5, 1.5])
    """
    if projector is None:
        return factorize_dense(dense, n_components, symmetric, resolution)
    factors = factorize_dense(projector.clean(dense), n_components, symmetric, resolution)
    factors.readout = projector.right.erase_transposed(factors.right)
    factors.erased = projector.left.lowered.T @ dense @ factors.readout
    return factors


class ErasedOperator:
    """The erased matrix F of :class:`Projector` as an operator, at the cost of one extra pass over the matrix.

    Parameters
    ----------
    operator : Operator
        Scaled matrix ``S R̃ T``.
    projector : Projector
        Erasure on both sides.
    store : Store
        Saves the products of the extra pass.

    Examples
    --------
    >>> from residuum.residual import TiledMatrix
    >>> dense = np.diag([1.0, 2.0, 3.0, 4.0]).astype(np.float32)
    >>> operator = TiledMatrix(lambda nodes: dense[:, nodes], 4, symmetric=True, width=4, memory_limit=1 << 20)
    >>> projector = Projector(np.eye(2)[[0, 0, 1, 1]], np.ones(4, dtype=np.float32))
    >>> erased = ErasedOperator(operator, projector, Store())
    >>> np.allclose(erased.matmat(np.eye(4)), projector.clean(dense))
    True
    """

    def __init__(self, operator: Operator, projector: Projector, store: Store) -> None:
        self.operator = operator
        self.left, self.right = projector.left, projector.right
        self.symmetric, self.in_memory = operator.symmetric, operator.in_memory
        both = np.concatenate([self.right.raised, self.right.lowered], axis=1).astype(np.float32)
        images = store.once("erased", lambda: operator.matmat(both)).astype(np.float64)
        width = self.right.raised.shape[1]
        self._raised_image, self._lowered_image = images[:, :width], images[:, width:]

    def matmat(self, X: NDArray[Any]) -> NDArray[np.float32]:
        """Return ``F X``.

        Parameters
        ----------
        X : array of shape (N, k)
            Vectors in columns.

        Returns
        -------
        array of shape (N, k)
            The product.
        """
        return self.left.erase(self.operator.matmat(self.right.erase_transposed(X)))

    def rmatmat(self, X: NDArray[Any]) -> NDArray[np.float32]:
        """Return ``Fᵀ X``.

        Parameters
        ----------
        X : array of shape (N, k)
            Vectors in columns.

        Returns
        -------
        array of shape (N, k)
            The product with the transpose.
        """
        return self.right.erase(self.operator.rmatmat(self.left.erase_transposed(X)))

    def gram(self, X: NDArray[Any]) -> NDArray[np.float32]:
        """Return ``[Fᵀ X, F Fᵀ X]``.

        Parameters
        ----------
        X : array of shape (N, k)
            Vectors in columns.

        Returns
        -------
        array of shape (N, 2 k)
            Both products, side by side.
        """
        products = self.operator.gram(self.left.erase_transposed(X)).astype(np.float64)
        image, second_image = products[:, : X.shape[1]], products[:, X.shape[1] :]
        inner = self.right.erase(image)
        # R E_rᵀ inner = R image − R raised (loweredᵀ image) − R lowered (raisedᵀ inner)
        second_image = second_image - self._raised_image @ (self.right.lowered.T @ image)
        second_image = second_image - self._lowered_image @ (self.right.raised.T @ inner.astype(np.float64))
        return np.concatenate([inner, self.left.erase(second_image)], axis=1)

    def erased_rows(self) -> NDArray[np.float64]:
        """Return ``loweredᵀ R``, where R is the scaled matrix before erasure.

        Returns
        -------
        array of shape (c', N)
            Projections of the rows on the erased columns.
        """
        if self.symmetric:
            return self._lowered_image.T
        return np.asarray(self.operator.rmatmat(self.left.lowered.astype(np.float32)).T, dtype=np.float64)


def factorize_operator(
    operator: Operator,
    projector: Projector | None,
    start: NDArray[np.float32],
    n_components: int,
    tolerance: float,
    store: Store,
    resolution: float = 0.0,
) -> Factors:
    """Return the leading factors of an operator after erasure.

    Parameters
    ----------
    operator : Operator
        Scaled matrix ``S R̃ T``.
    projector : Projector or None
        Erasure, or None to factorize the matrix as it is.
    start : array of shape (N, n_components + a few)
        Initial vectors, see :func:`factorize`.
    n_components : int
        Number of dimensions K.
    tolerance : float
        Relative error of the singular values at which the iteration stops.
    store : Store
        Saves the products of each pass.
    resolution : float, default 0
        Rounding error of the matrix.

    Returns
    -------
    Factors
        Factors with ``readout`` and ``erased`` set if there is a projector.

    Examples
    --------
    >>> from residuum import datasets
    >>> from residuum.residual import TiledMatrix
    >>> A = datasets.karate_club().adjacency.toarray().astype(np.float32)
    >>> operator = TiledMatrix(lambda nodes: A[:, nodes], 34, symmetric=True, width=16, memory_limit=1 << 20)
    >>> projector = Projector(np.ones((34, 1)), np.ones(34, dtype=np.float32))
    >>> start = np.random.default_rng(0).standard_normal((34, 8)).astype(np.float32)
    >>> factorize_operator(operator, projector, start, 2, tolerance=1e-2, store=Store()).values.round(2)
    array([4.98, 3.68])
    """
    if projector is None:
        return factorize(operator, start, n_components, tolerance, store, resolution)
    erased = ErasedOperator(operator, projector, store)
    factors = factorize(erased, projector.left.erase(start), n_components, tolerance, store, resolution)
    # The span of the exact factors is erased; rounding errors and random initial vectors are erased here.
    factors.left, factors.right = projector.left.erase(factors.left), projector.right.erase(factors.right)
    factors.readout = projector.right.erase_transposed(factors.right)
    factors.erased = erased.erased_rows() @ factors.readout
    return factors
