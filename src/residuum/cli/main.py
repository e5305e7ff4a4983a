"""The ``residuum`` command, which imports a subcommand when it runs."""

import ast
import contextlib
import errno
import gc
import importlib
import logging
import os
import signal
import sys
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import click
from click.shell_completion import CompletionItem

from residuum._version import __version__
from residuum.cli.config import with_config
from residuum.cli.display import wrapped
from residuum.cli.provenance import ARGUMENTS
from residuum.cli.wording import in_options
from residuum.errors import ResiduumError, ResiduumWarning

__all__ = ["main"]

_COMMANDS = Path(__file__).parent / "commands"
# Commands by task, in the order of the help; a command that is not named here is listed under "Other".
_TASKS = {
    "Embed a graph": ("diagnose", "plan", "embed", "transform", "nulls", "methods"),
    "Use the vectors": ("similar", "link", "cluster", "map"),
    "Evaluate and audit": ("split", "evaluate", "audit", "compare", "frontier"),
    "Files, records and the shell": ("convert", "rerun", "reproduce", "completion"),
}
# New objects between two passes of the garbage collector. The default of 700 takes an eighth of the time to start.
_GARBAGE_THRESHOLD = 50_000
# Address space of a small fit with two threads. With less, the numerical libraries crash or wait forever while they are
# loaded, which cannot be caught.
_ADDRESS_SPACE = 5 << 29


class _Group(click.Group):
    """Commands in the folder ``commands``, one module each; the list of commands shows the first docstring lines.

    A residuum or file error prints one line and exits with code 1; a residuum warning prints one line.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return sorted(file.stem for file in _COMMANDS.glob("[!_]*.py"))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        command: click.Command = getattr(importlib.import_module(f"residuum.cli.commands.{cmd_name}"), cmd_name)
        return with_config(command)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        items = [CompletionItem(name, help=text) for name, text in self._summaries(ctx).items()]
        options = click.Command.shell_complete(self, ctx, incomplete)
        return [*(item for item in items if item.value.startswith(incomplete)), *options]

    def _summaries(self, ctx: click.Context) -> dict[str, str]:
        """Return the first line of each command's docstring; parsed instead of imported, which would be slow."""
        summaries = {}
        for name in self.list_commands(ctx):
            text = ast.get_docstring(ast.parse((_COMMANDS / f"{name}.py").read_text(encoding="utf-8"))) or ""
            summaries[name] = text.splitlines()[0] if text else ""
        return summaries

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[ARGUMENTS] = list(args)
        return super().parse_args(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        lines = self._summaries(ctx)
        named = {name for names in _TASKS.values() for name in names}
        for task, names in {**_TASKS, "Other": tuple(name for name in lines if name not in named)}.items():
            rows = [(name, lines[name]) for name in names if name in lines]
            if rows:
                with formatter.section(task):
                    formatter.write_dl(rows, col_max=12)

    def invoke(self, ctx: click.Context) -> Any:
        gc.set_threshold(_GARBAGE_THRESHOLD)
        _require_address_space()
        try:
            with _terminable(), warnings.catch_warnings(), _compilation_shown():
                warnings.simplefilter("always", ResiduumWarning)
                warnings.showwarning = _show_warning
                return super().invoke(ctx)
        except ResiduumError as error:
            _fail(str(error))
        except KeyboardInterrupt:
            _say("stopped:", "yellow", "the command was interrupted; incomplete files were removed.")
            sys.exit(128 + signal.SIGINT)
        except MemoryError:
            _fail("not enough memory; use a larger machine, or raise the limit of this process (ulimit -v).")
        except OSError as error:
            # Click handles a closed pipe.
            if error.errno == errno.EPIPE:
                raise
            reason = error.strerror or str(error)
            _fail(f"{error.filename}: {reason}." if error.filename else f"{reason}.")


def _require_address_space() -> None:
    """Refuse to start if the limit of the process is too low for the numerical libraries."""
    if sys.platform == "win32":
        return
    import resource

    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit != resource.RLIM_INFINITY and limit < _ADDRESS_SPACE:
        _fail(
            f"the address space of this process is limited to {limit >> 20} MiB, and the numerical libraries need "
            f"{_ADDRESS_SPACE >> 20} MiB to start. Raise the limit (ulimit -v); to limit a fit, use --memory."
        )


class _Notice(logging.Handler):
    """Prints log records as notes."""

    def emit(self, record: logging.LogRecord) -> None:
        _note(record.getMessage())


def _note(message: str) -> None:
    """Print a message of the library to stderr in terms of options, unless the command has the option ``--quiet``."""
    context = click.get_current_context(silent=True)
    if context is None or not context.params.get("quiet"):
        click.echo(
            wrapped(f"{click.style('note:', fg='yellow', bold=True)} {in_options(message)}", sys.stderr), err=True
        )


@contextlib.contextmanager
def _compilation_shown() -> Iterator[None]:
    """Print a line when kernels are compiled inside the block, which takes seconds; see ``_kernels/cache.py``."""
    logger, handler = logging.getLogger("residuum.compiling"), _Notice()
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    logger.propagate = False
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(logging.NOTSET)
        logger.propagate = True


@contextlib.contextmanager
def _terminable() -> Iterator[None]:
    """Turn SIGTERM into an exception, so that temporary files are removed."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    previous, hook = signal.signal(signal.SIGTERM, _terminate), sys.unraisablehook
    sys.unraisablehook = _repeat_signal
    try:
        yield
    finally:
        sys.unraisablehook = hook
        signal.signal(signal.SIGTERM, previous)


def _repeat_signal(unraisable: Any) -> None:
    """Send a signal again if its exception was raised in a callback of a compiled library, which ignores it."""
    numbers = {SystemExit: signal.SIGTERM, KeyboardInterrupt: signal.SIGINT}
    number = numbers.get(unraisable.exc_type)
    if number is None:
        sys.__unraisablehook__(unraisable)
        return
    # From another thread and a little later: now, its exception would be raised here, and ignored too.
    timer = threading.Timer(0.02, os.kill, (os.getpid(), number))
    timer.daemon = True
    timer.start()


def _terminate(number: int, frame: Any) -> NoReturn:
    del frame
    sys.exit(128 + number)


def _fail(message: str) -> NoReturn:
    _say("error:", "red", message)
    sys.exit(1)


def _say(kind: str, color: str, message: str) -> None:
    text = f"{click.style(kind, fg=color, bold=True)} {in_options(message)}"
    click.echo(wrapped(text, sys.stderr), err=True)


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: Any = None,
    line: Any = None,
) -> None:
    if issubclass(category, ResiduumWarning):
        _note(str(message))


@click.group(
    cls=_Group,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="residuum")
def main() -> None:
    """Debiased graph embedding: node vectors beyond what a null model explains.

    \b
    Quick start:
      residuum diagnose edges.csv
      residuum embed edges.csv -o vectors.parquet
      residuum similar vectors.parquet alice

    Run residuum COMMAND --help for the options of a command.
    """
