"""What a target is: cases to measure, a table and a figure of what was measured."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from residuum.errors import InvalidParameterError

__all__ = ["Case", "Row", "Settings", "Target", "chosen"]


@dataclass(frozen=True)
class Settings:
    """How much is to be done.

    Attributes
    ----------
    folder : Path
        Where results go, and graphs that are drawn once.
    runs : int
        Seeds 0, 1, …; the paper has 30.
    quick : bool
        Small graphs, short walks and few components: to see that all works, not to compare.
    short_walks : bool
        Methods that train on walks get a twentieth of the paper's: 5 walks of 40 steps in one epoch, not 10 of 80 in
        five. Their names say so.
    graphs, methods : tuple of str, or None
        Only these.
    """

    folder: Path
    runs: int = 30
    quick: bool = False
    short_walks: bool = False
    graphs: tuple[str, ...] | None = None
    methods: tuple[str, ...] | None = None

    @property
    def n_components(self) -> int:
        """K of the benchmarks."""
        return 16 if self.quick else 64


@dataclass(frozen=True)
class Case:
    """One cell of the experiment: a method on a graph."""

    graph: str
    method: str


@dataclass(frozen=True)
class Row:
    """What a case gave in one run."""

    graph: str
    method: str
    run: int
    values: dict[str, float]


@dataclass(frozen=True)
class Target:
    """A table or figure of the paper.

    Attributes
    ----------
    name, title : str
    measures : tuple of str
        What each row has, in the order of the columns.
    cases : callable
        Settings to cases.
    measure : callable
        Case, run and settings to the values of ``measures``.
    table : callable
        Rows and settings to markdown.
    draw : callable
        Rows and settings to a matplotlib figure.
    repeats : bool
        Whether runs differ; if not, there is one.
    """

    name: str
    title: str
    measures: tuple[str, ...]
    cases: Callable[[Settings], Iterable[Case]]
    measure: Callable[[Case, int, Settings], dict[str, float]]
    table: Callable[[list[Row], Settings], str]
    draw: Callable[[list[Row], Settings], Any]
    repeats: bool = True


def chosen(name: str, known: Iterable[str], wanted: tuple[str, ...] | None) -> list[str]:
    """Return those of ``known`` that are wanted, all by default; an unknown one is an error that lists the known."""
    names = list(known)
    for one in wanted or ():
        if one not in names:
            raise InvalidParameterError(f"{name} must be of {', '.join(map(repr, names))}; got {one!r}.")
    return [one for one in names if wanted is None or one in wanted]
