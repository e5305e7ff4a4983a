"""Reproduce a table or figure of the paper."""

import json
from pathlib import Path

import click

from residuum.cli.progress import interruptible, progress_bar
from residuum.cli.provenance import OutputPath, provenance, write_record
from residuum.errors import InvalidParameterError
from residuum.reproduction.titles import target_titles

__all__ = ["reproduce"]

_TITLES = target_titles()
_LIST = "\n".join(f"  {name:<20} {title}" for name, title in _TITLES.items())


@click.command(epilog=f"\b\nTargets:\n{_LIST}")
@click.argument("target", type=click.Choice([*_TITLES, "all"]), metavar="TARGET")
@click.option(
    "-o",
    "--output",
    type=OutputPath(),
    default=Path("reproduction"),
    show_default=True,
    metavar="DIR",
    help="Folder for scores (csv), tables (md) and figures (png, svg).",
)
@click.option("--runs", type=int, metavar="N", help="Number of seeds. [default: 30 as in the paper; --quick: 1]")
@click.option("--quick", is_flag=True, help="Smoke test: small graphs and short walks, in minutes.")
@click.option("--short-walks", is_flag=True, help="Train on a twentieth of the paper's walks.")
@click.option("--graph", "graphs", multiple=True, metavar="NAME", help="Run only this graph (repeatable).")
@click.option("--method", "methods", multiple=True, metavar="NAME", help="Run only this method (repeatable).")
@click.option("--json", "as_json", is_flag=True, help="Print the files of each target as JSON.")
@click.option("-q", "--quiet", is_flag=True, help="Hide progress and summary.")
def reproduce(
    target: str,
    output: Path,
    runs: int | None,
    quick: bool,
    short_walks: bool,
    graphs: tuple[str, ...],
    methods: tuple[str, ...],
    as_json: bool,
    quiet: bool,
) -> None:
    """Reproduce TARGET, a table or figure of the paper (listed below), or all of them.

    A stopped run resumes: rows in the csv file are not measured again. The paper's graphs are read from the folder in
    the environment variable RESIDUUM_DATA.

    \b
    Examples:
      residuum reproduce table-1 --output results
      residuum reproduce link-prediction --runs 5 --graph airport --method NetMF
      residuum reproduce all --quick
    """
    from residuum.reproduction import reproduce as run_target

    if target == "all" and (graphs or methods):
        raise InvalidParameterError(
            "--graph and --method need a single target; got all. Targets differ in graphs and methods."
        )
    written = {}
    for name in _TITLES if target == "all" else [target]:
        with interruptible(output), progress_bar(quiet) as progress:
            files = run_target(
                name,
                output,
                runs=runs if runs is not None else 1 if quick else 30,
                quick=quick,
                short_walks=short_walks,
                graphs=graphs or None,
                methods=methods or None,
                progress=progress,
            )
        write_record(files[0], provenance([]))
        written[name] = [str(file) for file in files]
        if not quiet and not as_json:
            click.echo(f"{name}: {', '.join(written[name])}")
    if as_json:
        click.echo(json.dumps(written, indent=2, ensure_ascii=False))
