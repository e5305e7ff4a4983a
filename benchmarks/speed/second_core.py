"""What a second thread gains: memory, gathered rows, the steps of a fit, and whole fits. Run it on an idle machine.

    python benchmarks/speed/second_core.py [--graph ca-astroph] [--method "fit, landmark"]

Copies and gathers show what the memory of the machine allows: a walk step gathers one row of a tile per entry of the
graph. The times are the best of several repeats, of one and of two threads in turn.
"""

import itertools
import sys
import time
import warnings
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))
from harness import half_hidden, main, temporary_folder
from residuum import Residual2Vec, datasets, read_graph
from residuum._threads import in_threads, thread_limit
from residuum.errors import ResiduumWarning
from residuum.graph import Graph
from residuum.reproduction import Case, Row, Settings, Target
from residuum.reproduction.tables import measures_table
from residuum.reproduction.target import chosen
from residuum.residual.linalg import tall_product
from residuum.walks import WindowProbabilities
from residuum.walks.window import tile_width

GRAPHS = ("ca-astroph", "ego-twitter", "journals 0.1")
MEASURES = ("one thread", "two threads", "times faster")
PARTS = ("copy", "gather", "walk steps", "Gram matrix")
FITS = ("fit", "fit, landmark", "fit, exact", "fit, block")
LARGEST_EXACT = 30_000


@lru_cache(maxsize=1)
def training_graph(name: str) -> Graph:
    if not name.startswith("journals"):
        return half_hidden(name, 0).train
    scale = float(name.removeprefix("journals "))
    path = temporary_folder() / "journals.r2g"
    datasets.journal_citations(scale, path)
    return read_graph(path)


def work(case: Case) -> Callable[[int], object]:
    """Return the work of a case as a function of the number of threads."""
    graph = training_graph(case.graph)
    rng = np.random.default_rng(0)
    width = tile_width(graph.n_nodes)
    tiles = [rng.random((graph.n_nodes, width), dtype=np.float32) for _ in range(4)]
    if case.method == "copy":
        outs = [np.empty_like(tile) for tile in tiles]
        return lambda threads: list(in_threads(lambda pair: np.copyto(*pair), list(zip(outs, tiles, strict=True)) * 4))
    if case.method == "gather":
        rows = graph.adjacency.indices[: 4 * graph.n_nodes]
        return lambda threads: list(in_threads(lambda tile: np.add.reduce(tile[rows], axis=None), tiles))
    if case.method == "walk steps":
        walks = WindowProbabilities(graph, 5)
        nodes = rng.permutation(graph.n_nodes)
        starts = [nodes[begin : begin + width] for begin in range(0, 4 * width, width)]
        return lambda threads: list(in_threads(walks.columns, starts))
    if case.method == "Gram matrix":
        pairs = list(itertools.combinations_with_replacement(tiles, 2))
        return lambda threads: list(in_threads(lambda pair: tall_product(*pair, precise=False), pairs))
    solver = case.method.removeprefix("fit").removeprefix(", ") or "auto"
    return lambda threads: Residual2Vec(64, solver=solver, n_jobs=threads, random_state=0).fit(graph)


def measure(case: Case, run: int, settings: Settings) -> dict[str, float]:
    times: dict[int, list[float]] = {1: [], 2: []}
    function = work(case)
    is_large = training_graph(case.graph).n_nodes > LARGEST_EXACT
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResiduumWarning)
        for threads in (1, 2) * (2 if is_large and case.method in FITS else 4):
            with thread_limit(threads):
                began = time.perf_counter()
                function(threads)
                times[threads].append(time.perf_counter() - began)
    one, two = min(times[1]), min(times[2])
    return {"one thread": one, "two threads": two, "times faster": one / two}


def cases(settings: Settings) -> list[Case]:
    found = []
    for graph in chosen("graphs", GRAPHS, settings.graphs):
        methods = [name for name in (*PARTS, *FITS) if name != "fit, exact" or graph == "ca-astroph"]
        found += [Case(graph, method) for method in methods if settings.methods is None or method in settings.methods]
    return found


def table(rows: list[Row], settings: Settings) -> str:
    return measures_table(rows, MEASURES)


TARGET = Target("second_core", "Gain of a second thread", MEASURES, cases, measure, table)

if __name__ == "__main__":
    main(TARGET, __file__)
