"""What a user is told who stops a run with Ctrl-C."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import click

__all__ = ["interruptible"]


class _Interrupted(click.ClickException):
    exit_code = 130  # what shells give for an interrupted process

    def show(self, file: IO[Any] | None = None) -> None:
        click.echo(f"{click.style('stopped:', fg='yellow', bold=True)} {self.message}", file=file, err=True)


@contextlib.contextmanager
def interruptible(checkpoint: Path | None) -> Iterator[None]:
    """Turn Ctrl-C inside the block into one line that says what is left of the run."""
    try:
        yield
    except KeyboardInterrupt:
        raise _Interrupted(
            "nothing was written. With --checkpoint DIR a stopped run can be taken up again."
            if checkpoint is None
            else f"the stages that were done are in {checkpoint}; the same command goes on from there."
        ) from None
