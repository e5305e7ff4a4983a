"""Steps per second of random walks interleaved with PecanPy. Run it on an idle machine.

python benchmarks/speed/walk_speed.py [--runs 3] [--graph ca-astroph]
"""

import json
import sys
import tempfile
from pathlib import Path

from scipy import sparse

sys.path.insert(0, str(Path(__file__).parents[1]))
from harness import last_json, main, run_apart
from residuum import datasets
from residuum.reproduction import Case, Row, Settings, Target
from residuum.reproduction.tables import measures_table
from residuum.reproduction.target import chosen

BASE = {"walk_length": 80, "n_walks": 10, "repeats": 2}
THREADS = 2
METHODS = {
    f"{software}, {setting}": (script, factors | extra)
    for setting, factors, modes in (
        ("p = q = 1", {"p": 1.0, "q": 1.0}, ("FirstOrderUnweighted",)),
        ("q = 0.5", {"p": 1.0, "q": 0.5}, ("SparseOTF", "PreComp")),
        ("q = 2", {"p": 1.0, "q": 2.0}, ("SparseOTF",)),
    )
    for software, script, extra in (
        ("residuum", ("residuum", "walks_residuum.py"), {}),
        *((f"PecanPy {mode}", ("walks", "walks_pecanpy.py"), {"mode": mode}) for mode in modes),
    )
}
MEASURES = ("million steps a second", "through its interface", "seconds of preparation")


def cases(settings: Settings) -> list[Case]:
    graphs = chosen("graphs", datasets.names(), settings.graphs or ("ca-astroph",))
    return [Case(graph, method) for graph in graphs for method in chosen("methods", METHODS, settings.methods)]


def measure(case: Case, run: int, settings: Settings) -> dict[str, float]:
    (software, script), parameters = METHODS[case.method]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "graph.npz")
        sparse.save_npz(file, sparse.csr_matrix(datasets.load(case.graph).adjacency))
        result = last_json(run_apart(software, script, file, json.dumps(BASE | parameters), threads=THREADS))
    values = (
        result["steps"] / result["seconds"] / 1e6,
        result["steps"] / result.get("api_seconds", result["seconds"]) / 1e6,
        result.get("preparation", 0.0),
    )
    return dict(zip(MEASURES, values, strict=True))


def table(rows: list[Row], settings: Settings) -> str:
    return f"10 walks of 80 steps per node, {THREADS} threads.\n\n{measures_table(rows, MEASURES)}"


TARGET = Target("walk_speed", "Random walks", MEASURES, cases, measure, table)

if __name__ == "__main__":
    main(TARGET, __file__, runs=3)
