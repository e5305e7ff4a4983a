"""Projection of vectors to the plane, for maps."""

import importlib.util
from typing import Any

import numpy as np
from numpy.typing import NDArray

from residuum._kernels.layout import improve_layout
from residuum._validation import check_choice, check_integer
from residuum.embedding.nearest import nearest_rows, unit_rows
from residuum.errors import InvalidParameterError

__all__ = ["NEIGHBORS", "PROJECTIONS", "project"]

#: Number of nearest neighbors of a node in a map.
NEIGHBORS = 10
#: Names of the projections; "auto" is UMAP if umap-learn is installed, else the neighbor layout.
PROJECTIONS = ("auto", "umap", "neighbors", "pca")

_NEGATIVES = 5
# Passes over the nodes: many for small graphs, and as many as take a few seconds for large ones.
_MOST_PASSES, _FEWEST_PASSES, _NODE_PASSES = 300, 60, 4_000_000
# Standard deviation of the first principal component at the start.
_SPREAD = 8.0


def project(
    vectors: NDArray[Any],
    method: str = "auto",
    *,
    nearest: NDArray[np.int64] | None = None,
    random_state: int = 0,
) -> NDArray[np.float32]:
    """Return a point in the plane for each vector, so that neighbors by cosine are near each other.

    The neighbor layout starts from the first two principal components of the unit vectors and minimizes the loss of
    UMAP on the graph of 10 nearest neighbors. It needs no other package, and the same seed gives the same points.

    Parameters
    ----------
    vectors : array of shape (N, K)
        One vector per node.
    method : {"auto", "umap", "neighbors", "pca"}, default "auto"
        Projection; "auto" is UMAP if umap-learn is installed, else the neighbor layout.
    nearest : int array of shape (n, k), optional
        Nearest neighbors of the n nonzero rows, as :func:`nearest_rows` returns them; computed by default.
    random_state : int, default 0
        Seed.

    Returns
    -------
    float32 array of shape (N, 2)
        Coordinates between −1 and 1; NaN for zero vectors, which have no direction.

    Examples
    --------
    >>> points = project(np.random.default_rng(0).standard_normal((50, 4)))
    >>> points.shape, float(np.abs(points).max())
    ((50, 2), 1.0)
    """
    check_choice("method", method, PROJECTIONS)
    check_integer("random_state", random_state, minimum=0)
    u = np.asarray(vectors, dtype=np.float64)
    rows = np.flatnonzero(u.any(axis=1))
    points = np.full((len(u), 2), np.nan)
    if len(rows) < 3:
        points[rows, 0], points[rows, 1] = np.linspace(-1.0, 1.0, len(rows)), 0.0
        return points.astype(np.float32)
    if method == "auto":
        method = "umap" if importlib.util.find_spec("umap") is not None else "neighbors"
    unit = unit_rows(u[rows])
    if method == "umap":
        plane = _umap(unit, random_state)
    else:
        plane = _leading_plane(unit)
        if method == "neighbors":
            if nearest is None:
                nearest = nearest_rows(u, min(NEIGHBORS, len(rows) - 1))[1]
            plane = _neighbor_layout(unit, plane, np.searchsorted(rows, nearest), random_state)
    plane = plane - (plane.max(axis=0) + plane.min(axis=0)) / 2
    points[rows] = plane / max(float(np.abs(plane).max()), 1e-12)
    return points.astype(np.float32)


def _leading_plane(unit: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the first two principal components."""
    centered = unit - unit.mean(axis=0)
    if centered.shape[1] == 1:
        return np.concatenate([centered, np.zeros_like(centered)], axis=1)
    axes = np.linalg.eigh(centered.T @ centered)[1][:, :-3:-1]
    # The largest entry of an axis is positive, so that the map is not mirrored from one machine to the next.
    signs = np.sign(axes[np.abs(axes).argmax(axis=0), [0, 1]])
    return np.asarray(centered @ (axes * signs))


def _neighbor_layout(
    unit: NDArray[np.float64], start: NDArray[np.float64], neighbors: NDArray[np.int64], random_state: int
) -> NDArray[np.float64]:
    distance = 1.0 - np.einsum("ik,ijk->ij", unit, unit[neighbors])
    beyond = np.maximum(distance - distance[:, :1], 0.0)
    scale = np.maximum(beyond.mean(axis=1, keepdims=True), 1e-9)
    n_passes = int(np.clip(_NODE_PASSES // len(unit), _FEWEST_PASSES, _MOST_PASSES))
    noise = np.random.default_rng(random_state).normal(scale=1e-2, size=start.shape)
    positions = start * (_SPREAD / max(float(start[:, 0].std()), 1e-12)) + noise
    rates = np.linspace(1.0, 0.0, n_passes, endpoint=False)
    improve_layout(positions, neighbors, np.exp(-beyond / scale), _NEGATIVES, rates, np.uint64(random_state))
    return np.asarray(positions)


def _umap(unit: NDArray[np.float64], random_state: int) -> NDArray[np.float64]:
    try:
        import umap
    except ImportError as error:
        raise InvalidParameterError("method 'umap' needs umap-learn; run pip install umap-learn.") from error
    reducer = umap.UMAP(n_neighbors=min(NEIGHBORS, len(unit) - 1), metric="cosine", random_state=random_state)
    return np.asarray(reducer.fit_transform(unit), dtype=np.float64)
