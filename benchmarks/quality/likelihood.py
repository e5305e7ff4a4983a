"""The likelihood solver compared with landmarks, ProNE and node2vec, and sweeps from both starts.

    python benchmarks/quality/likelihood.py [--runs 1] [--graph ego-twitter] [--method ProNE]

Half of the edges held out, K = 64 and the defaults of the package; each method runs in a process of its own, on all
cores. node2vec has the walks of PecanPy, 10 of 80 steps per node, and one epoch of gensim, as PecanPy does by default.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from harness import MATCHED, UNIFORM, embed_apart, half_hidden, link_aucs, main
from residuum import datasets
from residuum.reproduction import Case, Row, Settings, Target
from residuum.reproduction.graphs import PAPER_GRAPHS
from residuum.reproduction.tables import mean_table
from residuum.reproduction.target import chosen

BASE = {"n_components": 64}
METHODS = {
    "ProNE": ("prone", BASE),
    "landmark": ("residuum", BASE | {"solver": "landmark"}),
    "landmark, 10 sweeps": ("residuum", BASE | {"solver": "landmark", "refine": 10}),
    "node2vec (PecanPy)": (
        "gensim",
        BASE | {"n_walks": 10, "walk_length": 80, "window": 10, "epochs": 1, "exponent": 0.75, "q": 1.0},
    ),
    "likelihood": ("residuum", BASE | {"solver": "likelihood"}),
    "likelihood, 20 sweeps": ("residuum", BASE | {"solver": "likelihood", "solver_options": {"n_sweeps": 20}}),
}
GRAPHS = (*PAPER_GRAPHS, "ego-twitter", "web-notredame")
GENERATED = ("journals 0.1",)
MEASURES = (MATCHED, UNIFORM, "seconds", "CPU seconds", "MiB")


def cases(settings: Settings) -> list[Case]:
    graphs = chosen("graphs", [*datasets.names(), *GENERATED], settings.graphs or GRAPHS)
    methods = chosen("methods", METHODS, settings.methods or tuple(METHODS))
    return [Case(graph, method) for graph in graphs for method in methods]


def measure(case: Case, run: int, settings: Settings) -> dict[str, float]:
    software, parameters = METHODS[case.method]
    task = half_hidden(case.graph, run)
    result = embed_apart(software, task, parameters)
    costs = {"seconds": result.seconds, "CPU seconds": result.cpu_seconds, "MiB": result.peak_mib}
    return link_aucs(task, result) | costs


def table(rows: list[Row], settings: Settings) -> str:
    return "\n\n".join(mean_table(rows, name, lowest=name not in (MATCHED, UNIFORM)) for name in MEASURES)


TARGET = Target("likelihood", "Likelihood sweeps compared with factorizations", MEASURES, cases, measure, table)

if __name__ == "__main__":
    main(TARGET, __file__)
