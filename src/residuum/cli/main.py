"""The command ``residuum`` and what all of its commands share."""

import errno
import sys
import warnings
from typing import Any, NoReturn

import click

import residuum
from residuum.cli.convert import convert
from residuum.cli.diagnose import diagnose
from residuum.cli.embed import embed
from residuum.cli.evaluate import evaluate
from residuum.cli.methods import methods
from residuum.cli.nulls import nulls
from residuum.cli.plan import plan
from residuum.cli.reproduce import reproduce
from residuum.cli.similar import similar
from residuum.errors import ResiduumError, ResiduumWarning

__all__ = ["main"]


class _Group(click.Group):
    """Turns errors of residuum and of files into one line and exit code 1, and residuum's warnings into one line."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("always", ResiduumWarning)
                warnings.showwarning = _show_warning
                return super().invoke(ctx)
        except ResiduumError as error:
            _fail(str(error))
        except OSError as error:
            # click knows what to do where nobody reads the output any more.
            if error.errno == errno.EPIPE:
                raise
            reason = error.strerror or str(error)
            _fail(f"{error.filename}: {reason}." if error.filename else f"{reason}.")


def _fail(message: str) -> NoReturn:
    click.echo(f"{click.style('error:', fg='red', bold=True)} {message}", err=True)
    sys.exit(1)


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: Any = None,
    line: Any = None,
) -> None:
    if issubclass(category, ResiduumWarning):
        click.echo(f"{click.style('note:', fg='yellow', bold=True)} {message}", err=True)


@click.group(
    cls=_Group,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(residuum.__version__, prog_name="residuum")
def main() -> None:
    """Debiased graph embedding: vectors that say how nodes relate beyond what chance explains.

    \b
    A first run:
      residuum diagnose edges.csv
      residuum embed edges.csv -o vectors.parquet
      residuum similar vectors.parquet alice

    Every command has a --help of its own.
    """


main.add_command(convert)
main.add_command(diagnose)
main.add_command(embed)
main.add_command(evaluate)
main.add_command(methods)
main.add_command(nulls)
main.add_command(plan)
main.add_command(reproduce)
main.add_command(similar)
