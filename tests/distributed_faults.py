"""Workers that die, sleep or run out of memory in the middle of a stage; imported by the workers themselves."""

import os
import signal
import time
from pathlib import Path
from typing import Any

from distributed import WorkerPlugin


def stage_of(key: Any) -> str:
    """Return the stage of a task."""
    return key[0].rsplit("-", 1)[0] if isinstance(key, tuple) else key.rsplit("-", 2)[0]


def is_first(file: Path) -> bool:
    """Return whether this is the first caller of all workers."""
    try:
        file.touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


class KillOnce(WorkerPlugin):
    """Kill the process of the worker that first executes a task of each stage, while it executes it.

    A file for each stage on shared storage says that a worker has died in it. Workers that just started live a moment
    longer: Dask gives up a worker that dies before it has noticed the start.
    """

    name = "kill-once"
    seconds = 1.0

    def __init__(self, stages: list[str], folder: Path, *, always: bool = False) -> None:
        self.stages, self.folder, self.always = stages, folder, always

    def setup(self, worker: Any) -> None:
        self.started = time.monotonic()

    def transition(self, key: Any, start: str, finish: str, **_: Any) -> None:
        stage = stage_of(key)
        if finish != "executing" or stage not in self.stages:
            return
        if is_first(self.folder / stage) or self.always:
            time.sleep(max(self.started + self.seconds - time.monotonic(), 0.0))
            os.kill(os.getpid(), signal.SIGKILL)


class SleepOften(WorkerPlugin):
    """Make one of the workers sleep before each of its tasks; a file holds how many there were."""

    name = "sleep-often"

    def __init__(self, folder: Path, seconds: float) -> None:
        self.folder, self.seconds, self.n_tasks = folder, seconds, 0

    def setup(self, worker: Any) -> None:
        self.sleeps = is_first(self.folder / "sleeping")

    def transition(self, key: Any, start: str, finish: str, **_: Any) -> None:
        if finish == "executing" and self.sleeps:
            self.n_tasks += 1
            (self.folder / "sleeping").write_text(str(self.n_tasks))
            time.sleep(self.seconds)


class FillMemory(WorkerPlugin):
    """Fill the memory of the worker that first executes a task of a stage, until the nanny ends its process.

    A file holds the id of the process.
    """

    name = "fill-memory"

    def __init__(self, stage: str, folder: Path, n_bytes: int) -> None:
        self.stage, self.folder, self.n_bytes = stage, folder, n_bytes

    def transition(self, key: Any, start: str, finish: str, **_: Any) -> None:
        if finish == "executing" and stage_of(key) == self.stage and is_first(self.folder / "filled"):
            (self.folder / "filled").write_text(str(os.getpid()))
            filled = bytearray(b"x") * self.n_bytes
            time.sleep(60)
            del filled
