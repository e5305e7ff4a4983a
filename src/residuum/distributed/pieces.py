"""Pieces of rows, smaller than the parts of a graph, so that all threads are busy and contexts fit the memory."""

import itertools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from residuum.distributed.cluster import Cluster
from residuum.distributed.grid import Grid

__all__ = ["Piece", "by_pieces", "pieces_of"]

# Tasks for each thread of the workers in a stage.
_TASKS_PER_THREAD = 2
# Smaller pieces cost more as tasks than they save.
_FEWEST_ROWS = 256


class Piece(NamedTuple):
    """Rows of a part that one task computes.

    Attributes
    ----------
    part : int
        Number of the part.
    begin, end : int
        Range of nodes.
    """

    part: int
    begin: int
    end: int


def pieces_of(cluster: Cluster, grid: Grid, row_bytes: int = 0) -> tuple[Piece, ...]:
    """Divide the nodes of each part into pieces of about equal size, the same in a run that is resumed.

    Parameters
    ----------
    cluster : Cluster
        Workers.
    grid : Grid
        Partition.
    row_bytes : int, default 0
        Memory of a task per row, which limits the rows of a piece.

    Returns
    -------
    tuple of Piece
        Pieces, in the order of the nodes.
    """
    record = grid.stages.record(f"pieces-{row_bytes}", lambda: {"rows": _most_rows(cluster, grid.n_nodes, row_bytes)})
    most = int(record["rows"])
    pieces = []
    for part in range(grid.n_parts):
        nodes = grid.nodes(part)
        bounds = np.linspace(nodes.start, nodes.stop, -(-grid.size(part) // most) + 1).astype(int).tolist()
        pieces += [Piece(part, begin, end) for begin, end in itertools.pairwise(bounds)]
    return tuple(pieces)


def _most_rows(cluster: Cluster, n_nodes: int, row_bytes: int) -> int:
    rows = -(-n_nodes // (_TASKS_PER_THREAD * cluster.n_threads))
    if cluster.thread_bytes and row_bytes:
        rows = min(rows, cluster.thread_bytes // row_bytes)
    return max(rows, _FEWEST_ROWS)


def by_pieces(
    cluster: Cluster,
    grid: Grid,
    pieces: tuple[Piece, ...],
    name: str,
    target: str,
    function: Callable[..., Any],
    *arguments: Any,
) -> None:
    """Write a tall matrix whose rows are computed piece by piece.

    Parameters
    ----------
    cluster : Cluster
        Workers.
    grid : Grid
        Partition.
    pieces : tuple of Piece
        Rows of each task.
    name : str
        Name of the tasks on the dashboard.
    target : str
        Name of the matrix, which is written in parts.
    function : callable
        Function of a piece and the arguments that returns its rows.
    *arguments : objects
        Further arguments.
    """
    parts = range(grid.n_parts)
    if all(grid.stages.path(f"{target}-{part}.npy").exists() for part in parts):
        return
    own = [[piece for piece in pieces if piece.part == part] for part in parts]
    cluster.map(name, save_piece, [(grid, target, piece, function, arguments) for piece in pieces])
    cluster.map("join-pieces", join_part, [(grid, part, own[part], target) for part in parts])
    grid.stages.forget(f"piece-{target}-")


def save_piece(grid: Grid, target: str, piece: Piece, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    """Write the rows of a piece.

    Parameters
    ----------
    grid : Grid
        Partition.
    target : str
        Name of the matrix.
    piece : Piece
        Rows.
    function : callable
        Function of the piece and the arguments.
    arguments : tuple
        Further arguments.
    """
    grid.stages.array(_name(target, piece), lambda: function(piece, *arguments))


def join_part(grid: Grid, part: int, pieces: list[Piece], target: str) -> None:
    """Write the rows of a part from those of its pieces.

    Parameters
    ----------
    grid : Grid
        Partition.
    part : int
        Number of the part.
    pieces : list of Piece
        Its pieces.
    target : str
        Name of the matrix.
    """
    grid.stages.array(
        f"{target}-{part}", lambda: np.concatenate([grid.stages.load(_name(target, piece)) for piece in pieces])
    )


def _name(target: str, piece: Piece) -> str:
    return f"piece-{target}-{piece.part}-{piece.begin}"
