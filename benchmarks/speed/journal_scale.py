"""The paper's largest graph, drawn at random, on a small machine: seconds by stage, peak memory, and a yardstick.

    python benchmarks/speed/journal_scale.py --scale 0.1 [--solvers auto,landmark] [--memory 2GiB] [--folder DIR]

K = 128, window 10, dcSBM by year. The yardstick is one scipy product of the same adjacency with a dense N × 138 array,
in the same process order on the same machine. Every embedding runs in a process of its own. Run it alone.
"""

import argparse
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
from harness import markdown, merge_rows
from residuum import Residual2Vec, datasets, read_graph
from residuum.errors import ResiduumWarning
from residuum.graph import write_graph
from residuum.nulls import Temporal

RESULTS = Path(__file__).parent / "results"
COMPONENTS, WINDOW, YARDSTICK_WIDTH = 128, 10, 138


class Stopwatch:
    """Seconds of each stage, from the events of its progress."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._last = 0.0

    def begin(self) -> float:
        self._last = time.perf_counter()
        return self._last

    def __call__(self, event) -> None:
        now = time.perf_counter()
        self.seconds[event.stage] = self.seconds.get(event.stage, 0.0) + now - self._last
        self._last = now


def embed(path: str, solver: str, memory: str | None) -> dict:
    """Embed in this process; return what is to be known of it."""
    warnings.simplefilter("ignore", ResiduumWarning)
    warm_up(solver)
    before = resident_bytes()
    stages = Stopwatch()
    model = Residual2Vec(
        COMPONENTS,
        null_model=Temporal("year"),
        window=WINDOW,
        solver=solver,
        memory_limit=memory,
        random_state=0,
        progress=stages,
    )
    plans = model.plan(read_graph(path))
    began = stages.begin()
    graph = read_graph(path)
    model.fit(graph)
    seconds = time.perf_counter() - began
    planned = next(one for one in plans if one.solver == model.solver_)
    mapped = sum(file.stat().st_size for file in Path(path).iterdir())
    return {
        "solver": model.solver_,
        "seconds": round(seconds, 2),
        "planned_seconds": round(planned.seconds, 1),
        "planned_mib": round((before + mapped + planned.bytes) / 2**20),
        "peak_mib": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
        "n_nodes": graph.n_nodes,
        "n_entries": int(graph.adjacency.nnz),
        "details": model.solver_details_,
        "stages": {name: round(value, 2) for name, value in stages.seconds.items()},
    }


def resident_bytes() -> int:
    """Memory of this process now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()


def warm_up(solver: str) -> None:
    """Load the compiled kernels, those for graphs on disk, so that they are not timed."""
    with tempfile.TemporaryDirectory() as folder:
        write_graph(datasets.planted_groups(1200, 3, random_state=0), f"{folder}/small.r2g")
        graph = read_graph(f"{folder}/small.r2g")
        for null_model in (Temporal("group"), "configuration"):
            for one in ("landmark", "block") if solver == "auto" else (solver,):
                Residual2Vec(8, null_model=null_model, solver=one, random_state=0).fit(graph)


def yardstick(path: str) -> float:
    """Seconds of one scipy product of the adjacency with a dense array."""
    adjacency = read_graph(path).adjacency
    X = np.random.default_rng(0).standard_normal((adjacency.shape[0], YARDSTICK_WIDTH)).astype(np.float32)
    adjacency.data[-1], adjacency.indices[-1]  # opened
    began = time.perf_counter()
    adjacency @ X
    return time.perf_counter() - began


def in_a_process_of_its_own(*arguments: str) -> dict:
    done = subprocess.run([sys.executable, __file__, *arguments], check=True, capture_output=True, text=True)
    return json.loads(done.stdout.splitlines()[-1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scale", default="0.01,0.1", help="one or several, with commas between")
    parser.add_argument("--solvers", default="auto")
    parser.add_argument("--memory", default="", help="memory limits, with commas between")
    parser.add_argument("--folder", type=Path, help="where the graphs are kept; a temporary one by default")
    parser.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        path, solver, memory = options.one
        result = {"seconds": yardstick(path)} if solver == "scipy" else embed(path, solver, memory or None)
        print(json.dumps(result))
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        rows = [row for scale in options.scale.split(",") for row in measure(float(scale), folder, options)]
    keep(rows)


def measure(scale: float, folder: Path, options: argparse.Namespace) -> list[dict]:
    path = folder / f"journal-{scale}.r2g"
    began = time.perf_counter()
    datasets.journal_citations(scale, path)
    print(f"scale {scale}: drawn or found in {time.perf_counter() - began:.1f} s", flush=True)
    product = min(in_a_process_of_its_own("--one", str(path), "scipy", "")["seconds"] for _ in range(2))
    rows = []
    for solver in options.solvers.split(","):
        for memory in options.memory.split(","):
            result = in_a_process_of_its_own("--one", str(path), solver, memory)
            rows.append(
                {
                    "scale": scale,
                    "asked": solver,
                    "memory_limit": memory or "default",
                    "solver": result["solver"],
                    "nodes": result["n_nodes"],
                    "entries": result["n_entries"],
                    "seconds": result["seconds"],
                    "scipy product": round(product, 2),
                    "products": round(result["seconds"] / product, 2),
                    "ns per entry": round(1e9 * result["seconds"] / result["n_entries"], 1),
                    "planned seconds": result["planned_seconds"],
                    "peak_mib": result["peak_mib"],
                    "planned_mib": result["planned_mib"],
                    "stages": json.dumps(result["stages"]),
                    "details": json.dumps(result["details"], default=float),
                }
            )
            print(*rows[-1].values(), sep="\t", flush=True)
    return rows


def keep(rows: list[dict]) -> None:
    kept = merge_rows(RESULTS / "journal_scale.csv", rows, "scale", "asked", "memory_limit")
    shown = [key for key in kept[0] if key != "details"]
    text = markdown(shown, [[row[key] for key in shown] for row in kept])
    (RESULTS / "journal_scale.md").write_text(text + "\n")


if __name__ == "__main__":
    main()
