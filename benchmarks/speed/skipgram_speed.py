"""Pairs per second of skip-gram (K = 64, 5 negatives, window 10) interleaved with gensim. Run it on an idle machine.

python benchmarks/speed/skipgram_speed.py [--runs 2] [--graph ca-astroph]
"""

import json
import sys
import tempfile
from pathlib import Path

import numpy as np
from scipy import sparse

sys.path.insert(0, str(Path(__file__).parents[1]))
from harness import last_json, main, run_apart
from residuum import datasets
from residuum.reproduction import Case, Row, Settings, Target
from residuum.reproduction.tables import measures_table
from residuum.reproduction.target import chosen
from residuum.walks import RandomWalks

BASE = {"n_components": 64, "window": 10, "repeats": 1, "n_walks": 1, "walk_length": 80}
METHODS = {
    f"{name}, {threads} thread{'s' if threads > 1 else ''}": (name, threads)
    for threads in (1, 2)
    for name in ("residuum", "gensim")
}
MEASURES = ("million pairs a second",)


def cases(settings: Settings) -> list[Case]:
    graphs = chosen("graphs", datasets.names(), settings.graphs or ("ca-astroph",))
    return [Case(graph, method) for graph in graphs for method in chosen("methods", METHODS, settings.methods)]


def measure(case: Case, run: int, settings: Settings) -> dict[str, float]:
    name, threads = METHODS[case.method]
    graph = datasets.load(case.graph)
    parameters = json.dumps(BASE | {"threads": threads})
    with tempfile.TemporaryDirectory() as folder:
        if name == "residuum":
            file = Path(folder, "graph.npz")
            sparse.save_npz(file, sparse.csr_matrix(graph.adjacency))
        else:
            file = Path(folder, "walks.npy")
            np.save(file, np.concatenate(list(RandomWalks(graph, n_walks=1, random_state=0).chunks())))
        software = "residuum" if name == "residuum" else "walks"
        result = last_json(run_apart(software, f"skipgram_{name}.py", file, parameters, threads=threads))
    return {MEASURES[0]: result["pairs"] / result["seconds"] / 1e6}


def table(rows: list[Row], settings: Settings) -> str:
    return (
        f"K = 64, 5 negatives, window 10; the time of residuum includes the walks.\n\n{measures_table(rows, MEASURES)}"
    )


TARGET = Target("skipgram_speed", "Skip-gram", MEASURES, cases, measure, table)

if __name__ == "__main__":
    main(TARGET, __file__, runs=2)
