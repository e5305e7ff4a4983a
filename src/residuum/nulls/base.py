"""Interfaces of null models, before and after fitting."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from residuum.graph import Graph

if TYPE_CHECKING:
    from residuum.nulls.block_form import BlockForm

__all__ = ["FittedNull", "NullModel"]


class FittedNull(ABC):
    """``P_0(j | i)``, the probability that a walker from i reaches j within the window, in a fitted null model.

    A subclass sets ``offset`` and ``source_offset`` and implements ``log_probability`` and ``sample``; the methods for
    rows and columns are built on these and can be overridden for speed.

    Attributes
    ----------
    offset : array of shape (N,)
        ``z_j = ln Σ_i p_i P_0(j | i)``, log marginal probability of the contexts; −inf for isolated nodes.
    source_offset : array of shape (N,)
        ``ln p_i``, log probability of the centers.
    symmetric : bool
        Whether ``P_d(j | i) / P_0(j | i)`` is symmetric on an undirected graph.
    block_form : BlockForm or None
        Block form ``θ_j W[g_i, g_j]`` of P_0; None if the null model has no block form.
    """

    offset: NDArray[np.float64]
    source_offset: NDArray[np.float64]
    symmetric: bool = False
    block_form: "BlockForm | None" = None

    @abstractmethod
    def log_probability(self, rows: ArrayLike, columns: ArrayLike) -> NDArray[np.float64]:
        """Return ``ln P_0(j | i)`` for pairs of nodes.

        Parameters
        ----------
        rows, columns : int arrays
            Positions of the centers i and the contexts j, broadcast against each other.

        Returns
        -------
        array of the broadcast shape
            Log probabilities; −inf where ``P_0`` is 0.
        """

    def log_columns(self, contexts: ArrayLike) -> NDArray[np.float64]:
        """Return ``ln P_0(j | i)`` for all centers i and some contexts j.

        Parameters
        ----------
        contexts : int array of shape (m,)
            Positions of the contexts j.

        Returns
        -------
        array of shape (N, m)
            Log probabilities; −inf where ``P_0`` is 0.
        """
        return self.log_probability(np.arange(len(self.offset))[:, None], np.asarray(contexts)[None, :])

    def log_rows(self, centers: ArrayLike) -> NDArray[np.float64]:
        """Return ``ln P_0(j | i)`` for some centers i and all contexts j.

        Parameters
        ----------
        centers : int array of shape (m,)
            Positions of the centers i.

        Returns
        -------
        array of shape (m, N)
            Log probabilities; −inf where ``P_0`` is 0.
        """
        return self.log_probability(np.asarray(centers)[:, None], np.arange(len(self.offset))[None, :])

    def divide_columns(self, values: NDArray[np.float32], contexts: NDArray[np.int64], lowest: float) -> None:
        """Compute ``max(P_d(j | i) / P_0(j | i), lowest)`` in place for all centers i and some contexts j.

        Parameters
        ----------
        values : float32 array of shape (N, m)
            ``P_d(j | i)``, overwritten with the ratios; entries with ``P_0 = 0`` become ``lowest``.
        contexts : int array of shape (m,)
            Positions of the contexts j.
        lowest : float
            Smallest ratio, the exponential of the floor.
        """
        _divide(values, self.log_columns(contexts), lowest)

    def divide_rows(self, values: NDArray[np.float32], centers: NDArray[np.int64], lowest: float) -> None:
        """Compute ``max(P_d(j | i) / P_0(j | i), lowest)`` in place for some centers i and all contexts j, transposed.

        Parameters
        ----------
        values : float32 array of shape (N, m)
            ``P_d(j | i)`` with contexts j as rows, overwritten with the ratios; entries with ``P_0 = 0`` become
            ``lowest``.
        centers : int array of shape (m,)
            Positions of the centers i.
        lowest : float
            Smallest ratio, the exponential of the floor.
        """
        _divide(values, self.log_rows(centers).T, lowest)

    @abstractmethod
    def sample(self, centers: ArrayLike, rng: np.random.Generator) -> NDArray[np.int64]:
        """Sample one context from ``P_0(· | i)`` for each center i.

        Parameters
        ----------
        centers : int array
            Positions of the centers i, in any shape.
        rng : numpy Generator
            Source of randomness, advanced by the call.

        Returns
        -------
        int array of the same shape as centers
            Position of the context sampled for each center.
        """


def _divide(values: NDArray[np.float32], log_probability: NDArray[np.float64], lowest: float) -> None:
    probability = np.exp(log_probability)
    np.divide(values, probability, out=values, where=probability > 0, casting="same_kind")
    values[probability == 0] = lowest
    np.maximum(values, np.float32(lowest), out=values)


@runtime_checkable
class NullModel(Protocol):
    """Protocol of null models, random graphs with the structure that the vectors must not encode.

    A class in ``residuum.nulls`` with the attributes ``name`` and ``removes`` is registered under its name.
    """

    def fit(self, graph: Graph, window: int | ArrayLike) -> FittedNull:
        """Fit the null model to a graph.

        Parameters
        ----------
        graph : Graph
            Graph whose degrees, groups or other properties the null model keeps.
        window : int or array of shape (T,)
            Number of steps T, or one weight for each step.

        Returns
        -------
        FittedNull
            Window probabilities ``P_0`` of the null model.
        """
        ...
