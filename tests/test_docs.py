"""The examples in docstrings and in the README run and print what they say."""

import csv
import doctest
import importlib
import itertools
import pkgutil
import re
import runpy
from pathlib import Path

import numpy as np
import pytest

import residuum
from residuum.reproduction.published import PUBLISHED

ROOT = Path(__file__).parents[1]
MODULES = [
    name for _, name, _ in pkgutil.walk_packages(residuum.__path__, "residuum.") if "residuum._kernels" not in name
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name):
    module = importlib.import_module(name)
    globs = {key: getattr(module, key) for key in getattr(module, "__all__", [])}
    for test in doctest.DocTestFinder(exclude_empty=True).find(module, name, extraglobs=vars(residuum) | globs):
        outcome = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test)
        assert outcome.failed == 0


@pytest.mark.parametrize(
    "page", ["README.md", "docs/null-models.md", "docs/scale.md", "docs/evaluation.md", "docs/jobs.md"]
)
def test_the_python_examples_of_the_pages(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), flags=re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, page, "exec"), {})


def test_the_picture_of_the_rooms_is_what_the_script_draws():
    drawing = runpy.run_path(str(ROOT / "docs" / "draw_architecture.py"))["draw"]()
    assert (ROOT / "docs" / "architecture.svg").read_text(encoding="utf-8") == drawing


def test_every_room_is_in_the_picture():
    rooms = runpy.run_path(str(ROOT / "docs" / "draw_architecture.py"))["ROOMS"]
    folders = {init.parent.name for init in Path(residuum.__file__).parent.glob("*/__init__.py")}
    assert folders <= set(rooms) <= folders | {"testing"}


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/architecture.md", "README.md", "benchmarks/README.md"])
def test_links_and_files_that_a_page_names_exist(page):
    text, folder = (ROOT / page).read_text(encoding="utf-8"), (ROOT / page).parent
    links = [link for link in re.findall(r"\]\(([^)#]+)\)", text) if not link.startswith("http")]
    files = list(re.findall(r"`((?:src|tests|docs|examples|changelog\.d)/[\w./-]*)", text))
    missing = [link for link in links if not (folder / link).exists()]
    missing += [
        name for name in files if not {"NAME", "ROOM"} & set(re.split(r"[/._]", name)) and not (ROOT / name).exists()
    ]
    assert missing == []


def test_the_readme_names_only_commands_that_exist():
    text = (ROOT / "README.md").read_text()
    targets = set(re.findall(r"make ([a-z]+)", text))
    known = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))
    assert {"demo", "test"} <= targets
    assert targets <= known


IN_THE_TABLES = {
    "tuned": "residual2vec, tuned",
    "fixed window": "residual2vec",
    "as the paper": "residual2vec, as published",
}


def results_table(page, first_graph):
    """Return the cells of a page's table whose first column of results is of that graph, by row and graph."""
    lines = (ROOT / page).read_text().splitlines()
    start = next(
        i for i, line in enumerate(lines) if line.startswith(f"| AUC, degree-matched / uniform | {first_graph} ")
    )
    table = itertools.takewhile(lambda line: line.startswith("|"), lines[start:])
    (_, *graphs), _, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in table)
    return {name: dict(zip(graphs, cells, strict=True)) for name, *cells in rows}


@pytest.mark.parametrize(
    ("page", "target", "first_graph"),
    [
        ("README.md", "degree-corrected", "ca-astroph"),
        ("docs/results.md", "degree-corrected", "ca-astroph"),
        ("docs/results.md", "link-prediction", "airport"),
    ],
)
def test_the_results_of_a_page_are_those_that_were_measured(page, target, first_graph):
    measured = {}
    with (ROOT / f"benchmarks/paper/results/{target}.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            pair = float(row["AUC, degree-matched"]), float(row["AUC, uniform"])
            measured.setdefault((row["method"], row["graph"]), []).append(pair)
    table = results_table(page, first_graph)
    published = {graph: cell for graph, cell in table.pop("best of 32 published", {}).items() if cell != "–"}
    assert published == {
        graph: f"{best[0]:.3f} / {best[1]:.3f}" for graph, best in PUBLISHED.items() if graph in published
    }
    for name, cells in table.items():
        for graph, cell in cells.items():
            runs = np.array(measured[IN_THE_TABLES.get(name, name), graph])
            assert len(runs) >= 5, (name, graph)
            matched, uniform = runs.mean(axis=0)
            assert cell == f"{matched:.3f} / {uniform:.3f}", (name, graph)
