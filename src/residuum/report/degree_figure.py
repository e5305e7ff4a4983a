"""A picture of what degree does to similarity."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from residuum._files import atomic_path
from residuum._validation import import_extra

__all__ = ["degree_figure"]

# Okabe and Ito: told apart by all readers.
_COLOURS = ["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#000000"]


def degree_figure(
    path: str | os.PathLike[str],
    embeddings: Mapping[str, ArrayLike],
    degrees: ArrayLike,
    groups: ArrayLike,
    dependence: Mapping[str, str],
) -> None:
    """Draw the nodes of several embeddings side by side, coloured by group, sized by degree.

    The axes of each panel are the two leading principal components of the unit vectors.

    Parameters
    ----------
    path : path of the picture; its ending says the format
    embeddings : mapping of title to array of shape (N, K)
    degrees, groups : arrays of shape (N,)
    dependence : mapping of title to a line of text under the panel
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
        # Large nodes first, so that small ones stay visible.
        order = np.argsort(-degree)
        for number, label in enumerate(np.unique(group)):
            here = order[group[order] == label]
            axis.scatter(
                plane[here, 0],
                plane[here, 1],
                s=4 + 90 * degree[here] / degree.max(),
                color=_COLOURS[number % len(_COLOURS)],
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
    figure.suptitle("Nodes by the two leading components; a larger dot is a node of higher degree")
    _save(figure, Path(path))
    pyplot.close(figure)


def _leading_plane(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit = np.divide(vectors, norms, out=np.zeros_like(vectors), where=norms > 0)
    centred = unit - unit.mean(axis=0)
    left, values, _ = np.linalg.svd(centred, full_matrices=False)
    return np.asarray(left[:, :2] * values[:2])


def _save(figure: Any, path: Path) -> None:
    with atomic_path(path) as temporary:
        figure.savefig(temporary, dpi=150, format=path.suffix.lstrip("."))
