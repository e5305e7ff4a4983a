"""Places of text labels beside the dots of a figure, so that they do not overlap."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["label_places"]

# Sides of the dot where the label is tried, in this order: right, left, above, below, and the corners.
_SIDES = np.array([(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)], dtype=np.float64)
_RINGS = 12


def label_places(
    dots: ArrayLike,
    sizes: ArrayLike,
    bounds: tuple[float, float],
    *,
    gap: float = 8.0,
    obstacles: ArrayLike = (),
) -> NDArray[np.float64]:
    """Return where labels go so that they overlap neither each other nor a dot, close to their own dots.

    Labels are placed in order, each at the free place nearest to its dot. A label without a free place goes to the
    right of its dot.

    Parameters
    ----------
    dots : array of shape (n, 2)
        Centers of the dots, in pixels.
    sizes : array of shape (n, 2)
        Width and height of the labels.
    bounds : pair of float
        Width and height of the figure, which labels stay within.
    gap : float
        Free pixels around the center of a dot.
    obstacles : array of shape (m, 4)
        Left, bottom, right and top of boxes or lines that labels do not cover.

    Returns
    -------
    array of shape (n, 2)
        Lower left corners of the labels.

    Examples
    --------
    >>> label_places([[10, 50], [30, 50]], [[40, 10], [40, 10]], (200, 100))
    array([[18., 58.],
           [38., 45.]])
    """
    centers, extents = np.asarray(dots, dtype=np.float64), np.asarray(sizes, dtype=np.float64)
    around = np.concatenate([centers - gap * 0.9, centers + gap * 0.9], axis=1)
    taken = [*around, *np.reshape(np.asarray(obstacles, dtype=np.float64), (-1, 4))]
    corners = np.empty_like(centers)
    for number, (center, extent) in enumerate(zip(centers, extents, strict=True)):
        places = _candidates(center, extent, gap)
        boxes = np.concatenate([places, places + extent], axis=1)
        inside = (boxes[:, :2] >= 0.0).all(axis=1) & (boxes[:, 2:] <= bounds).all(axis=1)
        free = np.flatnonzero(inside & ~_overlap(boxes, np.stack(taken)))
        chosen = int(free[0]) if len(free) else 0
        taken.append(boxes[chosen])
        corners[number] = places[chosen]
    return corners


def _candidates(center: NDArray[np.float64], extent: NDArray[np.float64], gap: float) -> NDArray[np.float64]:
    """Return lower left corners of a label on all sides of a dot, the nearest first."""
    rings = gap + extent[1] * np.arange(_RINGS)[:, None, None] * 0.7
    middles = center + _SIDES * (rings + extent / 2.0)
    return np.asarray((middles - extent / 2.0).reshape(-1, 2))


def _overlap(boxes: NDArray[np.float64], obstacles: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return which boxes, as (left, bottom, right, top), overlap an obstacle."""
    a, b = boxes[:, None], obstacles[None]
    crossing = np.asarray(((a[..., :2] < b[..., 2:]) & (a[..., 2:] > b[..., :2])).all(axis=2))
    return np.asarray(crossing.any(axis=1))
