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
    values = [row.values[measure] for row in rows if (row.graph, row.method) == (graph, method)]
    known = [value for value in values if np.isfinite(value)]
    return bootstrap_interval(known) if known else None


def mean_table(rows: list[Row], measure: str, *, lowest: bool = False) -> str:
    """Return methods × graphs: the mean over runs with its 90 % interval, the best of a graph in bold."""
    graphs, methods = names_of(rows, lambda row: row.graph), names_of(rows, lambda row: row.method)
    cells = {(g, m): interval_of(rows, measure, g, m) for g in graphs for m in methods}
    better = min if lowest else max
    best = {g: better((round(c.mean, 3) for m in methods if (c := cells[g, m])), default=None) for g in graphs}
    body = []
    for method in methods:
        line = [method]
        for graph in graphs:
            found = cells[graph, method]
            line.append("" if found is None else _cell(found, round(found.mean, 3) == best[graph]))
        body.append(line)
    return markdown([measure, *graphs], body)


def _cell(interval: Interval, best: bool) -> str:
    mean = f"**{interval.mean:.3f}**" if best else f"{interval.mean:.3f}"
    return f"{mean} [{interval.low:.3f}, {interval.high:.3f}]"


def comparison_table(rows: list[Row], measure: str, reference: str) -> str:
    """Return the reference against every other method over the same (graph, run): paired, all graphs together."""
    by_method: dict[str, dict[tuple[str, int], float]] = {}
    for row in rows:
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
