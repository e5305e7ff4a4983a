"""Raw scores of a target: means by graph and method, and paired differences."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from residuum.evaluation import Interval, mean_interval, paired_comparison
from residuum.reproduction import TARGETS
from residuum.reproduction.ledger import read_rows
from residuum.reproduction.methods import kind_of
from residuum.reproduction.target import Row

RESULTS = Path(__file__).parent / "results"
# The paired t-test cannot reach any level with fewer runs.
FEWEST_RUNS = 2


@dataclass(frozen=True)
class Contest:
    """Scores of two methods on their shared runs, at least two."""

    first: list[float]
    second: list[float]

    @cached_property
    def difference(self) -> Interval:
        """Mean of first minus second with its 90 % interval."""
        return paired_comparison(self.first, self.second).difference

    @property
    def text(self) -> str:
        return f"{self.difference.mean:+.4f} [{self.difference.low:+.4f}, {self.difference.high:+.4f}]"


class Scores:
    """Raw scores of a target: means by graph and method, and paired differences.

    A kind is a method with any length of walks. Of its variants, that with the most runs represents it.
    """

    def __init__(self, target: str) -> None:
        file = RESULTS / f"{target}.csv"
        self.rows: list[Row] = read_rows(file, TARGETS[target].measures) if file.exists() else []
        self.graphs = list(dict.fromkeys(row.graph for row in self.rows))

    def measures(self, beginning: str) -> list[str]:
        """Return the measures whose names start with a text."""
        return [name for name in (self.rows[0].values if self.rows else ()) if name.startswith(beginning)]

    def kinds(self, graph: str, measure: str) -> list[str]:
        """Return the kinds with a finite score."""
        rows = [row for row in self.rows if row.graph == graph and np.isfinite(row.values[measure])]
        return list(dict.fromkeys(kind_of(row.method) for row in rows))

    def variants(self, graph: str, kind: str, measure: str) -> dict[str, dict[int, float]]:
        """Return the finite scores by run of each variant of a kind, full walks before short ones."""
        variants: dict[str, dict[int, float]] = {}
        for row in self.rows:
            if row.graph == graph and kind_of(row.method) == kind and np.isfinite(row.values[measure]):
                variants.setdefault(row.method, {})[row.run] = row.values[measure]
        return dict(sorted(variants.items(), key=lambda item: len(item[0])))

    def mean(self, graph: str, kind: str, measure: str) -> float:
        interval = self.interval(graph, kind, measure)
        return np.nan if interval is None else interval.mean

    def interval(self, graph: str, kind: str, measure: str) -> Interval | None:
        """Return the mean over runs with its 90 % interval, which is NaN for a single run; None without runs."""
        runs = max(self.variants(graph, kind, measure).values(), key=len, default={})
        return mean_interval(list(runs.values())) if runs else None

    def best(self, graph: str, measure: str, kinds: Iterable[str]) -> str:
        return max(kinds, key=lambda kind: self.mean(graph, kind, measure))

    def contest(self, here: tuple[str, str], there: tuple[str, str], measure: str) -> Contest | None:
        """Compare two (graph, kind) on their shared runs; None if these are too few for a test.

        The variants are those with the most shared runs. A kind is compared with itself only on walks of equal length.
        """
        contests = [
            Contest([first[run] for run in shared], [second[run] for run in shared])
            for name, first in self.variants(*here, measure).items()
            for rival, second in self.variants(*there, measure).items()
            if name == rival or here[1] != there[1]
            if len(shared := sorted(first.keys() & second.keys())) >= FEWEST_RUNS
        ]
        return max(contests, key=lambda contest: len(contest.first), default=None)

    def contests(self, graph: str, ours: str, rivals: Iterable[str], measure: str) -> dict[str, Contest]:
        """Return the contests with the rivals that share enough runs."""
        contests = {rival: self.contest((graph, ours), (graph, rival), measure) for rival in rivals}
        return {rival: contest for rival, contest in contests.items() if contest is not None}
