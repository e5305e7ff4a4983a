"""CPU seconds and peak memory from a cold start: import, quick commands, and the first and second embedding.

    python benchmarks/speed/cold_start.py [--runs 5] [--graph "new environment"]

A new environment has the package and its dependencies, without extras; it is made in a temporary folder and takes a
minute. CPU seconds are user and system time of the process and its threads; the table shows the lowest of the runs.
"""

import json
import os
import subprocess
import sys
import tempfile
from functools import lru_cache
from pathlib import Path

from scipy import sparse

sys.path.insert(0, str(Path(__file__).parents[1]))
from harness import main, new_environment, temporary_folder
from residuum import datasets
from residuum.graph import Graph
from residuum.reproduction import Case, Row, Settings, Target
from residuum.reproduction.tables import markdown, names_of
from residuum.reproduction.target import chosen

MEASURES = ("CPU seconds", "peak MiB")
THIS, NEW = "this environment", "new environment"
# Arguments of Python, and whether the cache of kernels is empty. Words in capitals are files.
COMMANDS = {
    "import residuum": (["-c", "import residuum"], False),
    "residuum --help": (["-m", "residuum", "--help"], False),
    "residuum --version": (["-m", "residuum", "--version"], False),
    "residuum similar": (["-m", "residuum", "similar", "VECTORS", "0"], False),
    "first embed, karate club": (["-m", "residuum", "embed", "KARATE", "-o", "OUT", "--dim", "16"], True),
    "second embed, karate club": (["-m", "residuum", "embed", "KARATE", "-o", "OUT", "--dim", "16"], False),
    "second embed, 30 nodes": (["-m", "residuum", "embed", "SMALL", "-o", "OUT", "--dim", "16"], False),
}
# Runs in a small process of its own, because the peak of a child includes the memory of the process that started it.
RUN = """
import json, resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps([used.ru_utime + used.ru_stime, used.ru_maxrss / 1024]))
"""


def cases(settings: Settings) -> list[Case]:
    environments = chosen("graphs", (THIS, NEW), settings.graphs or (THIS,))
    return [Case(place, command) for place in environments for command in chosen("methods", COMMANDS, settings.methods)]


@lru_cache(maxsize=2)
def prepare(place: str) -> tuple[Path, Path]:
    """Return the interpreter of an environment and a folder with graphs, vectors and a filled cache of kernels."""
    python = Path(sys.executable) if place == THIS else new_environment()
    folder = temporary_folder()
    write_edges(datasets.karate_club(), folder / "karate.csv")
    write_edges(datasets.planted_groups(30, 2, average_degree=6, random_state=0), folder / "small.csv")
    for arguments, _ in COMMANDS.values():
        if "embed" in arguments:
            run(python, folder, arguments, folder / "cache")
            (folder / "out.parquet").replace(folder / "vectors.parquet")
    return python, folder


def write_edges(graph: Graph, file: Path) -> None:
    edges = sparse.coo_array(sparse.triu(graph.adjacency))
    rows = (f"{source},{target}\n" for source, target in zip(edges.row, edges.col, strict=True))
    file.write_text("source,target\n" + "".join(rows))


def run(python: Path, folder: Path, arguments: list[str], cache: Path) -> list[float]:
    """Run Python with arguments; return CPU seconds and peak MiB."""
    names = {"KARATE": "karate.csv", "SMALL": "small.csv", "VECTORS": "vectors.parquet", "OUT": "out.parquet"}
    words = [str(folder / names[word]) if word in names else word for word in arguments]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment["NUMBA_CACHE_DIR"] = str(cache)
    if Path(sys.executable) == python:
        environment["PYTHONPATH"] = os.environ.get("PYTHONPATH", "")
    command = [python, "-c", RUN, python, *words]
    process = subprocess.run(command, check=True, env=environment, stdout=subprocess.PIPE, text=True)
    return json.loads(process.stdout)


def measure(case: Case, repeat: int, settings: Settings) -> dict[str, float]:
    python, folder = prepare(case.graph)
    arguments, empty = COMMANDS[case.method]
    with tempfile.TemporaryDirectory() as empty_cache:
        values = run(python, folder, arguments, Path(empty_cache) if empty else folder / "cache")
    (folder / "out.parquet").unlink(missing_ok=True)
    return dict(zip(MEASURES, values, strict=True))


def table(rows: list[Row], settings: Settings) -> str:
    body = [
        [
            place,
            method,
            *(
                f"{min(row.values[name] for row in here):.{digits}f}"
                for name, digits in zip(MEASURES, (2, 0), strict=True)
            ),
        ]
        for place in names_of(rows, lambda row: row.graph)
        for method in names_of(rows, lambda row: row.method)
        if (here := [row for row in rows if (row.graph, row.method) == (place, method)])
    ]
    return f"Lowest of the runs.\n\n{markdown(['environment', 'command', *MEASURES], body)}"


TARGET = Target("cold_start", "Cold start", MEASURES, cases, measure, table)

if __name__ == "__main__":
    main(TARGET, __file__, runs=5)
