"""One fit alone, two at once, one beside a busy core, and one under a CPU quota of one core.

The times are of the fit itself, in processes that are warm and start together. Run it on an idle machine.

python benchmarks/speed/contention.py [--graph ca-astroph]
"""

import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from scipy import sparse

from harness import half_hidden, last_json, main
from residuum.reproduction import Case, Row, Settings, Target
from residuum.reproduction.graphs import PAPER_GRAPHS
from residuum.reproduction.tables import measures_table
from residuum.reproduction.target import chosen

GRAPHS = (*PAPER_GRAPHS, "ego-twitter")
REPEATS = 3
FIT = """
import json, sys, time
from scipy import sparse
from residuum import Residual2Vec
matrix = sparse.load_npz(sys.argv[1])
Residual2Vec(64, random_state=0).fit(matrix)
print("ready", flush=True)
sys.stdin.readline()
began = time.perf_counter()
Residual2Vec(64, random_state=0).fit(matrix)
print(json.dumps({"seconds": time.perf_counter() - began}), flush=True)
"""
BUSY = "while True: pass"
ALONE, TWICE, BESIDE, QUOTA = "alone", "two at once", "beside a busy core", "quota of one core"
MEASURES = ("seconds", "times one alone")


def fit_times(matrix: Path, count: int, quota: Path | None = None) -> list[float]:
    """Return the times of fits that start together; with a quota, in that control group."""
    command = [sys.executable, "-W", "ignore", "-c", FIT, str(matrix)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    fits = [subprocess.Popen(command, **pipes) for _ in range(count)]
    for fit in fits:
        assert fit.stdout.readline().strip() == "ready"
        if quota is not None:
            (quota / "cgroup.procs").write_text(str(fit.pid))
    for fit in fits:
        fit.stdin.write("\n")
        fit.stdin.flush()
    return [last_json(fit.communicate()[0])["seconds"] for fit in fits]


@contextmanager
def quota_of_one_core():
    """Yield a control group whose processes get 100 ms of CPU time in every 100 ms; needs to run as root."""
    root = Path("/sys/fs/cgroup")
    version_1 = (root / "cpu").is_dir()
    group = root / "cpu" / "residuum" if version_1 else root / "residuum"
    group.mkdir()
    try:
        if version_1:
            (group / "cpu.cfs_period_us").write_text("100000")
            (group / "cpu.cfs_quota_us").write_text("100000")
        else:
            (group / "cpu.max").write_text("100000 100000")
        yield group
    finally:
        time.sleep(0.2)
        group.rmdir()


@contextmanager
def busy_core():
    process = subprocess.Popen([sys.executable, "-c", BUSY])
    try:
        time.sleep(0.2)
        yield
    finally:
        process.kill()
        process.wait()


def best_seconds(graph: str, condition: str) -> float:
    """Return the best time over the repeats; of two fits at once, the slower one counts."""
    with tempfile.TemporaryDirectory() as folder:
        matrix = Path(folder, "train.npz")
        sparse.save_npz(matrix, sparse.csr_matrix(half_hidden(graph, 0).train.adjacency), compressed=False)
        times = []
        for _ in range(REPEATS):
            if condition == BESIDE:
                with busy_core():
                    times.append(max(fit_times(matrix, 1)))
            elif condition == QUOTA:
                with quota_of_one_core() as quota:
                    times.append(max(fit_times(matrix, 1, quota)))
            else:
                times.append(max(fit_times(matrix, 2 if condition == TWICE else 1)))
    return min(times)


def cases(settings: Settings) -> list[Case]:
    wanted = chosen("methods", [TWICE, BESIDE, QUOTA], settings.methods)
    return [Case(graph, condition) for graph in chosen("graphs", GRAPHS, settings.graphs) for condition in wanted]


def measure(case: Case, run: int, settings: Settings) -> dict[str, float]:
    alone, seconds = best_seconds(case.graph, ALONE), best_seconds(case.graph, case.method)
    return {"seconds": seconds, "times one alone": seconds / alone}


def table(rows: list[Row], settings: Settings) -> str:
    return measures_table(rows, MEASURES)


TARGET = Target("contention", "Fits beside other processes", MEASURES, cases, measure, table)

if __name__ == "__main__":
    main(TARGET, __file__)
