"""A progress bar with the stage and the time left, on terminals only."""

import contextlib
import sys
from collections.abc import Iterator

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    TaskID,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from residuum._progress import ProgressCallback, ProgressEvent

__all__ = ["progress_bar"]


@contextlib.contextmanager
def progress_bar(quiet: bool) -> Iterator[ProgressCallback | None]:
    """Give a callback that draws on stderr, or None if nobody would see it."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    with Progress(
        TextColumn("{task.description:32}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    ) as bars:
        tasks: dict[str, TaskID] = {}

        def show(event: ProgressEvent) -> None:
            if event.stage not in tasks:
                tasks[event.stage] = bars.add_task(event.stage, total=event.total)
            shown = event.stage if event.loss is None else f"{event.stage}, loss {event.loss:.3f}"
            bars.update(tasks[event.stage], description=shown, completed=event.done, total=event.total)

        yield show
