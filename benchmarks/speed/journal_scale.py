"""Time and peak memory on a generated graph of the size of the paper's largest, relative to one scipy product.

    python benchmarks/speed/journal_scale.py --graph "journals 0.1" [--method landmark] [--method "auto, 2GiB"]

K = 128, window 10, dcSBM by year. The yardstick is one scipy product of the adjacency with a dense N × 138 array. Every
embedding runs in a separate process. Run it on an idle machine.
"""

import json
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))
from harness import last_json, main
from residuum import Residual2Vec, datasets, read_graph
from residuum.errors import ResiduumWarning
from residuum.graph import write_graph
from residuum.nulls import Temporal
from residuum.reproduction import Case, Row, Settings, Target
from residuum.reproduction.tables import measures_table

DIMENSIONS, WINDOW, YARDSTICK_WIDTH = 128, 10, 138
MEASURES = (
    "entries",
    "seconds",
    "scipy product",
    "products",
    "ns per entry",
    "planned seconds",
    "peak MiB",
    "planned MiB",
)


def cases(settings: Settings) -> list[Case]:
    graphs, methods = settings.graphs or ("journals 0.01", "journals 0.1"), settings.methods or ("auto",)
    return [Case(graph, method) for graph in graphs for method in methods]


def measure(case: Case, run: int, settings: Settings) -> dict[str, float]:
    scale = float(case.graph.removeprefix("journals "))
    path = settings.folder / f"journals-{scale:g}.r2g"
    datasets.journal_citations(scale, path)
    solver, _, memory = case.method.partition(", ")
    product = min(apart(path, "scipy", "")["seconds"] for _ in range(2))
    result = apart(path, solver, memory)
    values = (
        result["entries"],
        result["seconds"],
        product,
        result["seconds"] / product,
        1e9 * result["seconds"] / result["entries"],
        result["planned seconds"],
        result["peak MiB"],
        result["planned MiB"],
    )
    return dict(zip(MEASURES, values, strict=True))


def apart(path: Path, solver: str, memory: str) -> dict:
    """Run the yardstick or an embedding in a separate process."""
    command = [sys.executable, __file__, "--one", str(path), solver, memory]
    return last_json(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def embed(path: str, solver: str, memory: str | None) -> dict:
    """Embed in this process; return time, memory and their estimates."""
    warnings.simplefilter("ignore", ResiduumWarning)
    warm_up(solver)
    before = int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
    model = Residual2Vec(
        DIMENSIONS,
        null_model=Temporal("year"),
        window=WINDOW,
        solver=solver,
        memory_limit=memory,
        random_state=0,
    )
    plans = model.plan(read_graph(path))
    began = time.perf_counter()
    graph = read_graph(path)
    model.fit(graph)
    seconds = time.perf_counter() - began
    planned = next(estimate for estimate in plans if estimate.solver == model.solver_)
    mapped = sum(file.stat().st_size for file in Path(path).iterdir())
    return {
        "seconds": seconds,
        "entries": int(graph.adjacency.nnz),
        "planned seconds": planned.seconds,
        "planned MiB": (before + mapped + planned.bytes) / 2**20,
        "peak MiB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def warm_up(solver: str) -> None:
    """Load the compiled kernels for graphs on disk, to exclude them from the time."""
    with tempfile.TemporaryDirectory() as folder:
        write_graph(datasets.planted_groups(1200, 3, random_state=0), f"{folder}/small.r2g")
        graph = read_graph(f"{folder}/small.r2g")
        for null_model in (Temporal("group"), "configuration"):
            for name in ("landmark", "block") if solver == "auto" else (solver,):
                Residual2Vec(8, null_model=null_model, solver=name, random_state=0).fit(graph)


def yardstick(path: str) -> float:
    """Return the time of one scipy product of the adjacency with a dense array."""
    adjacency = read_graph(path).adjacency
    X = np.random.default_rng(0).standard_normal((adjacency.shape[0], YARDSTICK_WIDTH)).astype(np.float32)
    adjacency.data[-1], adjacency.indices[-1]  # opens the memory maps
    began = time.perf_counter()
    adjacency @ X
    return time.perf_counter() - began


def table(rows: list[Row], settings: Settings) -> str:
    return measures_table(rows, MEASURES)


TARGET = Target("journal_scale", "Journal graph", MEASURES, cases, measure, table, repeats=False)

if __name__ == "__main__":
    if "--one" in sys.argv:
        path, solver, memory = sys.argv[2:5]
        print(json.dumps({"seconds": yardstick(path)} if solver == "scipy" else embed(path, solver, memory or None)))
    else:
        main(TARGET, __file__)
