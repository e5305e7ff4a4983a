"""The raw scores of one target: means by graph and method, and differences over the same runs."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from residuum.evaluation import Interval, paired_comparison
from residuum.reproduction import TARGETS
from residuum.reproduction.ledger import read_rows
from residuum.reproduction.methods import kind_of
from residuum.reproduction.target import Row

RESULTS = Path(__file__).parent / "results"


@dataclass(frozen=True)
class Contest:
    """The scores of two methods over the runs that both have."""

    one: list[float]
    other: list[float]

    @cached_property
    def difference(self) -> Interval:
        """The mean of one minus other with its 90 % interval; one run has no interval but its difference."""
        return paired_comparison(self.one, self.other).difference

    @property
    def text(self) -> str:
        found = self.difference
        how_sure = "(one run)" if len(self.one) == 1 else f"[{found.low:+.4f}, {found.high:+.4f}]"
        return f"{found.mean:+.4f} {how_sure}"


class Scores:
    """The rows of one target: means by graph and method, and differences over the same runs.

    A kind is a method whatever the length of its walks; of its variants the one with the most runs is taken.
    """

    def __init__(self, target: str) -> None:
        file = RESULTS / f"{target}.csv"
        self.rows: list[Row] = read_rows(file, TARGETS[target].measures) if file.exists() else []
        self.graphs = list(dict.fromkeys(row.graph for row in self.rows))

    def measures(self, beginning: str) -> list[str]:
        """Return the measures whose names begin so."""
        return [name for name in (self.rows[0].values if self.rows else ()) if name.startswith(beginning)]

    def kinds(self, graph: str, measure: str) -> list[str]:
        """Return the kinds that have a finite score."""
        here = [row for row in self.rows if row.graph == graph and np.isfinite(row.values[measure])]
        return list(dict.fromkeys(kind_of(row.method) for row in here))

    def variants(self, graph: str, kind: str, measure: str) -> dict[str, dict[int, float]]:
        """Return the finite scores by run of each variant of a kind, that with the longest walks first."""
        found: dict[str, dict[int, float]] = {}
        for row in self.rows:
            if row.graph == graph and kind_of(row.method) == kind and np.isfinite(row.values[measure]):
                found.setdefault(row.method, {})[row.run] = row.values[measure]
        return dict(sorted(found.items(), key=lambda one: len(one[0])))

    def mean(self, graph: str, kind: str, measure: str) -> float:
        runs = max(self.variants(graph, kind, measure).values(), key=len, default={})
        return float(np.mean(list(runs.values()))) if runs else np.nan

    def best(self, graph: str, measure: str, kinds: Iterable[str]) -> str:
        return max(kinds, key=lambda kind: self.mean(graph, kind, measure))

    def contest(self, here: tuple[str, str], there: tuple[str, str], measure: str) -> Contest | None:
        """Return two (graph, kind) over the runs that both have, or None if there are none.

        Variants are those with the most runs in common; a kind is compared with itself for the same walks only.
        """
        pairs = [
            Contest([one[run] for run in shared], [other[run] for run in shared])
            for first, one in self.variants(*here, measure).items()
            for second, other in self.variants(*there, measure).items()
            if (first == second or here[1] != there[1]) and (shared := sorted(one.keys() & other.keys()))
        ]
        return max(pairs, key=lambda pair: len(pair.one), default=None)

    def contests(self, graph: str, ours: str, rivals: Iterable[str], measure: str) -> dict[str, Contest]:
        """Return the contests with those rivals that have a run in common with ours."""
        found = {rival: self.contest((graph, ours), (graph, rival), measure) for rival in rivals}
        return {rival: contest for rival, contest in found.items() if contest is not None}
