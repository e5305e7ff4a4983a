"""The residual matrix of a partitioned graph: its vectors on shared storage, its columns in tiles of one part each."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from residuum.distributed.graph import PartitionedGraph
from residuum.distributed.grid import Grid
from residuum.distributed.products import Walks, tile_tasks, vector_step, window_spread, window_total
from residuum.nulls import BlockForm, FittedNull
from residuum.residual import Erasure, ResidualMatrix
from residuum.residual.matrix import log_ratios
from residuum.walks import WindowProbabilities

__all__ = ["PartitionedMatrix", "ResidualPart"]


class PartitionedWindow(WindowProbabilities):
    """Window probabilities whose steps are taken on the cluster.

    Parameters
    ----------
    graph : PartitionedGraph
        Graph that the walkers move on.
    window : array of shape (T,)
        Weights of the steps.
    """

    graph: PartitionedGraph

    @cached_property
    def walks(self) -> Walks:
        """Graph and window as tasks see them."""
        grid = self.graph.grid
        grid.stages.array("leaving", lambda: self.leaving)
        return Walks(grid, tuple(self.window.tolist()), self.unit)

    @cached_property
    def completed(self) -> NDArray[np.float64] | None:
        """``s_i``, the expected weight of the steps before the walk ends, shape (N,); None if no walk ends."""
        graph = self.graph
        if not np.any((graph.out_strength == 0) & (graph.in_strength > 0)):
            return None
        return graph.grid.stages.array("completed", lambda: window_total(graph.cluster, self.walks))

    def step(self, X: NDArray[np.float32], out: NDArray[np.float32], *, transposed: bool = False) -> None:
        """Compute ``P X``, or ``Pᵀ X``, of a few vectors on the client."""
        for column, result in zip(X.T, out.T, strict=True):
            result[:] = vector_step(self.graph.cluster, self.walks, column, transposed=transposed)

    def spread(self, source: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return ``Σ_i p_i P_d(j | i)``, the distribution of contexts for a distribution p of centers, shape (N,)."""
        scaled = source if self.inverse_completed is None else source * self.inverse_completed
        return window_spread(self.graph.cluster, self.walks, scaled)


class PartitionedMatrix(ResidualMatrix):
    """Residual matrix whose columns and rows are computed on the cluster, and never on the client.

    Parameters
    ----------
    probabilities : PartitionedWindow
        Window probabilities P_d.
    null : FittedNull
        Fitted null model P_0, in block form.
    floor : float
        Associations below this value are clipped.
    weighting : float
        Exponent κ of the pair weights.
    erasure : Erasure, optional
        Attributes that are projected out of both sides.
    """

    probabilities: PartitionedWindow

    def __init__(
        self,
        probabilities: PartitionedWindow,
        null: FittedNull,
        floor: float,
        weighting: float = 0.0,
        erasure: Erasure | None = None,
    ) -> None:
        super().__init__(probabilities, null, floor, weighting, erasure)
        self.part = self._write_vectors()

    def _write_vectors(self) -> "ResidualPart":
        """Write everything of the size of the nodes to shared storage, once, and return the matrix as tasks see it."""
        form = self.null.block_form
        assert form is not None
        inverse = self.probabilities.inverse_completed
        vectors = {
            "groups": form.groups,
            "theta": form.theta,
            "group-weights": form.weights,
            "row-scale": self.row_scale,
            "column-scale": self.column_scale,
            "strength": self.probabilities.graph.out_strength / self.probabilities.unit,
            "completed-inverse": np.empty(0, dtype=np.float32) if inverse is None else inverse,
        }
        walks = self.probabilities.walks
        for name, vector in vectors.items():
            walks.grid.stages.save(name, np.ascontiguousarray(vector))
        return ResidualPart(walks, self.floor, self.lowest, self.may_overflow)


