"""Benchmark runner, and embeddings in separate processes and environments."""

import argparse
import atexit
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from scipy import sparse

from residuum import Graph, datasets, read_graph
from residuum.embedding import PairScores
from residuum.evaluation import LinkTask, link_task
from residuum.reproduction import Settings, Target, run_target

ROOT = Path(__file__).parents[1]
ENVIRONMENTS = {
    "residuum": ".venv",
    "r2v2023": ".venv-r2v2023",
    "prone": ".venv-prone",
    "fastrp": ".venv-fast",
    "sknetwork": ".venv-fast",
    "walks": ".venv-walks",
    "gensim": ".venv-walks",
}
MATCHED, UNIFORM = "AUC, degree-matched", "AUC, uniform"


def main(target: Target, script: str, runs: int = 1) -> None:
    """Run a target with command-line options; results go to the folder ``results`` next to the script."""
    parser = argparse.ArgumentParser(description=f"{target.title}. Existing rows are not measured again.")
    parser.add_argument("--runs", type=int, default=runs, help=f"number of seeds (default: {runs})")
    parser.add_argument("--graph", action="append", help="run only this graph (repeatable)")
    parser.add_argument("--method", action="append", help="run only this method (repeatable)")
    parser.add_argument(
        "--output",
        type=Path,
        default=Path(script).parent / "results",
        help="folder for csv and md files (default: results)",
    )
    options = parser.parse_args()
    graphs, methods = (None if names is None else tuple(names) for names in (options.graph, options.method))
    settings = Settings(options.output, options.runs, graphs=graphs, methods=methods)
    _, table = run_target(target, settings, progress=_show)
    (options.output / f"{target.name}.machine.json").write_text(json.dumps(machine(), indent=2) + "\n")
    print(table.read_text(encoding="utf-8"))


def _show(event) -> None:
    if event.done:
        print(f"{event.stage}: {event.done} of {event.total}", file=sys.stderr, flush=True)


def machine() -> dict[str, object]:
    file = Path("/proc/cpuinfo")
    lines = file.read_text().splitlines() if file.exists() else []
    cpu = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), platform.machine())
    return {"cpu": cpu, "cores": os.cpu_count(), "python": platform.python_version()}


def temporary_folder() -> Path:
    """Return a new folder that is removed when Python exits."""
    folder = Path(tempfile.mkdtemp(prefix="residuum-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def new_environment(extras: str = "") -> Path:
    """Install the package with some extras in a new virtual environment, and return its interpreter."""
    folder = temporary_folder()
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    python = folder / "bin" / "python"
    package = f"{ROOT}[{extras}]" if extras else str(ROOT)
    quiet = ["--quiet", "--disable-pip-version-check"]
    subprocess.run(
        [python, "-m", "pip", "install", *quiet, "--constraint", ROOT / "constraints.txt", package], check=True
    )
    return python


@lru_cache(maxsize=1)
def half_hidden(name: str, seed: int) -> LinkTask:
    """Return a graph with half of its edges held out; "journals 0.1" is the generated journal graph of that scale."""
    return link_task(_load(name), 0.5, np.random.default_rng(seed))


def _load(name: str) -> Graph:
    if not name.startswith("journals"):
        return datasets.load(name)
    path = temporary_folder() / "journals.r2g"
    datasets.journal_citations(float(name.removeprefix("journals ")), path)
    return read_graph(path)


@dataclass(frozen=True)
class Run:
    """Result of an embedding: vectors, best wall and CPU time in seconds, and peak memory in MiB."""

    vectors: np.ndarray
    context: np.ndarray
    seconds: float
    cpu_seconds: float
    peak_mib: float


def embed_apart(software: str, task: LinkTask, parameters: dict, repeats: int = 1) -> Run:
    """Embed the training graph in a separate process, in the environment of the package."""
    with tempfile.TemporaryDirectory() as folder:
        train, out = Path(folder, "train.npz"), Path(folder, "out.npz")
        sparse.save_npz(train, sparse.csr_matrix(task.train.adjacency), compressed=False)
        run_apart(software, f"run_{software}.py", train, out, json.dumps(parameters), str(repeats))
        with np.load(out) as stored:
            return Run(
                stored["vectors"],
                stored["context"],
                float(stored["seconds"].min()),
                float(stored["cpu_seconds"].min()),
                float(stored["peak_kib"]) / 1024,
            )


def run_apart(software: str, script: str, *arguments: str | Path, threads: int | None = None) -> str:
    """Run a script of ``benchmarks/rivals`` in the environment of the package, and return its output."""
    python = ROOT / ENVIRONMENTS[software] / "bin" / "python"
    if not python.exists():
        raise SystemExit(f"{python} does not exist; run `make rivals` first.")
    environment = {**os.environ, "PYTHONWARNINGS": "ignore"}
    if threads is not None:
        environment["NUMBA_NUM_THREADS"] = str(threads)
    script_file = ROOT / "benchmarks" / "rivals" / script
    process = subprocess.run(
        [python, script_file, *arguments], check=True, env=environment, stdout=subprocess.PIPE, text=True
    )
    return process.stdout


def last_json(text: str) -> dict:
    """Parse the last line of an output as JSON."""
    return json.loads(text.splitlines()[-1])


def link_aucs(task: LinkTask, run: Run) -> dict[str, float]:
    """Return the AUC of the residual score, degree-matched negatives, and of the full score, uniform negatives.

    The full score adds the log degrees for every method.
    """
    strength = task.train.out_strength
    scores = PairScores(run.vectors, run.context, np.log(strength / strength.sum()))
    return {MATCHED: task.auc(scores.residual, "degree-matched"), UNIFORM: task.auc(scores.full, "uniform")}
