"""Markdown tables: means with intervals, and paired comparisons of methods."""

from collections.abc import Callable, Iterable

import numpy as np

from residuum.evaluation import Interval, bootstrap_interval, paired_comparison
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
    """Return the mean over runs with its 90 % bootstrap interval.

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
    return bootstrap_interval(values) if values else None


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
    interval, n_runs = bootstrap_interval(values), len(values)
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

    Parameters
    ----------
    rows : list of Row
        Results.
    measure : str
        Name of the measure.
    reference : str
        Name of the method to compare; pairs are the (graph, run) that both methods have.

    Returns
    -------
    str
        Markdown: mean difference with its interval, share of wins, p-value and number of pairs.
    """
    by_method: dict[str, dict[tuple[str, int], float]] = {}
    for row in rows:
        if np.isfinite(row.values[measure]):
            by_method.setdefault(row.method, {})[row.graph, row.run] = row.values[measure]
    ours = by_method.pop(reference, {})
    body = []
    for method, theirs in by_method.items():
        shared = [key for key in ours if key in theirs]
        if not shared:
            continue
        comparison = paired_comparison([ours[key] for key in shared], [theirs[key] for key in shared])
        low, high = comparison.difference.low, comparison.difference.high
        difference = f"{comparison.difference.mean:+.3f} [{low:+.3f}, {high:+.3f}]"
        body.append([method, difference, f"{comparison.wins:.0%}", f"{comparison.p_value:.2g}", str(len(shared))])
    return markdown([f"{reference} minus", measure, "wins", "p", "splits"], body)
