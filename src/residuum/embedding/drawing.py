"""A map of an embedding as a picture."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from residuum._validation import import_extra
from residuum.errors import InvalidParameterError

__all__ = ["COLORS", "draw_map"]

#: Okabe–Ito palette, which readers with color blindness can distinguish.
COLORS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442")
_OTHER, _MISSING = "#8C8C8C", "#D0D0D0"


def draw_map(points: NDArray[np.float32], color: ArrayLike | None = None, *, name: str = "", ax: Any = None) -> Any:
    """Draw a point for each node.

    Requires ``pip install 'residuum[report]'``.

    Parameters
    ----------
    points : array of shape (N, 2)
        Coordinates; nodes with NaN are left out.
    color : array of shape (N,), optional
        Numbers (floats) or labels that color the nodes; None and NaN are missing. Only the seven most frequent labels
        have a color of their own.
    name : str, default ""
        Title of the legend.
    ax : matplotlib Axes, optional
        Axes to draw on; a new figure by default.

    Returns
    -------
    matplotlib Axes
        The axes.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> axes = draw_map(np.eye(2, dtype=np.float32), ["a", "b"])
    >>> len(axes.collections)
    2
    """
    if ax is None:
        # Not pyplot, which keeps every figure.
        figure = import_extra("matplotlib.figure", "report").Figure(figsize=(6.4, 6.4), layout="constrained")
        ax = figure.add_subplot()
    drawn = np.isfinite(points).all(axis=1)
    size = float(np.clip(2500 / max(int(drawn.sum()), 1), 1.5, 40))
    if color is None:
        ax.scatter(*points[drawn].T, s=size, color=COLORS[0], linewidths=0)
    else:
        values = np.asarray(color)
        if len(values) != len(points):
            raise InvalidParameterError(
                f"color must have one value for each of {len(points)} nodes; got {len(values)}."
            )
        draw = _draw_numbers if values.dtype.kind == "f" else _draw_labels
        draw(ax, points[drawn], values[drawn], size, name)
    ax.set_xticks([])
    ax.set_yticks([])
    ax.set_aspect("equal", adjustable="datalim")
    return ax


def _draw_numbers(ax: Any, points: NDArray[np.float32], values: NDArray[Any], size: float, name: str) -> None:
    known = np.isfinite(values)
    ax.scatter(*points[~known].T, s=size, color=_MISSING, linewidths=0)
    # A few extreme values would leave one color for all others.
    low, high = np.quantile(values[known], [0.02, 0.98]) if known.any() else (0.0, 1.0)
    shown = ax.scatter(*points[known].T, s=size, c=values[known], cmap="viridis", linewidths=0, vmin=low, vmax=high)
    below, above = (values[known] < low).any(), (values[known] > high).any()
    extend = {(True, True): "both", (True, False): "min", (False, True): "max"}.get((below, above), "neither")
    ax.figure.colorbar(shown, ax=ax, label=name, location="bottom", shrink=0.7, extend=extend)


def _draw_labels(ax: Any, points: NDArray[np.float32], values: NDArray[Any], size: float, name: str) -> None:
    texts = np.array(["" if value is None or value != value else str(value) for value in values.tolist()])
    labels, counts = np.unique(texts[texts != ""], return_counts=True)
    frequent = labels[np.argsort(-counts, kind="stable")][: len(COLORS)].tolist()
    rest = ~np.isin(texts, [*frequent, ""])
    layers = [("missing", texts == "", _MISSING), ("other", rest, _OTHER)]
    layers += [(label, texts == label, color) for label, color in zip(frequent, COLORS, strict=False)]
    for label, rows, color in layers:
        if rows.any():
            ax.scatter(*points[rows].T, s=size, color=color, linewidths=0, label=label)
    # Drawn first, listed last.
    handles = sorted(ax.get_legend_handles_labels()[0], key=lambda layer: layer.get_label() in ("missing", "other"))
    ax.legend(
        handles=handles,
        title=name or None,
        loc="best",
        fontsize="small",
        markerscale=max(1.0, 5 / size**0.5),
        framealpha=0.9,
    )
