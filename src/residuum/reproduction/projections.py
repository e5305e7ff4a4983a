"""Vectors in two dimensions, kept beside the scores so that a figure can be drawn from them again."""

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
    """The plane in which fields are furthest apart.

    Attributes
    ----------
    points : array of shape (n, 2)
    year : array of shape (n,)
    """

    points: NDArray[np.float32]
    year: NDArray[np.float32]


def project(
    base: Path, graph: str, method: str, vectors: NDArray[Any], field: NDArray[Any], year: NDArray[Any]
) -> None:
    """Project vectors by linear discriminant analysis with the fields as classes, and keep what comes out.

    Parameters
    ----------
    base : Path
        The beginning of the file's name.
    graph, method : str
        What follows in it.
    vectors : array of shape (n, K)
    field, year : arrays of shape (n,)
    """
    points = LinearDiscriminantAnalysis(n_components=2).fit_transform(np.asarray(vectors, dtype=np.float64), field)
    with atomic_path(_file(base, graph, method)) as temporary, temporary.open("wb") as stream:
        np.savez_compressed(stream, points=points.astype(np.float32), year=year.astype(np.float32))


def read_projection(base: Path, graph: str, method: str) -> Projection | None:
    """Return what :func:`project` kept, or None if there is nothing."""
    file = _file(base, graph, method)
    if not file.exists():
        return None
    with np.load(file) as stored:
        return Projection(stored["points"], stored["year"])


def draw_projection(axis: Any, projection: Projection, title: str) -> Any:
    """Draw points coloured by year; return what a colour bar needs."""
    # The oldest on top: they are few, and where they are is the question.
    order = np.argsort(-projection.year, kind="stable")
    points = projection.points[order]
    drawn = axis.scatter(
        *points.T, c=projection.year[order], cmap="cividis", s=4, alpha=0.8, linewidths=0, rasterized=True
    )
    low, high = np.percentile(points, [0.5, 99.5], axis=0)
    margin = 0.08 * (high - low)
    axis.set_xlim(low[0] - margin[0], high[0] + margin[0])
    axis.set_ylim(low[1] - margin[1], high[1] + margin[1])
    axis.set_title(title)
    axis.set_xticks([])
    axis.set_yticks([])
    return drawn


def _file(base: Path, graph: str, method: str) -> Path:
    words = (re.sub("[^a-z0-9]+", "-", one.lower()).strip("-") for one in (graph, method))
    return base.with_name(f"{'-'.join([base.name, *words])}.npz")
