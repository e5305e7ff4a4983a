"""What `Residual2VecCV` costs in units of one fit with the defaults.

    python benchmarks/speed/search_cost.py [--runs 1] [--graph ca-astroph]

A quarter of the edges held out, K = 128, as in the degree-corrected benchmark. Fit and search each run in a process of
their own; CPU time depends less on other processes than wall time. The last two columns are the gain in AUC.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from harness import MATCHED, UNIFORM, embed_apart, link_aucs, main
from residuum.reproduction import Case, Row, Settings, Target
from residuum.reproduction.graphs import split
from residuum.reproduction.tables import markdown
from residuum.reproduction.target import chosen

# More than 10,000 edges after the split: sparse and dense, with and without hubs.
GRAPHS = (
    "as-22july06",
    "p2p-Gnutella08",
    "ca-hepth",
    "dblp-cite",
    "polblogs",
    "ppi",
    "wiki-vote",
    "cora-full",
    "blogcatalog",
    "fb-amherst",
    "Wake73",
    "ca-HepPh",
    "ca-astroph",
)
HELD_OUT = 0.25
METHODS = {"fit": {}, "search": {"tuned": True}}
MEASURES = ("CPU seconds", "seconds", "peak MiB", MATCHED, UNIFORM)


def cases(settings: Settings) -> list[Case]:
    wanted = chosen("methods", METHODS, settings.methods)
    return [Case(graph, method) for graph in chosen("graphs", GRAPHS, settings.graphs) for method in wanted]


def measure(case: Case, run: int, settings: Settings) -> dict[str, float]:
    task = split(case.graph, HELD_OUT, run)
    repeats = 3 if case.method == "fit" else 1
    result = embed_apart("residuum", task, {"n_components": 128, **METHODS[case.method]}, repeats)
    costs = {"CPU seconds": result.cpu_seconds, "seconds": result.seconds, "peak MiB": result.peak_mib}
    return costs | link_aucs(task, result)


def table(rows: list[Row], settings: Settings) -> str:
    body = []
    for graph in dict.fromkeys(row.graph for row in rows):
        fit, search = (
            next((row.values for row in rows if (row.graph, row.method) == (graph, method)), None) for method in METHODS
        )
        if fit and search:
            costs = [f"{search[name] / fit[name]:.1f}" for name in ("CPU seconds", "seconds")]
            gains = [f"{search[name] - fit[name]:+.3f}" for name in (MATCHED, UNIFORM)]
            body.append([graph, f"{fit['CPU seconds']:.1f}", f"{search['CPU seconds']:.1f}", *costs, *gains])
    return markdown(["graph", "CPU s, fit", "CPU s, search", "ratio", "wall ratio", MATCHED, UNIFORM], body)


TARGET = Target("search_cost", "Cost and gain of a search beside one fit", MEASURES, cases, measure, table)

if __name__ == "__main__":
    main(TARGET, __file__)
