"""Data of interactive maps: points, neighbors and colors of nodes, encoded for a page."""

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from residuum.embedding.nearest import nearest_rows, unit_rows
from residuum.embedding.projection import NEIGHBORS, project
from residuum.graph import Labels
from residuum.graph.codes import object_array

__all__ = ["Coloring", "label_coloring", "map_data", "number_coloring"]

Nearest = tuple[NDArray[np.int64], NDArray[np.int64]]

# Cosines are stored as integers of two bytes.
_COSINE_SCALE = 10_000


@dataclass(frozen=True)
class Coloring:
    """An attribute that colors the nodes of a map.

    Attributes
    ----------
    name : str
        Name of the attribute.
    values : float array of shape (N,)
        Numbers, NaN where missing; or codes of labels, −1 where missing.
    labels : tuple of str or None
        Labels, the most frequent first; None for numbers.
    is_log : bool
        Whether colors follow the logarithm.

    Examples
    --------
    >>> label_coloring("club", ["b", "a", "b"]).labels
    ('b', 'a')
    """

    name: str
    values: NDArray[np.float64]
    labels: tuple[str, ...] | None = None
    is_log: bool = False


def label_coloring(name: str, labels: ArrayLike) -> Coloring:
    """Return a coloring by labels.

    Parameters
    ----------
    name : str
        Name of the attribute.
    labels : array of shape (N,)
        Label of each node; None, NaN and empty strings are missing.

    Returns
    -------
    Coloring
        Codes of the labels, 0 for the most frequent.

    Examples
    --------
    >>> label_coloring("club", ["b", "a", None, "b"]).values.tolist()
    [0.0, 1.0, -1.0, 0.0]
    """
    values = labels if isinstance(labels, np.ndarray) else object_array(list(labels))  # type: ignore[arg-type]
    found, codes = Labels.of(values)
    counts = np.bincount(codes[codes >= 0], minlength=len(found))
    order = np.argsort(-counts, kind="stable")
    rank = np.empty(len(order) + 1)
    rank[order], rank[-1] = np.arange(len(order)), -1
    return Coloring(name, rank[codes], tuple(str(found.values[code]) for code in order))


def number_coloring(name: str, numbers: ArrayLike, *, is_log: bool = False) -> Coloring:
    """Return a coloring by numbers.

    Parameters
    ----------
    name : str
        Name of the attribute.
    numbers : array of shape (N,)
        Number of each node; NaN is missing.
    is_log : bool, default False
        Whether colors follow the logarithm.

    Returns
    -------
    Coloring
        The numbers.

    Examples
    --------
    >>> number_coloring("year", [1999, 2001]).values.tolist()
    [1999.0, 2001.0]
    """
    return Coloring(name, np.asarray(numbers, dtype=np.float64), is_log=is_log)


def map_data(
    ids: ArrayLike,
    embeddings: Mapping[str, NDArray[Any]],
    colorings: list[Coloring],
    *,
    nearest: Mapping[str, Nearest] | None = None,
    method: str = "auto",
    random_state: int = 0,
) -> dict[str, Any]:
    """Return the data of maps of the same nodes, with arrays as base64 text.

    Parameters
    ----------
    ids : array of shape (N,)
        Node ids, shown as text.
    embeddings : mapping of str to array of shape (N, K)
        Vectors by name, one map for each.
    colorings : list of Coloring
        Attributes that can color the nodes; the first one does at the start.
    nearest : mapping of str to pair of arrays, optional
        Ten nearest neighbors by name, as :func:`residuum.embedding.nearest.nearest_rows` returns them; computed by
        default.
    method : str, default "auto"
        Projection; see :func:`residuum.embedding.projection.project`.
    random_state : int, default 0
        Seed of the projection.

    Returns
    -------
    dict of str to value
        JSON values: ids, maps with points and nearest neighbors, and colorings.

    Examples
    --------
    >>> data = map_data(["a", "b", "c", "d"], {"r2v": np.eye(4)}, [])
    >>> data["ids"], data["maps"][0]["name"]
    (['a', 'b', 'c', 'd'], 'r2v')
    """
    known = nearest or {}
    return {
        "ids": [str(identity) for identity in np.asarray(ids, dtype=object).tolist()],
        "maps": [
            _map(name, np.asarray(vectors, dtype=np.float64), known.get(name), method, random_state)
            for name, vectors in embeddings.items()
        ],
        "colorings": [_coloring(coloring) for coloring in colorings],
    }


def _map(
    name: str, vectors: NDArray[np.float64], nearest: Nearest | None, method: str, random_state: int
) -> dict[str, Any]:
    k = max(0, min(NEIGHBORS, int(vectors.any(axis=1).sum()) - 1))
    neighbors = np.full((len(vectors), k), -1, dtype=np.int32)
    cosine = np.zeros((len(vectors), k))
    if k:
        rows, near = nearest or nearest_rows(vectors, k)
        neighbors[rows] = near
        unit = unit_rows(vectors)
        cosine[rows] = np.einsum("ik,ijk->ij", unit[rows], unit[near])
    points = project(vectors, method, nearest=near if k else None, random_state=random_state)
    return {
        "name": name,
        "points": _encoded(points.astype("<f4")),
        "neighbors": _encoded(neighbors.astype("<i4")),
        "cosines": _encoded(np.round(cosine * _COSINE_SCALE).astype("<i2")),
        "n_neighbors": k,
    }


def _coloring(coloring: Coloring) -> dict[str, Any]:
    return {
        "name": coloring.name,
        "labels": None if coloring.labels is None else list(coloring.labels),
        "log": coloring.is_log,
        "values": _encoded(coloring.values.astype("<f4")),
    }


def _encoded(array: NDArray[Any]) -> str:
    return base64.b64encode(array.tobytes()).decode("ascii")
