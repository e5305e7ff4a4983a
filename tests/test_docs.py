"""The examples in docstrings and in the README run and print what they say."""

import doctest
import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import residuum

ROOT = Path(__file__).parents[1]
MODULES = [name for _, name, _ in pkgutil.walk_packages(residuum.__path__, "residuum.") if "_kernels" not in name]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name):
    module = importlib.import_module(name)
    globs = {key: getattr(module, key) for key in getattr(module, "__all__", [])}
    for test in doctest.DocTestFinder(exclude_empty=True).find(module, name, extraglobs=vars(residuum) | globs):
        outcome = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test)
        assert outcome.failed == 0


@pytest.mark.parametrize("page", ["README.md", "docs/null-models.md", "docs/scale.md", "docs/evaluation.md"])
def test_the_python_examples_of_the_pages(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), flags=re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, page, "exec"), {})


def test_the_readme_names_only_commands_that_exist():
    text = (ROOT / "README.md").read_text()
    targets = set(re.findall(r"make ([a-z]+)", text))
    known = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))
    assert {"demo", "test"} <= targets
    assert targets <= known
