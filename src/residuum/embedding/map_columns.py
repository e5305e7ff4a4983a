"""Columns of a map in a file of vectors: a point and the nearest neighbors of each node."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["map_columns"]


def map_columns(vectors: NDArray[Any], method: str = "auto", *, random_state: int = 0) -> dict[str, Any]:
    """Return the columns ``x``, ``y`` and ``neighbors`` as embedding-atlas reads them.

    Parameters
    ----------
    vectors : array of shape (N, K)
        One vector per node.
    method : str, default "auto"
        Projection; see :func:`residuum.embedding.projection.project`.
    random_state : int, default 0
        Seed of the projection.

    Returns
    -------
    dict of str to list
        Coordinates, and for each node the ``ids`` (row numbers from 0) and ``distances`` (one minus cosine) of its
        nearest neighbors. A zero vector has neither.

    Examples
    --------
    >>> columns = map_columns(np.eye(3))
    >>> sorted(columns), columns["neighbors"][0]["distances"]
    (['neighbors', 'x', 'y'], [1.0, 1.0])
    """
    from residuum.embedding.nearest import nearest_rows, unit_rows
    from residuum.embedding.projection import NEIGHBORS, project

    u = np.asarray(vectors, dtype=np.float64)
    neighbors: list[dict[str, list[Any]]] = [{"ids": [], "distances": []} for _ in u]
    k = min(NEIGHBORS, int(u.any(axis=1).sum()) - 1)
    near = None
    if k > 0:
        rows, near = nearest_rows(u, k)
        unit = unit_rows(u)
        distance = 1.0 - np.einsum("ik,ijk->ij", unit[rows], unit[near])
        for row, ids, distances in zip(rows.tolist(), near.tolist(), distance.tolist(), strict=True):
            neighbors[row] = {"ids": ids, "distances": distances}
    x, y = project(u, method, nearest=near, random_state=random_state).T
    return {"x": _or_none(x), "y": _or_none(y), "neighbors": neighbors}


def _or_none(values: NDArray[np.float32]) -> list[float | None]:
    return [value if value == value else None for value in values.tolist()]
