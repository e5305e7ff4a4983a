"""Defaults of residuum beside the fast rivals: wall and CPU time, peak memory and AUC. Run it on an idle machine.

python benchmarks/speed/side_by_side.py [--runs 1] [--graph ca-astroph]
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from harness import MATCHED, UNIFORM, embed_apart, half_hidden, link_aucs, main
from residuum.reproduction import Case, Row, Settings, Target
from residuum.reproduction.graphs import PAPER_GRAPHS
from residuum.reproduction.tables import measures_table
from residuum.reproduction.target import chosen

GRAPHS = (*PAPER_GRAPHS, "ego-twitter", "web-notredame")
REPEATS = {"ego-twitter": 2, "web-notredame": 1}
PARAMETERS = {"n_components": 64}
METHODS = {
    "residuum": "residuum",
    "ProNE": "prone",
    "FastRP": "fastrp",
    "scikit-network Spectral": "sknetwork",
}
MEASURES = ("seconds", "CPU seconds", "peak MiB", MATCHED, UNIFORM)


def cases(settings: Settings) -> list[Case]:
    wanted = chosen("methods", list(METHODS), settings.methods)
    return [Case(graph, method) for graph in chosen("graphs", GRAPHS, settings.graphs) for method in wanted]


def measure(case: Case, run: int, settings: Settings) -> dict[str, float]:
    task = half_hidden(case.graph, run)
    result = embed_apart(METHODS[case.method], task, PARAMETERS, REPEATS.get(case.graph, 3))
    costs = {"seconds": result.seconds, "CPU seconds": result.cpu_seconds, "peak MiB": result.peak_mib}
    return costs | link_aucs(task, result)


def table(rows: list[Row], settings: Settings) -> str:
    return measures_table(rows, MEASURES)


TARGET = Target("side_by_side", "Time, memory and quality of one fit", MEASURES, cases, measure, table)

if __name__ == "__main__":
    main(TARGET, __file__)
