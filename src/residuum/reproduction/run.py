"""Measure what is missing, and write the raw scores, a table and a figure."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from residuum._files import atomic_path
from residuum._progress import ProgressCallback, Stage
from residuum._validation import check_choice, check_integer, import_extra
from residuum.errors import InvalidParameterError
from residuum.reproduction.ledger import Ledger
from residuum.reproduction.registry import TARGETS
from residuum.reproduction.target import Row, Settings, Target

__all__ = ["reproduce"]


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
    """Reproduce a table or figure of the paper, and return the files: csv, md, png and svg.

    The csv file has a row for each (graph, method, run), added as soon as it is measured. Rows that are there are not
    measured again, so that a stopped run goes on where it was, and more runs add to those that were made. The table and
    the figure are written after each run.

    Parameters
    ----------
    target : str
        One of :data:`TARGETS`.
    output : Path
        A folder; made if it is not there.
    runs : int
        Seeds; the paper has 30.
    quick : bool
        Small graphs and short walks, to files of their own (``.quick.csv``): to see that all works.
    short_walks : bool
        A twentieth of the paper's walks for the methods that train on them, whose names then say so.
    graphs, methods : sequence of str, optional
        Only these.
    progress : callable, optional

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> [file.name for file in reproduce("table-1", Path(folder.name), quick=True)]
    ['table-1.quick.csv', 'table-1.quick.md', 'table-1.quick.png', 'table-1.quick.svg']
    >>> folder.cleanup()
    """
    wanted = TARGETS[check_choice("target", target, TARGETS)]
    check_integer("runs", runs, minimum=1)
    # Told now, not after hours.
    import_extra("matplotlib", "report")
    folder = Path(output)
    if folder.exists() and not folder.is_dir():
        raise InvalidParameterError(f"{folder} is a file; results go to a folder.")
    folder.mkdir(parents=True, exist_ok=True)
    settings = Settings(
        folder,
        runs if wanted.repeats else 1,
        quick,
        short_walks,
        None if graphs is None else tuple(graphs),
        None if methods is None else tuple(methods),
    )
    cases = list(wanted.cases(settings))
    base = folder / f"{wanted.name}{'.quick' if quick else ''}"
    ledger = Ledger(base.with_name(f"{base.name}.csv"), wanted.measures)
    stage = Stage(wanted.name, settings.runs * len(cases), progress)
    files = [ledger.file]
    for run in range(settings.runs):
        new = False
        for case in cases:
            if (case.graph, case.method, run) not in ledger:
                ledger.append(Row(case.graph, case.method, run, wanted.measure(case, run, settings)))
                new = True
            stage.advance()
        if new or run == settings.runs - 1:
            files = [ledger.file, *_write(wanted, ledger.rows, settings, base)]
    return files


def _write(target: Target, rows: list[Row], settings: Settings, base: Path) -> list[Path]:
    text = base.with_name(f"{base.name}.md")
    n_runs = len({row.run for row in rows})
    title = f"# {target.title}\n\n{n_runs} run(s){', quick: not for comparison' if settings.quick else ''}.\n\n"
    with atomic_path(text) as temporary:
        temporary.write_text(f"{title}{target.table(rows, settings)}\n", encoding="utf-8")
    figure = target.draw(rows, settings)
    pictures = [base.with_name(f"{base.name}.{kind}") for kind in ("png", "svg")]
    for picture in pictures:
        _save(figure, picture)
    import_extra("matplotlib.pyplot", "report").close(figure)
    return [text, *pictures]


def _save(figure: Any, path: Path) -> None:
    with atomic_path(path) as temporary:
        figure.savefig(temporary, dpi=150, format=path.suffix.lstrip("."))
