"""Time, memory and disk of the commands ``convert`` and ``embed`` on graphs of up to a billion entries.

    python benchmarks/speed/many_edges.py --graph 1e7 [--graph 1e8] [--method "256 landmarks, 8GiB"]

A graph named 5e8 has 5·10⁸ sampled edges and N = edges / 25 nodes, in 30 planted groups with degrees of exponent 3;
groups are spread over the ids, so that memory access has no locality. Edges are written to a parquet file, sorted by
``residuum convert`` and embedded by ``residuum embed`` with K = 32, each in a process of its own, in the folder
``RESIDUUM_SCRATCH`` (about 100 bytes per edge; a temporary folder by default). "AUC, groups" is that of the association
of random pairs for being in the same group. Run it on an idle machine.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from sklearn.metrics import roc_auc_score

sys.path.insert(0, str(Path(__file__).parents[1]))
from harness import main, temporary_folder
from residuum.embedding import Embedding
from residuum.reproduction import Case, Row, Settings, Target
from residuum.reproduction.tables import measures_table

DIMENSIONS, N_GROUPS, NODES_PER_EDGE = 32, 30, 1 / 25
# Share of edges inside groups, and the exponent of positions in a group: degrees have a tail of exponent 3.
INSIDE, SKEW = 0.6, 2.0
EDGES_AT_ONCE = 10_000_000
MEASURES = (
    "nodes",
    "entries",
    "convert s",
    "convert MiB",
    "embed s",
    "embed CPU s",
    "embed MiB",
    "peak disk GB",
    "graph GB",
    "AUC, groups",
)


def cases(settings: Settings) -> list[Case]:
    graphs, methods = settings.graphs or ("1e7", "1e8"), settings.methods or ("256 landmarks, 8GiB",)
    return [Case(graph, method) for graph in graphs for method in methods]


def measure(case: Case, run: int, settings: Settings) -> dict[str, float]:
    landmarks, _, memory = case.method.replace(",", "").split()
    folder = Path(os.environ.get("RESIDUUM_SCRATCH") or temporary_folder()) / f"edges-{case.graph}"
    folder.mkdir(parents=True, exist_ok=True)
    edges, graph, vectors = folder / "edges.parquet", folder / "graph.r2g", folder / "vectors.npz"
    n_edges = int(float(case.graph))
    if not graph.exists():
        write_edges(edges, n_edges, run)
    converted = command(folder, "convert", edges, "-o", graph, "--memory", "4GiB") if not graph.exists() else None
    edges.unlink(missing_ok=True)
    options = ["--solver", "landmark", "--landmarks", landmarks, "--memory", memory, "--checkpoint", folder / "run"]
    embedded = command(folder, "embed", graph, "-o", vectors, "--dim", DIMENSIONS, "--seed", 0, "--verbose", *options)
    values = {
        "nodes": n_edges * NODES_PER_EDGE,
        "entries": np.load(graph / "indices.npy", mmap_mode="r").shape[0],
        "convert s": converted["seconds"] if converted else np.nan,
        "convert MiB": converted["MiB"] if converted else np.nan,
        "embed s": embedded["seconds"],
        "embed CPU s": embedded["CPU seconds"],
        "embed MiB": embedded["MiB"],
        "peak disk GB": max(embedded["disk GB"], converted["disk GB"] if converted else 0.0),
        "graph GB": size_of(graph) / 1e9,
        "AUC, groups": group_auc(vectors),
    }
    return {name: float(values[name]) for name in MEASURES}


def write_edges(file: Path, n_edges: int, seed: int) -> None:
    """Write an edge list in row groups of ten million edges."""
    rng = np.random.default_rng(seed)
    n_nodes = int(n_edges * NODES_PER_EDGE)
    schema = pa.schema([("source", pa.int64()), ("target", pa.int64())])
    with pq.ParquetWriter(file, schema, compression="none", use_dictionary=False) as writer:
        for first in range(0, n_edges, EDGES_AT_ONCE):
            size = min(EDGES_AT_ONCE, n_edges - first)
            source_group = rng.integers(N_GROUPS, size=size)
            target_group = np.where(rng.random(size) < INSIDE, source_group, rng.integers(N_GROUPS, size=size))
            source, target = (node(rng, group, n_nodes) for group in (source_group, target_group))
            kept = source != target
            writer.write_table(pa.table([source[kept], target[kept]], schema=schema))


def node(rng: np.random.Generator, group: np.ndarray, n_nodes: int) -> np.ndarray:
    """Sample a node of each group, with more weight on the first ones."""
    position = (n_nodes // N_GROUPS) * rng.random(len(group)) ** SKEW
    return position.astype(np.int64) * N_GROUPS + group


def command(folder: Path, *arguments: object) -> dict[str, float]:
    """Run a command of residuum; return its time, its peak memory and the peak size of the folder."""
    began, disk = time.perf_counter(), 0
    with (folder / "log.txt").open("a") as log:
        line = [sys.executable, "-m", "residuum", *map(str, arguments)]
        process = subprocess.Popen(line, stderr=log, stdout=log, env={**os.environ, "TMPDIR": str(folder)})
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            disk = max(disk, size_of(folder))
            if pid:
                break
            time.sleep(1)
    if status:
        raise SystemExit(f"{' '.join(line[2:])} failed; see {folder / 'log.txt'}")
    return {
        "seconds": time.perf_counter() - began,
        "CPU seconds": usage.ru_utime + usage.ru_stime,
        "MiB": usage.ru_maxrss / 1024,
        "disk GB": disk / 1e9,
    }


def size_of(folder: Path) -> int:
    sizes = (file.stat().st_size for file in folder.rglob("*") if file.is_file())
    return sum(sizes)


def group_auc(vectors: Path, n_pairs: int = 1_000_000) -> float:
    """Return the AUC of the association for being in the same group: pairs of one group, and random pairs."""
    embedding = Embedding.load(vectors)
    rng = np.random.default_rng(0)
    group = embedding.ids % N_GROUPS
    members = np.argsort(group, kind="stable")
    first = np.searchsorted(group[members], np.arange(N_GROUPS + 1))
    source, other = rng.integers(len(group), size=(2, n_pairs))
    member = members[rng.integers(first[group[source]], first[group[source] + 1])]
    target = np.where(np.arange(n_pairs) % 2, member, other)
    return float(roc_auc_score(group[source] == group[target], embedding.scores.residual(source, target)))


def table(rows: list[Row], settings: Settings) -> str:
    return measures_table(rows, MEASURES)


TARGET = Target("many_edges", "Graphs of up to a billion entries", MEASURES, cases, measure, table, repeats=False)

if __name__ == "__main__":
    main(TARGET, __file__)
