"""Mixed jobs in one process for a long time: memory, threads and open files must not grow.

    python trust/soak.py [--minutes 120] [--seed 0] [--output trust/results]

Jobs are drawn at random: fits with every solver, two null models and erasure, files, evaluation, errors,
interrupted fits, fits in several threads and in forked children. After a warm-up of a tenth of the time, the resident
memory of the last third of the samples must not exceed that of the first third by more than 5 %.
"""

import argparse
import contextlib
import gc
import os
import random
import resource
import tempfile
import threading
import time
import warnings
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from residuum import Embedding, Residual2Vec, datasets, read_graph
from residuum.errors import ResiduumError, ResiduumWarning
from residuum.evaluation import link_task
from residuum.graph import write_graph

ALLOWED_GROWTH = 1.05
SOLVERS = ("exact", "landmark", "block", "likelihood", "skipgram", "auto")
NULLS = ("configuration", "erdos-renyi")


def graph_of(rng: random.Random):
    return datasets.planted_groups(rng.choice([60, 300, 900]), 3, random_state=rng.randrange(10**6))


def fit(rng: random.Random) -> Residual2Vec:
    graph = graph_of(rng)
    model = Residual2Vec(8, solver=rng.choice(SOLVERS), null_model=rng.choice(NULLS), random_state=0)
    return model.fit(graph)


def fit_with_erasure(rng: random.Random) -> None:
    graph = graph_of(rng)
    labels = np.arange(graph.n_nodes) % 2
    Residual2Vec(8, erase={"half": labels}, erase_level=rng.choice(["linear", "distribution"]), random_state=0).fit(
        graph
    )


def files(rng: random.Random) -> None:
    with tempfile.TemporaryDirectory() as folder:
        write_graph(graph_of(rng), f"{folder}/graph.r2g")
        model = Residual2Vec(8, random_state=0, checkpoint=f"{folder}/run").fit(read_graph(f"{folder}/graph.r2g"))
        for ending in ("parquet", "npz", "csv", "w2v"):
            with contextlib.suppress(ResiduumError):
                model.to_embedding().save(f"{folder}/vectors.{ending}")
                Embedding.load(f"{folder}/vectors.{ending}")


def evaluate(rng: random.Random) -> None:
    task = link_task(graph_of(rng), 0.3, np.random.default_rng(0))
    model = Residual2Vec(8, random_state=0).fit(task.train)
    task.auc(model.to_embedding().scores.residual, "degree-matched")


def refuse(rng: random.Random) -> None:
    with contextlib.suppress(ResiduumError):
        Residual2Vec(8, floor=float("nan")).fit(graph_of(rng))
    with contextlib.suppress(ResiduumError):
        read_graph("does-not-exist.csv")


def interrupt(rng: random.Random) -> None:
    """Stop a fit by an exception in the progress callback, as Ctrl-C does."""
    left = rng.randrange(1, 6)

    def stop(_: object) -> None:
        nonlocal left
        left -= 1
        if left <= 0:
            raise KeyboardInterrupt

    with contextlib.suppress(KeyboardInterrupt):
        Residual2Vec(8, solver=rng.choice(SOLVERS[:4]), progress=stop, random_state=0).fit(graph_of(rng))


def in_threads(rng: random.Random) -> None:
    seeds = [rng.randrange(10**6) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda seed: fit(random.Random(seed)), seeds))


def in_child(rng: random.Random) -> None:
    """Fit in a forked child, as servers with preloaded workers do."""
    seed = rng.randrange(10**6)
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            fit(random.Random(seed))
            code = 0
        finally:
            os._exit(code)
    _, status = os.waitpid(pid, 0)
    if status:
        raise SystemExit(f"a fit in a forked child ended with status {status}")


JOBS = (fit, fit, fit_with_erasure, files, evaluate, refuse, interrupt, in_threads, in_child)


def sample() -> tuple[float, int, int]:
    """Return resident memory in MiB, threads and open files of this process."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20, threading.active_count(), len(list(Path("/proc/self/fd").iterdir()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=120.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", type=Path, default=None, help="folder for soak.md")
    options = parser.parse_args()
    warnings.simplefilter("ignore", ResiduumWarning)
    rng = random.Random(options.seed)
    counts: Counter[str] = Counter()
    samples = []
    began = time.perf_counter()
    while (passed := time.perf_counter() - began) < 60 * options.minutes:
        job = rng.choice(JOBS)
        job(rng)
        counts[job.__name__] += 1
        if passed > 6 * options.minutes and sum(counts.values()) % 10 == 0:
            samples.append(sample())
    report = summary(samples, counts, options.minutes)
    print(report)
    if options.output is not None:
        options.output.mkdir(parents=True, exist_ok=True)
        command = f"python trust/soak.py --minutes {options.minutes:g} --seed {options.seed}"
        (options.output / "soak.md").write_text(f"# A long run of mixed jobs\n\n`{command}`\n\n{report}\n")


def summary(samples: list[tuple[float, int, int]], counts: Counter[str], minutes: float) -> str:
    """Return the table of the first and the last third of the samples; exit with an error if something has grown."""
    if len(samples) < 3:
        raise SystemExit("too few jobs were run to compare; use more minutes")
    parts = np.array_split(np.array(samples, dtype=float), 3)
    first, last = np.median(parts[0], axis=0), np.median(parts[-1], axis=0)
    jobs = ", ".join(f"{name} {count}" for name, count in counts.most_common())
    rows = [
        f"| {name} | {before:.0f} | {after:.0f} |"
        for name, before, after in zip(("resident MiB", "threads", "open files"), first, last, strict=True)
    ]
    lines = [
        f"{sum(counts.values())} jobs in {minutes:g} minutes ({jobs}). Medians of the samples:",
        "",
        "| | first third | last third |",
        "| --- | ---: | ---: |",
        *rows,
    ]
    report = "\n".join(lines)
    if last[0] > ALLOWED_GROWTH * first[0] or last[1] > first[1] or last[2] > first[2]:
        raise SystemExit(f"{report}\n\nsomething has grown")
    return report


if __name__ == "__main__":
    main()
