"""Figure of the price of erasure."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from residuum._files import atomic_path
from residuum._validation import import_extra
from residuum.report.label_places import label_places

__all__ = ["frontier_figure"]

_COLORS = {"none": "#000000", "linear": "#E69F00", "distribution": "#0072B2", "other": "#009E73"}
_MAX_LEAK = 0.05
# From a label to its dot.
_LINE = {"arrowstyle": "-", "alpha": 0.4, "shrinkA": 0.0, "shrinkB": 3.0}


def frontier_figure(
    path: str | os.PathLike[str], points: Mapping[str, tuple[float, float]], attribute: str, recommended: str
) -> None:
    """Plot the AUC of links against the leakage of the strongest attacker, one dot per setting.

    Requires ``pip install 'residuum[report]'``.

    Parameters
    ----------
    path : path
        File to write; the extension selects the format.
    points : mapping of name to (leak, auc)
        ``|accuracy − chance|`` of the strongest attacker, and AUC of held-out edges. Names that begin with "linear" or
        "distribution" have the color of this level, and a line joins them in their order.
    attribute : str
        Name of the attribute.
    recommended : str
        Name of the recommended point.

    Examples
    --------
    >>> import tempfile
    >>> from residuum.report import frontier_figure
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "frontier.png"
    ...     frontier_figure(file, {"none": (0.4, 0.9), "linear 1": (0.2, 0.8)}, "party", "linear 1")
    ...     print(file.exists())
    True
    """
    matplotlib = import_extra("matplotlib", "report")
    matplotlib.use("Agg")
    pyplot = import_extra("matplotlib.pyplot", "report")
    figure, axis = pyplot.subplots(figsize=(7.0, 4.8), layout="constrained")
    axis.axvspan(0.0, _MAX_LEAK, color="#0072B2", alpha=0.08)
    for level in ("linear", "distribution"):
        curve = [point for name, point in points.items() if name.split()[0] == level]
        axis.plot([leak for leak, _ in curve], [auc for _, auc in curve], color=_COLORS[level], alpha=0.35, lw=1.0)
    for name, (leak, auc) in points.items():
        axis.scatter([leak], [auc], color=_color(name), s=130 if name == recommended else 45, marker="o", zorder=3)
    axis.set_xlim(left=0.0)
    axis.margins(0.12)
    axis.set_xlabel(f"leakage of {attribute}: strongest attacker, |accuracy − chance| (lower is better)")
    axis.set_ylabel("link AUC, degree-matched (higher is better)")
    axis.set_title(f"Erasure of {attribute}: links against leakage; large dot: recommended")
    _label(figure, axis, points)
    target = Path(path)
    with atomic_path(target) as temporary:
        figure.savefig(temporary, dpi=150, format=target.suffix.lstrip("."))
    pyplot.close(figure)


def _color(name: str) -> str:
    return _COLORS.get(name.split()[0], _COLORS["other"])


def _label(figure: Any, axis: Any, points: Mapping[str, tuple[float, float]]) -> None:
    """Write the name of each point beside it, with a line to it."""
    figure.draw_without_rendering()  # the layout moves the axes, and with them the dots
    figure.set_layout_engine("none")
    to_axes = axis.transAxes.inverted()
    low, high = axis.get_window_extent().get_points()
    texts = [
        axis.annotate(name, point, fontsize="small", color=_color(name), arrowprops=_LINE, zorder=2)
        for name, point in points.items()
    ]
    boxes = [text.get_window_extent() for text in texts]
    places = label_places(
        axis.transData.transform(list(points.values())) - low,
        [(box.width, box.height) for box in boxes],
        tuple(high - low),
        gap=7.0 * figure.dpi / 72.0,
    )
    for text, place in zip(texts, places, strict=True):
        text.set_position(to_axes.transform(place + low))
        text.anncoords = "axes fraction"
