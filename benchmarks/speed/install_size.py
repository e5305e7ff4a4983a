"""Disk space of what ``pip install .`` and ``make demo`` install, by package.

    python benchmarks/speed/install_size.py

Makes both environments in temporary folders. The sizes include the packages' compiled bytecode, which pip writes.
"""

import subprocess
import sys
from functools import lru_cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from harness import last_json, main, new_environment
from residuum.reproduction import Case, Row, Settings, Target
from residuum.reproduction.tables import markdown, names_of

ENVIRONMENTS = {"pip install .": "", "make demo": "report"}
SIZES = """
import json
from importlib.metadata import distributions
sizes = {}
for package in distributions():
    files = [package.locate_file(file) for file in package.files or ()]
    sizes[package.name] = sum(file.stat().st_size for file in files if file.is_file()) / 2**20
print(json.dumps(sizes))
"""


@lru_cache
def sizes(environment: str) -> dict[str, float]:
    """Return the MiB of each package of an environment, largest first, without pip and setuptools."""
    python = new_environment(ENVIRONMENTS[environment])
    script = subprocess.run([python, "-c", SIZES], check=True, stdout=subprocess.PIPE, text=True)
    packages = last_json(script.stdout)
    names = sorted(packages.keys() - {"pip", "setuptools"}, key=packages.__getitem__, reverse=True)
    return {name: packages[name] for name in names}


def cases(settings: Settings) -> list[Case]:
    return [Case(environment, package) for environment in ENVIRONMENTS for package in sizes(environment)]


def measure(case: Case, run: int, settings: Settings) -> dict[str, float]:
    return {"MiB": sizes(case.graph)[case.method]}


def table(rows: list[Row], settings: Settings) -> str:
    value = {(row.graph, row.method): row.values["MiB"] for row in rows}
    packages = names_of(rows, lambda row: row.method)
    cells = [
        [
            name,
            *(
                f"{value[environment, name]:.1f}" if (environment, name) in value else ""
                for environment in ENVIRONMENTS
            ),
        ]
        for name in packages
    ]
    totals = [sum(row.values["MiB"] for row in rows if row.graph == environment) for environment in ENVIRONMENTS]
    return markdown(["MiB", *ENVIRONMENTS], [*cells, ["**total**", *(f"**{total:.0f}**" for total in totals)]])


TARGET = Target("install_size", "Size of an installation", ("MiB",), cases, measure, table, repeats=False)

if __name__ == "__main__":
    main(TARGET, __file__)
