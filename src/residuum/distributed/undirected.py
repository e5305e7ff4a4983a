"""Steps of walkers that ignore edge directions, for tall matrices on shared storage."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum._kernels.products import walk_step
from residuum.distributed.matrix import PartitionedWindow
from residuum.distributed.pieces import Piece, by_pieces
from residuum.distributed.products import Walks
from residuum.walks.window import undirected_scale

__all__ = ["undirected_step"]

_SCALE = "undirected-scale"
_no_mask = np.empty(0, dtype=np.bool_)


def undirected_step(
    probabilities: PartitionedWindow, pieces: tuple[Piece, ...], source: str, target: str, finish: Any = None
) -> None:
    """Write ``(D_out + D_in)⁻¹ (A + Aᵀ) X``, as :meth:`residuum.walks.WindowProbabilities.undirected_step`.

    Parameters
    ----------
    probabilities : PartitionedWindow
        Graph of the walkers.
    pieces : tuple of Piece
        Rows of each task.
    source, target : str
        Names of X and of the product.
    finish : callable, optional
        Function of the grid, the piece and the rows of the product that returns the rows to write.
    """
    walks = probabilities.walks
    walks.grid.stages.array(_SCALE, lambda: undirected_scale(probabilities.graph, probabilities.unit))
    by_pieces(
        probabilities.graph.cluster, walks.grid, pieces, "undirected-step", target, step_rows, walks, source, finish
    )


def step_rows(piece: Piece, walks: Walks, source: str, finish: Callable[..., Any] | None) -> NDArray[np.float32]:
    """Return a step of some rows.

    Parameters
    ----------
    piece : Piece
        Rows.
    walks : Walks
        Graph.
    source : str
        Name of X.
    finish : callable or None
        Function of the grid, the piece and the rows.

    Returns
    -------
    float32 array of shape (n, k)
        Rows of the product.
    """
    grid, first = walks.grid, walks.grid.bounds[piece.part]
    rows = slice(piece.begin - first, piece.end - first)
    scale = np.array(grid.stages.load(_SCALE)[piece.begin : piece.end])
    scale = scale if grid.directed else 2 * scale
    total: NDArray[np.float32] | None = None
    for column in range(grid.n_parts):
        X = np.array(grid.stages.load(f"{source}-{column}"))
        for reverse in (False, True) if grid.directed else (False,):
            indptr, indices, weights = grid.block_rows(rows, piece.part, column, reverse=reverse)
            out = np.empty((len(scale), X.shape[1]), dtype=np.float32)
            walk_step(indptr, indices, walks.in_unit(weights), scale, X, _no_mask, out, 0, len(out))
            total = out if total is None else total + out
    assert total is not None
    return total if finish is None else np.asarray(finish(grid, piece, total))
