import importlib
import re
from pathlib import Path

import pytest

import residuum
from residuum import errors

ROOMS = [
    "graph",
    "nulls",
    "walks",
    "residual",
    "skipgram",
    "models",
    "embedding",
    "evaluation",
    "datasets",
    "report",
    "torch",
    "reproduction",
    "cli",
]
SOURCE = Path(residuum.__file__).parent
MODULES = sorted(SOURCE.rglob("*.py"))


def isort_style(name: str) -> tuple[int, str]:
    """Sort as ruff's RUF022 does: CONSTANTS, then Classes, then the rest."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2), name


@pytest.mark.parametrize("name", ["residuum", *(f"residuum.{room}" for room in ROOMS)])
def test_all_is_sorted_and_every_name_exists(name: str) -> None:
    module = importlib.import_module(name)
    assert module.__all__ == sorted(module.__all__, key=isort_style)
    assert len(set(module.__all__)) == len(module.__all__)
    for public in module.__all__:
        assert hasattr(module, public), public


def test_every_room_is_looked_at() -> None:
    assert sorted(folder.parent.name for folder in SOURCE.glob("*/__init__.py")) == sorted(ROOMS)


@pytest.mark.parametrize("file", MODULES, ids=lambda file: str(file.relative_to(SOURCE)))
def test_no_module_is_longer_than_400_lines(file: Path) -> None:
    assert len(file.read_text(encoding="utf-8").splitlines()) <= 400


def test_every_error_is_drawn_in_the_tree_and_nothing_else() -> None:
    assert set(re.findall(r"\b\w+(?:Error|Warning)(?=\s{2,}|$)", errors.__doc__ or "", re.MULTILINE)) == {
        name for name, thing in vars(errors).items() if isinstance(thing, type)
    }
    assert set(errors.__all__) == {name for name, thing in vars(errors).items() if isinstance(thing, type)}


@pytest.mark.parametrize("name", [name for name in errors.__all__ if name != "ResiduumWarning"])
def test_every_error_has_the_parents_that_the_tree_shows(name: str) -> None:
    line = next(line for line in (errors.__doc__ or "").splitlines() if re.search(rf"\b{name}\b", line))
    error = getattr(errors, name)
    assert issubclass(error, errors.ResiduumError)
    also = re.search(r"\(also (\w+)\)", line)
    builtin = {parent.__name__ for parent in error.__mro__} & {"ValueError", "KeyError", "MemoryError", "ImportError"}
    inherited = {"ValueError"} if name == "GraphFileError" else set()
    assert builtin == ({also[1]} if also else inherited)


def test_error_of_an_unknown_node_reads_as_a_sentence() -> None:
    assert str(errors.UnknownNodeError("node 1 is unknown.")) == "node 1 is unknown."
