"""The solvers on a Dask cluster against one machine: time, peak memory of each process, and the same vectors.

    python benchmarks/speed/cluster.py [--graph ca-astroph] [--method "2 workers"]

Every run is a process of its own, and every worker is one with a single thread; all share this machine, so that two
workers are compared with two threads. The time on a cluster is that of ``fit`` and of writing the vectors, without the
start of the workers; the input is an ``.r2g``. Without a number of parts there is one, which fits the memory here;
compared variants have three. "overhead" divides by the time on one machine with as many threads.
Peak memory is the high-water mark of the resident memory, mapped files included. The distance is the sine of the
largest angle between the spans of the vectors and those of one machine with the same landmarks; the AUC is that of the
full score on held-out edges, half of all, against uniform negatives.
"""

import argparse
import json
import os
import subprocess
import sys
import time
import warnings
from functools import lru_cache
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))
from harness import half_hidden, last_json, main, temporary_folder
from residuum import Graph, Residual2Vec, datasets
from residuum.embedding import PairScores
from residuum.errors import ResiduumWarning
from residuum.evaluation import LinkTask
from residuum.graph import read_graph, write_graph
from residuum.nulls import DegreeCorrectedSBM
from residuum.reproduction import Case, Row, Settings, Target
from residuum.reproduction.tables import measures_table
from residuum.reproduction.target import chosen
from residuum.solvers import Block, Landmark, Likelihood, Solver

GRAPHS = ("ca-astroph", "ego-twitter", "journals 0.1")
MEASURES = ("seconds", "CPU seconds", "overhead", "worker MiB", "client MiB", "distance", "AUC", "AUC difference")
TIMED = (
    "1 thread",
    "2 threads",
    "1 worker",
    "2 workers",
    "2 workers, 2 parts",
    "2 workers, 4 parts",
    "2 workers, 16 parts",
)
COMPARED = (
    "4 workers",
    "2 workers, dcSBM",
    "2 workers, directed",
    "2 workers, directed, dcSBM",
    "1 worker, likelihood",
    "2 workers, likelihood",
    "4 workers, likelihood",
    "2 workers, block",
)
# Solvers other than landmarks, named in a method.
SOLVERS = {"likelihood": Likelihood(), "block": Block()}
K, WINDOW, N_LANDMARKS, N_GROUPS = 64, 5, 512, 8


@lru_cache(maxsize=1)
def task_of(name: str) -> LinkTask:
    return half_hidden(name, 0)


@lru_cache(maxsize=2)
def stored_graph(name: str, directed: bool) -> Path:
    """Return the training graph on disk; a directed one has a random 60 % of the arcs."""
    graph, path = task_of(name).train, temporary_folder() / "graph.r2g"
    if directed:
        arcs = graph.adjacency.tocoo()
        arcs.data = arcs.data * (np.random.default_rng(0).random(arcs.nnz) < 0.6)
        arcs.eliminate_zeros()
        graph = Graph(arcs.tocsr(), graph.node_ids, directed=True)
    numbered = Graph(graph.adjacency, directed=graph.directed)
    write_graph(numbered, path)
    return path


def parameters_of(method: str, n_nodes: int) -> dict:
    null = DegreeCorrectedSBM(np.arange(n_nodes) % N_GROUPS) if "dcSBM" in method else "configuration"
    common = {"null_model": null, "window": WINDOW, "floor": -3.0, "random_state": 0, "shrinkage": 0.0, "scale": 1.0}
    return {**common, "n_components": K, "solver": solver_of(method)}


def solver_of(method: str) -> Solver:
    return SOLVERS.get(method.rpartition(", ")[2], Landmark(n_landmarks=N_LANDMARKS))


def peak_mib() -> float:
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) / 1024


def cpu_seconds() -> float:
    return time.process_time()


def run_local(path: Path, method: str, output: Path) -> dict:
    # One solver for all: the local estimator would replace landmarks with a large error by another solver.
    Landmark.error_limit = float("inf")
    graph = read_graph(path)
    n_jobs = int(method.split()[0]) if "thread" in method else 2
    began, cpu = time.perf_counter(), cpu_seconds()
    model = Residual2Vec(n_jobs=n_jobs, **parameters_of(method, graph.n_nodes)).fit(graph)
    outcome = {"seconds": time.perf_counter() - began, "CPU seconds": cpu_seconds() - cpu, "client MiB": peak_mib()}
    assert model.solver_ == solver_of(method).name
    np.savez(output, u=model.embedding_, v=model.context_embedding_, offset=model.offset_)
    return outcome


