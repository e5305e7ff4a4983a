"""Benchmark runner: measures missing rows and writes raw scores, a table and a figure."""

import importlib
from collections.abc import Sequence
from pathlib import Path

from residuum._discovery import module_names
from residuum._files import atomic_path
from residuum._progress import ProgressCallback, Stage
from residuum._validation import check_choice, check_integer, import_extra
from residuum.errors import InvalidParameterError
from residuum.reproduction.ledger import Ledger
from residuum.reproduction.target import Row, Settings, Target

__all__ = ["TARGETS", "reproduce", "run_target"]

_ROOM = "residuum.reproduction.targets"

TARGETS: dict[str, Target] = {
    target.name: target
    for target in (importlib.import_module(f"{_ROOM}.{name}").TARGET for name in module_names(_ROOM))
}


def reproduce(
    target: str,
    output: Path,
    *,
    runs: int = 30,
    quick: bool = False,
    short_walks: bool = False,
    graphs: Sequence[str] | None = None,
    methods: Sequence[str] | None = None,
    progress: ProgressCallback | None = None,
) -> list[Path]:
    """Reproduce a table or figure of the paper.

    The csv file has one row per (graph, method, run), appended as soon as it is measured. Existing rows are not
    measured again, so a stopped run is resumable and runs can be added later. The table and the figure are rewritten
    after each run.

    Parameters
    ----------
    target : str
        One of :data:`TARGETS`.
    output : Path
        Folder for the results, created if missing.
    runs : int, default 30
        Number of seeds; the paper has 30.
    quick : bool, default False
        Whether to run a smoke test on small graphs and short walks, written to separate files (``.quick.csv``).
    short_walks : bool, default False
        Whether methods that train on walks have a twentieth of the paper's. Their names then end in ", short walks".
    graphs : sequence of str, optional
        Graphs to run. None means all graphs of the target.
    methods : sequence of str, optional
        Methods to run. None means all methods of the target.
    progress : callable, optional
        Called with a :class:`residuum.ProgressEvent` after each case.

    Returns
    -------
    list of Path
        Files written: csv, md, png and svg.

    Raises
    ------
    InvalidParameterError
        If the target, a graph or a method is unknown, or if ``output`` is a file.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from residuum.reproduction import reproduce
    >>> folder = tempfile.TemporaryDirectory()
    >>> [file.name for file in reproduce("table-1", Path(folder.name), quick=True)]
    ['table-1.quick.csv', 'table-1.quick.md', 'table-1.quick.png', 'table-1.quick.svg']
    >>> folder.cleanup()
    """
    wanted = TARGETS[check_choice("target", target, TARGETS)]
    check_integer("runs", runs, minimum=1)
    settings = Settings(
        Path(output),
        runs,
        quick,
        short_walks,
        None if graphs is None else tuple(graphs),
        None if methods is None else tuple(methods),
    )
    return run_target(wanted, settings, progress)


def run_target(target: Target, settings: Settings, progress: ProgressCallback | None = None) -> list[Path]:
    """Measure the missing rows of a target and write raw scores, a table and a figure.

    Parameters
    ----------
    target : Target
        Benchmark to run.
    settings : Settings
        Folder, runs, graphs and methods.
    progress : callable, optional
        Called with a :class:`residuum.ProgressEvent` after each case.

    Returns
    -------
    list of Path
        Files written: csv and md, and png and svg if the target draws a figure.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from residuum import datasets
    >>> from residuum.reproduction import Case, Settings, Target, run_target
    >>> sizes = Target(
    ...     "sizes",
    ...     "Sizes of graphs",
    ...     ("N",),
    ...     cases=lambda settings: [Case("karate", "residuum")],
    ...     measure=lambda case, run, settings: {"N": datasets.karate_club().n_nodes},
    ...     table=lambda rows, settings: f"N = {rows[0].values['N']:g}",
    ... )
    >>> folder = tempfile.TemporaryDirectory()
    >>> [file.name for file in run_target(sizes, Settings(Path(folder.name), runs=1))]
    ['sizes.csv', 'sizes.md']
    >>> folder.cleanup()
    """
    if target.draw is not None:
        # Fail before the work, not after it.
        import_extra("matplotlib", "report")
    folder = settings.folder
    if folder.exists() and not folder.is_dir():
        raise InvalidParameterError(f"output must be a folder; {folder} is a file.")
    folder.mkdir(parents=True, exist_ok=True)
    cases = list(target.cases(settings))
    base = folder / f"{target.name}{'.quick' if settings.quick else ''}"
    ledger = Ledger(base.with_name(f"{base.name}.csv"), target.measures)
    n_runs = settings.runs if target.repeats else 1
    stage = Stage(target.name, n_runs * len(cases), progress)
    files = [ledger.file]
    for run in range(n_runs):
        new = False
        for case in cases:
            if (case.graph, case.method, run) not in ledger:
                ledger.append(Row(case.graph, case.method, run, target.measure(case, run, settings)))
                new = True
            stage.advance()
        if new or run == n_runs - 1:
            files = [ledger.file, *_write(target, ledger.rows, settings, base)]
    return files


def _write(target: Target, rows: list[Row], settings: Settings, base: Path) -> list[Path]:
    text = base.with_name(f"{base.name}.md")
    n_runs = len({row.run for row in rows})
    runs = f"{n_runs} run{'' if n_runs == 1 else 's'}{', quick: not for comparison' if settings.quick else ''}"
    title = f"# {target.title}\n\n{runs}.\n\n"
    with atomic_path(text) as temporary:
        temporary.write_text(f"{title}{target.table(rows, settings)}\n", encoding="utf-8")
    if target.draw is None:
        return [text]
    figure = target.draw(rows, settings)
    pictures = [base.with_name(f"{base.name}.{kind}") for kind in ("png", "svg")]
    for picture in pictures:
        with atomic_path(picture) as temporary:
            figure.savefig(temporary, dpi=150, format=picture.suffix.lstrip("."))
    import_extra("matplotlib.pyplot", "report").close(figure)
    return [text, *pictures]
