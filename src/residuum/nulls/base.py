"""What a null model must offer."""

from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from residuum.graph import Graph, Teleport

if TYPE_CHECKING:
    from residuum.nulls.blocks import Blocks

__all__ = ["FittedNull", "NullModel"]


@runtime_checkable
class FittedNull(Protocol):
    """A null model that knows its graph: ``P_0(j | i)``, the chance of reaching j from i within the window."""

    @property
    def offset(self) -> NDArray[np.float64]:
        """``z_j = ln P_0(j)``, the log of the null's marginal over targets; −inf for isolated nodes. Shape (N,)."""
        ...

    @property
    def source_offset(self) -> NDArray[np.float64]:
        """``ln p_i``, the log of the null's distribution over centres. Shape (N,)."""
        ...

    @property
    def blocks(self) -> "Blocks | None":
        """The block shape ``θ_j W[g_i, g_j]``, or None if the null model has none."""
        ...

    @property
    def symmetric(self) -> bool:
        """Whether ``P_d(j|i) / P_0(j|i)`` is symmetric on an undirected graph."""
        ...

    def log_probability(self, rows: ArrayLike, columns: ArrayLike) -> NDArray[np.float64]:
        """Return ``ln P_0(columns | rows)``, broadcasting the two index arrays against each other."""
        ...

    def sample(self, centers: ArrayLike, rng: np.random.Generator) -> NDArray[np.int64]:
        """Draw one context from ``P_0(· | i)`` for each centre i."""
        ...


@runtime_checkable
class NullModel(Protocol):
    """A random graph of the user's choice, before it has seen the graph."""

    def fit(self, graph: Graph, window: int | ArrayLike, teleport: Teleport | None = None) -> FittedNull:
        """Fit the null model to a graph for walks of a window (a number of steps, or their weights)."""
        ...
