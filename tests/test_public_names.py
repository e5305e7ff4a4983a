import importlib
from pathlib import Path

import pytest

import residuum

ROOMS = [
    "_kernels",
    "graph",
    "walks",
    "nulls",
    "residual",
    "solvers",
    "embedding",
    "models",
    "selection",
    "baselines",
    "evaluation",
    "report",
    "datasets",
    "distributed",
    "integrations",
    "links",
    "reproduction",
    "cli",
]
SOURCE = Path(residuum.__file__).parent


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


@pytest.mark.parametrize("room", ROOMS)
def test_no_lazy_name_is_hidden_by_a_module(room: str) -> None:
    """Importing ``residuum.room.name`` would set the attribute ``name`` to the module."""
    module = importlib.import_module(f"residuum.{room}")
    if hasattr(module, "__getattr__"):
        assert not set(module.__all__) & {file.stem for file in (SOURCE / room).glob("*.py")}


def test_every_room_is_looked_at() -> None:
    assert sorted(folder.parent.name for folder in SOURCE.glob("*/__init__.py")) == sorted(ROOMS)
