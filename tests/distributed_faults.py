"""Workers that die in the middle of a stage; imported by the workers themselves."""

import os
import signal
from pathlib import Path
from typing import Any

from distributed import WorkerPlugin


class KillOnce(WorkerPlugin):
    """Kill the process of the worker that first executes a task of each stage, while it executes it.

    A file for each stage on shared storage says that a worker has died in it.
    """

    name = "kill-once"

    def __init__(self, stages: list[str], folder: Path, *, always: bool = False) -> None:
        self.stages, self.folder, self.always = stages, folder, always

    def transition(self, key: Any, start: str, finish: str, **_: Any) -> None:
        name = key[0] if isinstance(key, tuple) else key
        stage = name.rsplit("-", 1)[0] if isinstance(key, tuple) else name.rsplit("-", 2)[0]
        if finish != "executing" or stage not in self.stages:
            return
        try:
            (self.folder / stage).touch(exist_ok=self.always)
        except FileExistsError:
            return
        os.kill(os.getpid(), signal.SIGKILL)
