"""Time, peak memory and AUC of embeddings compared with residual2vec 0.0.12 and ProNE. Run it on an idle machine.

python benchmarks/speed/embedding_speed.py [--runs 1] [--graph ca-astroph]
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from harness import MATCHED, UNIFORM, embed_apart, half_hidden, link_aucs, main
from residuum.reproduction import Case, Row, Settings, Target
from residuum.reproduction.graphs import PAPER_GRAPHS
from residuum.reproduction.tables import measures_table
from residuum.reproduction.target import chosen

LARGE_GRAPHS = ("ego-twitter", "web-notredame")
REPEATS = 3
BASE = {"n_components": 64, "window": 10}
METHODS = {
    "residual2vec 0.0.12": ("r2v2023", BASE),
    "ProNE": ("prone", BASE),
    "exact": ("residuum", BASE | {"solver": "exact"}),
    "landmark": ("residuum", BASE | {"solver": "landmark"}),
    "block": ("residuum", BASE | {"solver": "block"}),
    "block, floor -1": ("residuum", BASE | {"solver": "block", "floor": -1.0}),
    "exact, 1 GiB": ("residuum", BASE | {"solver": "exact", "memory_limit": "1GiB"}),
}
ON_LARGE = {
    f"{name}, K = {width}": (METHODS[name][0], METHODS[name][1] | {"n_components": width})
    for width in (64, 128)
    for name in ("ProNE", "landmark", "block")
}
MEASURES = ("seconds", "peak MiB", MATCHED, UNIFORM)


def methods_of(graph: str) -> list[str]:
    if graph in LARGE_GRAPHS:
        return list(ON_LARGE)
    return [name for name in METHODS if graph == "ca-astroph" or name != "exact, 1 GiB"]


def cases(settings: Settings) -> list[Case]:
    wanted = chosen("methods", [*METHODS, *ON_LARGE], settings.methods)
    graphs = chosen("graphs", [*PAPER_GRAPHS, *LARGE_GRAPHS], settings.graphs)
    return [Case(graph, method) for graph in graphs for method in methods_of(graph) if method in wanted]


def measure(case: Case, run: int, settings: Settings) -> dict[str, float]:
    software, parameters = (METHODS | ON_LARGE)[case.method]
    task = half_hidden(case.graph, run)
    result = embed_apart(software, task, parameters, REPEATS)
    return {"seconds": result.seconds, "peak MiB": result.peak_mib} | link_aucs(task, result)


def table(rows: list[Row], settings: Settings) -> str:
    return measures_table(rows, MEASURES)


TARGET = Target("embedding_speed", "Embeddings: time and memory", MEASURES, cases, measure, table)

if __name__ == "__main__":
    main(TARGET, __file__)
