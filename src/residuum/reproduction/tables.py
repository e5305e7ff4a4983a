"""Tables in markdown: means with intervals, and methods against each other."""

from collections.abc import Callable, Iterable

import numpy as np

from residuum.evaluation import Interval, bootstrap_interval, paired_comparison
from residuum.reproduction.target import Row

__all__ = ["comparison_table", "interval_of", "markdown", "mean_table", "names_of"]


def markdown(header: list[str], body: Iterable[list[str]]) -> str:
    """Return a table; the first column is text, the others are numbers."""
    rule = ["---", *["---:"] * (len(header) - 1)]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [header, rule, *body])


def names_of(rows: list[Row], key: Callable[[Row], str]) -> list[str]:
    """Return what occurs, in the order in which it was measured."""
    return list(dict.fromkeys(key(row) for row in rows))


def interval_of(rows: list[Row], measure: str, graph: str, method: str) -> Interval | None:
    """Return the mean over runs and its 90 % interval, or None if there is no run."""
    known = _values_of(rows, measure, graph, method)
    return bootstrap_interval(known) if known else None


def _values_of(rows: list[Row], measure: str, graph: str, method: str) -> list[float]:
    values = [row.values[measure] for row in rows if (row.graph, row.method) == (graph, method)]
    return [value for value in values if np.isfinite(value)]


def mean_table(rows: list[Row], measure: str, *, lowest: bool = False) -> str:
    """Return methods × graphs: the mean over runs with its 90 % interval, the best of a graph in bold.

    One run has no interval; where there are fewer runs than elsewhere in the table, their number is told.
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
    found, n_runs = bootstrap_interval(values), len(values)
    parts = [f"**{found.mean:.3f}**" if round(found.mean, 3) == best else f"{found.mean:.3f}"]
    if n_runs > 1:
        parts.append(f"[{found.low:.3f}, {found.high:.3f}]")
    if n_runs < most:
        parts.append(f"({n_runs} run{'s' if n_runs > 1 else ''})")
    return " ".join(parts)


def comparison_table(rows: list[Row], measure: str, reference: str) -> str:
    """Return the reference against every other method over the same (graph, run): paired, all graphs together."""
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
        found = paired_comparison([ours[key] for key in shared], [theirs[key] for key in shared])
        low, high = found.difference.low, found.difference.high
        difference = f"{found.difference.mean:+.3f} [{low:+.3f}, {high:+.3f}]"
        body.append([method, difference, f"{found.wins:.0%}", f"{found.p_value:.2g}", str(len(shared))])
    return markdown([f"{reference} minus", measure, "wins", "p", "splits"], body)
