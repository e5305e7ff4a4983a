"""Geometry of the charts of a page: places in percent across, and in pixels down."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from residuum.report.label_places import label_places

__all__ = ["FrontierRow", "frontier_chart", "interval_chart", "length_chart", "nice_ticks"]

# Marks are between these percentages of the width.
_LEFT, _RIGHT = 3.0, 97.0
# A narrower axis would make differences of no importance look large.
_SPAN = 0.1
# The labels of an axis on the left take this percentage of the width, enough on a phone.
_TICKS = 12.0
_ROW = 44
_TOP = 18
_FRONTIER_HEIGHT = 320
# In pixels: width of the chart on a phone, and of a letter.
_PHONE, _LETTER = 330.0, 6.0
_LENGTH_HEIGHT = 150


@dataclass(frozen=True)
class FrontierRow:
    """A setting of erasure: what it leaks, and how well links are predicted.

    Attributes
    ----------
    name : str
        Name of the setting.
    leak, leak_margin : float
        ``|accuracy − chance|`` of the strongest attacker, and half the width of its 95 % confidence interval.
    auc, auc_margin : float
        AUC of held-out edges, and half the width of its 95 % confidence interval.

    Examples
    --------
    >>> FrontierRow("linear 1", 0.2, 0.03, 0.8, 0.01).leak_interval
    (0.17, 0.23)
    """

    name: str
    leak: float
    leak_margin: float
    auc: float
    auc_margin: float

    @property
    def leak_interval(self) -> tuple[float, float]:
        """Ends of the interval of the leakage, which is not negative."""
        return max(round(self.leak - self.leak_margin, 9), 0.0), round(self.leak + self.leak_margin, 9)

    @property
    def auc_interval(self) -> tuple[float, float]:
        """Ends of the interval of the AUC, which is between 0 and 1."""
        return max(self.auc - self.auc_margin, 0.0), min(self.auc + self.auc_margin, 1.0)


def nice_ticks(low: float, high: float, count: int = 4) -> list[float]:
    """Return round numbers that cover an interval, about ``count`` of them.

    Parameters
    ----------
    low, high : float
        Ends of the interval.
    count : int, default 4
        Number of steps to aim at.

    Returns
    -------
    list of float
        Multiples of 1, 2 or 5 times a power of ten; the first is at most ``low``, the last at least ``high``.

    Examples
    --------
    >>> nice_ticks(0.47, 0.71)
    [0.4, 0.5, 0.6, 0.7, 0.8]
    """
    span = max(high - low, 1e-9)
    power = 10.0 ** math.floor(math.log10(span / count))
    step = next(factor * power for factor in (1, 2, 5, 10) if span / (factor * power) <= count)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(number * step, 10) for number in range(first, max(last, first + 1) + 1)]


class _Axis:
    """Maps values between the outer ticks to percentages of the width."""

    def __init__(self, low: float, high: float, left: float = _LEFT) -> None:
        self.ticks = nice_ticks(low, high)
        self.left = left

    def place(self, value: float) -> float:
        low, high = self.ticks[0], self.ticks[-1]
        return round(self.left + (_RIGHT - self.left) * (value - low) / (high - low), 3)


def _share(value: float) -> float:
    """Return the nearest value between 0 and 1: intervals of shares are drawn as far as shares exist."""
    return min(max(value, 0.0), 1.0)


def interval_chart(checks: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return the geometry of a chart with one row per embedding: a value with its interval, and what is expected.

    Parameters
    ----------
    checks : mapping of str to check
        The same check of each embedding, by name, as in a summary.

    Returns
    -------
    dict of str to value
        Height, ticks, and for each row the places of its marks.

    Examples
    --------
    >>> check = {"value": 0.7, "margin": 0.02, "expected": 0.5, "low": 0.47, "high": 0.53, "level": "red"}
    >>> chart = interval_chart({"r2v": check})
    >>> chart["rows"][0]["value"] > chart["rows"][0]["expected"]
    True
    """
    low = min(_share(min(check["value"] - check["margin"], check["low"])) for check in checks.values())
    high = max(_share(max(check["value"] + check["margin"], check["high"])) for check in checks.values())
    lacking = max(_SPAN - (high - low), 0.0) / 2
    axis = _Axis(_share(low - lacking), _share(high + lacking))
    rows = [
        {
            "name": name,
            "level": check["level"],
            "y": _TOP + _ROW * number + 22,
            "value": axis.place(_share(check["value"])),
            "low": axis.place(_share(check["value"] - check["margin"])),
            "high": axis.place(_share(check["value"] + check["margin"])),
            "expected": axis.place(_share(check["expected"])),
            "band": (axis.place(_share(check["low"])), axis.place(_share(check["high"]))),
        }
        for number, (name, check) in enumerate(checks.items())
    ]
    ticks = [{"x": axis.place(tick), "text": f"{100 * tick:.4g}%"} for tick in axis.ticks]
    return {"height": _TOP + _ROW * len(rows) + 20, "rows": rows, "ticks": ticks}


