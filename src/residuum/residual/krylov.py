"""Leading factors of a residual matrix by block Krylov iteration with restarts."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum._checkpoint import Store
from residuum.residual.krylov_spaces import BLOCKS, GeneralSpace, Operator, SymmetricSpace
from residuum.residual.linalg import Factors

__all__ = ["OVERSAMPLING", "Operator", "factorize", "is_small", "iterate", "krylov_bytes", "ritz_errors"]

OVERSAMPLING = 16
# Sizes up to which a matrix is factorized by LAPACK.
_DENSE_SIZE, _DENSE_BLOCKS = 512, 4
# Maximum number of products with the matrix.
_MAX_PRODUCTS = 64
# Residuals and singular values below this share of the largest singular value are rounding errors of float32 products.
_ROUNDING = 5e-7
# Part of the length of a residual that the error of a singular value can have if another one is very close.
_CLOSE = 10.0


def krylov_bytes(n_nodes: int, n_components: int) -> int:
    """Return the peak memory of :func:`factorize`, excluding the operator.

    Parameters
    ----------
    n_nodes : int
        Number of rows N of the matrix.
    n_components : int
        Number of dimensions K.

    Returns
    -------
    int
        Bytes of the basis, its images and working copies.

    Examples
    --------
    >>> krylov_bytes(10_000, 64)
    51200000
    """
    return 4 * n_nodes * (n_components + OVERSAMPLING) * (BLOCKS + 4)


def is_small(n_nodes: int, n_components: int) -> bool:
    """Return whether a dense factorization is cheaper than a Krylov iteration, whose basis would be almost complete.

    Parameters
    ----------
    n_nodes : int
        Number of rows N of the matrix.
    n_components : int
        Number of dimensions K.

    Returns
    -------
    bool
        Whether ``N ≤ max(512, 4 (K + 16))``.

    Examples
    --------
    >>> is_small(500, 64), is_small(5000, 64)
    (True, False)
    """
    return n_nodes <= max(_DENSE_SIZE, _DENSE_BLOCKS * (n_components + OVERSAMPLING))


def factorize(
    operator: Operator,
    start: NDArray[np.float32],
    n_components: int,
    tolerance: float,
    store: Store,
    resolution: float = 0.0,
) -> Factors:
    """Return the leading factors of a matrix by block Krylov iteration.

    The basis grows by the residuals ``r_k = R̃ v_k − σ_k u_k`` of the singular values that are not yet accurate, until
    the estimated relative error of each of the K singular values is at most ``tolerance``, for at most 64 products with
    the matrix. The error of σ_k is estimated as ``|r_k|² / gap_k``, where the gap is the distance from σ_k to the
    singular values beyond the block, but at least a tenth of ``|r_k|``, which bounds it. When the basis is full, it is
    reduced to its K + 16 leading vectors, whose images are already computed. If the rank is below K, the remaining
    values and vectors are zero.

    Parameters
    ----------
    operator : Operator
        Matrix to factorize.
    start : array of shape (N, m)
        Initial vectors; the closer to the leading factors, the fewer passes. Random vectors are added up to K + 16.
    n_components : int
        Number of dimensions K.
    tolerance : float
        Relative error of the singular values at which the iteration stops.
    store : Store
        Saves the products of each pass.
    resolution : float, default 0
        Rounding error of the matrix: residuals and singular values up to this value are zero.

    Returns
    -------
    Factors
        Leading factors, with the number of passes and the estimated errors.

    Examples
    --------
    >>> from residuum import datasets
    >>> from residuum.residual import TiledMatrix
    >>> A = datasets.karate_club().adjacency.toarray().astype(np.float32)
    >>> operator = TiledMatrix(lambda nodes: A[:, nodes], 34, symmetric=True, width=16, memory_limit=1 << 20)
    >>> start = np.random.default_rng(0).standard_normal((34, 10)).astype(np.float32)
    >>> factorize(operator, start, n_components=2, tolerance=1e-4, store=Store()).values.round(2)
    array([6.73, 4.98])
    """
    width = n_components + OVERSAMPLING
    kind = SymmetricSpace if operator.symmetric else GeneralSpace
    space = kind(operator, len(start), width, store)
    more = space.random(0, max(width - start.shape[1], 0))
    factors: Factors = iterate(space, np.concatenate([start, more], axis=1), n_components, tolerance, resolution)
    return factors


def iterate(space: Any, start: Any, n_components: int, tolerance: float, resolution: float) -> Any:
    """Run the block Krylov iteration of :func:`factorize` in a space, wherever its vectors are.

    Parameters
    ----------
    space : object
        Basis with ``fresh``, ``random``, ``make_room``, ``advance`` and ``ritz``.
    start : object with a shape
        Initial vectors.
    n_components : int
        Number of dimensions K.
    tolerance : float
        Relative error of the singular values at which the iteration stops.
    resolution : float
        Rounding error of the matrix.

    Returns
    -------
    object
        Factors as the space returns them.
    """
    width = n_components + OVERSAMPLING
    block = space.fresh(start)
    is_probe = False
    for number in range(1, _MAX_PRODUCTS // space.products_per_pass + 1):
        space.make_room(block.shape[1], width)
        space.advance(number, block)
        ritz = space.ritz(min(width, space.size))
        rounding = max(resolution, _ROUNDING * ritz.values.max(initial=0.0))
        errors = ritz_errors(ritz.values, ritz.lengths[:n_components], rounding)
        wrong = errors > tolerance * ritz.values[: len(errors)]
        if not wrong.any() and (is_probe or len(ritz.values) > n_components):
            break
        chosen = np.zeros(len(ritz.values), dtype=np.bool_)
        chosen[: len(wrong)] = wrong
        chosen[len(wrong) : len(wrong) + OVERSAMPLING // 2] = True
        block = space.fresh(ritz.residuals(chosen))
        if is_probe := block.shape[1] == 0:
            # The span of the basis is invariant: random vectors show whether it misses a part of the range.
            block = space.fresh(space.random(number, OVERSAMPLING))
            if block.shape[1] == 0:
                break
    return ritz.factors(n_components, rounding, errors, number)


def ritz_errors(values: NDArray[np.float64], lengths: NDArray[np.float64], rounding: float) -> NDArray[np.float64]:
    """Return the estimated errors of the leading values; 0 if the residual is rounding error.

    Parameters
    ----------
    values : array of shape (n,)
        Singular values, descending.
    lengths : array of shape (k,)
        Lengths of the residuals of the first of them.
    rounding : float
        Length of a residual that is rounding error.

    Returns
    -------
    array of shape (k,)
        Errors.
    """
    gap = np.maximum(values[: len(lengths)] - values[-1:], np.finfo(np.float64).tiny)
    with np.errstate(over="ignore"):
        errors = np.minimum(lengths, np.maximum(lengths**2 / gap, lengths / _CLOSE))
    return np.where(lengths > rounding, errors, 0.0)
