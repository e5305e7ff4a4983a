"""Markdown tables: means with intervals, and paired comparisons of methods."""

from collections.abc import Callable, Iterable

import numpy as np

from residuum.evaluation import Interval, mean_interval, paired_comparison
from residuum.reproduction.target import Row

__all__ = ["comparison_table", "interval_of", "markdown", "mean_table", "measures_table", "names_of"]


def markdown(header: list[str], body: Iterable[list[str]]) -> str:
    """Return a markdown table.

    Parameters
    ----------
    header : list of str
        Names of the columns. The first is left-aligned, the others are right-aligned.
    body : iterable of lists of str
        Cells of each row.

    Returns
    -------
    str
        Table without a trailing newline.
    """
    rule = ["---", *["---:"] * (len(header) - 1)]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [header, rule, *body])


def names_of(rows: list[Row], key: Callable[[Row], str]) -> list[str]:
    """Return the distinct names of rows, in the order in which they were measured.

    Parameters
    ----------
    rows : list of Row
        Results.
    key : callable
        Name of a row, such as its graph or method.

    Returns
    -------
    list of str
        Names without duplicates.
    """
    return list(dict.fromkeys(key(row) for row in rows))


def interval_of(rows: list[Row], measure: str, graph: str, method: str) -> Interval | None:
    """Return the mean over runs with its 90 % t-interval.

    Parameters
    ----------
    rows : list of Row
        Results.
    measure, graph, method : str
        Names of the measure, the graph and the method.

    Returns
    -------
    Interval or None
        None if there is no finite value.
    """
    values = _values_of(rows, measure, graph, method)
    return mean_interval(values) if values else None


def _values_of(rows: list[Row], measure: str, graph: str, method: str) -> list[float]:
    values = [row.values[measure] for row in rows if (row.graph, row.method) == (graph, method)]
    return [value for value in values if np.isfinite(value)]


def mean_table(rows: list[Row], measure: str, *, lowest: bool = False) -> str:
    """Return a table of methods × graphs: means over runs with 90 % intervals, the best of each graph in bold.

    A single run has no interval. A cell with fewer runs than others shows their number.

    Parameters
    ----------
    rows : list of Row
        Results.
    measure : str
        Name of the measure.
    lowest : bool, default False
        Whether the lowest value is the best.

    Returns
    -------
    str
        Markdown.
    """
    graphs, methods = names_of(rows, lambda row: row.graph), names_of(rows, lambda row: row.method)
    values = {(g, m): _values_of(rows, measure, g, m) for g in graphs for m in methods}
    most = max((len(runs) for runs in values.values()), default=0)
    better = min if lowest else max
    best = {
        g: better((round(float(np.mean(x)), 3) for m in methods if (x := values[g, m])), default=None) for g in graphs
    }
    body = [[method, *(_cell(values[g, method], most, best[g]) for g in graphs)] for method in methods]
    return markdown([measure, *graphs], body)


def _cell(values: list[float], most: int, best: float | None) -> str:
    if not values:
        return ""
    interval, n_runs = mean_interval(values), len(values)
    parts = [f"**{interval.mean:.3f}**" if round(interval.mean, 3) == best else f"{interval.mean:.3f}"]
    if n_runs > 1:
        parts.append(f"[{interval.low:.3f}, {interval.high:.3f}]")
    if n_runs < most:
        parts.append(f"({n_runs} run{'s' if n_runs > 1 else ''})")
    return " ".join(parts)


def measures_table(rows: list[Row], measure_names: Iterable[str], digits: int = 3) -> str:
    """Return a table of (graph, method) × measures: means over runs.

    Parameters
    ----------
    rows : list of Row
        Results.
    measure_names : iterable of str
        Names of the measures to show.
    digits : int, default 3
        Significant digits of numbers below 10^digits; larger numbers are rounded to integers.

    Returns
    -------
    str
        Markdown.
    """
    names = list(measure_names)
    pairs = dict.fromkeys((row.graph, row.method) for row in rows)
    body = []
    for graph, method in pairs:
        means = (np.mean(values) if (values := _values_of(rows, name, graph, method)) else np.nan for name in names)
        body.append([graph, method, *("" if np.isnan(mean) else _short(float(mean), digits) for mean in means)])
    return markdown(["graph", "method", *names], body)


def _short(value: float, digits: int) -> str:
    return f"{value:,.0f}" if abs(value) >= 10**digits else f"{value:.{digits}g}"


def comparison_table(rows: list[Row], measure: str, reference: str) -> str:
    """Return a table of paired comparisons of a method with every other, over all graphs.

    Runs on the same graph are not independent of each other: a pair is the mean of two methods over their shared runs
    on one graph. On a single graph a pair is a run.

    Parameters
    ----------
    rows : list of Row
        Results.
    measure : str
        Name of the measure.
    reference : str
        Name of the method to compare.

    Returns
    -------
    str
        Markdown: mean difference with its interval, share of wins, p-value, and number of pairs.
    """
    by_method: dict[str, dict[tuple[str, int], float]] = {}
    for row in rows:
        if np.isfinite(row.values[measure]):
            by_method.setdefault(row.method, {})[row.graph, row.run] = row.values[measure]
    ours = by_method.pop(reference, {})
    body = []
    for method, theirs in by_method.items():
        pairs = _pairs(ours, theirs)
        if pairs:
            body.append([method, *_compared(*zip(*pairs, strict=True)), str(len(pairs))])
    unit = "graphs" if len({graph for graph, _ in ours}) > 1 else "runs"
    return markdown([f"{reference} minus", measure, "wins", "p", unit], body)


def _pairs(ours: dict[tuple[str, int], float], theirs: dict[tuple[str, int], float]) -> list[tuple[float, float]]:
    shared = [key for key in ours if key in theirs]
    if len({graph for graph, _ in ours}) == 1:
        return [(ours[key], theirs[key]) for key in shared]
    by_graph: dict[str, list[tuple[float, float]]] = {}
    for key in shared:
        by_graph.setdefault(key[0], []).append((ours[key], theirs[key]))
    return [
        (float(np.mean(first)), float(np.mean(second)))
        for first, second in (zip(*pairs, strict=True) for pairs in by_graph.values())
    ]


def _compared(ours: tuple[float, ...], theirs: tuple[float, ...]) -> list[str]:
    comparison = paired_comparison(ours, theirs)
    difference, wins = f"{comparison.difference.mean:+.3f}", f"{comparison.wins:.0%}"
    if not comparison.testable:
        return [difference, wins, ""]
    interval = f"[{comparison.difference.low:+.3f}, {comparison.difference.high:+.3f}]"
    return [f"{difference} {interval}", wins, f"{comparison.p_value:.2g}"]