def length_chart(bins: Sequence[Mapping[str, float]]) -> dict[str, Any]:
    """Return the geometry of a chart of the lengths of vectors by degree: quartiles in each bin of degree.

    Parameters
    ----------
    bins : sequence of mapping
        Median degree and quartiles of the lengths in each bin, as in a summary.

    Returns
    -------
    dict of str to value
        Height, and for each bin the places of its marks.

    Examples
    --------
    >>> length_chart([{"degree": 2, "low": 0.5, "middle": 1.0, "high": 2.0}])["marks"][0]["text"]
    '2'
    """
    longest = max((entry["high"] for entry in bins), default=0.0) or 1.0

    def height(length: float) -> float:
        return round(_TOP + (_LENGTH_HEIGHT - 2 * _TOP - 16) * (1 - length / longest), 2)

    marks = [
        {
            "x": round(8 + 84 * (number + 0.5) / len(bins), 2),
            "text": f"{entry['degree']:.3g}",
            **{name: height(entry[name]) for name in ("low", "middle", "high")},
        }
        for number, entry in enumerate(bins)
    ]
    return {"height": _LENGTH_HEIGHT, "marks": marks, "top": f"{longest:.3g}"}


def _labels(dots: list[tuple[float, float]], names: list[str], height: float) -> list[dict[str, Any]]:
    """Return the places of names, which are free at the width of a phone; on wider pages dots are farther apart."""
    sizes = [(_LETTER * len(name), 12.0) for name in names]
    corners = label_places(dots, sizes, (_PHONE, height), gap=7.0) - np.asarray(dots)
    return [
        {"label": (x, y), "end": (min(max(x, 0.0), x + width), min(max(y, 0.0), y + tall))}
        for (x, y), (width, tall) in zip(corners.round(1).tolist(), sizes, strict=True)
    ]


def frontier_chart(rows: Sequence[FrontierRow]) -> dict[str, Any]:
    """Return the geometry of a chart of link AUC against leakage.

    Parameters
    ----------
    rows : sequence of FrontierRow
        Settings of erasure.

    Returns
    -------
    dict of str to value
        Height, ticks of both axes, and the places of each point, of the ends of its intervals and of its label. The
        label and the end of the line to it are in pixels from the point.

    Examples
    --------
    >>> rows = [FrontierRow("none", 0.4, 0.02, 0.9, 0.01), FrontierRow("linear 1", 0.2, 0.03, 0.8, 0.01)]
    >>> chart = frontier_chart(rows)
    >>> [point["row"].name for point in chart["points"]]
    ['none', 'linear 1']
    """
    across = _Axis(0.0, max(row.leak_interval[1] for row in rows), left=_TICKS)
    aucs = nice_ticks(min(row.auc_interval[0] for row in rows), max(row.auc_interval[1] for row in rows))
    bottom = _FRONTIER_HEIGHT - 40

    def down(auc: float) -> float:
        return round(bottom - (bottom - _TOP) * (auc - aucs[0]) / (aucs[-1] - aucs[0]), 2)

    dots = [(_PHONE * across.place(row.leak) / 100, down(row.auc)) for row in rows]
    labels = _labels(dots, [row.name for row in rows], bottom)
    return {
        "height": _FRONTIER_HEIGHT,
        "bottom": bottom,
        "x_ticks": [{"x": across.place(tick), "text": f"{tick:g}"} for tick in across.ticks],
        "y_ticks": [{"y": down(tick), "text": f"{tick:g}"} for tick in aucs],
        "points": [
            {
                "row": row,
                "x": across.place(row.leak),
                "y": down(row.auc),
                **label,
                "across": tuple(map(across.place, row.leak_interval)),
                "down": tuple(map(down, row.auc_interval)),
            }
            for row, label in zip(rows, labels, strict=True)
        ],
    }
