"""Kills fits at random moments and resumes them: the final vectors must have the bits of an undisturbed run.

    python trust/chaos.py [--kills 1000] [--case block] [--seed 0] [--output trust/results]

Each case fits a graph with a checkpoint in a forked process, which is killed (SIGKILL) after a random time and started
again until it completes. The moment is uniform over the time of an undisturbed run, so that every stage is hit in
proportion to its length. The table counts kills by case and by the stage that was killed.
"""

import argparse
import os
import random
import shutil
import signal
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy import sparse

from residuum import Graph, Residual2Vec, datasets
from residuum.errors import ResiduumWarning
from residuum.solvers import Block, Exact, Landmark, Likelihood

_NO_STAGE = "before the first stage"


def groups_graph() -> Graph:
    return datasets.planted_groups(1500, 5, random_state=0)


def directed_graph() -> Graph:
    """Return a random citation graph: arcs to earlier nodes only."""
    rng = np.random.default_rng(0)
    source = rng.integers(1, 900, size=8000)
    target = (source * rng.random(8000) ** 2).astype(int)
    return Graph(sparse.coo_array((np.ones(8000), (source, target)), shape=(900, 900)).tocsr(), directed=True)


@dataclass(frozen=True)
class Case:
    """A fit: its graph and its parameters."""

    graph: Callable[[], Graph]
    parameters: dict[str, object]

    def vectors(self, folder: Path, progress: Callable[[object], None] | None = None) -> np.ndarray:
        parameters = {"memory_limit": "1GiB", "progress": progress, **self.parameters}
        model = Residual2Vec(16, random_state=7, checkpoint=folder / "checkpoint", **parameters)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResiduumWarning)
            model.fit(self.graph())
        return np.concatenate([model.embedding_, model.context_embedding_])


LABELS = {"label": np.arange(1500) % 3}
CASES = {
    "exact": Case(groups_graph, {"solver": Exact()}),
    "exact, recomputed tiles": Case(groups_graph, {"solver": Exact(), "memory_limit": "48MiB"}),
    "landmark": Case(groups_graph, {"solver": Landmark(tolerance=0.01)}),
    "landmark, directed": Case(directed_graph, {"solver": Landmark(400)}),
    "landmark, linear erasure": Case(groups_graph, {"solver": Landmark(400), "erase": LABELS}),
    "landmark, distribution": Case(
        groups_graph, {"solver": Landmark(400), "erase": LABELS, "erase_level": "distribution"}
    ),
    "landmark, refined": Case(groups_graph, {"solver": Landmark(300), "refine": 4}),
    "block": Case(groups_graph, {"solver": Block(200)}),
    "likelihood": Case(groups_graph, {"solver": Likelihood(n_sweeps=4)}),
    "auto": Case(groups_graph, {}),
}


def attempt(case: Case, folder: Path, seconds: float | None) -> str | None:
    """Run a case in a forked process; return the stage in which it was killed, or None if it completed."""
    stage = folder / "stage"
    stage.write_text(_NO_STAGE)
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            vectors = case.vectors(folder, lambda event: stage.write_text(event.stage))
            np.save(folder / "vectors.npy", vectors)
            code = 0
        finally:
            os._exit(code)
    deadline = None if seconds is None else time.perf_counter() + seconds
    while True:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            break
        if deadline is not None and time.perf_counter() >= deadline:
            os.kill(pid, signal.SIGKILL)
            _, status = os.waitpid(pid, 0)
            break
        time.sleep(0.0005)
    if os.WIFSIGNALED(status):
        return stage.read_text() or _NO_STAGE
    if os.WEXITSTATUS(status):
        raise SystemExit(f"a run failed instead of resuming; its checkpoint is kept in {folder}")
    return None


def undisturbed(case: Case) -> tuple[np.ndarray, float]:
    """Return the vectors of a run that is not killed, and its time; kernels are loaded before."""
    with tempfile.TemporaryDirectory() as folder:
        expected = case.vectors(Path(folder))
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        attempt(case, Path(folder), None)
        seconds = time.perf_counter() - began
        if not np.array_equal(np.load(Path(folder, "vectors.npy")), expected):
            raise SystemExit("vectors of a forked process differ from those of its parent")
    return expected, seconds


def disturb(case: Case, expected: np.ndarray, seconds: float, rng: random.Random) -> Counter[str]:
    """Kill and resume a run until it completes, check it, and return the stages that were killed."""
    folder = Path(tempfile.mkdtemp(prefix="residuum-chaos-"))
    killed: Counter[str] = Counter()
    while (stage := attempt(case, folder, rng.uniform(0, 1.2 * seconds))) is not None:
        killed[" ".join(word for word in stage.split() if not word.rstrip(",").isdigit())] += 1
    if not np.array_equal(np.load(folder / "vectors.npy"), expected):
        raise SystemExit(f"resumed vectors differ from those of an undisturbed run; the checkpoint is kept in {folder}")
    left = [path.name for path in (folder / "checkpoint").rglob("*") if not path.name.endswith((".npy", ".json"))]
    if len(left) > sum(killed.values()):
        raise SystemExit(f"more temporary files than kills are left in {folder}: {left}")
    shutil.rmtree(folder)
    return killed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=1000, help="number of kills over all cases")
    parser.add_argument("--case", action="append", choices=CASES, help="run only this case (repeatable)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", type=Path, default=None, help="folder for chaos.md")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    lines = ["| case | kills | completed runs | stages that were killed |", "| --- | ---: | ---: | --- |"]
    total = 0
    names = options.case or list(CASES)
    for number, name in enumerate(names, start=1):
        case = CASES[name]
        expected, seconds = undisturbed(case)
        killed: Counter[str] = Counter()
        runs = 0
        while total + sum(killed.values()) < options.kills * number // len(names):
            killed += disturb(case, expected, seconds, rng)
            runs += 1
        total += sum(killed.values())
        stages = ", ".join(f"{stage} {count}" for stage, count in killed.most_common())
        lines.append(f"| {name} | {sum(killed.values())} | {runs} | {stages} |")
        print(lines[-1], file=sys.stderr, flush=True)
    report = "\n".join([*lines, "", f"{total} kills; every completed run has the bits of an undisturbed run."])
    print(report)
    if options.output is not None:
        options.output.mkdir(parents=True, exist_ok=True)
        command = f"python trust/chaos.py --kills {options.kills} --seed {options.seed}"
        text = f"# Killed and resumed runs\n\n`{command}`\n\n{report}\n"
        (options.output / "chaos.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
