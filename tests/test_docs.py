"""Docstrings, the README and the documentation: examples run, links lead somewhere, figures are those measured."""

import csv
import doctest
import importlib
import itertools
import pkgutil
import re
import runpy
import sys
from pathlib import Path
from types import SimpleNamespace

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


PAGES = [
    "README.md",
    *(str(page.relative_to(ROOT)) for page in sorted((ROOT / "docs").rglob("*.md")) if "_build" not in page.parts),
]
runner = runpy.run_path(str(ROOT / "docs" / "run_page.py"))
PAGES_WITH_SNIPPETS = [page for page in PAGES if runner["snippets"](ROOT / page)]


@pytest.mark.filterwarnings("ignore::residuum.errors.ResiduumWarning")
@pytest.mark.parametrize("page", PAGES_WITH_SNIPPETS)
def test_the_snippets_of_a_page_run_and_draw_its_pictures(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    runner["run"](ROOT / page, tmp_path)
    shown = set(re.findall(r"\]\((?:\.\./)?pictures/([\w-]+\.png)\)", (ROOT / page).read_text(encoding="utf-8")))
    drawn = {picture.name for picture in tmp_path.glob("*.png")}
    assert drawn <= shown <= drawn | PICTURES_OF_REAL_GRAPHS


# Drawn by a script of the same name, which needs the real graphs.
PICTURES_OF_REAL_GRAPHS = {"polblogs.png"}


def test_every_page_that_should_run_something_does():
    assert {
        "README.md",
        "docs/tutorials/scientist.md",
        "docs/tutorials/auditor.md",
        "docs/tutorials/engineer.md",
    } <= set(PAGES_WITH_SNIPPETS)


def test_every_picture_is_shown_by_a_page():
    text = "".join((ROOT / page).read_text(encoding="utf-8") for page in PAGES)
    assert [file.name for file in (ROOT / "docs/pictures").iterdir() if f"pictures/{file.name})" not in text] == []


def test_a_failing_command_of_a_page_is_an_error(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = tmp_path / "page.md"
    page.write_text("```sh\nresiduum embed missing.csv -o vectors.npz\n```\n")
    with pytest.raises(RuntimeError, match=r"missing\.csv"):
        runner["run"](page, tmp_path)


@pytest.mark.parametrize(("script", "picture"), [("draw_architecture", "architecture"), ("draw_choice", "choosing")])
def test_a_drawing_is_what_its_script_draws(script, picture):
    drawing = runpy.run_path(str(ROOT / "docs" / f"{script}.py"))["draw"]()
    assert (ROOT / "docs" / f"{picture}.svg").read_text(encoding="utf-8") == drawing


def test_the_flow_chart_names_null_models_that_exist():
    chart = runpy.run_path(str(ROOT / "docs" / "draw_choice.py"))
    names = {answer.split("(")[0] for *_, answer in [*chart["QUESTIONS"], chart["DEFAULT"]]}
    assert names <= set(residuum.nulls.__all__)


def test_the_readme_is_short():
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) < 120


def test_every_room_is_in_the_picture():
    rooms = runpy.run_path(str(ROOT / "docs" / "draw_architecture.py"))["ROOMS"]
    folders = {init.parent.name for init in Path(residuum.__file__).parent.glob("*/__init__.py")}
    assert folders <= set(rooms) <= folders | {"testing"}


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "benchmarks/README.md", *PAGES])
def test_links_and_files_that_a_page_names_exist(page):
    text, folder = (ROOT / page).read_text(encoding="utf-8"), (ROOT / page).parent
    links = [link for link in re.findall(r"\]\(([^)#]+)\)", text) if not link.startswith("http")]
    files = list(re.findall(r"`((?:src|tests|docs|examples|changelog\.d)/[\w./-]*)", text))
    missing = [link for link in links if not (folder / link).exists()]
    missing += [
        name for name in files if not {"NAME", "ROOM"} & set(re.split(r"[/._]", name)) and not (ROOT / name).exists()
    ]
    assert missing == []


def test_the_description_on_a_package_index_has_no_relative_links_and_no_other_change(monkeypatch):
    interface = SimpleNamespace(MetadataHookInterface=object)  # hatchling is only installed while a wheel is built
    monkeypatch.setitem(sys.modules, "hatchling.metadata.plugin.interface", interface)
    for package in ("hatchling", "hatchling.metadata", "hatchling.metadata.plugin"):
        monkeypatch.setitem(sys.modules, package, SimpleNamespace(__path__=[]))
    description = runpy.run_path(str(ROOT / "packaging" / "long_description.py"))["long_description"]
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    text = description(readme)
    assert not re.search(r"\]\((?!https?:)", text)
    assert "pip install residuum   #" in text
    assert "make demo" not in text
    assert len(text.splitlines()) >= len(readme.splitlines()) - 5
    assert description("![a](b.png)\n\n[c](d.md) and [e](https://f)") == "c and [e](https://f)"


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


@pytest.mark.parametrize(
    ("page", "start"), [("README.md", "| method, negatives |"), ("docs/results.md", "| | graphs won |")]
)
def test_the_results_of_the_defaults_are_those_that_were_measured(page, start):
    measured = {}
    for line in (ROOT / "benchmarks/quality/results/defaults/degree-corrected.md").read_text().splitlines():
        pattern = r"\| residual2vec(|, tuned|, pair head), (all graphs|held-out half): AUC, ([\w-]+) \| (.*) \|$"
        if match := re.match(pattern, line):
            name = {"": "one fit", ", tuned": "search", ", pair head": "pair head"}[match[1]]
            measured[name, match[2] == "held-out half", match[3]] = match[4]
    lines = (ROOT / page).read_text(encoding="utf-8").splitlines()
    rows = lines[next(i for i, line in enumerate(lines) if line.startswith(start)) + 2 :]
    table = [
        row.strip("| ").split(" | ", maxsplit=1) for row in itertools.takewhile(lambda row: row.startswith("|"), rows)
    ]
    assert len(table) in (6, 12)
    for name, cells in table:
        assert cells == measured[name.split(", ")[0], "held-out" in name, name.split(", ")[-1]], name


def test_every_test_that_the_page_on_testing_names_exists():
    page = (ROOT / "docs" / "testing.md").read_text(encoding="utf-8")
    named = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", page)
    assert len(named) > 20
    for file, test in named:
        assert f"def {test}" in (ROOT / file).read_text(encoding="utf-8")