def run_cluster(path: Path, method: str, output: Path) -> dict:
    import pyarrow.parquet as pq

    from distributed import Client, LocalCluster
    from residuum.distributed import DaskResidual2Vec

    n_workers = int(method.split()[0])
    n_parts = 3 if method in COMPARED else int(method.split(", ")[1].split()[0]) if "parts" in method else None
    folder = temporary_folder()
    n_nodes = read_graph(path).n_nodes
    cluster = LocalCluster(n_workers=n_workers, threads_per_worker=1, dashboard_address=":0")
    with cluster, Client(cluster) as client:
        client.run(warm_up)
        before = client.run(cpu_seconds)
        began, cpu = time.perf_counter(), cpu_seconds()
        model = DaskResidual2Vec(
            client=client, n_partitions=n_parts, checkpoint=folder / "run", **parameters_of(method, n_nodes)
        )
        model.fit(path).vectors_.write(folder / "vectors")
        seconds, own = time.perf_counter() - began, cpu_seconds() - cpu
        spent = own + sum(client.run(cpu_seconds).values()) - sum(before.values())
        workers = max(client.run(peak_mib).values())
    outcome = {"seconds": seconds, "CPU seconds": spent, "worker MiB": workers, "client MiB": peak_mib()}
    table = pq.read_table(folder / "vectors").sort_by("id")
    u, v = (np.array(table.column(name).to_pylist(), dtype=np.float32) for name in ("vector", "context"))
    np.savez(output, u=u, v=v, offset=table.column("offset").to_numpy())
    return outcome


def warm_up() -> None:
    """Load the kernels, as a worker that has run before."""
    from residuum.distributed import estimator

    Residual2Vec(2, window=2).fit(datasets.karate_club())
    assert estimator


def run_apart(name: str, method: str) -> tuple[dict, dict]:
    """Run a case in a process of its own, and return its measures and its vectors."""
    output = temporary_folder() / "vectors.npz"
    path = stored_graph(name, "directed" in method)
    command = [sys.executable, __file__, "--run", str(path), "--method", method, "--output", str(output)]
    text = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=dict(os.environ)).stdout
    with np.load(output) as arrays:
        return last_json(text), dict(arrays)


@lru_cache(maxsize=2)
def local_run(name: str, method: str) -> tuple[dict, dict]:
    return run_apart(name, method)


def auc(name: str, vectors: dict) -> float:
    scores = PairScores(vectors["u"], vectors["v"], vectors["offset"])
    return task_of(name).auc(scores.full, "uniform")


def distance(first: np.ndarray, second: np.ndarray) -> float:
    Q, P = (np.linalg.qr(X.astype(np.float64))[0] for X in (first, second))
    return float(np.linalg.norm(Q - P @ (P.T @ Q), 2))


def measure(case: Case, run: int, settings: Settings) -> dict[str, float]:
    return dict.fromkeys(MEASURES, np.nan) | measured(case)


def measured(case: Case) -> dict[str, float]:
    variant = case.method.partition(", ")[2] if case.method in COMPARED else ""
    threads = "1 thread" if case.method.startswith("1 ") else "2 threads"
    expected, reference = local_run(case.graph, f"{threads}, {variant}" if variant else threads)
    if "thread" in case.method:
        return expected | {"AUC": auc(case.graph, reference)}
    outcome, vectors = run_apart(case.graph, case.method)
    angles = [distance(vectors[side], reference[side]) for side in ("u", "v")]
    score = auc(case.graph, vectors)
    differences = {"AUC": score, "AUC difference": abs(score - auc(case.graph, reference))}
    if case.method in COMPARED and "likelihood" not in case.method:
        return {"distance": max(angles), **differences}
    return {**outcome, "overhead": outcome["seconds"] / expected["seconds"], "distance": max(angles), **differences}


def cases(settings: Settings) -> list[Case]:
    graphs = chosen("graphs", GRAPHS, settings.graphs)
    return [Case(graph, method) for graph in graphs for method in chosen("methods", TIMED + COMPARED, settings.methods)]


def table(rows: list[Row], settings: Settings) -> str:
    return measures_table(rows, MEASURES)


TARGET = Target("cluster", "Solvers on a Dask cluster", MEASURES, cases, measure, table)

if __name__ == "__main__":
    warnings.simplefilter("ignore", ResiduumWarning)
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--run", type=Path)
    parser.add_argument("--method")
    parser.add_argument("--output", type=Path)
    options, _ = parser.parse_known_args()
    if options.run is None:
        main(TARGET, __file__)
    else:
        run_one = run_local if "thread" in options.method else run_cluster
        print(json.dumps(run_one(options.run, options.method, options.output)))
