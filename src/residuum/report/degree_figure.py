"""Figure of the effect of degree on similarity."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from residuum._files import atomic_path
from residuum._validation import import_extra

__all__ = ["degree_figure"]

# Okabe–Ito palette, which readers with color blindness can distinguish.
_COLORS = ["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#000000"]


def degree_figure(
    path: str | os.PathLike[str],
    embeddings: Mapping[str, ArrayLike],
    degrees: ArrayLike,
    groups: ArrayLike,
    dependence: Mapping[str, str],
) -> None:
    """Plot the nodes of several embeddings side by side, colored by group and sized by degree.

    The axes of each panel are the first two principal components of the unit vectors. Requires
    ``pip install 'residuum[report]'``.

    Parameters
    ----------
    path : path
        File to write; the extension selects the format, for example ``.png`` or ``.pdf``.
    embeddings : mapping of title to array of shape (N, K)
        Vectors, one panel per embedding.
    degrees : array of shape (N,)
        Degree of each node.
    groups : array of shape (N,)
        Label of each node.
    dependence : mapping of title to str
        Text below each panel, for example the R² of similarity on degree.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from residuum import Residual2Vec, datasets
    >>> from residuum.report import degree_figure
    >>> graph = datasets.karate_club()
    >>> vectors = Residual2Vec(8, random_state=0).fit_transform(graph)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "karate.png"
    ...     degree_figure(file, {"r2v": vectors}, graph.in_strength, graph.node_attributes["club"], {"r2v": ""})
    ...     print(file.exists())
    True
    """
    matplotlib = import_extra("matplotlib", "report")
    matplotlib.use("Agg")
    pyplot = import_extra("matplotlib.pyplot", "report")
    degree, group = np.asarray(degrees, dtype=np.float64), np.asarray(groups)
    figure, axes = pyplot.subplots(
        1, len(embeddings), figsize=(4.2 * len(embeddings), 4.6), layout="constrained", squeeze=False
    )
    for axis, (title, vectors) in zip(axes[0], embeddings.items(), strict=True):
        plane = _leading_plane(np.asarray(vectors, dtype=np.float64))
        # Nodes of high degree first, so that they do not hide small dots.
        order = np.argsort(-degree)
        for number, label in enumerate(np.unique(group)):
            rows = order[group[order] == label]
            axis.scatter(
                plane[rows, 0],
                plane[rows, 1],
                s=4 + 90 * degree[rows] / degree.max(),
                color=_COLORS[number % len(_COLORS)],
                alpha=0.65,
                linewidths=0.3,
                edgecolors="white",
                label=f"group {label}",
            )
        axis.set_title(title)
        axis.set_xlabel(dependence[title])
        axis.set_xticks([])
        axis.set_yticks([])
    axes[0, -1].legend(loc="best", fontsize="small", markerscale=1.0, framealpha=0.9)
    figure.suptitle("First two principal components of the vectors; dot size shows degree")
    _save(figure, Path(path))
    pyplot.close(figure)


def _leading_plane(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit = np.divide(vectors, norms, out=np.zeros_like(vectors), where=norms > 0)
    centered = unit - unit.mean(axis=0)
    left, values, _ = np.linalg.svd(centered, full_matrices=False)
    return np.asarray(left[:, :2] * values[:2])


def _save(figure: Any, path: Path) -> None:
    with atomic_path(path) as temporary:
        figure.savefig(temporary, dpi=150, format=path.suffix.lstrip("."))
