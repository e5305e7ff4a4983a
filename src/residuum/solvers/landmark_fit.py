"""Low-rank factors from sampled columns: the core, its error, and when to add landmarks."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from residuum._progress import ProgressCallback, Stage
from residuum.residual.linalg import Factors, factorize_dense
from residuum.solvers.sketch import SampledColumns, leading_of_gram

__all__ = ["LandmarkFit", "first_landmarks", "fit_landmarks"]

# Columns that measure the error, in addition to the landmarks.
_HELD_OUT, _FEWEST_HELD_OUT = 64, 16
_FIRST_LANDMARKS = 512
# Minimum number of landmarks per dimension; with fewer, the core is ill-conditioned.
_LANDMARKS_PER_DIMENSION = 6
# Landmarks per square root of the number of nodes; large graphs have more communities to sample.
_LANDMARKS_PER_ROOT = 4
_MOST_BY_SIZE = 1200
# Share of the expected length of a direction at the landmarks below which its core is left out.
_LEAST_LEVERAGE = 0.3
# Smallest squared error that is distinguishable from rounding.
_RESOLUTION = 1e-8


def fit_landmarks(
    sketches: Sequence[SampledColumns],
    n_components: int,
    n_landmarks: int | None,
    tolerance: float,
    most: int,
    resolution: float,
    progress: ProgressCallback | None = None,
    *,
    measures_error: bool = True,
) -> "LandmarkFit | None":
    """Fit landmarks, and double their number until the tolerance is met.

    Parameters
    ----------
    sketches : sequence of SampledColumns
        Columns and, if the matrix is not symmetric, rows; they grow.
    n_components : int
        Number of dimensions K.
    n_landmarks : int or None
        Fixed number of landmarks, or None to add landmarks until the tolerance is met.
    tolerance : float
        Error at which no more landmarks are added.
    most : int
        Number of landmarks at which doubling stops.
    resolution : float
        Rounding error of the matrix.
    progress : callable, optional
        Called with the progress of each stage.
    measures_error : bool, default True
        Whether to hold out columns for the error of the fit; without them, ``n_landmarks`` must be given.

    Returns
    -------
    LandmarkFit or None
        None if there are too few nodes to hold some out.
    """
    columns = sketches[0]
    first = first_landmarks(len(columns.down), n_components)
    most = max(most, _LANDMARKS_PER_DIMENSION * n_components, first)
    wanted = n_landmarks or first
    while True:
        held_out = _held_out(wanted) if measures_error else 0
        if wanted + _FEWEST_HELD_OUT > columns.n_candidates:
            return None
        stage = Stage(f"{wanted} landmark columns", wanted + held_out - columns.size, progress)
        columns.grow(wanted + held_out, stage)
        sketches[-1].grow(wanted, None)
        fit = LandmarkFit(sketches, wanted, n_components, resolution)
        if n_landmarks is not None or fit.error <= tolerance or wanted >= most:
            return fit
        wanted = min(2 * wanted, most)


def first_landmarks(n_nodes: int, n_components: int) -> int:
    """Return the initial number of landmarks, by dimensions and graph size.

    Parameters
    ----------
    n_nodes, n_components : int
        Number of nodes N and of dimensions K.

    Returns
    -------
    int
        Number of landmarks.

    Examples
    --------
    >>> first_landmarks(10_000, 64), first_landmarks(1_000_000, 64)
    (512, 1200)
    """
    by_size = min(int(_LANDMARKS_PER_ROOT * np.sqrt(n_nodes)), _MOST_BY_SIZE)
    return max(_FIRST_LANDMARKS, _LANDMARKS_PER_DIMENSION * n_components, by_size)


def _held_out(n_landmarks: int) -> int:
    """Return the number of columns that measure the error."""
    return int(np.clip(n_landmarks // 4, _FEWEST_HELD_OUT, _HELD_OUT))


class LandmarkFit:
    """``R̃ ≈ [s, C] left_map diag(values) right_mapᵀ [t, C']ᵀ`` from the first ``size`` columns C and rows C'.

    All arrays have the size of the landmarks, so that the fit does not depend on where the columns are stored. With
    the common level c, the scales s and t of the matrix, ``C = (R̃ − c s tᵀ)[:, L]`` and a basis Q of the range of s and
    C, the core M solves ``C ≈ Q M Q_Lᵀ`` by least squares, and ``R̃ ≈ Q M Qᵀ + c s tᵀ``. Directions of Q that have
    almost no weight on L are left out, because nothing determines their core. If the matrix is not symmetric, the left
    basis comes from columns, the right basis from rows, and the core from both.

    Parameters
    ----------
    sketches : sequence of SampledColumns
        Columns and, if the matrix is not symmetric, rows.
    size : int
        Number of columns in the fit; the others are held out.
    n_components : int
        Number of dimensions K.
    resolution : float
        Rounding error of the matrix.

    Attributes
    ----------
    values : array of shape (K,)
        Singular values.
    left_map, right_map : arrays of shape (1 + size, K)
        Combinations of ``[s, C]`` and ``[t, C']`` that are the singular vectors.
    left_basis, right_basis : arrays of shape (1 + size, r)
        Combinations that are the orthonormal bases Q.
    core : array of shape (r, r)
        M, with the common level.
    """

    def __init__(self, sketches: Sequence[SampledColumns], size: int, n_components: int, resolution: float) -> None:
        self.left, self.right = sketches[0], sketches[-1]
        self.size, self.n_components, self.resolution = size, n_components, resolution
        self.right_size = min(size, self.right.size)
        self.symmetric = len(sketches) == 1
        rank = max(min(max(2 * n_components, n_components + 32), size // 3), min(n_components, size))
        left_basis = self.left.basis(size, rank)
        right_basis = left_basis if self.symmetric else self.right.basis(self.right_size, rank)
        self.left_basis, self.right_basis, core = self._core(left_basis, right_basis)
        constants = [
            basis.T @ sketch.gram[: len(basis), 0]
            for basis, sketch in ((self.left_basis, self.left), (self.right_basis, self.right))
        ]
        self.core = core + self.left.level * np.outer(*constants)
        inner = factorize_dense(self.core, n_components, self.symmetric, resolution)
        self.values = inner.values
        self.left_map, self.right_map = self.left_basis @ inner.left, self.right_basis @ inner.right

    def _core(
        self, left_basis: NDArray[np.float64], right_basis: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Solve ``C ≈ Q_l M Q_rᵀ`` on the columns and on the rows; return the bases that these determine and M."""
        m, n = self.size, self.right_size
        at_columns = self.right.at(self.left.nodes[:m], n) @ right_basis
        keep_right, inverse = _determined(at_columns, m / self.left.n_candidates)
        images = left_basis.T @ self.left.gram[: 1 + m, 1 : 1 + m]
        if self.symmetric:
            core = keep_right.T @ images @ inverse
            return left_basis @ keep_right, right_basis @ keep_right, (core + core.T) / 2
        at_rows = self.left.at(self.right.nodes[:n], m) @ left_basis
        keep_left, inverse_left = _determined(at_rows, n / self.right.n_candidates)
        back = right_basis.T @ self.right.gram[: 1 + n, 1 : 1 + n]
        core = (keep_left.T @ images @ inverse + (keep_right.T @ back @ inverse_left).T) / 2
        return left_basis @ keep_left, right_basis @ keep_right, core

    @cached_property
    def error(self) -> float:
        """Loss on the held-out columns, relative to the best factors of the same rank."""
        left, size = self.left, self.size
        nodes = left.nodes[: left.size]
        # The columns of R̃ are [s, C] with these coefficients of s.
        levels = left.level * left.across[nodes]
        mixed = np.outer(left.gram[0, 1:] + left.gram[0, 0] * levels / 2, levels)
        gram = left.gram[1:, 1:] + mixed + mixed.T
        total = float(np.trace(gram[size:, size:]))
        across = left.across[nodes[size:]]
        along = float((left.gram[0, 1 + size :] + left.gram[0, 0] * levels[size:]) @ across)
        level = along**2 / float(left.gram[0, 0] * (across @ across))
        right = self.right.at(nodes, self.right_size) @ self.right_map
        values, vectors = leading_of_gram(gram, self.n_components, start=right)
        best = total - float(np.sum(values * vectors[size:] ** 2))
        right = right[size:] * self.values
        missed = np.eye(1 + left.size)[:, 1 + size :]
        missed[0] = levels[size:]
        missed[: 1 + size] -= self.left_map @ right.T
        lost = float(np.sum(missed * (left.gram @ missed))) - best
        gain = total - level - best
        share = float(across @ across) / float(left.across @ left.across)
        if total - level <= share * self.resolution**2:
            return 0.0
        return float(np.sqrt(max(lost / max(gain, _RESOLUTION * total), _RESOLUTION)))

    def erased_core(self, left_map: NDArray[np.float64], right_map: NDArray[np.float64]) -> Factors:
        """Return the factors of the core between the erased bases.

        Parameters
        ----------
        left_map, right_map : arrays of shape (r', r)
            Coefficients of the erased bases in an orthonormal basis of each.

        Returns
        -------
        Factors
            Factors of the core, of the size of the bases.
        """
        core = left_map @ self.core @ right_map.T
        return factorize_dense(core, self.n_components, self.symmetric, self.resolution)

    @property
    def right_signs(self) -> NDArray[np.float32]:
        """Signs that turn left into right vectors if the matrix is symmetric, shape (K,)."""
        return np.asarray(np.sign(np.sum(self.left_map * self.right_map, axis=0)), dtype=np.float32)


def _determined(rows: NDArray[np.float64], share: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the directions of an orthonormal basis that its rows at the landmarks determine, and their inverse.

    If the landmarks were a perfect sample, all singular values of the rows would be the square root of their share of
    the nodes. Directions with far smaller values would blow up in the least-squares solution.
    """
    left, values, right = np.linalg.svd(rows, full_matrices=False)
    kept = values > _LEAST_LEVERAGE * np.sqrt(share)
    return right[kept].T, left[:, kept] / values[kept]
