"""Options of a command from a TOML file (``--config``)."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from residuum._files import missing_file, reading
from residuum.errors import InvalidParameterError

__all__ = ["CONFIG", "with_config"]

# Key of the file in the metadata of a click context.
CONFIG = "residuum.config"
_NAME = "config"


def with_config(command: click.Command) -> click.Command:
    """Add the option ``--config`` to a command.

    Parameters
    ----------
    command : click Command
        Command whose options the file may set.

    Returns
    -------
    click Command
        The same command.
    """
    if all(parameter.name != _NAME for parameter in command.params):
        option = click.Option(
            ["--config"],
            type=click.Path(path_type=Path),
            metavar="FILE",
            is_eager=True,
            expose_value=False,
            callback=_read,
            help="TOML file with options (dim = 64) for all commands, or in a table for one ([embed]); the command "
            "line wins.",
        )
        command.params.append(option)
    return command


def _read(context: click.Context, parameter: click.Parameter, path: Path | None) -> None:
    """Make the options of the file the defaults of the command."""
    del parameter
    if path is None:
        return
    with reading(path, InvalidParameterError):
        if not path.is_file():
            raise InvalidParameterError(f"{path} {missing_file(path)}.")
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    tables = {name: value for name, value in content.items() if isinstance(value, dict)}
    group = context.find_root().command
    commands = group.list_commands(context) if isinstance(group, click.Group) else [str(context.info_name)]
    for name in tables.keys() - set(commands):
        raise InvalidParameterError(f"{path} has a table [{name}], which is not a command; use {', '.join(commands)}.")
    common = {name: value for name, value in content.items() if name not in tables}
    context.default_map = _defaults(context.command, {**common, **tables.get(str(context.info_name), {})}, path)
    context.meta[CONFIG] = path


def _defaults(command: click.Command, values: Mapping[str, Any], path: Path) -> dict[str, Any]:
    """Return the values by parameter; lists become repeated options or comma-separated values."""
    parameter_of = {
        name.lstrip("-"): parameter
        for parameter in command.params
        if parameter.name != _NAME
        for name in (*parameter.opts, *parameter.secondary_opts)
    }
    defaults: dict[str, Any] = {}
    for key, value in values.items():
        parameter = parameter_of.get(key.replace("_", "-"), parameter_of.get(key))
        if parameter is None:
            raise InvalidParameterError(f"{path}: residuum {command.name} has no option {key!r}; see --help.")
        if getattr(parameter, "multiple", False) or parameter.nargs == -1:
            defaults[str(parameter.name)] = [_written(path, key, item) for item in _items(value)]
        elif isinstance(value, bool) and getattr(parameter, "is_flag", False):
            defaults[str(parameter.name)] = value
        else:
            defaults[str(parameter.name)] = ",".join(_written(path, key, item) for item in _items(value))
    return defaults


def _items(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _written(path: Path, key: str, value: Any) -> str:
    """Return a value as on the command line, where click checks it."""
    if isinstance(value, (dict, list)):
        raise InvalidParameterError(
            f"{path}: {key!r} must be a number, a text, true, false, or a list of these; got {value!r}."
        )
    return str(value)
