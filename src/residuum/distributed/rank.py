"""Number of dimensions that random walkers on a partitioned graph can tell apart."""

import numpy as np
from numpy.typing import NDArray

from residuum.distributed.grid import Grid
from residuum.distributed.matrix import PartitionedWindow
from residuum.distributed.pieces import Piece, by_pieces, pieces_of
from residuum.distributed.undirected import undirected_step
from residuum.walks.rank import mean_step, random_signs, rank_from_trace, root_strength

__all__ = ["effective_rank"]

_ROOT, _NAME = "rank-root", "rank"


def effective_rank(probabilities: PartitionedWindow) -> float:
    """Estimate the rank as :func:`residuum.walks.effective_rank`, with the random vectors on shared storage.

    Parameters
    ----------
    probabilities : PartitionedWindow
        Graph and window.

    Returns
    -------
    float
        From 0 to the number of nodes.
    """
    grid = probabilities.graph.grid
    record = grid.stages.record("effective-rank", lambda: {"rank": _rank(probabilities)})
    return float(record["rank"])


def _rank(probabilities: PartitionedWindow) -> float:
    graph, grid = probabilities.graph, probabilities.graph.grid
    grid.stages.array(_ROOT, lambda: root_strength(graph))
    pieces = pieces_of(graph.cluster, grid)
    by_pieces(graph.cluster, grid, pieces, "random-signs", f"{_NAME}-0", signs_piece, grid)
    for number in range(mean_step(probabilities.window)):
        undirected_step(probabilities, pieces, f"{_NAME}-{number}", f"{_NAME}-{number + 1}")
        grid.stages.forget(f"{_NAME}-{number}-")
    last = f"{_NAME}-{mean_step(probabilities.window)}"
    squares = graph.cluster.total("trace", squares_part, [(grid, part, last) for part in range(grid.n_parts)])
    grid.stages.forget(f"{last}-")
    return rank_from_trace(probabilities, squares)


def signs_piece(piece: Piece, grid: Grid) -> NDArray[np.float32]:
    """Return rows of the random vectors.

    Parameters
    ----------
    piece : Piece
        Rows.
    grid : Grid
        Partition.

    Returns
    -------
    float32 array of shape (n, 16)
        Rows.
    """
    return random_signs(np.array(grid.stages.load(_ROOT)[piece.begin : piece.end]), piece.begin)


def squares_part(grid: Grid, part: int, name: str) -> float:
    """Return the sum of the squared entries of a part, in units of the roots.

    Parameters
    ----------
    grid : Grid
        Partition.
    part : int
        Number of the part.
    name : str
        Name of the vectors.

    Returns
    -------
    float
        Sum.
    """
    root = grid.stages.load(_ROOT)[grid.nodes(part)]
    return float(np.sum((root[:, None] * grid.stages.load(f"{name}-{part}")).astype(np.float64) ** 2))
