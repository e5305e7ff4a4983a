"""Targets: the cases of a benchmark, their measures, and a table and figure of the results."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from residuum.errors import InvalidParameterError

__all__ = ["Case", "Row", "Settings", "Target", "chosen"]


@dataclass(frozen=True)
class Settings:
    """Extent of a benchmark.

    Attributes
    ----------
    folder : Path
        Folder for results and generated graphs.
    runs : int, default 30
        Number of runs, with the seeds 0, 1, …; the paper has 30.
    quick : bool, default False
        Whether to run a smoke test: small graphs, short walks and few dimensions.
    short_walks : bool, default False
        Whether methods that train on walks have a twentieth of the paper's: 5 walks of 40 steps and one epoch instead
        of 10 walks of 80 steps and five epochs. Their names then end in ", short walks".
    graphs : tuple of str, optional
        Names of the graphs to run. None means all.
    methods : tuple of str, optional
        Names of the methods to run. None means all.

    Examples
    --------
    >>> from pathlib import Path
    >>> from residuum.reproduction import Settings
    >>> Settings(Path("results")).n_components
    64
    >>> Settings(Path("results"), quick=True).n_components
    16
    """

    folder: Path
    runs: int = 30
    quick: bool = False
    short_walks: bool = False
    graphs: tuple[str, ...] | None = None
    methods: tuple[str, ...] | None = None

    @property
    def n_components(self) -> int:
        """K, the number of dimensions: 64, or 16 if ``quick``."""
        return 16 if self.quick else 64


@dataclass(frozen=True)
class Case:
    """A method on a graph.

    Attributes
    ----------
    graph : str
        Name of the graph.
    method : str
        Name of the method.

    Examples
    --------
    >>> from residuum.reproduction import Case
    >>> Case("airport", "NetMF")
    Case(graph='airport', method='NetMF')
    """

    graph: str
    method: str


@dataclass(frozen=True)
class Row:
    """Results of a case in one run.

    Attributes
    ----------
    graph : str
        Name of the graph.
    method : str
        Name of the method.
    run : int
        Number of the run, which is its seed.
    values : dict of str to float
        Value of each measure.

    Examples
    --------
    >>> from residuum.reproduction import Row
    >>> Row("airport", "NetMF", 0, {"AUC": 0.92}).values["AUC"]
    0.92
    """

    graph: str
    method: str
    run: int
    values: dict[str, float]


@dataclass(frozen=True)
class Target:
    """Benchmark that :func:`run_target` runs.

    Attributes
    ----------
    name : str
        Stem of the result files.
    title : str
        Heading of the table.
    measures : tuple of str
        Names of the measures, in the order of the columns.
    cases : callable
        ``cases(settings)`` returns the cases to measure.
    measure : callable
        ``measure(case, run, settings)`` returns the value of each measure.
    table : callable
        ``table(rows, settings)`` returns markdown.
    draw : callable, optional
        ``draw(rows, settings)`` returns a matplotlib figure. None means no figure.
    repeats : bool, default True
        Whether runs differ. If not, there is only one.

    Examples
    --------
    >>> from residuum import datasets
    >>> from residuum.reproduction import Case, Target
    >>> sizes = Target(
    ...     "sizes",
    ...     "Sizes of graphs",
    ...     ("N",),
    ...     cases=lambda settings: [Case("karate", "residuum")],
    ...     measure=lambda case, run, settings: {"N": datasets.karate_club().n_nodes},
    ...     table=lambda rows, settings: f"N = {rows[0].values['N']}",
    ... )
    >>> sizes.measure(Case("karate", "residuum"), 0, None)
    {'N': 34}
    """

    name: str
    title: str
    measures: tuple[str, ...]
    cases: Callable[[Settings], Iterable[Case]]
    measure: Callable[[Case, int, Settings], dict[str, float]]
    table: Callable[[list[Row], Settings], str]
    draw: Callable[[list[Row], Settings], Any] | None = None
    repeats: bool = True


def chosen(name: str, names: Iterable[str], selection: tuple[str, ...] | None) -> list[str]:
    """Return the selected names, in the order of all names.

    Parameters
    ----------
    name : str
        Name of the parameter, for the error message.
    names : iterable of str
        Valid names.
    selection : tuple of str, or None
        Names to select. None means all.

    Returns
    -------
    list of str
        Selected names.

    Raises
    ------
    InvalidParameterError
        If a selected name is not valid.

    Examples
    --------
    >>> chosen("graphs", ["airport", "ppi", "wiki-vote"], ("wiki-vote", "airport"))
    ['airport', 'wiki-vote']
    """
    valid = list(names)
    for each in selection or ():
        if each not in valid:
            raise InvalidParameterError(f"{name} must be among {', '.join(map(repr, valid))}; got {each!r}.")
    return [each for each in valid if selection is None or each in selection]
