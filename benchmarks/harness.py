"""What the benchmarks share: tasks, runs in processes of their own, tables."""

import csv
import json
import os
import platform
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy import sparse

from residuum import datasets
from residuum.evaluation import LinkTask, link_task, pair_scores

ROOT = Path(__file__).parents[1]
PAPER_GRAPHS = ["airport", "ppi", "wiki-vote", "ca-hepth", "dblp-cite", "ca-astroph"]
ENVIRONMENTS = {
    "residuum": ".venv",
    "methods": ".venv",
    "r2v2023": ".venv-r2v2023",
    "prone": ".venv-prone",
    "walks": ".venv-walks",
    "gensim": ".venv-walks",
}


@dataclass(frozen=True)
class Run:
    """What one method gave on one task."""

    vectors: np.ndarray
    context: np.ndarray
    seconds: float
    peak_mib: float


def make_task(name: str, fraction: float, seed: int) -> LinkTask:
    return link_task(datasets.load(name), fraction, np.random.default_rng(seed))


def run(software: str, task: LinkTask, parameters: dict, repeats: int = 1) -> Run:
    """Embed the training graph in a process of its own, in the environment of that software."""
    python = ROOT / ENVIRONMENTS[software] / "bin" / "python"
    if not python.exists():
        raise SystemExit(f"{python} is not there; run `make rivals` first.")
    with tempfile.TemporaryDirectory() as folder:
        train, out = Path(folder, "train.npz"), Path(folder, "out.npz")
        sparse.save_npz(train, sparse.csr_matrix(task.train.adjacency), compressed=False)
        script = ROOT / "benchmarks" / "rivals" / f"run_{software}.py"
        subprocess.run(
            [python, script, train, out, json.dumps(parameters), str(repeats)],
            check=True,
            env={**os.environ, "PYTHONWARNINGS": "ignore"},
            stdout=subprocess.DEVNULL,
        )
        with np.load(out) as stored:
            return Run(
                stored["vectors"], stored["context"], float(stored["seconds"].min()), float(stored["peak_kib"]) / 1024
            )


def run_json(software: str, script: str, file: Path, parameters: dict, threads: int) -> dict:
    """Run a script of ``benchmarks/rivals`` on a file, on so many threads, and return the json that it prints."""
    python = ROOT / ENVIRONMENTS[software] / "bin" / "python"
    if not python.exists():
        raise SystemExit(f"{python} is not there; run `make rivals` first.")
    finished = subprocess.run(
        [python, ROOT / "benchmarks" / "rivals" / script, file, json.dumps(parameters)],
        check=True,
        env={**os.environ, "PYTHONWARNINGS": "ignore", "NUMBA_NUM_THREADS": str(threads)},
        stdout=subprocess.PIPE,
        text=True,
    )
    return json.loads(finished.stdout.splitlines()[-1])


def scores(task: LinkTask, result: Run) -> dict[str, float]:
    """AUC of the three scores against both kinds of negatives."""
    strength = task.train.out_strength
    found = pair_scores(result.vectors, result.context, np.log(strength / strength.sum()))
    return {
        f"{kind} {negatives}": task.auc(found[kind], negatives)
        for kind in ("residual", "null", "full")
        for negatives in task.negatives
    }


def write_rows(file: Path, rows: list[dict]) -> None:
    """Write raw results as csv, with the machine beside them."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("w", newline="") as stream:
        writer = csv.DictWriter(stream, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    cpu = next((line.split(":")[1].strip() for line in _cpuinfo() if line.startswith("model name")), platform.machine())
    machine = {"cpu": cpu, "cores": os.cpu_count(), "python": platform.python_version()}
    file.with_suffix(".machine.json").write_text(json.dumps(machine, indent=2) + "\n")


def read_rows(file: Path) -> list[dict]:
    """Read raw results that were written before; none if there are none."""
    if not file.exists():
        return []
    with file.open(newline="") as stream:
        return list(csv.DictReader(stream))


def merge_rows(file: Path, rows: list[dict], *keys: str) -> list[dict]:
    """Write rows among those of earlier runs, in whose place they come where all keys agree; return all."""
    kept = {tuple(str(row[key]) for key in keys): row for row in [*read_rows(file), *rows]}
    write_rows(file, list(kept.values()))
    return read_rows(file)


def _cpuinfo() -> list[str]:
    file = Path("/proc/cpuinfo")
    return file.read_text().splitlines() if file.exists() else []


def markdown(header: list[str], rows: list[list[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)
