"""Run the command again that made an output."""

import hashlib
import shlex
import warnings
from pathlib import Path
from typing import Any

import click

from residuum._version import __version__
from residuum.cli.provenance import read_provenance
from residuum.errors import InvalidParameterError, ResiduumWarning

__all__ = ["rerun"]


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="OUT",
    help="Output instead of FILE. A model (--model) is then not saved again.",
)
@click.option("--overwrite", is_flag=True, help="Replace the output.")
@click.option("--changed", is_flag=True, help="Run although an input has changed since.")
@click.option("--show", is_flag=True, help="Only print the command.")
@click.pass_context
def rerun(context: click.Context, file: Path, output: Path | None, overwrite: bool, changed: bool, show: bool) -> None:
    """Run the command again that made FILE, an output of residuum, if its inputs are unchanged.

    The command is stored in .parquet, .npz and .r2m outputs, and next to text files (links.csv.json). Paths are
    relative to the folder that it ran in.

    \b
    Examples:
      residuum rerun vectors.parquet --show
      residuum rerun vectors.parquet -o again.parquet
      residuum rerun links.csv --overwrite
    """
    record = read_provenance(file)
    arguments = _arguments(record["command"], output, overwrite)
    if show:
        click.echo(f"residuum {shlex.join(record['command'])}")
        return
    group = context.find_root().command
    assert isinstance(group, click.Group)
    if arguments[0] not in group.list_commands(context) or arguments[0] == context.info_name:
        raise InvalidParameterError(f"{file}: the recorded command {arguments[0]!r} cannot be run.")
    if not changed:
        _check_inputs(record.get("inputs", []))
    if record.get("residuum") != __version__:
        warnings.warn(
            f"{file} was made by residuum {record.get('residuum')}, and this is {__version__}; results may differ.",
            ResiduumWarning,
            stacklevel=2,
        )
    with group.make_context("residuum", arguments) as inner:
        group.invoke(inner)


def _arguments(command: list[str], output: Path | None, overwrite: bool) -> list[str]:
    """Return the command line with another output."""
    arguments = list(command)
    if output is not None:
        while "--model" in arguments:
            position = arguments.index("--model")
            del arguments[position : position + 2]
        arguments = [*(word for word in arguments if not word.startswith("--model=")), "-o", str(output)]
    return [*arguments, "--overwrite"] if overwrite and "--overwrite" not in arguments else arguments


def _check_inputs(inputs: list[dict[str, Any]]) -> None:
    for item in inputs:
        if item.get("sha256") is None:
            continue
        file = Path(item["file"])
        if not file.is_file():
            raise InvalidParameterError(f"the input {file} does not exist; run this in the folder of the first run.")
        with file.open("rb") as content:
            if hashlib.file_digest(content, "sha256").hexdigest() != item["sha256"]:
                raise InvalidParameterError(f"the input {file} has changed since; use --changed to run nevertheless.")
