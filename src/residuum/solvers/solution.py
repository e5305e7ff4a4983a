"""Results of solvers: vectors, singular values and errors."""

import logging
from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum._checkpoint import Store
from residuum._progress import ProgressCallback
from residuum.residual import (
    N_COLUMNS,
    REGULARIZATION,
    Factors,
    Likelihood,
    LogisticRows,
    OutOfSample,
    ProjectedRows,
    ResidualMatrix,
    Spectrum,
    Sweeps,
    contexts_per_node,
    factors_of,
    unscaled,
    vectors_of,
)

__all__ = ["FactorSolution", "Solution"]

_log = logging.getLogger("residuum")


class Solution(ABC):
    """Result of a solver.

    Attributes
    ----------
    singular_values : array of shape (K,)
        Singular values in descending order.
    error : float or None
        Estimated relative error of the approximation; None if there is no estimate.
    details : dict
        Facts about the run, by name, such as the number of passes.
    """

    singular_values: NDArray[np.float64]
    error: float | None
    details: dict[str, Any]

    @abstractmethod
    def vectors(self, spectrum: Spectrum) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return u and v.

        Parameters
        ----------
        spectrum : Spectrum
            Reweighting of the singular values, and their split between u and v.

        Returns
        -------
        embedding, context_embedding : arrays of shape (N, K)
            Vectors of the nodes as centers and as contexts.
        """

    @abstractmethod
    def out_of_sample(self, spectrum: Spectrum) -> OutOfSample:
        """Return the embedding of out-of-sample nodes.

        Parameters
        ----------
        spectrum : Spectrum
            The spectrum passed to :meth:`vectors`.

        Returns
        -------
        OutOfSample
            Maps edges to vectors in the space of u.
        """


@dataclass(frozen=True)
class FactorSolution(Solution):
    """Solution by factors of the residual matrix.

    Attributes
    ----------
    matrix : ResidualMatrix
        The matrix.
    factors : Factors
        Its leading factors.
    error : float
        Estimated loss compared with the best factors of the same rank, as the square root of a share of what these
        capture. For the block solver, the relative error of the block approximation of R̃, most of which is noise.
    details : dict
        Facts about the run: passes, landmarks, share of tiles kept.
    is_refined : bool
        Whether the factors maximize the likelihood, rather than the least-squares fit.
    regularization : float
        Weight of the prior in the likelihood, in edges.

    Examples
    --------
    >>> from residuum import datasets
    >>> from residuum.nulls import Configuration
    >>> from residuum.solvers import Exact, Workspace
    >>> from residuum.walks import WindowProbabilities
    >>> graph = datasets.karate_club()
    >>> matrix = ResidualMatrix(WindowProbabilities(graph, 5), Configuration().fit(graph, 5), floor=-1.0)
    >>> solution = Exact().solve(matrix, 4, Workspace(1 << 30, np.random.default_rng(0)))
    >>> u, v = solution.vectors(Spectrum())
    >>> u.shape, solution.error
    ((34, 4), 0.0)
    """

    matrix: ResidualMatrix
    factors: Factors
    error: float
    details: dict[str, Any] = field(default_factory=dict)
    is_refined: bool = False
    regularization: float = REGULARIZATION

    @property
    def singular_values(self) -> NDArray[np.float64]:  # type: ignore[override] # from the factors
        """Singular values before reweighting."""
        return self.factors.values

    def vectors(self, spectrum: Spectrum) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return u and v."""
        left, right = spectrum.lengths(self.factors.values)
        return (
            unscaled(self.factors.left * left.astype(np.float32), self.matrix.row_scale),
            unscaled(self.factors.right * right.astype(np.float32), self.matrix.column_scale),
        )

    def out_of_sample(self, spectrum: Spectrum) -> OutOfSample:
        """Return the embedding of out-of-sample nodes."""
        factors, values = self.factors, self.factors.values
        # R̃ T Φ_r s^α / σ = u maps the residual row of a node to its vector.
        towards = spectrum.lengths(values)[0] / np.where(values > 0, values, np.inf)
        if self.is_refined:
            root = np.sqrt(values)
            contexts = unscaled(factors.right * root.astype(np.float32), self.matrix.column_scale)
            return LogisticRows(self.matrix, contexts, regularization=self.regularization, towards=towards * root)
        readout = factors.right if factors.readout is None else factors.readout
        erased = None
        if self.matrix.projector is not None and factors.erased is not None:
            erased = self.matrix.projector.left.towards @ (factors.erased * towards)
        return ProjectedRows(self.matrix, readout, towards.astype(np.float32), erased)

    def refined(
        self,
        n_sweeps: int,
        seed: int,
        store: Store | None = None,
        progress: ProgressCallback | None = None,
    ) -> "FactorSolution":
        """Raise the likelihood by Newton sweeps that start from these factors.

        Factors that no sweep improves, for example zero factors, stay the least-squares fit that they are, with
        ``is_refined=False``: their shrinkage and scale are still to be read.

        Parameters
        ----------
        n_sweeps : int
            Number of sweeps.
        seed : int
            Seed of the sweeps.
        store : Store, optional
            Saves the vectors after every sweep, and returns those of an interrupted run.
        progress : callable, optional
            Called with the progress of each sweep.

        Returns
        -------
        FactorSolution
            Solution with refined factors.
        """
        if not self.factors.values.any():
            return self
        likelihood = Likelihood(self.matrix, contexts_per_node(self.matrix.n_nodes), N_COLUMNS)
        swept = Sweeps(likelihood, n_sweeps).run(*vectors_of(self.factors, self.matrix), seed, store, progress)
        details = self.details | {"losses": swept.losses}
        if not swept.improved:
            _log.info("no sweep lowered the loss on held-out pairs; the factors are not refined")
            return replace(self, details=details)
        factors = replace(factors_of(swept.u, swept.v, self.matrix), passes=self.factors.passes)
        return replace(self, factors=factors, is_refined=True, details=details)