@dataclass(frozen=True)
class ResidualPart:
    """The residual matrix as tasks see it: rows of one part, columns of some nodes.

    Attributes
    ----------
    walks : Walks
        Graph and window.
    floor, lowest : float
        Minimum association, and the ratio slightly below it.
    may_overflow : bool
        Whether ratios can exceed the largest float32.
    """

    walks: Walks
    floor: float
    lowest: float
    may_overflow: bool

    @property
    def grid(self) -> Grid:
        """Partition of the nodes."""
        return self.walks.grid

    def vector(self, name: str, nodes: slice | NDArray[np.int64]) -> NDArray[Any]:
        """Return some entries of a vector on shared storage.

        Parameters
        ----------
        name : str
            Name of the vector.
        nodes : slice or int array
            Positions of the nodes.

        Returns
        -------
        array
            The entries, in memory.
        """
        return np.array(self.grid.stages.load(name)[nodes])

    def down(self, part: int, side: str) -> NDArray[np.float32]:
        """Return the scale of the rows of a tile in a part.

        Parameters
        ----------
        part : int
            Number of the part.
        side : {"columns", "rows"}
            Whether the tile has columns of the matrix, or rows, transposed.

        Returns
        -------
        float32 array
            Scales.
        """
        return self.vector("row-scale" if side == "columns" else "column-scale", self.grid.nodes(part))

    def across(self, nodes: NDArray[np.int64], side: str) -> NDArray[np.float32]:
        """Return the scale of the columns of a tile.

        Parameters
        ----------
        nodes : int array of shape (m,)
            Nodes of the tile.
        side : {"columns", "rows"}
            As in :meth:`down`.

        Returns
        -------
        float32 array of shape (m,)
            Scales.
        """
        return self.vector("column-scale" if side == "columns" else "row-scale", nodes)

    def residual(
        self, part: int, observed: NDArray[np.float32], nodes: NDArray[np.int64], side: Literal["columns", "rows"]
    ) -> NDArray[np.float32]:
        """Turn the sums of a tile into entries of the matrix.

        Parameters
        ----------
        part : int
            Part of the rows of the tile.
        observed : float32 array of shape (n, m)
            ``Σ_t w_t (Pᵗ)_ij``, from the nodes of the part, or to them, transposed; overwritten.
        nodes : int array of shape (m,)
            Contexts or centers.
        side : {"columns", "rows"}
            Whether the nodes are contexts or centers.

        Returns
        -------
        float32 array of shape (n, m)
            Entries of the matrix.
        """
        self._normalize(observed, self.grid.nodes(part), nodes, side)
        return self.log_ratios(part, observed, nodes, side)

    def log_ratios(
        self, part: int, probabilities: NDArray[np.float32], nodes: NDArray[np.int64], side: Literal["columns", "rows"]
    ) -> NDArray[np.float32]:
        """Turn probabilities of a tile into entries of the matrix.

        Parameters
        ----------
        part : int
            Part of the rows of the tile.
        probabilities : float32 array of shape (n, m)
            P_d, from the nodes of the part, or to them, transposed; overwritten.
        nodes : int array of shape (m,)
            Contexts or centers.
        side : {"columns", "rows"}
            Whether the nodes are contexts or centers.

        Returns
        -------
        float32 array of shape (n, m)
            Entries of the matrix.
        """
        inside = self.grid.nodes(part)
        weights = np.asarray(self.grid.stages.load("group-weights"))
        here, there = (
            BlockForm(self.vector("groups", some), self.vector("theta", some), weights) for some in (inside, nodes)
        )
        if side == "columns":
            here.centers().divide(probabilities, there.contexts(), weights, self.lowest)
        else:
            here.contexts().divide(probabilities, there.centers(), weights.T, self.lowest)
        scales = self.down(part, side), self.across(nodes, side)
        return log_ratios(probabilities, *scales, self.floor, may_overflow=self.may_overflow)

    def _normalize(
        self, observed: NDArray[np.float32], inside: slice, nodes: NDArray[np.int64], side: Literal["columns", "rows"]
    ) -> None:
        """Turn sums into probabilities of walks that do not end; rows of an undirected graph are scaled columns."""
        if side == "rows" and not self.grid.directed:
            leaving = self.vector("leaving", nodes).astype(np.float64)
            observed *= np.outer(self.vector("strength", inside), leaving).astype(np.float32)
        if len(self.grid.stages.load("completed-inverse")):
            centers = self.vector("completed-inverse", inside if side == "columns" else nodes)
            observed *= centers[:, None] if side == "columns" else centers

    def tile(
        self, nodes: NDArray[np.int64], side: Literal["columns", "rows"], finish: Any, *arguments: Any
    ) -> list[Any]:
        """Return the tasks of a tile of the matrix, with one result per part.

        Parameters
        ----------
        nodes : int array of shape (m,)
            Contexts or centers.
        side : {"columns", "rows"}
            Whether to compute columns, or rows, transposed.
        finish : callable
            Function of this object, the part, the tile, the nodes, the side and the arguments.
        *arguments : objects
            Further arguments of ``finish``.

        Returns
        -------
        list of delayed
            Results of ``finish``, one per part.
        """
        backward = side == "rows" and self.grid.directed
        return tile_tasks(self.walks, nodes, backward, finish_tile, self, nodes, side, finish, arguments)


def finish_tile(
    part: int,
    observed: NDArray[np.float32],
    matrix: ResidualPart,
    nodes: NDArray[np.int64],
    side: Literal["columns", "rows"],
    finish: Any,
    arguments: tuple[Any, ...],
) -> Any:
    """Compute the entries of a tile in a part, and pass them on.

    Parameters
    ----------
    part : int
        Part of the rows of the tile.
    observed : float32 array of shape (n, m)
        Sums of the walks.
    matrix : ResidualPart
        The matrix.
    nodes : int array of shape (m,)
        Contexts or centers.
    side : {"columns", "rows"}
        Whether the nodes are contexts or centers.
    finish : callable
        Function of the matrix, the part, the tile, the nodes, the side and the arguments.
    arguments : tuple
        Further arguments of ``finish``.

    Returns
    -------
    object
        Result of ``finish``.
    """
    tile = matrix.residual(part, np.array(observed), nodes, side)
    return finish(matrix, part, tile, nodes, side, *arguments)
