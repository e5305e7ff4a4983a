"""Geometry of the charts of a page: places in percent across, and in pixels down."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["frontier_chart", "interval_chart", "length_chart", "nice_ticks"]

# Marks are between these percentages of the width.
_LEFT, _RIGHT = 3.0, 97.0
# A narrower axis would make differences of no importance look large.
_SPAN = 0.1
_ROW = 44
_TOP = 18
_FRONTIER_HEIGHT = 300
_LENGTH_HEIGHT = 150


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

    def __init__(self, low: float, high: float) -> None:
        self.ticks = nice_ticks(low, high)

    def place(self, value: float) -> float:
        low, high = self.ticks[0], self.ticks[-1]
        return round(_LEFT + (_RIGHT - _LEFT) * (value - low) / (high - low), 3)


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
    lows = [min(check["value"] - check["margin"], check["low"]) for check in checks.values()]
    highs = [max(check["value"] + check["margin"], check["high"]) for check in checks.values()]
    lacking = max(_SPAN - (max(highs) - min(lows)), 0.0) / 2
    axis = _Axis(min(lows) - lacking, max(highs) + lacking)
    rows = [
        {
            "name": name,
            "level": check["level"],
            "y": _TOP + _ROW * number + 22,
            "value": axis.place(check["value"]),
            "low": axis.place(check["value"] - check["margin"]),
            "high": axis.place(check["value"] + check["margin"]),
            "expected": axis.place(check["expected"]),
            "band": (axis.place(check["low"]), axis.place(check["high"])),
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


def frontier_chart(points: Sequence[tuple[str, float, float]]) -> dict[str, Any]:
    """Return the geometry of a chart of link AUC against leakage.

    Parameters
    ----------
    points : sequence of (name, leak, auc)
        Settings of erasure.

    Returns
    -------
    dict of str to value
        Height, ticks of both axes, and the place of each point.

    Examples
    --------
    >>> chart = frontier_chart([("none", 0.4, 0.9), ("linear 1", 0.2, 0.8)])
    >>> [point["name"] for point in chart["points"]]
    ['none', 'linear 1']
    """
    across = _Axis(0.0, max(leak for _, leak, _ in points) * 1.25)
    aucs = nice_ticks(min(auc for *_, auc in points), max(auc for *_, auc in points))
    bottom = _FRONTIER_HEIGHT - 40

    def down(auc: float) -> float:
        return round(bottom - (bottom - _TOP) * (auc - aucs[0]) / (aucs[-1] - aucs[0]), 2)

    return {
        "height": _FRONTIER_HEIGHT,
        "bottom": bottom,
        "x_ticks": [{"x": across.place(tick), "text": f"{tick:g}"} for tick in across.ticks],
        "y_ticks": [{"y": down(tick), "text": f"{tick:g}"} for tick in aucs],
        "points": [
            {"name": name, "x": across.place(leak), "y": down(auc), "leak": leak, "auc": auc}
            for name, leak, auc in points
        ],
    }
