"""Two-dimensional projections of vectors, stored with the scores for the figure."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from residuum._files import atomic_path

__all__ = ["Projection", "draw_projection", "project", "read_projection"]


@dataclass(frozen=True)
class Projection:
    """Projection on the plane that best separates the fields.

    Attributes
    ----------
    points : array of shape (n, 2)
        Coordinates of each node.
    year : array of shape (n,)
        Year of each node.
    """

    points: NDArray[np.float32]
    year: NDArray[np.float32]


def project(
    base: Path, graph: str, method: str, vectors: NDArray[Any], field: NDArray[Any], year: NDArray[Any]
) -> None:
    """Project vectors by linear discriminant analysis of the fields, and write the result to a file.

    Parameters
    ----------
    base : Path
        Folder and first part of the file name.
    graph : str
        Name of the graph, the second part of the file name.
    method : str
        Name of the method, the third part of the file name.
    vectors : array of shape (n, K)
        Vectors of the nodes.
    field : array of shape (n,)
        Class of each node.
    year : array of shape (n,)
        Year of each node, stored with the points.
    """
    points = LinearDiscriminantAnalysis(n_components=2).fit_transform(np.asarray(vectors, dtype=np.float64), field)
    with atomic_path(_file(base, graph, method)) as temporary, temporary.open("wb") as stream:
        np.savez_compressed(stream, points=points.astype(np.float32), year=year.astype(np.float32))


def read_projection(base: Path, graph: str, method: str) -> Projection | None:
    """Return a projection that :func:`project` stored.

    Parameters
    ----------
    base : Path
        Folder and first part of the file name.
    graph, method : str
        Names of the graph and the method.

    Returns
    -------
    Projection or None
        None if there is no file.
    """
    file = _file(base, graph, method)
    if not file.exists():
        return None
    with np.load(file) as stored:
        return Projection(stored["points"], stored["year"])


def draw_projection(axis: Any, projection: Projection, title: str) -> Any:
    """Draw points colored by year.

    Parameters
    ----------
    axis : matplotlib.axes.Axes
        Panel to draw in.
    projection : Projection
        Points and years.
    title : str
        Title of the panel.

    Returns
    -------
    matplotlib.collections.PathCollection
        Points, for a color bar.
    """
    # Old nodes are few, so they are drawn last, on top.
    order = np.argsort(-projection.year, kind="stable")
    points = projection.points[order]
    collection = axis.scatter(
        *points.T, c=projection.year[order], cmap="cividis", s=4, alpha=0.8, linewidths=0, rasterized=True
    )
    low, high = np.percentile(points, [0.5, 99.5], axis=0)
    margin = 0.08 * (high - low)
    axis.set_xlim(low[0] - margin[0], high[0] + margin[0])
    axis.set_ylim(low[1] - margin[1], high[1] + margin[1])
    axis.set_title(title)
    axis.set_xticks([])
    axis.set_yticks([])
    return collection


def _file(base: Path, graph: str, method: str) -> Path:
    parts = (re.sub("[^a-z0-9]+", "-", name.lower()).strip("-") for name in (graph, method))
    return base.with_name(f"{'-'.join([base.name, *parts])}.npz")
