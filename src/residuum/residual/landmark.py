"""Landmarks: a few exact columns (and rows) of the residual matrix; the rest follows by low rank."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from residuum._memory import format_bytes
from residuum._progress import ProgressCallback, Stage
from residuum._store import Store
from residuum.errors import MemoryLimitError
from residuum.residual.krylov import Factors, factorise_dense, fix_signs, tall_product
from residuum.residual.matrix import ResidualMatrix
from residuum.residual.projector import Projector
from residuum.residual.sketch import Sketch

__all__ = ["LandmarkResult", "factorise_by_landmarks", "landmarks_to_begin_with"]

_HELD_OUT = 128
_FIRST_LANDMARKS = 512
# Landmarks for each component at the start: fewer make the core ill-conditioned.
_LANDMARKS_PER_COMPONENT = 6
# Landmarks for each root of the number of nodes: large graphs have more communities to be seen.
_LANDMARKS_PER_ROOT = 4
_MOST_BY_SIZE = 1200
# Where doubling ends.
_MOST_LANDMARKS = 4096


@dataclass
class LandmarkResult:
    """Factors from landmarks, and how far to trust them.

    Attributes
    ----------
    factors : Factors
    n_landmarks : int
        Exact columns (and, if R̃ is not symmetric, as many rows) that were used.
    error : float
        What the landmarks lost, as a share of what varies in R̃: see :func:`factorise_by_landmarks`.
    """

    factors: Factors
    n_landmarks: int
    error: float


def factorise_by_landmarks(
    matrix: ResidualMatrix,
    n_components: int,
    *,
    n_landmarks: int | None,
    tolerance: float,
    memory_limit: int,
    rng: np.random.Generator,
    store: Store,
    progress: ProgressCallback | None = None,
    projector: Projector | None = None,
) -> LandmarkResult:
    """Return the leading factors of ``R̃`` from the exact columns C = R̃[:, L] (and rows) at some landmarks L.

    A basis Q of the range of C has a core M with ``C ≈ Q M Q_Lᵀ`` in the least-squares sense, and ``R̃ ≈ Q M Qᵀ``.
    For a matrix that is not symmetric, columns give the left basis, rows the right one, and both the core.

    The error is estimated on held-out columns H: with ``e`` the error of rank-K factors on H, relative to the norm of
    these columns without their common level,
    ``error² = e(factors from L without H)² − e(factors from L and H)²``. The factors of the whole matrix lie between
    the two, so that the difference tells what landmarks lose against them. While it is above ``tolerance`` the number
    of landmarks doubles; the factors that are returned are those from L and H.

    Parameters
    ----------
    matrix : ResidualMatrix
    n_components : int
    n_landmarks : int or None
        A fixed number, or None to add landmarks until the tolerance is met.
    tolerance : float
    memory_limit : int
        Bytes that may be taken; columns that do not fit are on disk.
    rng : numpy Generator
        Chooses the landmarks, in proportion to the root of their strength.
    store : Store
        Where columns are saved.
    progress : callable, optional
    projector : Projector, optional
        What is erased: the low-rank form is projected before it is cut to K components.
    """
    budget = _budget(matrix, n_components, memory_limit)
    if not matrix.symmetric:
        budget //= 2
    columns = Sketch(matrix, "columns", rng, store, budget)
    sketches = [columns] if matrix.symmetric else [columns, Sketch(matrix, "rows", rng, store, budget)]
    most = min(sketch.n_candidates for sketch in sketches)
    if n_landmarks is None:
        most = min(most, max(_MOST_LANDMARKS, _LANDMARKS_PER_COMPONENT * n_components))
    wanted = n_landmarks or landmarks_to_begin_with(matrix.n_nodes, n_components)
    while True:
        wanted = min(wanted, most)
        stage = Stage(f"{wanted} landmark columns", wanted - columns.size, progress)
        for sketch in sketches:
            sketch.grow(wanted, stage if sketch is columns else None)
        fit = _Fit(sketches, columns.size, n_components)
        error = _held_out_error(fit, sketches, n_components)
        if error <= tolerance or wanted == most or n_landmarks is not None:
            break
        wanted *= 2
    stage = Stage("factors", 1, progress)
    factors = fit.factors() if projector is None else fit.erased_factors(projector, n_components)
    stage.finish()
    return LandmarkResult(factors, columns.size, error)


def landmarks_to_begin_with(n_nodes: int, n_components: int) -> int:
    """Return how many landmarks there are at first: enough for the components, more for large graphs, some to test."""
    by_size = min(int(_LANDMARKS_PER_ROOT * np.sqrt(n_nodes)), _MOST_BY_SIZE)
    return max(_FIRST_LANDMARKS, _LANDMARKS_PER_COMPONENT * n_components, by_size) + _HELD_OUT


def _budget(matrix: ResidualMatrix, n_components: int, memory_limit: int) -> int:
    """Return the bytes of columns that may stay in memory, beside what every run needs."""
    # Three working tiles, and the two sets of factors before and after their scaling.
    needed = 4 * matrix.n_nodes * (3 * matrix.probabilities.tile_width + 4 * n_components)
    if memory_limit < needed:
        raise MemoryLimitError(
            f"the landmark solver needs at least {format_bytes(needed)} for {matrix.n_nodes} nodes and "
            f"{n_components} components, but memory_limit leaves {format_bytes(memory_limit)}. "
            "Raise memory_limit, or ask for fewer components."
        )
    return memory_limit - needed


def _held_out_error(fit: "_Fit", sketches: list[Sketch], n_components: int) -> float:
    """Return what the factors lose on the last columns if these take no part in the fit."""
    size = fit.size
    seen = size - min(_HELD_OUT, size // 4)
    if seen <= n_components or size >= sketches[0].n_candidates:
        return 0.0
    held_out = slice(seen, size)
    without = _Fit(sketches, seen, n_components).relative_error(held_out)
    return float(np.sqrt(max(without**2 - fit.relative_error(held_out) ** 2, 0.0)))


class _Fit:
    """``R̃ ≈ (C B_l Z_l) diag(values) (C' B_r Z_r)ᵀ`` from the first ``size`` columns of each sketch.

    Everything here is of the size of the landmarks; only :meth:`factors` touches arrays of N rows.
    """

    def __init__(self, sketches: list[Sketch], size: int, n_components: int) -> None:
        self.left, self.right = sketches[0], sketches[-1]
        self.size = size
        self.symmetric = len(sketches) == 1
        rank = max(min(max(2 * n_components, n_components + 32), size // 3), min(n_components, size))
        left_basis = self.left.basis(size, rank)
        right_basis = left_basis if self.symmetric else self.right.basis(size, rank)
        core = self._core(left_basis, right_basis)
        self.left_basis, self.right_basis, self.core = left_basis, right_basis, core
        if self.symmetric:
            eigenvalues, Z = np.linalg.eigh((core + core.T) / 2)
            order = np.argsort(-np.abs(eigenvalues))[:n_components]
            self.values = np.abs(eigenvalues[order])
            self.signs = np.where(eigenvalues[order] < 0, -1.0, 1.0)
            self.left_map = left_basis @ Z[:, order]
            self.right_map = self.left_map * self.signs
        else:
            Z_left, values, Z_right = np.linalg.svd(core)
            self.values = values[:n_components]
            self.left_map = left_basis @ Z_left[:, :n_components]
            self.right_map = right_basis @ Z_right[:n_components].T

    def _core(self, left_basis: NDArray[np.float64], right_basis: NDArray[np.float64]) -> NDArray[np.float64]:
        """Solve ``C ≈ Q_l M Q_rᵀ`` on the columns, and for the rows likewise; take the mean of the two."""
        size = self.size
        at_columns = self.right.at(self.left.nodes[:size], size) @ right_basis
        from_columns = np.linalg.lstsq(at_columns, self.left.gram[:size, :size] @ left_basis, rcond=None)[0].T
        if self.symmetric:
            return np.asarray(from_columns, dtype=np.float64)
        at_rows = self.left.at(self.right.nodes[:size], size) @ left_basis
        from_rows = np.linalg.lstsq(at_rows, self.right.gram[:size, :size] @ right_basis, rcond=None)[0]
        return np.asarray((from_columns + from_rows) / 2, dtype=np.float64)

    def relative_error(self, which: slice) -> float:
        """Return ``‖C − left diag(values) right[L]ᵀ‖`` for a run of columns, as a share of what varies in them."""
        right = self.right.at(self.left.nodes[which], self.size) @ self.right_map * self.values
        image = self.left.gram[which, : self.size] @ self.left_map
        total = float(np.trace(self.left.gram[which, which]))
        squared = total - 2.0 * float(np.sum(image * right)) + float(np.sum(right * right))
        return float(np.sqrt(max(squared, 0.0) / self.left.variation(which)))

    def factors(self) -> Factors:
        """Return the factors on all nodes."""
        left = self.left.combine(self.left_map)
        if self.symmetric:
            left, right = fix_signs(left, left * self.signs.astype(np.float32))
        else:
            left, right = fix_signs(left, self.right.combine(self.right_map))
        return Factors(left, self.values, right)

    def erased_factors(self, projector: Projector, n_components: int) -> Factors:
        """Return the factors of ``E_l Q_l M Q_rᵀ E_rᵀ`` on all nodes."""
        core = (self.core + self.core.T) / 2 if self.symmetric else self.core
        left = self.left.combine(self.left_basis)
        right = left if self.symmetric else self.right.combine(self.right_basis)
        clean_left, left_map = _orthonormalised(projector.left.erase(left))
        clean_right, right_map = (
            (clean_left, left_map) if self.symmetric else _orthonormalised(projector.right.erase(right))
        )
        inner = factorise_dense(left_map @ core @ right_map.T, n_components, self.symmetric)
        u, v = fix_signs(clean_left @ inner.left, clean_right @ inner.right)
        readout = projector.right.erase_transposed(v)
        erased = (projector.left.lowered.T @ left) @ core @ (right.T @ readout)
        return Factors(u, inner.values, v, readout=readout, erased=np.asarray(erased, dtype=np.float64))


def _orthonormalised(X: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
    """Return an orthonormal Q and a map with ``X = Q map``."""
    values, vectors = np.linalg.eigh(tall_product(X, X))
    safe = values > 1e-8 * values[-1]
    roots = np.sqrt(values[safe])
    return X @ (vectors[:, safe] / roots).astype(np.float32), (vectors[:, safe] * roots).T
