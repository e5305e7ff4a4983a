"""Figures of the reproduction; methods differ in color, marker and line, so that color is not required."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from residuum._validation import import_extra
from residuum.evaluation import Interval

__all__ = ["Style", "auc_scales", "dot_panels", "draw_dots", "new_figure", "style_of", "sweep_panels"]

# Palette of Okabe and Ito, without yellow, which is hard to see on white.
_COLORS = ("#D55E00", "#0072B2", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_MARKERS = ("o", "s", "^", "D", "v", "P", "X")
_LINES = ("-", "--")
_FONT = 9
# Lower bound of 1 − AUC, whose log is shown.
_MIN_ERROR = 1e-4
_AUC_TICKS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999)
_MORE_AUC_TICKS = (*_AUC_TICKS, 0.65, 0.75, 0.85, 0.92, 0.96, 0.97, 0.985)
_FEWEST_TICKS = 3

Style = dict[str, Any]


def new_figure(rows: int, columns: int, *, width: float = 3.6, height: float = 3.2) -> tuple[Any, Any]:
    """Return a figure with a grid of panels.

    Parameters
    ----------
    rows, columns : int
        Shape of the grid.
    width, height : float
        Size of a panel in inches.

    Returns
    -------
    figure : matplotlib.figure.Figure
        Empty figure.
    axes : array of matplotlib.axes.Axes, shape (rows, columns)
        Its panels.
    """
    matplotlib = import_extra("matplotlib", "report")
    matplotlib.use("Agg")
    pyplot = import_extra("matplotlib.pyplot", "report")
    pyplot.rcParams.update({"font.size": _FONT, "axes.spines.top": False, "axes.spines.right": False})
    figure, axes = pyplot.subplots(
        rows, columns, figsize=(width * columns, height * rows), layout="constrained", squeeze=False
    )
    return figure, axes


def style_of(names: Sequence[str]) -> dict[str, Style]:
    """Return a distinct color, marker and line style for each name.

    Parameters
    ----------
    names : sequence of str
        Names of methods.

    Returns
    -------
    dict of str to dict
        Keyword arguments for ``plot``.
    """
    return {
        name: {
            "color": _COLORS[number % len(_COLORS)],
            "marker": _MARKERS[(number + number // len(_COLORS)) % len(_MARKERS)],
            "linestyle": _LINES[number // len(_COLORS) % len(_LINES)],
        }
        for number, name in enumerate(names)
    }


def auc_scales(panel: Any) -> None:
    """Scale both axes of a panel by ``−ln(1 − AUC)``, which separates methods with an AUC near 1.

    Parameters
    ----------
    panel : matplotlib.axes.Axes
        Panel with its data, which determine the ticks.
    """
    ticker = import_extra("matplotlib.ticker", "report")

    def position(auc: Any) -> Any:
        return -np.log(np.maximum(1.0 - np.asarray(auc), _MIN_ERROR))

    def auc(position: Any) -> Any:
        return 1.0 - np.exp(-np.asarray(position))

    panel.set_xscale("function", functions=(position, auc))
    panel.set_yscale("function", functions=(position, auc))
    for axis in (panel.xaxis, panel.yaxis):
        low, high = axis.get_view_interval()
        few = sum(low < tick < high for tick in _AUC_TICKS) < _FEWEST_TICKS
        axis.set_major_locator(ticker.FixedLocator(_MORE_AUC_TICKS if few else _AUC_TICKS))
        axis.set_major_formatter(ticker.FuncFormatter(lambda tick, _: f"{tick:g}"))
        axis.set_minor_locator(ticker.NullLocator())


def dot_panels(panels: Mapping[str, Mapping[str, Interval]], label: str, *, columns: int = 3) -> Any:
    """Draw one panel per graph, with a dot and an interval per method, the highest at the top.

    Parameters
    ----------
    panels : mapping of title to mapping of method to Interval
        Mean and interval of each method in each panel.
    label : str
        Label of the horizontal axes.
    columns : int, default 3
        Maximum number of panels in a row.

    Returns
    -------
    matplotlib.figure.Figure
        Figure with the panels.
    """
    columns = min(columns, len(panels))
    tallest = max(len(panel) for panel in panels.values())
    longest = max(len(name) for panel in panels.values() for name in panel)
    figure, axes = new_figure(
        -(-len(panels) // columns), columns, width=2.6 + 0.07 * longest, height=1.1 + 0.24 * tallest
    )
    styles = style_of(list(dict.fromkeys(name for panel in panels.values() for name in panel)))
    for axis, (title, panel) in zip(axes.flat, panels.items(), strict=False):
        draw_dots(axis, panel, styles)
        axis.locator_params(axis="x", nbins=5)
        axis.set_title(title)
        axis.set_xlabel(label)
    for axis in list(axes.flat)[len(panels) :]:
        axis.set_visible(False)
    return figure


def draw_dots(axis: Any, intervals: Mapping[str, Interval], styles: Mapping[str, Style]) -> None:
    """Draw a dot and an interval per method, the highest at the top.

    Parameters
    ----------
    axis : matplotlib.axes.Axes
        Panel to draw in.
    intervals : mapping of str to Interval
        Mean and interval of each method.
    styles : mapping of str to dict
        Result of :func:`style_of`.
    """
    order = sorted(intervals, key=lambda name: intervals[name].mean)
    for height, name in enumerate(order):
        interval, style = intervals[name], styles[name]
        axis.plot([interval.low, interval.high], [height, height], color=style["color"], linewidth=1.6)
        axis.plot([interval.mean], [height], color=style["color"], marker=style["marker"], markersize=5.5)
    axis.set_yticks(range(len(order)), order)
    axis.set_ylim(-0.6, len(order) - 0.4)
    axis.grid(axis="x", alpha=0.3)


def sweep_panels(
    panels: Mapping[str, Mapping[str, Mapping[float, Interval]]],
    across: str,
    label: str,
    *,
    limits: Mapping[str, float] | None = None,
) -> Any:
    """Draw one panel per sweep, with a line and a band per method.

    Parameters
    ----------
    panels : mapping of title to mapping of method to mapping of x to Interval
        Mean and interval of each method along each sweep.
    across : str
        Label of the horizontal axes.
    label : str
        Label of the vertical axes.
    limits : mapping of title to float, optional
        Detectability limits, drawn as vertical lines.

    Returns
    -------
    matplotlib.figure.Figure
        Figure with the panels.
    """
    figure, axes = new_figure(1, len(panels), width=4.4, height=4.6)
    styles = style_of(list(dict.fromkeys(name for panel in panels.values() for name in panel)))
    for axis, (title, panel) in zip(axes.flat, panels.items(), strict=True):
        for name, line in panel.items():
            x = np.array(sorted(line))
            mean, low, high = (np.array([getattr(line[at], part) for at in x]) for part in ("mean", "low", "high"))
            axis.plot(x, mean, **styles[name], markersize=4.5, linewidth=1.3, label=name)
            axis.fill_between(x, low, high, color=styles[name]["color"], alpha=0.15, linewidth=0)
        if limits is not None and title in limits:
            axis.axvline(limits[title], color="black", linestyle=":", linewidth=1.2, label="detectability limit")
        axis.set_title(title)
        axis.set_xlabel(across)
        axis.set_ylabel(label)
        axis.grid(alpha=0.3)
    handles = {
        text: handle for axis in axes.flat for handle, text in zip(*axis.get_legend_handles_labels(), strict=True)
    }
    figure.legend(
        handles.values(), handles.keys(), loc="outside lower center", ncols=2 * len(panels), fontsize=8, frameon=False
    )
    return figure
