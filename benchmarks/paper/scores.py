"""The raw scores of one target: means by graph and method, and differences over the same splits."""

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from residuum.evaluation import paired_comparison
from residuum.reproduction import TARGETS
from residuum.reproduction.ledger import Ledger
from residuum.reproduction.methods import kind_of
from residuum.reproduction.target import Row

RESULTS = Path(__file__).parent / "results"


class Scores:
    """The rows of one target: means by graph and method, and differences over the same splits."""

    def __init__(self, target: str) -> None:
        file = RESULTS / f"{target}.csv"
        self.rows: list[Row] = Ledger(file, TARGETS[target].measures).rows if file.exists() else []
        self.graphs = list(dict.fromkeys(row.graph for row in self.rows))
        self.runs = {g: len({row.run for row in self.rows if row.graph == g}) for g in self.graphs}

    def methods(self, graph: str) -> list[str]:
        return list(dict.fromkeys(row.method for row in self.rows if row.graph == graph))

    def find(self, graph: str, kind: str) -> str | None:
        """Return the method of that kind with the longest walks that was run."""
        return next((m for m in sorted(self.methods(graph), key=len) if kind_of(m) == kind), None)

    def by_run(self, graph: str, method: str, measure: str) -> dict[int, float]:
        return {r.run: r.values[measure] for r in self.rows if (r.graph, r.method) == (graph, method)}

    def mean(self, graph: str, kind: str, measure: str) -> float:
        method = self.find(graph, kind)
        return np.nan if method is None else float(np.mean(list(self.by_run(graph, method, measure).values())))

    def best(self, graph: str, measure: str, kinds: Iterable[str] | None = None, *, lowest: bool = False) -> str:
        kinds = list(kinds) if kinds is not None else [kind_of(m) for m in self.methods(graph)]
        known = [k for k in kinds if np.isfinite(self.mean(graph, k, measure))]
        return (min if lowest else max)(known, key=lambda kind: self.mean(graph, kind, measure))

    def shared(self, graph: str, one: str, other: str, measure: str) -> tuple[list[float], list[float]]:
        """Return the scores of two kinds over the runs in which both were measured."""
        here, there = (self.by_run(graph, self.find(graph, kind), measure) for kind in (one, other))
        runs = [run for run in sorted(set(here) & set(there)) if np.isfinite(here[run] + there[run])]
        return [here[run] for run in runs], [there[run] for run in runs]

    def as_good(self, graph: str, one: str, other: str, measure: str) -> bool:
        """Whether one is above the other, or not told apart from it by the runs that both have: one tells nothing."""
        here, there = self.shared(graph, one, other, measure)
        return len(here) < 2 or paired_comparison(here, there).difference.high >= 0
