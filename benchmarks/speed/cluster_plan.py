"""Plan of a run on a cluster: CPU seconds, exchanged bytes, storage and tasks of each stage, from measured constants.

    python benchmarks/speed/cluster_plan.py            # the plan of docs/cluster.md
    python benchmarks/speed/cluster_plan.py --check    # predicted against measured CPU seconds of cluster.py

Constants of products and Gram matrices are those of the cost model of the landmark solver on one machine. The others
were fitted to the runs on ca-astroph and ego-twitter, with 1 to 16 parts (those per entry to the journal graph, because
the other two have few); the journal graph checks them.
"""

import argparse
import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from residuum.solvers import Landmark, Problem

RESULTS = Path(__file__).parent / "results" / "cluster.csv"
# Nodes and entries of the training graphs of cluster.py, and its other sizes.
MEASURED = {"ca-astroph": (17_903, 196_972), "ego-twitter": (81_306, 1_342_296), "journals 0.1": (24_279, 12_614_000)}
K, WINDOW, N_LANDMARKS, HELD_OUT, WIDEST = 64, 5, 512, 64, 128

# CPU seconds on one thread: per multiply-add of a product in cache, and of a Gram matrix.
PER_PRODUCT, PER_GRAM = 2 * Landmark.coefficients[1], 2 * Landmark.coefficients[3]
# CPU seconds per entry that is checked and cut into blocks, per entry of a column (residual and file), per number of
# the vectors (factors and parquet), per exchanged byte at both ends, per task, and of the fit on the client.
PER_ENTRY, PER_CELL, PER_NUMBER, PER_BYTE, PER_TASK, FIXED = 3.4e-8, 1.4e-8, 6.6e-8, 1.8e-9, 3.7e-3, 0.43
# CPU seconds per entry that is numbered, sorted and written as a block from parquet files (6 million edges, 4 parts).
PER_SORTED_ENTRY = 4.9e-7
# Tasks per second of the scheduler (Dask states about 1 ms per task), and bytes of a block entry.
SCHEDULED_PER_SECOND, BLOCK_BYTES = 1_000, 8


@dataclass(frozen=True)
class Run:
    """Sizes of a run: n_landmarks columns in tiles of some width, on parts of the nodes, from an .r2g or from files."""

    n_nodes: float
    n_entries: float
    n_components: int = K
    window: int = WINDOW
    n_landmarks: int = N_LANDMARKS
    n_parts: int = 1
    n_workers: int = 2
    width: int = WIDEST
    from_files: bool = False

    @property
    def columns(self) -> int:
        return self.n_landmarks + HELD_OUT

    @property
    def gathering(self) -> float:
        """Slowdown of products whose pieces exceed the cache."""
        n_rows = int(self.n_nodes / self.n_parts)
        problem = Problem(n_rows, 1, self.n_components, self.window, symmetric=True, memory_limit=1)
        return problem.gathering

    @property
    def exchanged(self) -> float:
        """Bytes that workers send to each other: each gets the pieces of all others once per round."""
        others = min(self.n_parts, self.n_workers) - 1
        return 4.0 * self.n_nodes * self.columns * self.window * others

    @property
    def tasks(self) -> float:
        tiles = np.ceil(self.columns / self.width)
        walked = (tiles + 1) * self.n_parts * (self.window * self.n_parts + 1)
        return float(walked + tiles * self.n_parts + 2 * self.n_parts**2 + 5 * self.n_parts)

    @property
    def piece_bytes(self) -> float:
        return 4.0 * self.n_nodes / self.n_parts * self.width

    def cpu_seconds(self) -> dict[str, float]:
        """Return the CPU seconds of all processes, by stage."""
        cells = self.n_nodes * self.columns
        return {
            "blocks": (PER_SORTED_ENTRY if self.from_files else PER_ENTRY) * self.n_entries,
            "products": PER_PRODUCT * self.gathering * self.window * self.n_entries * self.columns,
            "columns": PER_CELL * cells,
            "Gram matrix": PER_GRAM * cells * self.columns,
            "vectors": PER_NUMBER * self.n_nodes * 2 * self.n_components,
            "exchange": PER_BYTE * self.exchanged,
            "tasks": PER_TASK * self.tasks + FIXED,
        }


def check() -> None:
    """Print predicted and measured CPU seconds of the runs in results/cluster.csv."""
    print("| graph | run | measured CPU s | predicted | ratio |\n| --- | --- | --- | --- | --- |")
    with RESULTS.open(encoding="utf-8") as stream:
        for row in csv.DictReader(stream):
            measured = float(row["CPU seconds"])
            if "worker" not in row["method"] or "likelihood" in row["method"] or np.isnan(measured):
                continue
            parts = int(row["method"].split(", ")[1].split()[0]) if "parts" in row["method"] else 1
            n_workers = int(row["method"].split()[0])
            run = Run(*MEASURED[row["graph"]], n_parts=parts, n_workers=n_workers)
            predicted = sum(run.cpu_seconds().values())
            print(
                f"| {row['graph']} | {row['method']} | {measured:.1f} | {predicted:.1f} | {predicted / measured:.2f} |"
            )


def plan(run: Run, cores: int, gigabytes_per_second: float) -> None:
    """Print hours, network and storage of each stage on a stated cluster of equal machines."""
    print("| stage | core hours | hours |\n| --- | --- | --- |")
    total = 0.0
    for stage, seconds in run.cpu_seconds().items():
        hours = seconds / cores / 3600
        if stage == "exchange":
            hours = max(hours, run.exchanged / run.n_workers / (gigabytes_per_second * 1e9) / 3600)
        if stage == "tasks":
            hours = max(hours, run.tasks / SCHEDULED_PER_SECOND / 3600)
        total += hours
        print(f"| {stage} | {seconds / 3600:,.0f} | {hours:.2f} |")
    print(f"| all | {sum(run.cpu_seconds().values()) / 3600:,.0f} | {total:.2f} |")
    print(
        f"\ntasks: {run.tasks:,.0f}; exchanged: {run.exchanged / 1e12:,.0f} TB; piece: {run.piece_bytes / 1e9:.2f} GB;"
    )
    print(f"block: {BLOCK_BYTES * run.n_entries / run.n_parts**2 / 1e9:.2f} GB; columns on storage: ", end="")
    print(
        f"{4 * run.n_nodes * run.columns / 1e12:.1f} TB; blocks: {BLOCK_BYTES * run.n_entries / 1e12:.1f} TB; ", end=""
    )
    print(f"vectors: {8 * run.n_nodes * run.n_components / 1e12:.1f} TB; client: {60 * run.n_nodes / 1e9:.0f} GB")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare predictions with results/cluster.csv")
    if parser.parse_args().check:
        check()
    else:
        plan(Run(1e9, 2e11, n_landmarks=1200, n_parts=128, n_workers=64, width=32, from_files=True), 64 * 32, 12.5)
