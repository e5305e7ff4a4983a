"""Run the command again that made an output."""

import json
import shlex
import warnings
from collections.abc import Sequence
from pathlib import Path

import click

from residuum._version import __version__
from residuum.cli.provenance import OutputPath, check_inputs, read_provenance
from residuum.errors import InvalidParameterError, ResiduumWarning

__all__ = ["rerun"]


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="OUT",
    help="Output instead of FILE. Other outputs of the command are then not written again.",
)
@click.option("--overwrite", is_flag=True, help="Replace the outputs.")
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
    if show:
        shown = json.dumps(record, indent=2, ensure_ascii=False) if as_json else _typed(record["command"])
        click.echo(shown)
        return
    group = context.find_root().command
    assert isinstance(group, click.Group)
    name, *arguments = record["command"]
    command = group.get_command(context, name)
    if command is None or name == context.info_name:
        raise InvalidParameterError(f"{file}: the recorded command {name!r} cannot be run.")
    if output is not None:
        arguments = _with_output(command, arguments, file, output)
    arguments = _with_flags(command, arguments, overwrite, as_json)
    if not changed:
        check_inputs(record)
    if record.get("residuum") != __version__:
        warnings.warn(
            f"{file} was made by residuum {record.get('residuum')}, and this is {__version__}; results may differ.",
            ResiduumWarning,
            stacklevel=2,
        )
    click.echo(_typed([name, *arguments]), err=True)
    with group.make_context("residuum", [name, *arguments]) as inner:
        group.invoke(inner)


def _typed(command: list[str]) -> str:
    return shlex.join(["residuum", *command])


def _with_flags(command: click.Command, arguments: list[str], overwrite: bool, as_json: bool) -> list[str]:
    """Return a command line that replaces files only if this run may, and prints JSON if this run does."""
    arguments = [word for word in arguments if word != "--overwrite"]
    if overwrite:
        if all(parameter.name != "overwrite" for parameter in command.params):
            raise InvalidParameterError(f"residuum {command.name} never replaces its output; use -o to write another.")
        arguments = _with(arguments, "--overwrite")
    return _with(arguments, "--json") if as_json and "--json" not in arguments else arguments


def _with(arguments: list[str], *words: str) -> list[str]:
    """Return a command line with more options, which stand before the ``--`` that ends options."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    return [*arguments[:end], *words, *arguments[end:]]


def _with_output(command: click.Command, arguments: list[str], file: Path, output: Path) -> list[str]:
    """Return a command line that writes another output in place of a file, and no other outputs."""
    options = [parameter for parameter in command.params if isinstance(parameter.type, OutputPath)]
    values = command.make_context(command.name, list(arguments), resilient_parsing=True).params
    # A file that was renamed, or is in a folder of outputs, is the main output.
    main = next(option for option in options if option.name == "output")
    written = (option for option in options if values[str(option.name)] is not None)
    replaced = next((option for option in written if values[str(option.name)].name == file.name), main)
    for option in options:
        arguments = _without(arguments, option.opts)
    return _with(arguments, replaced.opts[0], str(output))


def _without(arguments: list[str], names: Sequence[str]) -> list[str]:
    """Return a command line without an option and its value."""
    joined = tuple(f"{name}=" if name.startswith("--") else name for name in names)
    words, kept = iter(arguments), list[str]()
    for word in words:
        if word in names:
            next(words)
        elif not word.startswith(joined):
            kept.append(word)
    return kept
