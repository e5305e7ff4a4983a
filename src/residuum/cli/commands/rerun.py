"""Run the command again that made an output."""

import json
import shlex
import warnings
from pathlib import Path

import click

from residuum._version import __version__
from residuum.cli.provenance import check_inputs, read_provenance
from residuum.errors import InvalidParameterError, ResiduumWarning

__all__ = ["rerun"]

# Options that name a second output.
_OTHER_OUTPUTS = ("--model", "--card", "--figure")


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="OUT",
    help="Output instead of FILE. Other outputs (--model, --card, --figure) are then not written again.",
)
@click.option("--overwrite", is_flag=True, help="Replace the output.")
@click.option("--changed", is_flag=True, help="Run although an input has changed since.")
@click.option("--show", is_flag=True, help="Only print the command.")
@click.option("--json", "as_json", is_flag=True, help="Add --json to the command; with --show, print the record.")
@click.pass_context
def rerun(
    context: click.Context,
    file: Path,
    output: Path | None,
    overwrite: bool,
    changed: bool,
    show: bool,
    as_json: bool,
) -> None:
    """Run the command again that made FILE, an output of residuum, if its inputs are unchanged.

    The command is stored in .parquet, .npz, .html and .r2m outputs, and next to others (links.csv.json). Paths are
    relative to the folder that it ran in. The command is printed before it runs.

    \b
    Examples:
      residuum rerun vectors.parquet --show
      residuum rerun vectors.parquet -o again.parquet
      residuum rerun report.html --overwrite
    """
    record = read_provenance(file)
    arguments = _arguments(record["command"], output, overwrite)
    if show:
        shown = json.dumps(record, indent=2, ensure_ascii=False) if as_json else _typed(record["command"])
        click.echo(shown)
        return
    group = context.find_root().command
    assert isinstance(group, click.Group)
    if arguments[0] not in group.list_commands(context) or arguments[0] == context.info_name:
        raise InvalidParameterError(f"{file}: the recorded command {arguments[0]!r} cannot be run.")
    if not changed:
        check_inputs(record)
    if record.get("residuum") != __version__:
        warnings.warn(
            f"{file} was made by residuum {record.get('residuum')}, and this is {__version__}; results may differ.",
            ResiduumWarning,
            stacklevel=2,
        )
    if as_json and "--json" not in arguments:
        arguments.append("--json")
    click.echo(_typed(arguments), err=True)
    with group.make_context("residuum", arguments) as inner:
        group.invoke(inner)


def _typed(command: list[str]) -> str:
    return shlex.join(["residuum", *command])


def _arguments(command: list[str], output: Path | None, overwrite: bool) -> list[str]:
    """Return the command line with another output; files are replaced only if this run is allowed to."""
    arguments = [word for word in command if word != "--overwrite"]
    if output is not None:
        for option in _OTHER_OUTPUTS:
            while option in arguments:
                position = arguments.index(option)
                del arguments[position : position + 2]
            arguments = [word for word in arguments if not word.startswith(f"{option}=")]
        arguments += ["-o", str(output)]
    return [*arguments, "--overwrite"] if overwrite else arguments
