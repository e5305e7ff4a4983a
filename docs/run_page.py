"""Run the snippets of documentation pages, and keep the pictures that they draw.

    python docs/run_page.py docs/tutorials/*.md

Blocks marked ``python`` of a page share one namespace; blocks marked ``sh`` hold commands. Both run in a new folder
with the files that a reader would bring.
"""

import csv
import os
import re
import shlex
import shutil
import sys
import tempfile
from pathlib import Path

import numpy as np
from click.testing import CliRunner

from residuum import datasets
from residuum.cli import main

PICTURES = Path(__file__).parent / "pictures"
# Commands that set up the machine; the other commands are residuum.
SETUP = {"make", "pip", "docker"}


def write_table(path: Path, header: list[str], rows: list[tuple]) -> None:
    """Write a csv file."""
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *rows])


def write_inputs(folder: Path) -> None:
    """Write the files of the reader: edges.csv with nodes.csv and new_edges.csv, friends.csv with people.csv."""
    novel = datasets.les_miserables()
    rows, columns = novel.adjacency.nonzero()
    names = [(novel.node_ids[i], novel.node_ids[j]) for i, j in zip(rows, columns, strict=True) if i < j]
    write_table(folder / "edges.csv", ["source", "target"], names)
    write_table(folder / "nodes.csv", ["node", "name"], [(node, str(node).lower()) for node in novel.node_ids])
    write_table(folder / "new_edges.csv", ["source", "target"], [("Stranger", "Valjean"), ("Stranger", "Cosette")])
    friends = datasets.planted_groups(240, 2, mixing=0.2, random_state=0)
    pairs = [(int(i), int(j)) for i, j in zip(*friends.adjacency.nonzero(), strict=True) if i < j]
    write_table(folder / "friends.csv", ["source", "target"], pairs)
    gender = np.array(["f", "m"])[friends.node_attributes["group"]]
    rng = np.random.default_rng(0)
    year, latitude, longitude = rng.integers(2000, 2010, 240), rng.uniform(40, 50, 240), rng.uniform(0, 20, 240)
    people = zip(range(240), gender, year, latitude.round(3), longitude.round(3), strict=True)
    write_table(folder / "people.csv", ["node", "gender", "year", "lat", "lon"], list(people))


def snippets(page: Path) -> list[tuple[str, str]]:
    """Return language and text of the blocks of a page that are to be run."""
    return re.findall(r"^```(python|sh)\n(.*?)^```", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)


def run_command(line: str) -> None:
    """Run one line of the command line."""
    program, *words = shlex.split(line, comments=True) or ["make"]
    if program in SETUP:
        return
    if program != "residuum":
        raise ValueError(f"a page may only run residuum and {sorted(SETUP)}; got {line!r}.")
    result = CliRunner().invoke(main, words)
    if result.exit_code:
        raise RuntimeError(f"{line}\n{result.output}\n{result.exception!r}")


def run(page: Path, folder: Path) -> None:
    """Run the snippets of a page in a folder."""
    write_inputs(folder)
    names: dict[str, object] = {}
    for language, block in snippets(page):
        if language == "python":
            exec(compile(block, str(page), "exec"), names)
        else:
            for line in block.replace("\\\n", " ").splitlines():
                run_command(line)


if __name__ == "__main__":
    os.environ["MPLBACKEND"] = "agg"
    for page in [Path(argument).resolve() for argument in sys.argv[1:]]:
        with tempfile.TemporaryDirectory() as name:
            os.chdir(name)
            run(page, Path(name))
            for picture in Path(name).glob("*.png"):
                shutil.copy(picture, PICTURES)
            os.chdir(PICTURES)
