"""Figures of the reproduction: told apart by colour, marker and line, so that no reader needs the colours."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from residuum._validation import import_extra
from residuum.evaluation import Interval

__all__ = ["Style", "auc_scales", "dot_panels", "draw_dots", "new_figure", "style_of", "sweep_panels"]

# Okabe and Ito without the yellow, which is hard to see on white.
_COLOURS = ("#D55E00", "#0072B2", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_MARKERS = ("o", "s", "^", "D", "v", "P", "X")
_LINES = ("-", "--")
_FONT = 9
# If no pair is in the wrong order, there is no logarithm of their share.
_LEAST_WRONG = 1e-4
_AUC_TICKS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999)
_MORE_AUC_TICKS = (*_AUC_TICKS, 0.65, 0.75, 0.85, 0.92, 0.96, 0.97, 0.985)
_FEWEST_TICKS = 3

Style = dict[str, Any]


def new_figure(rows: int, columns: int, *, width: float = 3.6, height: float = 3.2) -> tuple[Any, Any]:
    """Return a figure of panels and their axes, shape (rows, columns)."""
    matplotlib = import_extra("matplotlib", "report")
    matplotlib.use("Agg")
    pyplot = import_extra("matplotlib.pyplot", "report")
    pyplot.rcParams.update({"font.size": _FONT, "axes.spines.top": False, "axes.spines.right": False})
    figure, axes = pyplot.subplots(
        rows, columns, figsize=(width * columns, height * rows), layout="constrained", squeeze=False
    )
    return figure, axes


def style_of(names: Sequence[str]) -> dict[str, Style]:
    """Return a colour, a marker and a line for each name; no two names have the same three."""
    return {
        name: {
            "color": _COLOURS[number % len(_COLOURS)],
            "marker": _MARKERS[(number + number // len(_COLOURS)) % len(_MARKERS)],
            "linestyle": _LINES[number // len(_COLOURS) % len(_LINES)],
        }
        for number, name in enumerate(names)
    }


def auc_scales(panel: Any) -> None:
    """Give both axes of a panel equal steps for equal factors of 1 − AUC, so that good methods are told apart.

    What is in the panel says which ticks it gets.
    """
    ticker = import_extra("matplotlib.ticker", "report")

    def place(auc: Any) -> Any:
        return -np.log(np.maximum(1.0 - np.asarray(auc), _LEAST_WRONG))

    def auc(place: Any) -> Any:
        return 1.0 - np.exp(-np.asarray(place))

    panel.set_xscale("function", functions=(place, auc))
    panel.set_yscale("function", functions=(place, auc))
    for axis in (panel.xaxis, panel.yaxis):
        low, high = axis.get_view_interval()
        few = sum(low < tick < high for tick in _AUC_TICKS) < _FEWEST_TICKS
        axis.set_major_locator(ticker.FixedLocator(_MORE_AUC_TICKS if few else _AUC_TICKS))
        axis.set_major_formatter(ticker.FuncFormatter(lambda tick, _: f"{tick:g}"))
        axis.set_minor_locator(ticker.NullLocator())


def dot_panels(panels: Mapping[str, Mapping[str, Interval]], label: str, *, columns: int = 3) -> Any:
    """Draw a panel for each graph: a dot with its interval for each method, best at the top.

    Parameters
    ----------
    panels : mapping of title to mapping of method to Interval
    label : str
        Of the horizontal axes.
    columns : int
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


def draw_dots(axis: Any, found: Mapping[str, Interval], styles: Mapping[str, Style]) -> None:
    """Draw a dot with its interval for each method, the highest at the top."""
    order = sorted(found, key=lambda name: found[name].mean)
    for height, name in enumerate(order):
        one, style = found[name], styles[name]
        axis.plot([one.low, one.high], [height, height], color=style["color"], linewidth=1.6)
        axis.plot([one.mean], [height], color=style["color"], marker=style["marker"], markersize=5.5)
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
    """Draw a panel for each sweep: a line with its band for each method.

    Parameters
    ----------
    panels : mapping of title to mapping of method to mapping of x to Interval
    across, label : str
        Of the horizontal and the vertical axis.
    limits : mapping of title to x, optional
        The detectability limit, a vertical line.
    """
    figure, axes = new_figure(1, len(panels), width=4.4, height=4.6)
    styles = style_of(list(dict.fromkeys(name for panel in panels.values() for name in panel)))
    for axis, (title, panel) in zip(axes.flat, panels.items(), strict=True):
        for name, line in panel.items():
            x = np.array(sorted(line))
            mean, low, high = (np.array([getattr(line[one], part) for one in x]) for part in ("mean", "low", "high"))
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
