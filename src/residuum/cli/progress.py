"""Progress bar and Ctrl-C handling of long runs."""

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import click

from residuum._progress import ProgressCallback, ProgressEvent, time_text

__all__ = ["interruptible", "progress_bar"]


@contextlib.contextmanager
def progress_bar(quiet: bool) -> Iterator[ProgressCallback | None]:
    """Show a progress bar on stderr while the block runs.

    Parameters
    ----------
    quiet : bool
        Whether to show nothing.

    Yields
    ------
    callable or None
        Callback that updates the bar; None if ``quiet`` or if stderr is not a terminal.
    """
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, Task, TaskID, TaskProgressColumn, TextColumn
    from rich.text import Text

    class Times(TextColumn):
        def render(self, task: Task) -> Text:
            return Text(time_text(task.finished_time or task.elapsed, task.time_remaining))

    with Progress(
        TextColumn("{task.description:32}"),
        BarColumn(),
        TaskProgressColumn(),
        Times(""),
        console=Console(stderr=True),
        transient=True,
    ) as bars:
        tasks: dict[str, TaskID] = {}

        def show(event: ProgressEvent) -> None:
            if event.stage not in tasks:
                tasks[event.stage] = bars.add_task(event.stage, total=event.total)
            text = event.stage if event.loss is None else f"{event.stage}, loss {event.loss:.3f}"
            bars.update(tasks[event.stage], description=text, completed=event.done, total=event.total)

        yield show


class _Interrupted(click.ClickException):
    exit_code = 130  # The code of shells for an interrupted process.

    def show(self, file: IO[Any] | None = None) -> None:
        click.echo(f"{click.style('stopped:', fg='yellow', bold=True)} {self.message}", file=file, err=True)


@contextlib.contextmanager
def interruptible(checkpoint: Path | None) -> Iterator[None]:
    """Turn Ctrl-C inside the block into one line and exit code 130.

    Parameters
    ----------
    checkpoint : Path or None
        Folder with the finished work; None if the run is not resumable.
    """
    try:
        yield
    except KeyboardInterrupt:
        raise _Interrupted(
            "nothing was written; use --checkpoint DIR to make a run resumable."
            if checkpoint is None
            else f"finished work is in {checkpoint}; run the same command to resume."
        ) from None
