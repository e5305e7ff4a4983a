"""From a wheel to an audit page: install it in an empty environment, embed a real graph twice, and audit both.

    python benchmarks/speed/five_minutes.py [--runs 1]

The commands are those of the README, on Facebook friendships at Johns Hopkins by gender. The wheel is built first,
which does not count. Packages are downloaded, so the time of the installation depends on the network.
"""

import gzip
import os
import resource
import shutil
import subprocess
import sys
import time
from functools import lru_cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from harness import ROOT, main, temporary_folder
from residuum.reproduction import Case, Row, Settings, Target
from residuum.reproduction.tables import markdown
from residuum.reproduction.target import chosen

MEASURES = ("seconds", "CPU seconds")
GRAPH = "fb-johnshopkins"
ERASE = ["--erase", "people.csv:gender", "--erase", "degree", "--erase-level", "distribution"]
STEPS = {
    "python -m venv": [sys.executable, "-m", "venv", "venv"],
    "pip install the wheel": ["venv/bin/python", "-m", "pip", "install", "--quiet", "--no-cache-dir", "WHEEL[report]"],
    "residuum embed": ["venv/bin/residuum", "embed", "friends.csv", "-o", "plain.parquet"],
    "residuum embed --erase": [
        *("venv/bin/residuum", "embed", "friends.csv", "-o", "fair.parquet", *ERASE),
        *("--missing", "unknown", "--missing-code", "0"),
    ],
    "residuum audit": [
        *("venv/bin/residuum", "audit", "friends.csv", "plain.parquet", "fair.parquet"),
        *("--groups", "people.csv:gender", "--missing-code", "0", "-o", "report.html"),
    ],
}


def cases(settings: Settings) -> list[Case]:
    return [Case(GRAPH, step) for step in chosen("methods", STEPS, settings.methods)]


@lru_cache(maxsize=1)
def tour(repeat: int) -> dict[str, tuple[float, float]]:
    """Run all steps in a new folder; return wall and CPU seconds of each."""
    del repeat
    folder = temporary_folder()
    data = Path(os.environ["RESIDUUM_DATA"])
    for name, source in (("friends.csv", f"{GRAPH}.csv.gz"), ("people.csv", f"{GRAPH}.nodes.csv.gz")):
        with gzip.open(data / source) as packed, (folder / name).open("wb") as file:
            shutil.copyfileobj(packed, file)
    build = [sys.executable, "-m", "build", "--wheel", "--outdir", folder, ROOT]
    subprocess.run(build, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    (wheel,) = folder.glob("*.whl")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    # A new user has no compiled kernels.
    environment["NUMBA_CACHE_DIR"] = str(folder / "cache")
    times = {}
    for step, words in STEPS.items():
        command = [word.replace("WHEEL", str(wheel)) for word in words]
        began, used = time.perf_counter(), cpu_seconds()
        subprocess.run(command, check=True, cwd=folder, env=environment, stdout=subprocess.DEVNULL)
        times[step] = (time.perf_counter() - began, cpu_seconds() - used)
    assert (folder / "report.html").is_file()
    return times


def cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure(case: Case, repeat: int, settings: Settings) -> dict[str, float]:
    del settings
    return dict(zip(MEASURES, tour(repeat)[case.method], strict=True))


def table(rows: list[Row], settings: Settings) -> str:
    del settings
    times = {
        step: [min(row.values[name] for row in rows if row.method == step) for name in MEASURES]
        for step in STEPS
        if any(row.method == step for row in rows)
    }
    total = [sum(values) for values in zip(*times.values(), strict=True)]
    body = [[step, *(f"{value:.0f}" for value in values)] for step, values in [*times.items(), ("total", total)]]
    return f"{GRAPH}, gender. Lowest of the runs.\n\n{markdown(['step', *MEASURES], body)}"


TARGET = Target("five_minutes", "From a wheel to an audit page", MEASURES, cases, measure, table)

if __name__ == "__main__":
    main(TARGET, __file__, runs=1)
