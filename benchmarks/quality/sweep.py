"""Thousands of random graphs of difficult shapes: every solver against the dense reference of the tests.

Run it as ``python benchmarks/quality/sweep.py [--graphs 5000] [--seconds 600]``; the figures go to
``results/sweep.md``. Each graph is one of nine shapes (grid, star, complete bipartite, path, matching, sparse random,
mostly isolated, planted groups, low rank), directed or not, with a solver, a null model, a window, a floor and a unit
of the weights between 1e-300 and 1e300.
"""

import argparse
import sys
import time
from collections import defaultdict
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

from sweep_cases import SOLVERS, Case, check

RESULTS = Path(__file__).parent / "results"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--graphs", type=int, default=5000)
    parser.add_argument("--seconds", type=float, default=600.0)
    arguments = parser.parse_args()
    begin = time.perf_counter()
    losses, failures = defaultdict(list), defaultdict(list)
    n_graphs = 0
    while n_graphs < arguments.graphs and time.perf_counter() - begin < arguments.seconds:
        case = Case(n_graphs)
        problems, loss = check(case)
        losses[case.solver].append(loss)
        if problems:
            failures[case.solver].append(n_graphs)
            print(f"graph {n_graphs} ({case.shape.__name__[1:]}, {case.solver}): {'; '.join(problems)}")
        n_graphs += 1
    report = table(n_graphs, losses, failures)
    print(report)
    (RESULTS / "sweep.md").write_text(report)
    sys.exit(bool(sum(map(len, failures.values()))))


def table(n_graphs: int, losses: dict[str, list[float]], failures: dict[str, list[int]]) -> str:
    """Return the figures as markdown."""
    lines = [
        "# Random graphs against the dense reference",
        "",
        f"{n_graphs:,} graphs, each fitted twice (as it is, and in another unit of its weights), by",
        "`benchmarks/quality/sweep.py`. Loss: what the best factors of the same rank capture and these do not,",
        "relative to all that they capture. A failure is a wrong shape, a value that is not finite, a dependence on",
        "the unit, or an error beyond the one reported.",
        "",
        "| solver | graphs | median loss | 99th percentile | failures | seeds of failures |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for solver in SOLVERS:
        values, failed = np.array(losses[solver]), failures[solver]
        median, high = np.nanquantile(values, [0.5, 0.99])
        seeds = ", ".join(map(str, failed)) or "none"
        lines.append(f"| {solver} | {len(values):,} | {median:.1e} | {high:.1e} | {len(failed)} | {seeds} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
