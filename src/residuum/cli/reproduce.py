"""residuum reproduce"""

from pathlib import Path

import click

from residuum.cli.interruption import interruptible
from residuum.cli.progress import progress_bar
from residuum.errors import InvalidParameterError
from residuum.reproduction import TARGETS
from residuum.reproduction import reproduce as run_target

__all__ = ["reproduce"]


_LIST = "\n".join(f"  {name:<20} {target.title}" for name, target in TARGETS.items())


@click.command(epilog=f"\b\nTargets:\n{_LIST}")
@click.argument("target", type=click.Choice([*TARGETS, "all"]), metavar="TARGET")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    default=Path("reproduction"),
    show_default=True,
    metavar="DIR",
    help="The folder for raw scores (csv), tables (md) and figures (png, svg).",
)
@click.option("--runs", type=int, metavar="N", help="Random seeds. [default: 30, as in the paper; 1 with --quick]")
@click.option("--quick", is_flag=True, help="Small graphs and short walks, in minutes: to see that it works.")
@click.option(
    "--short-walks", is_flag=True, help="A twentieth of the paper's walks for methods that train on them; names say so."
)
@click.option("--graph", "graphs", multiple=True, metavar="NAME", help="Only this graph; several times for several.")
@click.option("--method", "methods", multiple=True, metavar="NAME", help="Only this method; several times for several.")
@click.option("-q", "--quiet", is_flag=True, help="No progress and no summary.")
def reproduce(
    target: str,
    output: Path,
    runs: int | None,
    quick: bool,
    short_walks: bool,
    graphs: tuple[str, ...],
    methods: tuple[str, ...],
    quiet: bool,
) -> None:
    """Reproduce TARGET, a table or figure of the paper (below), or all of them.

    A run that is stopped goes on where it was: what is in the csv file is not measured again. The paper's graphs are
    read from the folder that the variable RESIDUUM_DATA names.

    \b
    Examples:
      residuum reproduce table-1 --output results
      residuum reproduce link-prediction --runs 5 --graph airport --method r2v-config --method NetMF
      residuum reproduce all --quick
    """
    if target == "all" and (graphs or methods):
        raise InvalidParameterError("--graph and --method are for one target; the targets have graphs of their own.")
    for name in TARGETS if target == "all" else [target]:
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
        if not quiet:
            click.echo(f"{name}: {', '.join(map(str, files))}")
