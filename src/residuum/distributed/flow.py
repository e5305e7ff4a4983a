"""Sliced transport on a cluster: vectors are rotated by rows, and their coordinates exchanged by columns."""

import numpy as np
from numpy.typing import NDArray

from residuum.distributed.cluster import Cluster
from residuum.distributed.columns import ColumnFiles
from residuum.residual.flow import MOST_ROUNDS, ROUNDS_PER_CHECK, checked_rows, is_settled, random_rotation, sliced

__all__ = ["flow_columns"]

_GROUPS, _OWNERS = "flow-groups", "flow-owners"


def flow_columns(
    cluster: Cluster,
    files: ColumnFiles,
    names: tuple[str, str, str],
    codes: NDArray[np.int64],
    owner: NDArray[np.int64],
    rng: np.random.Generator,
) -> None:
    """Move each group towards its places, as :func:`residuum.residual.flow.flow`.

    Parameters
    ----------
    cluster : Cluster
        Workers.
    files : ColumnFiles
        Layout.
    names : tuple of str
        Names of the vectors and of the places, which are written by rows, and of the result, by columns.
    codes, owner : int arrays of shape (n,)
        Group of each node, and group that owns each place.
    rng : numpy Generator
        Random state.
    """
    source, places, final = names
    files.stages.save(_GROUPS, codes)
    files.stages.save(_OWNERS, owner)
    by_rows = True
    for number in range(1, MOST_ROUNDS + 1):
        moved = f"flow-{number}"
        _round(cluster, files, (source, places, moved), random_rotation(files.width, rng), by_rows)
        if not by_rows:
            files.forget(source)
        source, by_rows = moved, False
        if number % ROUNDS_PER_CHECK == 0 and _is_settled(cluster, files, moved, codes):
            break
    files.by_columns(cluster, "exchange-places", final, copied_columns, source)
    files.forget(source)


def _round(
    cluster: Cluster, files: ColumnFiles, names: tuple[str, str, str], rotation: NDArray[np.float64], by_rows: bool
) -> None:
    """Exchange the coordinates along rotated axes, and then along the axes."""
    source, places, moved = names
    turned, turned_places, exchanged, back = (f"{moved}-{name}" for name in ("turned", "places", "exchanged", "back"))
    files.by_rows(cluster, "turn-vectors", turned, turned_rows, source, rotation, by_rows)
    files.by_rows(cluster, "turn-vectors", turned_places, turned_rows, places, rotation, True)
    files.by_columns(cluster, "exchange-places", exchanged, exchanged_columns, turned, turned_places)
    files.by_rows(cluster, "turn-vectors", back, turned_rows, exchanged, rotation.T, False)
    files.by_columns(cluster, "exchange-places", moved, exchanged_columns, back, places)
    for name in (turned, turned_places, exchanged, back):
        files.forget(name)


def _is_settled(cluster: Cluster, files: ColumnFiles, name: str, codes: NDArray[np.int64]) -> bool:
    """Return whether the nearest neighbor predicts the groups of checked nodes no better than chance."""
    checked = checked_rows(len(codes))
    items = [(files, part, name, checked) for part in range(files.n_parts)]
    rows = np.concatenate(cluster.map("flow-check", some_rows, items))
    return is_settled(rows[np.argsort(np.argsort(checked))], codes[checked])


def turned_rows(
    files: ColumnFiles, part: int, name: str, rotation: NDArray[np.float64], by_rows: bool
) -> NDArray[np.float64]:
    """Return rotated vectors of a part.

    Parameters
    ----------
    files : ColumnFiles
        Layout.
    part : int
        Number of the part.
    name : str
        Name of the vectors.
    rotation : array of shape (W, W)
        Rotation.
    by_rows : bool
        Whether the vectors were written by rows.

    Returns
    -------
    array of shape (m, W)
        Rotated vectors.
    """
    rows = files.stages.load(f"{name}-rows-{part}").T if by_rows else files.rows(name, part)
    return np.asarray(rows @ rotation)


def exchanged_columns(files: ColumnFiles, first: int, last: int, name: str, places: str) -> NDArray[np.float64]:
    """Return coordinates that are those of the places of the group, in the same order.

    Parameters
    ----------
    files : ColumnFiles
        Layout.
    first, last : int
        Range of coordinates.
    name, places : str
        Names of vectors and places, written by rows.

    Returns
    -------
    array of shape (n, last − first)
        Coordinates.
    """
    codes, owner = files.stages.load(_GROUPS), files.stages.load(_OWNERS)
    groups = [(np.flatnonzero(codes == g), np.flatnonzero(owner == g)) for g in np.unique(codes)]
    return sliced(files.columns(name, first, last), files.columns(places, first, last), groups)


def copied_columns(files: ColumnFiles, first: int, last: int, name: str) -> NDArray[np.float64]:
    """Return columns of a matrix that was written by columns.

    Parameters
    ----------
    files : ColumnFiles
        Layout.
    first, last : int
        Range of columns.
    name : str
        Name of the matrix.

    Returns
    -------
    array of shape (n, last − first)
        Columns.
    """
    return np.stack([files.stages.load(f"{name}-column-{k}") for k in range(first, last)], axis=1)


def some_rows(files: ColumnFiles, part: int, name: str, nodes: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the vectors of those nodes that are in a part, in ascending order.

    Parameters
    ----------
    files : ColumnFiles
        Layout.
    part : int
        Number of the part.
    name : str
        Name of the vectors, written by columns.
    nodes : int array
        Positions.

    Returns
    -------
    array of shape (k, W)
        Vectors.
    """
    begin, end = files.bounds[part : part + 2]
    inside = np.sort(nodes[(nodes >= begin) & (nodes < end)]) - begin
    return files.rows(name, part)[inside]
