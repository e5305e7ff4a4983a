"""Figure of the price of erasure."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from residuum._files import atomic_path
from residuum._validation import import_extra
from residuum.report.charts import FrontierRow
from residuum.report.label_places import label_places

__all__ = ["frontier_figure"]

_COLORS = {"none": "#000000", "linear": "#E69F00", "distribution": "#0072B2", "other": "#009E73"}
_MAX_LEAK = 0.05
# From a label to its dot.
_LINE = {"arrowstyle": "-", "alpha": 0.4, "shrinkA": 0.0, "shrinkB": 3.0}


def frontier_figure(
    path: str | os.PathLike[str], rows: Sequence[FrontierRow], attribute: str, recommended: str
) -> None:
    """Plot the AUC of links against the leakage of the strongest attacker, one dot with its intervals per setting.

    Requires ``pip install 'residuum[report]'``.

    Parameters
    ----------
    path : path
        File to write; the extension selects the format.
    rows : sequence of FrontierRow
        Settings of erasure. Names that begin with "linear" or "distribution" have the color of this level, and a line
        joins them in their order.
    attribute : str
        Name of the attribute.
    recommended : str
        Name of the recommended point.

    Examples
    --------
    >>> import tempfile
    >>> from residuum.report import FrontierRow, frontier_figure
    >>> rows = [FrontierRow("none", 0.4, 0.02, 0.9, 0.01), FrontierRow("linear 1", 0.2, 0.02, 0.8, 0.01)]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "frontier.png"
    ...     frontier_figure(file, rows, "party", "linear 1")
    ...     print(file.exists())
    True
    """
    matplotlib = import_extra("matplotlib", "report")
    matplotlib.use("Agg")
    pyplot = import_extra("matplotlib.pyplot", "report")
    figure, axis = pyplot.subplots(figsize=(7.0, 4.8), layout="constrained")
    axis.axvspan(0.0, _MAX_LEAK, color="#0072B2", alpha=0.08)
    for level in ("linear", "distribution"):
        curve = [row for row in rows if row.name.split()[0] == level]
        axis.plot([row.leak for row in curve], [row.auc for row in curve], color=_COLORS[level], alpha=0.35, lw=1.0)
    for row in rows:
        axis.plot(row.leak_interval, (row.auc, row.auc), color=_color(row.name), alpha=0.35, lw=1.2)
        axis.plot((row.leak, row.leak), row.auc_interval, color=_color(row.name), alpha=0.35, lw=1.2)
        axis.scatter([row.leak], [row.auc], color=_color(row.name), s=130 if row.name == recommended else 45, zorder=3)
    axis.set_xlim(left=0.0)
    axis.margins(0.12)
    axis.set_xlabel(f"leakage of {attribute}: strongest attacker, |accuracy − chance| (lower is better)")
    axis.set_ylabel("link AUC, degree-matched (higher is better)")
    heading = f"Erasure of {attribute}: links against leakage\nlarge dot: recommended; lines: 95 % intervals"
    axis.set_title(heading, fontsize="medium")
    _label(figure, axis, rows)
    target = Path(path)
    with atomic_path(target) as temporary:
        figure.savefig(temporary, dpi=150, format=target.suffix.lstrip("."))
    pyplot.close(figure)


def _color(name: str) -> str:
    return _COLORS.get(name.split()[0], _COLORS["other"])


def _label(figure: Any, axis: Any, rows: Sequence[FrontierRow]) -> None:
    """Write the name of each point beside it, with a line to it."""
    figure.draw_without_rendering()  # the layout moves the axes, and with them the dots
    figure.set_layout_engine("none")
    to_axes = axis.transAxes.inverted()
    low, high = axis.get_window_extent().get_points()
    style: dict[str, Any] = {"fontsize": "small", "zorder": 2, "arrowprops": _LINE}
    texts = [axis.annotate(row.name, (row.leak, row.auc), color=_color(row.name), **style) for row in rows]
    boxes = [text.get_window_extent() for text in texts]
    ends = [(row.leak_interval[k], row.auc, row.leak, row.auc_interval[k]) for row in rows for k in (0, 1)]
    lines = axis.transData.transform(np.reshape(ends, (-1, 2))).reshape(-1, 4, 2) - low
    places = label_places(
        axis.transData.transform([(row.leak, row.auc) for row in rows]) - low,
        [(box.width, box.height) for box in boxes],
        tuple(high - low),
        gap=7.0 * figure.dpi / 72.0,
        # The two lines of a row: left to right, and bottom to top.
        obstacles=lines[:, [0, 2, 1, 3]].reshape(-1, 4),
    )
    for text, place in zip(texts, places, strict=True):
        text.set_position(to_axes.transform(place + low))
        text.anncoords = "axes fraction"
